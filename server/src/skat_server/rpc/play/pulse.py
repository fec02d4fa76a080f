"""The one timer of a stream: it beats while nothing is said, and tells when nothing is read."""

from collections.abc import Callable

from skat_server.clock import Clock, Timer


class Pulse:
    """Looks at a stream from time to time; a message costs it two looks at the clock.

    The timer is set anew only when it has fired: it then finds out what is due, and when
    something is due next.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        heartbeat: float,
        write_within: float,
        on_quiet: Callable[[], None],
        on_stuck: Callable[[], None],
    ) -> None:
        """Start to look.

        Args:
            clock: for all of it.
            heartbeat: seconds without a message after which `on_quiet` is called.
            write_within: seconds after which `on_stuck` is called when the transport has not
                taken a message; nothing is called after that.
            on_quiet: called while nothing is being written.
            on_stuck: called once at most.
        """
        self._clock = clock
        self._heartbeat = heartbeat
        self._write_within = write_within
        self._on_quiet = on_quiet
        self._on_stuck = on_stuck
        self._quiet_since = clock.monotonic()
        self._writing_since: float | None = None
        self._timer: Timer = clock.call_later(heartbeat, self._look)

    def writing(self) -> None:
        """A message is given to the transport."""
        self._writing_since = self._clock.monotonic()

    def wrote(self) -> None:
        """The transport has taken it."""
        self._writing_since = None
        self._quiet_since = self._clock.monotonic()

    def stop(self) -> None:
        """Look no more."""
        self._timer.cancel()

    def _look(self) -> None:
        now = self._clock.monotonic()
        if self._writing_since is not None:
            due = self._writing_since + self._write_within
            if now >= due:
                self._on_stuck()
                return
            due = min(due, now + self._heartbeat)
        else:
            due = self._quiet_since + self._heartbeat
            if now >= due:
                self._on_quiet()
                due = now + self._heartbeat
        self._timer = self._clock.call_later(due - now, self._look)
