"""A walk through all methods of the contract, which goes on whatever fails on the way."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import grpc
from google.protobuf.message import DecodeError, Message

from skat.v1 import action_pb2, play_service_pb2, table_service_pb2
from tests.leaks.eavesdropping import Metadata, said_by
from tests.leaks.oracle import Question
from tests.rpc.game import NAMES
from tests.rpc.rights import MATRIX, Scene

SEATS: Final = 3
LAST_OF_ALL: Final = ("LeaveSeat", "VoidDeal", "ForfeitSeat", "CloseTable")
"""Methods after which there is less to see."""
LEFT_OUT: Final = "Drain"
"""A server of which a part has failed cannot stop in good order."""
METHODS: Final = sorted(
    (method for method in MATRIX if not method.endswith(LEFT_OUT)),
    key=lambda method: method.endswith(LAST_OF_ALL),
)


def metadata_of(name: str) -> Metadata:
    """Of a player on an open server, known by a token of his own making."""
    return (("authorization", f"Bearer token-of-player-{name}"),)


class Tour:
    """One walk.

    Attributes:
        heard: everything that anybody was told.
        stop: where the walk is.
    """

    def __init__(self, players: grpc.aio.Channel, operator: grpc.aio.Channel) -> None:
        """Walk through the two ports of a server."""
        self.heard: list[bytes] = []
        self.stop = ""
        self._players = players
        self._operator = operator
        self._table_id = ""

    async def walk(
        self,
        request: table_service_pb2.CreateTableRequest,
        questions: Sequence[Question],
        stops: Collection[str] | None = None,
    ) -> None:
        """Make a table, play the first deal, ask the oracle, and call everything.

        Args:
            request: makes the table.
            questions: to the oracle.
            stops: where to go after the deal; everywhere when not given.
        """
        made = await self._call("skat.v1.TableService.CreateTable", [request], NAMES[0])
        self._table_id = _table_id(made)
        for name in NAMES[:SEATS]:
            sitting = table_service_pb2.TakeSeatRequest(
                table_id=self._table_id, player_name=name, client_nonce=b"nonce"
            )
            await self._call("skat.v1.TableService.TakeSeat", [sitting], name)
        await self._play()
        ways = [
            (f"{number} {method}", f"skat.v1.RulesService.{method}", question)
            for number, (method, question) in enumerate(questions)
        ]
        ways += [(method, method, self._request(method)) for method in METHODS]
        for stop, method, question in ways:
            if stops is None or stop in stops:
                self.stop = stop
                await self._call(method, [question], NAMES[0])

    async def _play(self) -> None:
        """Middlehand, rearhand and forehand pass: by stream, and by calls."""
        for turn, name in enumerate((NAMES[2], NAMES[0], NAMES[1])):
            submission = play_service_pb2.Submission(
                table_id=self._table_id,
                turn_id=f"1.{turn}",
                action=action_pb2.Action(pass_auction=action_pb2.Pass()),
            )
            wrong = play_service_pb2.Submission(table_id=self._table_id, turn_id="9.9")
            hello = play_service_pb2.PlayRequest(hello=play_service_pb2.Hello())
            both = play_service_pb2.PlayRequest(submissions=[wrong, submission])
            await self._call("skat.v1.PlayService.Play", [hello, both], name)

    def _request(self, method: str) -> Message:
        _, ask = MATRIX[method]
        return ask(Scene(self._table_id, "1.0", 0, "bot-none", "token-none"))

    async def _call(self, method: str, requests: Sequence[Message], name: str) -> list[bytes]:
        is_admin = ".AdminService." in method
        channel = self._operator if is_admin else self._players
        metadata = () if is_admin else metadata_of(name)
        at_most = 1 if method.endswith("WatchTable") else 1_000
        said = await said_by(channel, method, requests, metadata, at_most=at_most)
        self.heard += said
        return said


def _table_id(made: list[bytes]) -> str:
    try:
        return table_service_pb2.CreateTableResponse.FromString(made[0]).table.table_id
    except DecodeError:
        return "table-none"
