"""TournamentService and its records, as an organiser calls them."""

import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

import grpc

from skat.v1 import (
    record_service_pb2,
    record_service_pb2_grpc,
    spectate_service_pb2,
    spectate_service_pb2_grpc,
    tournament_pb2,
    tournament_service_pb2_grpc,
)
from skat.v1 import tournament_service_pb2 as pb
from skat_server.remote.connection import CALL_SECONDS, Target

_PAGE: Final = 200
MOST_FAILURES: Final = 60
"""Times in a row that a server which has answered is looked for again."""
PAUSE: Final = 1.0
"""Seconds between two of them."""

_Request_contra = TypeVar("_Request_contra", contravariant=True)
_Response_co = TypeVar("_Response_co", covariant=True)


class _Method(Protocol[_Request_contra, _Response_co]):
    """A method of a stub."""

    def __call__(
        self, request: _Request_contra, /, *, timeout: float, metadata: tuple[tuple[str, str], ...]
    ) -> _Response_co:
        """Call the server."""


class Organiser:
    """An organiser at a server.

    Attributes:
        has_token: whether it shows one; without one it is the guest.
    """

    def __init__(
        self,
        channel: grpc.Channel,
        target: Target,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        """Call over a channel.

        Args:
            channel: to the server.
            target: who asks.
            pause: waits for so many seconds; by the machine's clock when not given.
        """
        self._tournaments = tournament_service_pb2_grpc.TournamentServiceStub(channel)
        self._records = record_service_pb2_grpc.RecordServiceStub(channel)
        self._spectate = spectate_service_pb2_grpc.SpectateServiceStub(channel)
        self.has_token = bool(target.token)
        self._metadata = target.metadata
        self._pause = pause or threading.Event().wait

    def create(self, text: str) -> tournament_pb2.Tournament:
        """Make a draft from a file."""
        request = pb.CreateTournamentRequest(config=text, request_id=secrets.token_hex(16))
        return self._ask(self._tournaments.CreateTournament, request).tournament

    def open(self, tournament_id: str) -> tournament_pb2.Tournament:
        """Let entries register."""
        request = pb.OpenTournamentRequest(tournament_id=tournament_id)
        return self._ask(self._tournaments.OpenTournament, request).tournament

    def start(self, tournament_id: str) -> tournament_pb2.Tournament:
        """Begin play."""
        request = pb.StartTournamentRequest(tournament_id=tournament_id)
        return self._ask(self._tournaments.StartTournament, request).tournament

    def pause(self, tournament_id: str) -> tournament_pb2.Tournament:
        """Begin no new tables."""
        request = pb.PauseTournamentRequest(tournament_id=tournament_id)
        return self._ask(self._tournaments.PauseTournament, request).tournament

    def resume(self, tournament_id: str) -> tournament_pb2.Tournament:
        """Go on."""
        request = pb.ResumeTournamentRequest(tournament_id=tournament_id)
        return self._ask(self._tournaments.ResumeTournament, request).tournament

    def cancel(self, tournament_id: str, reason: str) -> tournament_pb2.Tournament:
        """End it."""
        request = pb.CancelTournamentRequest(tournament_id=tournament_id, reason=reason)
        return self._ask(self._tournaments.CancelTournament, request).tournament

    def get(self, tournament_id: str) -> tournament_pb2.Tournament:
        """One tournament."""
        request = pb.GetTournamentRequest(tournament_id=tournament_id)
        return self._ask(self._tournaments.GetTournament, request).tournament

    def all(self) -> Iterator[tournament_pb2.Tournament]:
        """All tournaments, the newest first."""
        request = pb.ListTournamentsRequest(page_size=_PAGE)
        while True:
            page = self._ask(self._tournaments.ListTournaments, request)
            yield from page.tournaments
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    def standings(self, tournament_id: str) -> pb.GetStandingsResponse:
        """The table, with and without faults."""
        request = pb.GetStandingsRequest(tournament_id=tournament_id)
        return self._ask(self._tournaments.GetStandings, request)

    def cross_table(self, tournament_id: str) -> Sequence[pb.CrossTableRow]:
        """Who beat whom by how much."""
        request = pb.GetCrossTableRequest(tournament_id=tournament_id)
        return self._ask(self._tournaments.GetCrossTable, request).rows

    def test(self, tournament_id: str) -> tournament_pb2.TestStatus:
        """Where the sequential test of an event stands."""
        request = pb.GetTestRequest(tournament_id=tournament_id)
        return self._ask(self._tournaments.GetTest, request).test

    def pairings(self, tournament_id: str) -> Iterator[tournament_pb2.Pairing]:
        """The schedule."""
        request = pb.ListPairingsRequest(tournament_id=tournament_id, page_size=_PAGE)
        while True:
            page = self._ask(self._tournaments.ListPairings, request)
            yield from page.pairings
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    def records(self, table_id: str) -> Iterator[record_service_pb2.DealRecord]:
        """The records of a table."""
        request = record_service_pb2.ListDealRecordsRequest(table_id=table_id, page_size=_PAGE)
        while True:
            page = self._ask(self._records.ListDealRecords, request)
            yield from page.records
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    def watch(
        self, tournament_id: str, lost: Callable[[], None] = lambda: None
    ) -> Iterator[spectate_service_pb2.WatchStandingsResponse]:
        """The table whenever it changes, until the end.

        A server that goes away is looked for again, so that a watch outlives its restarts.

        Args:
            tournament_id: which one.
            lost: called when the server has gone away.
        """
        request = spectate_service_pb2.WatchStandingsRequest(tournament_id=tournament_id)
        left = 0
        while True:
            try:
                for seen in self._spectate.WatchStandings(request, metadata=self._metadata):
                    left = MOST_FAILURES
                    yield seen
                return
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE or not left:
                    raise
                left -= 1
            lost()
            self._pause(PAUSE)

    def _ask(
        self, method: _Method[_Request_contra, _Response_co], request: _Request_contra
    ) -> _Response_co:
        return method(request, timeout=CALL_SECONDS, metadata=self._metadata)
