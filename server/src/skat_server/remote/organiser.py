"""TournamentService and its records, as an organiser calls them."""

from collections.abc import Iterator
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

_Request_contra = TypeVar("_Request_contra", contravariant=True)
_Response_co = TypeVar("_Response_co", covariant=True)


class _Method(Protocol[_Request_contra, _Response_co]):
    """A method of a stub."""

    def __call__(
        self, request: _Request_contra, /, *, timeout: float, metadata: tuple[tuple[str, str], ...]
    ) -> _Response_co:
        """Call the server."""


class Organiser:
    """An organiser at a server."""

    def __init__(self, channel: grpc.Channel, target: Target) -> None:
        """Call over a channel."""
        self._tournaments = tournament_service_pb2_grpc.TournamentServiceStub(channel)
        self._records = record_service_pb2_grpc.RecordServiceStub(channel)
        self._spectate = spectate_service_pb2_grpc.SpectateServiceStub(channel)
        self._metadata = target.metadata

    def create(self, text: str) -> tournament_pb2.Tournament:
        """Make a draft from a file."""
        request = pb.CreateTournamentRequest(config=text)
        return self._tournaments.CreateTournament(
            request, metadata=self._metadata, timeout=CALL_SECONDS
        ).tournament

    def open(self, tournament_id: str) -> tournament_pb2.Tournament:
        """Let entries register."""
        request = pb.OpenTournamentRequest(tournament_id=tournament_id)
        return self._tournaments.OpenTournament(
            request, metadata=self._metadata, timeout=CALL_SECONDS
        ).tournament

    def start(self, tournament_id: str) -> tournament_pb2.Tournament:
        """Begin play."""
        request = pb.StartTournamentRequest(tournament_id=tournament_id)
        return self._tournaments.StartTournament(
            request, metadata=self._metadata, timeout=CALL_SECONDS
        ).tournament

    def pause(self, tournament_id: str) -> tournament_pb2.Tournament:
        """Begin no new tables."""
        request = pb.PauseTournamentRequest(tournament_id=tournament_id)
        return self._tournaments.PauseTournament(
            request, metadata=self._metadata, timeout=CALL_SECONDS
        ).tournament

    def resume(self, tournament_id: str) -> tournament_pb2.Tournament:
        """Go on."""
        request = pb.ResumeTournamentRequest(tournament_id=tournament_id)
        return self._tournaments.ResumeTournament(
            request, metadata=self._metadata, timeout=CALL_SECONDS
        ).tournament

    def cancel(self, tournament_id: str, reason: str) -> tournament_pb2.Tournament:
        """End it."""
        request = pb.CancelTournamentRequest(tournament_id=tournament_id, reason=reason)
        return self._tournaments.CancelTournament(
            request, metadata=self._metadata, timeout=CALL_SECONDS
        ).tournament

    def get(self, tournament_id: str) -> tournament_pb2.Tournament:
        """One tournament."""
        request = pb.GetTournamentRequest(tournament_id=tournament_id)
        return self._tournaments.GetTournament(
            request, metadata=self._metadata, timeout=CALL_SECONDS
        ).tournament

    def all(self) -> Iterator[tournament_pb2.Tournament]:
        """All tournaments, the newest first."""
        token = ""
        while True:
            request = pb.ListTournamentsRequest(page_size=_PAGE, page_token=token)
            page = self._tournaments.ListTournaments(
                request, metadata=self._metadata, timeout=CALL_SECONDS
            )
            yield from page.tournaments
            token = page.next_page_token
            if not token:
                return

    def standings(self, tournament_id: str) -> pb.GetStandingsResponse:
        """The table, with and without faults."""
        request = pb.GetStandingsRequest(tournament_id=tournament_id)
        return self._tournaments.GetStandings(
            request, metadata=self._metadata, timeout=CALL_SECONDS
        )

    def pairings(self, tournament_id: str) -> Iterator[tournament_pb2.Pairing]:
        """The schedule."""
        token = ""
        while True:
            request = pb.ListPairingsRequest(
                tournament_id=tournament_id, page_size=_PAGE, page_token=token
            )
            page = self._tournaments.ListPairings(
                request, metadata=self._metadata, timeout=CALL_SECONDS
            )
            yield from page.pairings
            token = page.next_page_token
            if not token:
                return

    def records(self, table_id: str) -> Iterator[record_service_pb2.DealRecord]:
        """The records of a table."""
        token = ""
        while True:
            request = record_service_pb2.ListDealRecordsRequest(
                table_id=table_id, page_size=_PAGE, page_token=token
            )
            page = self._records.ListDealRecords(
                request, metadata=self._metadata, timeout=CALL_SECONDS
            )
            yield from page.records
            token = page.next_page_token
            if not token:
                return

    def watch(self, tournament_id: str) -> Iterator[spectate_service_pb2.WatchStandingsResponse]:
        """The table whenever it changes, until the end."""
        request = spectate_service_pb2.WatchStandingsRequest(tournament_id=tournament_id)
        yield from self._spectate.WatchStandings(request, metadata=self._metadata)

    def _ask(
        self, method: _Method[_Request_contra, _Response_co], request: _Request_contra
    ) -> _Response_co:
        return method(request, timeout=CALL_SECONDS, metadata=self._metadata)
