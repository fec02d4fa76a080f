"""Measures what a decision costs without a transport: engine, projection, log, and messages.

One table on a store in memory, three sessions with an outbox each. What is ready for a session is
drained and written as it would be for its stream, and the decision in it is answered at random.

    python -m bench.decision [--decisions 20000] [--rounds 5]
"""

import argparse
import json
import random
from typing import Final

from bench.tables import NAMES, answer, seated_table
from bench.timing import median_us
from skat_server.cli.loops import spare_the_collector
from skat_server.clock import ManualClock
from skat_server.rpc.play.frames import packed
from skat_server.storage.memory import MemoryStore
from skat_server.tables.outbox import Delivery, Outbox
from skat_server.tables.table import Table

DECISIONS: Final = 20_000


class Reader:
    """A session that is read as soon as there is something to read.

    Attributes:
        written: bytes so far.
    """

    def __init__(self, table: Table, seat: int, clock: ManualClock) -> None:
        """Follow a table from a seat."""
        self.written = 0
        self._is_awake = False
        self._outbox = Outbox(Delivery.WITH_DECISIONS, clock, self._wake)
        self._outbox.attach(table, seat, None)

    def _wake(self) -> None:
        self._is_awake = True

    def read(self) -> None:
        """Write what is ready as a stream would."""
        if not self._is_awake:
            return
        self._is_awake = False
        self.written += sum(map(len, packed(b"", self._outbox.drain(), lambda _: True)))


def decision_us(decisions: int, rounds: int) -> float:
    """Microseconds of processor time for each decision."""
    chance, clock = random.Random(1), ManualClock()
    table = seated_table("table-0", MemoryStore(), clock, chance)
    readers = [Reader(table, seat, clock) for seat in range(len(NAMES))]

    def work() -> None:
        for _ in range(decisions):
            answer(table, chance)
            for reader in readers:
                reader.read()

    spare_the_collector()  # as the server does
    return median_us(work, decisions, rounds)


def main() -> None:
    """Read the options, measure, and print the line."""
    parser = argparse.ArgumentParser(description="measure a decision without a transport")
    parser.add_argument("--decisions", type=int, default=DECISIONS, help="in each round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds to take the median of")
    options = parser.parse_args()
    print(json.dumps({"decision_us": decision_us(options.decisions, options.rounds)}))


if __name__ == "__main__":
    main()
