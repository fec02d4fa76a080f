"""Ends the calls of tokens that were revoked, have expired, or whose holder was banned."""

import structlog

from skat_server.clock import Clock
from skat_server.players.doors import Door
from skat_server.rpc.live_calls import LiveCalls
from skat_server.storage.protocols import StoreError

LOOK_EVERY = 2.0
"""Seconds between two looks: with the moment for which a door believes what it has read, a
revocation by another process ends streams within five seconds."""

_log = structlog.get_logger()


class Revocations:
    """Asks again and again whether the tokens of open calls are still good."""

    def __init__(self, live: LiveCalls, door: Door, clock: Clock) -> None:
        """Watch over these calls."""
        self._live = live
        self._door = door
        self._clock = clock

    async def run(self) -> None:
        """Look every few seconds, for ever: whatever goes wrong once, a revocation must count."""
        while True:
            await self._clock.sleep(LOOK_EVERY)
            try:
                await self.look()
                await self._door.note_uses()
            except Exception as error:
                _log.error("tokens.look_failed", exc_info=error)

    async def look(self) -> None:
        """Look now; also called after something has changed here.

        A token counts as good until the store says otherwise: while it does not answer, calls
        go on.
        """
        self._door.forget()
        token_ids = tuple(self._live.token_ids)
        try:
            refusals = await self._door.refused(token_ids) if token_ids else {}
        except StoreError as error:
            _log.warning("tokens.not_checked", failure=error.failure.value)
            return
        self._live.end(refusals)
