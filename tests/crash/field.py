"""Many tables and their players, who play until everything is over."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from skat.v1 import table_service_pb2 as tables
from tests.crash.client_player import IN_THE_CLIENT, ClientPlayer
from tests.crash.database import histories_in
from tests.crash.recording import Address, Player, Progress, Spectator, table_request
from tests.crash.wire import ON_THE_WIRE
from tests.histories.checker import violations
from tests.histories.model import ClientHistory, History, Violation

SEATS: Final = 3
NAMES: Final = tuple(f"p{number}" for number in range(12))
"""Every player sits at a quarter of the tables."""
SPECTATORS: Final = 3
"""Tables that are watched."""


class Follower(Protocol):
    """Anybody who stays at tables until they are over."""

    history: ClientHistory

    async def follow(self, table_ids: set[str]) -> None:
        """Stay until these tables are over."""


class Field:
    """Tables with their players.

    Attributes:
        progress: counts what the players send.
        table_ids: all tables, once they are made.
    """

    def __init__(
        self,
        address: Address,
        seed: int,
        names: Sequence[str] = NAMES,
        way: Address | None = None,
        think: float = 0.0,
    ) -> None:
        """Bring the players together.

        Args:
            address: where the server listens at the moment.
            seed: of all that the players do.
            names: of the players; no two fields on one server share any.
            way: for one player in four, who uses the Python client: where the server can always
                be reached; nobody uses it when not given.
            think: seconds before each answer.
        """
        self.progress = Progress()
        self.table_ids: list[str] = []
        self._address = address
        self._players = [
            Player(name, address, self.progress, seed + number, think)
            for number, name in enumerate(names)
        ]
        self._by_client = {
            player.name: ClientPlayer(player.name, way, self.progress, seed)
            for player in (self._players[::4] if way is not None else [])
            if way is not None
        }
        self._places: dict[str, set[str]] = {player.name: set() for player in self._players}
        self._spectators: list[Spectator] = []

    async def open(self, requests: Sequence[tables.CreateTableRequest]) -> None:
        """Make the tables and take all seats."""
        for number, request in enumerate(requests):
            await self._open(number, request)
        self._spectators = [
            Spectator(table_id, self._address, self.progress)
            for table_id in self.table_ids[:SPECTATORS]
        ]

    async def _open(self, number: int, request: tables.CreateTableRequest) -> None:
        count = len(self._players)
        seated = [self._players[(number * SEATS + seat) % count] for seat in range(SEATS)]
        table_id = await seated[0].create(request)
        self.table_ids.append(table_id)
        for seat, player in enumerate(seated):
            await player.sit(table_id, seat)
            self._places[player.name].add(table_id)

    async def play(self) -> None:
        """Stay until all tables are over."""
        async with asyncio.TaskGroup() as group:
            for player in self._players:
                follower: Follower = self._by_client.get(player.name, player)
                group.create_task(follower.follow(self._places[player.name]))
            for spectator in self._spectators:
                group.create_task(spectator.follow({spectator.table_id}))

    async def play_until(self, count: int) -> None:
        """Play until so many answers were sent, each of them once, and leave it at that."""
        for player in self._players:
            player.twice = 0.0
        playing = asyncio.create_task(self.play())
        reaching = asyncio.create_task(self.progress.reach(count))
        await asyncio.wait({playing, reaching}, return_when=asyncio.FIRST_COMPLETED)
        for task in (playing, reaching):
            task.cancel()
        outcomes = await asyncio.gather(playing, reaching, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    async def resumed(self) -> float:
        """Seconds until the first player has read all of his tables again."""
        player = self._players[0]
        return await player.look(self._places[player.name])

    def again(self, address: Address, seed: int) -> Field:
        """The same players, who know nothing any more, at the same tables elsewhere."""
        twin = Field(address, seed, [player.name for player in self._players])
        twin.table_ids, twin._places = self.table_ids, self._places
        twin._spectators = [
            Spectator(spectator.table_id, address, twin.progress) for spectator in self._spectators
        ]
        return twin

    @property
    def histories_in_the_client(self) -> list[ClientHistory]:
        """Of all who use the Python client."""
        return [client.history for client in self._by_client.values()]

    @property
    def histories(self) -> list[ClientHistory]:
        """Of all who do not use the Python client."""
        raw = [player for player in self._players if player.name not in self._by_client]
        return [client.history for client in (*raw, *self._spectators)]

    async def violations(self, data: Path) -> list[Violation]:
        """What is wrong with the histories, seen beside what a server has left in a folder."""
        kept = histories_in(data)
        return [
            *violations(History(kept, self.histories, ON_THE_WIRE)),
            *violations(History(kept, self.histories_in_the_client, IN_THE_CLIENT)),
        ]


def requests_for(count: int, deals: int) -> list[tables.CreateTableRequest]:
    """So many tables of so many deals."""
    return [table_request(number, deals) for number in range(count)]
