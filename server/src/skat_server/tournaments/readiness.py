"""Waiting for the entries before play begins, and again after every pause (R5)."""

from collections.abc import Callable, Iterable

from skat_server.clock import Clock, Timer
from skat_server.tables.sessions import Sessions


class Readiness:
    """Whether everybody is connected, or the time to wait for them is over.

    The time counts from the first question on: after a crash of the server, and after a pause, all
    have it once more.
    """

    def __init__(
        self, sessions: Sessions, clock: Clock, seconds: float, wake: Callable[[], None]
    ) -> None:
        """Wait for nobody yet.

        Args:
            sessions: tell who is connected.
            clock: for the wait.
            seconds: how long to wait at most.
            wake: called when the answer may have changed.
        """
        self._sessions = sessions
        self._clock = clock
        self._seconds = seconds
        self._wake = wake
        self._is_over = False
        self._timer: Timer | None = None

    @property
    def is_settled(self) -> bool:
        """Whether nobody is waited for any more, as far as was asked."""
        return self._is_over

    def is_over(self, players: Iterable[str]) -> bool:
        """Whether play may begin; once it may, who goes away again is a matter of the clocks."""
        if not self._is_over and all(map(self._sessions.is_connected, players)):
            self._stop()
        if not self._is_over and self._timer is None:
            self._timer = self._clock.call_later(self._seconds, self._stop)
            self._sessions.watch(self._wake)
        return self._is_over

    def reset(self) -> None:
        """Wait anew when the next question comes."""
        self.forget()
        self._is_over = False

    def forget(self) -> None:
        """Let go of clock and sessions."""
        self._sessions.unwatch(self._wake)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stop(self) -> None:
        self.forget()
        self._is_over = True
        self._wake()
