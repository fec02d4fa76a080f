"""The signals that tell a command that runs for long to stop."""

import signal
from collections.abc import Iterator


def stop_signals() -> Iterator[signal.Signals]:
    """What says stop; a terminal that closes does, unless under nohup."""
    yield from (signal.SIGINT, signal.SIGTERM)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        yield signal.SIGHUP
