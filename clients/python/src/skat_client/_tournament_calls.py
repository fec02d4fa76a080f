"""Calls of those who take part in tournaments."""

import secrets
from collections.abc import AsyncGenerator

import grpc

from skat.v1 import spectate_service_pb2 as spectate
from skat.v1 import tournament_service_pb2 as tournaments
from skat_client._backoff import Backoff
from skat_client._calls import Calls
from skat_client._convert_tournaments import (
    entry_from_proto,
    seen_from_proto,
    tournament_from_proto,
)
from skat_client._failures import error_from_rpc
from skat_client._recovery import Recovery
from skat_client._table_calls import NONCE_BYTES
from skat_client._tournaments import Entry, StandingsSeen, Tournament
from skat_client.errors import ProtocolError


class TournamentCalls(Calls):
    """The tournament service, as far as those need it who take part."""

    async def get_tournament(self, tournament_id: str) -> Tournament:
        """One tournament.

        Raises:
            NotFoundError: no such tournament, or another's draft.
        """
        request = tournaments.GetTournamentRequest(tournament_id=tournament_id)
        response = await self._call(self._wires.tournaments.GetTournament, request)
        return tournament_from_proto(response.tournament)

    async def register(
        self, tournament_id: str, name: str, *, client_nonce: bytes | None = None
    ) -> Entry:
        """Enter a tournament that is open.

        Args:
            tournament_id: which one.
            name: unique there, 1 to 40 characters. An entry of the file that waits for its player
                is taken by its name.
            client_nonce: the entry's share in the chance of the boards, up to 32 bytes; a new
                random one when None.

        Raises:
            AlreadySeatedError: the player takes part already.
            InvalidRequestError: another entry has the name.
            NotAllowedError: the tournament is not open, or has an entry of the same owner.
        """
        nonce = secrets.token_bytes(NONCE_BYTES) if client_nonce is None else client_nonce
        request = tournaments.RegisterRequest(
            tournament_id=tournament_id, name=name, client_nonce=nonce
        )
        response = await self._call(self._wires.tournaments.Register, request)
        return entry_from_proto(response.entry)

    async def withdraw(self, tournament_id: str) -> None:
        """Take the own entry back, before the tournament starts.

        Raises:
            NotAllowedError: the player does not take part, or it has started.
        """
        request = tournaments.WithdrawRequest(tournament_id=tournament_id)
        await self._call(self._wires.tournaments.Withdraw, request)

    async def watch_standings(
        self,
        tournament_id: str,
        *,
        max_downtime: float | None = None,
        backoff: Backoff | None = None,
    ) -> AsyncGenerator[StandingsSeen, None]:
        """A tournament and its table whenever they have changed, until it is over.

        A lost connection is opened again. The last item shows how it has ended.

        Args:
            tournament_id: which one.
            max_downtime: give up after this many seconds without a connection; None means never.
            backoff: how long to wait between connections.

        Raises:
            NotFoundError: no such tournament, or another's draft.
            GaveUpError: there was no connection for longer than allowed.
        """
        what = f"watch of tournament {tournament_id}"
        recovery = Recovery(what, backoff or Backoff(), max_downtime)
        request = spectate.WatchStandingsRequest(tournament_id=tournament_id)
        while True:
            call = self._wires.spectate.WatchStandings(request, metadata=self._metadata)
            try:
                async for response in call:
                    if not isinstance(response, spectate.WatchStandingsResponse):
                        # So the library says that the bytes are no message.
                        raise ProtocolError("the server sent what cannot be read")
                    recovery.retrying.progressed()
                    yield seen_from_proto(response)
                return
            except grpc.aio.AioRpcError as error:
                failure = error_from_rpc(error)
            finally:
                call.cancel()
            await recovery.wait(failure)
