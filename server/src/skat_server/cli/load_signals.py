"""What ends a load early, heard from its first moment to its last word."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import typer

from skat_server.cli.endings import EXIT_INTERRUPTED
from skat_server.cli.stop_signals import stop_signals


class Interruption:
    """Ctrl-C, SIGTERM, or a terminal that closes.

    Attributes:
        stop: ends what is under way, and is called for every signal; None where nothing is, and the
            first signal ends the command.
    """

    def __init__(self) -> None:
        """Nothing has come yet."""
        self.stop: Callable[[], None] | None = None
        self.has_come = False
        self._is_ending = False

    def heed(self, _number: int, _frame: FrameType | None) -> None:
        """Take a signal.

        Raises:
            KeyboardInterrupt: there is nothing under way that could end by itself; once only, so
                that a second signal does not disturb the end.
        """
        self.has_come = True
        if self.stop is not None:
            self.stop()
        elif not self._is_ending:
            self._is_ending = True
            raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Hear the signals that end a load.

    The event loop's own handlers come with it and go with it; a signal before or after that would
    end the process without a word, and with tables left on the server.

    Raises:
        typer.Exit: a signal has come while nothing was under way, or has taken away whom to tell.
    """
    interruption = Interruption()
    before = {number: signal.signal(number, interruption.heed) for number in stop_signals()}
    try:
        yield interruption
    except KeyboardInterrupt:
        raise typer.Exit(EXIT_INTERRUPTED) from None
    except OSError:
        if not interruption.has_come:
            raise
        # The terminal has closed, so that nobody can be told any more.
        raise typer.Exit(EXIT_INTERRUPTED) from None
    finally:
        for number, handler in before.items():
            # The exit code is settled: who hurries now must not spoil it.
            signal.signal(number, signal.SIG_IGN if interruption.has_come else handler)
