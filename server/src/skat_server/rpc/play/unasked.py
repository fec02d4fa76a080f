"""What a player may send that nobody asked for (ADR 0015)."""

from math import ceil

from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.buckets import Buckets, Rate


class UnaskedLimits:
    """The limits of all players.

    They belong to the players and not to their streams: whoever was cut for sending too much
    finds on his next stream what he has left of it.
    """

    def __init__(self, rate: Rate, clock: Clock) -> None:
        """Know of nobody."""
        self.rate = rate
        self._clock = clock
        self._buckets = Buckets(rate)

    def is_limited(self, player_id: str) -> bool:
        """Whether a player may send nothing more unasked for the moment."""
        return self._buckets.wait(player_id, self._clock.monotonic()) > 0.0

    def charge(self, player_id: str) -> None:
        """Count something that settled no decision.

        Raises:
            RefusedError: RATE_LIMITED when a whole burst more was sent by somebody who was limited.
        """
        now = self._clock.monotonic()
        if self._buckets.spend(player_id, now) < -self.rate.burst:
            raise self.refusal(player_id)

    def refusal(self, player_id: str) -> RefusedError:
        """Why something unasked is refused."""
        seconds = self._buckets.wait(player_id, self._clock.monotonic())
        return RefusedError(
            Reason.RATE_LIMITED,
            f"more than {self.rate.per_second:.0f} messages a second that settle no decision; "
            f"wait {seconds:.3f} s",
            limit="unasked_per_second",
            subject="player",
            retry_ms=str(ceil(seconds * 1_000)),
        )


class Unasked:
    """What one stream sends, and whether anybody asked for it."""

    def __init__(self, limits: UnaskedLimits, player_id: str) -> None:
        """Charge a player."""
        self._limits = limits
        self._player_id = player_id
        self._beats = 0
        """Heartbeats of the server that were not answered yet."""

    @property
    def is_limited(self) -> bool:
        """Whether the player may send nothing more unasked for the moment."""
        return self._limits.is_limited(self._player_id)

    @property
    def refusal(self) -> RefusedError:
        """Why something unasked is refused."""
        return self._limits.refusal(self._player_id)

    def charge(self) -> None:
        """Count something that settled no decision.

        Raises:
            RefusedError: RATE_LIMITED when the stream must end.
        """
        self._limits.charge(self._player_id)

    def beat(self) -> None:
        """The server has sent a heartbeat: one may come back."""
        self._beats += 1

    def beaten(self) -> None:
        """The client has sent a heartbeat: one for each of the server's is free.

        Raises:
            RefusedError: RATE_LIMITED when the stream must end.
        """
        if self._beats:
            self._beats -= 1
        else:
            self.charge()
