"""`PollDecisions`: a session that lives for one call, and a little longer."""

import asyncio
from typing import Final

from skat.v1 import play_service_pb2 as pb
from skat_server.errors import Reason, RefusedError
from skat_server.players.identity import Player
from skat_server.rpc.play.frames import fitting, going_away_to_proto
from skat_server.rpc.play.parts import PlayParts
from skat_server.rpc.play.requests import delivery_from_proto, sequences, turns
from skat_server.tables.outbox import TableUpdate
from skat_server.tables.sessions import Session

LINGERS: Final = 10.0
"""Seconds after a poll for which its player still counts as connected."""
LONGEST_WAIT_MS: Final = 60_000


class Poll:
    """One call of a player."""

    def __init__(self, player: Player, parts: PlayParts) -> None:
        """Serve one call."""
        self._player = player
        self._parts = parts
        self._wake = asyncio.Event()
        self._is_late = False

    async def run(self, request: pb.PollDecisionsRequest) -> pb.PollDecisionsResponse:
        """Wait until there is something to tell, or the time is over.

        Raises:
            RefusedError: INVALID_FIELD, SESSION_SUPERSEDED, GOING_AWAY and what else ends a
                session.
        """
        seconds = _wait_of(request)
        session = self._open(request)
        try:
            updates = await self._updates(session, seconds)
        finally:
            self._parts.sessions.linger(session, LINGERS)
        response = pb.PollDecisionsResponse()
        if session.going_away is not None:
            response.going_away.CopyFrom(going_away_to_proto(session.going_away))
        return fitting(response, updates, self._parts.sessions.is_connected)

    def _open(self, request: pb.PollDecisionsRequest) -> Session:
        return self._parts.sessions.open(
            self._player.player_id,
            delivery_from_proto(request.delivery, "delivery"),
            sequences(request.positions),
            self._wake.set,
            turns(request.positions),
        )

    async def _updates(self, session: Session, seconds: float) -> list[TableUpdate]:
        noticed = session.going_away
        timer = self._parts.clock.call_later(seconds, self._be_late) if seconds else None
        self._is_late = timer is None
        try:
            while not self._is_late:
                if session.ended is not None:
                    raise session.ended
                updates = session.outbox.drain()
                if updates or session.going_away is not noticed:
                    return updates
                await self._wake.wait()
                self._wake.clear()
        finally:
            if timer is not None:
                timer.cancel()
        session.outbox.release()
        return session.outbox.drain()

    def _be_late(self) -> None:
        self._is_late = True
        self._wake.set()


def _wait_of(request: pb.PollDecisionsRequest) -> float:
    """Seconds to wait."""
    if request.wait_ms > LONGEST_WAIT_MS:
        raise RefusedError(
            Reason.INVALID_FIELD,
            f"wait_ms is {request.wait_ms}; use 0 to {LONGEST_WAIT_MS}",
            field="wait_ms",
        )
    return request.wait_ms / 1_000
