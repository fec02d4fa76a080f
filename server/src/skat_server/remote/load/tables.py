"""Keeping tables going: made, seated, played to their end, replaced, and closed at the end."""

import asyncio
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Final

import grpc

from skat.v1 import rule_set_pb2, table_pb2
from skat.v1 import table_service_pb2 as pb
from skat_server.remote.connection import CALL_SECONDS, RemoteError
from skat_server.remote.load.choices import CHOICES
from skat_server.remote.load.plan import SEATS, LoadBot, LoadPlan
from skat_server.remote.load.session import LoadSession
from skat_server.remote.load.shelf import Shelf
from skat_server.remote.load.stopwatch import Stopwatch
from skat_server.remote.load.wire import TableGoneError, Wire

_HOUSE: Final = {
    LoadBot.HOUSE_RANDOM: table_pb2.HOUSE_BOT_RANDOM,
    LoadBot.HOUSE_FIRST_OPTION: table_pb2.HOUSE_BOT_FIRST_OPTION,
}
_OVER: Final = frozenset({table_pb2.TABLE_STATE_FINISHED, table_pb2.TABLE_STATE_CLOSED})
_HEARD_WITHIN: Final = 2.0
"""Seconds in which players hear that their table was closed."""


class TableKeeper:
    """One place at which there is always a table.

    Attributes:
        table_id: the table that is played there now; None between two.
        is_waiting: whether it waits for its players, before its first table.
        has_come: whether it has had a table.
        leaves_a_table: whether, as far as it knows, a table of its is still open on the server.
    """

    def __init__(  # noqa: PLR0913, PLR0917  # it joins many parts
        self,
        number: int,
        plan: LoadPlan,
        wire: Wire,
        players: Sequence[LoadSession],
        stopwatch: Stopwatch,
        shelf: Shelf | None,
    ) -> None:
        """Prepare a place.

        Args:
            number: of the place, from 0.
            plan: what is played.
            wire: to the server.
            players: who plays from here, by seat.
            stopwatch: of the whole run.
            shelf: keeps records; None for none.
        """
        self.table_id: str | None = None
        self.is_waiting = True
        self.has_come = False
        self.leaves_a_table = False
        self._is_closing = False
        self._over = asyncio.Event()
        self._news = asyncio.Event()
        """The table is over, or its owner has come back and has to ask whether it is."""
        self._number = number
        self._plan = plan
        self._wire = wire
        self._players = players
        self._stopwatch = stopwatch
        self._shelf = shelf
        players[0].when_back(self._news.set)

    async def run(self) -> None:
        """Play one series after the other, until it is closed.

        Raises:
            RemoteError: the server will not have such tables.
        """
        for player in self._players:
            await player.ready.wait()
        self.is_waiting = False
        series = 0
        while not self._is_closing:
            await self._play(series)
            series += 1

    async def close(self) -> None:
        """Close the table that is under way, after which `run` ends."""
        self._is_closing = True
        if self.table_id is not None:
            try:
                await self._close(self.table_id)
            except TableGoneError:
                self._end()
            except RemoteError:
                pass  # counted as a fault; the table is left behind
            # Its players hear of it, and have then heard everything before it as well.
            self._wire.clock.call_later(_HEARD_WITHIN, self._end)

    async def _play(self, series: int) -> None:
        self._over.clear()
        self._news.clear()
        table_id = await self._open(series)
        if table_id is None:
            return
        self.table_id, self.has_come = table_id, True
        self._wire.books.tables += 1
        try:
            if self._is_closing:
                await self._close(table_id)
            else:
                await self._seat(table_id, series)
                await self._hear_the_end(table_id)
            await self._ask_at_the_end(table_id)
        except TableGoneError:
            self.leaves_a_table = False  # it counts among the faults, and is replaced
        self._leave(table_id)

    def _end(self) -> None:
        self._over.set()
        self._news.set()

    async def _hear_the_end(self, table_id: str) -> None:
        """Wait until the table is over.

        Raises:
            TableGoneError: it never will be: the server has come back without it.
        """
        while not self._over.is_set():
            await self._news.wait()
            self._news.clear()
            if not self._over.is_set():
                await self._ask(table_id)

    async def _close(self, table_id: str) -> None:
        owner, request = self._players[0], pb.CloseTableRequest(table_id=table_id)
        await self._wire.ask(
            "CloseTable",
            lambda: owner.tables.CloseTable(request, metadata=owner.metadata, timeout=CALL_SECONDS),
        )

    async def _open(self, series: int) -> str | None:
        """Make a table; None when the run ends before that succeeds."""
        request = self._request(series)
        made = await self._wire.insist(
            "CreateTable",
            partial(self._make, request),
            lambda: self._is_closing,
        )
        if made is None:
            return None
        if len(made.table.seats) != SEATS:
            await self._close(made.table.table_id)
            self.leaves_a_table = False
            raise RemoteError(
                f"a table with these rules has {len(made.table.seats)} seats; a load plays with "
                f"{SEATS}: leave out --set seats, or choose other --rules"
            )
        return made.table.table_id

    async def _make(self, request: pb.CreateTableRequest) -> pb.CreateTableResponse:
        owner = self._players[0]
        # Whoever does not wait for the answer does not know better.
        self.leaves_a_table = True
        try:
            return await owner.tables.CreateTable(
                request, metadata=owner.metadata, timeout=CALL_SECONDS
            )
        except grpc.aio.AioRpcError:
            self.leaves_a_table = False
            raise

    def _request(self, series: int) -> pb.CreateTableRequest:
        plan = self._plan
        is_watched = plan.spectators or plan.slow_readers
        seed = plan.deals_seed(self._number, series)
        fresh = pb.DealSource(fresh=pb.FreshDeals())
        return pb.CreateTableRequest(
            rule_set=rule_set_pb2.RuleSet(preset=plan.preset, overrides=dict(plan.overrides)),
            display_name=f"load {self._number}",
            visibility=(
                table_pb2.VISIBILITY_PUBLIC if is_watched else table_pb2.VISIBILITY_PRIVATE
            ),
            deal_source=(
                fresh if seed is None else pb.DealSource(seeded=pb.SeededDeals(seed=seed))
            ),
            house_bots=[_HOUSE[bot] for bot in plan.seated if bot.is_house],
        )

    async def _seat(self, table_id: str, series: int) -> None:
        for seat, player in enumerate(self._players):
            choose = CHOICES[self._plan.seated[seat]]
            chance = Random(f"{self._plan.seed}/{self._number}/{series}/{seat}")
            over = self._end if seat == 0 else None
            player.player.sit(table_id, choose, chance, over)
            request = pb.TakeSeatRequest(
                table_id=table_id, seat=seat, player_name=f"load {self._number}.{seat}"
            )
            await self._wire.insist(
                "TakeSeat",
                partial(
                    player.tables.TakeSeat,
                    request,
                    metadata=player.metadata,
                    timeout=CALL_SECONDS,
                ),
                lambda: self._is_closing,
            )

    async def _ask(self, table_id: str) -> table_pb2.Table | None:
        """What the server says of a table; None when it does not answer."""
        owner, request = self._players[0], pb.GetTableRequest(table_id=table_id)
        told = await self._wire.ask(
            "GetTable",
            lambda: owner.tables.GetTable(request, metadata=owner.metadata, timeout=CALL_SECONDS),
        )
        return None if told is None else told.table

    async def _ask_at_the_end(self, table_id: str) -> None:
        self.table_id = None
        table = await self._ask(table_id)
        if table is not None:
            self._wire.books.server_deals += table.deals_done
            self.leaves_a_table = table.state not in _OVER
        await self._fetch_records(table_id)

    def _leave(self, table_id: str) -> None:
        self.table_id = None
        self._wire.books.tables -= 1
        for player in self._players:
            player.player.rise(table_id)
        self._stopwatch.forget(table_id)

    async def _fetch_records(self, table_id: str) -> None:
        if self._shelf is not None:
            owner = self._players[0]
            await self._shelf.fetch(table_id, owner.records, owner.metadata)
