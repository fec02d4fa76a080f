"""The server without what watches it: no counters of play and messages, and no log lines.

It takes the options of `skat-server serve`. Whoever runs a server has no such switch, because what
is measured is so little (ADR 0040); here it is what the figure `observed` compares with.

    python -m bench.unobserved_server --port 0
"""

from skat_server import __main__ as server
from skat_server.clock import Clock
from skat_server.observability.metrics.instruments import Counter
from skat_server.observability.metrics.room import Room
from skat_server.rpc.interceptors import counting
from skat_server.tables.observing import UNOBSERVED, Unobserved
from skat_server.watching import server as watching


def main() -> None:
    """Take the watchers away, and serve."""
    watching.PlayWatch = _nobody  # type: ignore[attr-defined, assignment]
    counting.counting = _uncounted
    server.main()


def _nobody(room: Room, clock: Clock) -> Unobserved:
    del room, clock
    return UNOBSERVED


def _uncounted(convert: counting.Convert, counter: Counter) -> counting.Convert:
    del counter
    return convert


if __name__ == "__main__":
    main()
