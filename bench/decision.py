"""Measures what a decision costs without a transport.

One table on a store in memory, three sessions with an outbox each. The answers were drawn before:
a table whose cards come from the same key plays the same deals again, so a first one is played by
chance, and those that are measured replay its answers. Two figures come of it:

- ``decision_us``: engine, projection and log. An answer becomes a step, the step is kept and
  adopted, and what is ready for a session is drained, so that everybody's projections are made.
- ``decision_with_messages_us``: the same, and what was drained is written as for a stream.

    python -m bench.decision [--decisions 20000] [--rounds 5]
"""

import argparse
import json
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from bench.plan import Values
from bench.tables import NAMES, pick, seated_table, succeeded
from bench.timing import median_us
from skat_engine import Action, Seat

# The command line is for the program start alone. This is the exception: without it a decision
# takes a fifth more here than in a server.
from skat_server.cli.loops import spare_the_collector
from skat_server.clock import ManualClock
from skat_server.rpc.play.frames import packed
from skat_server.storage.memory import MemoryStore
from skat_server.tables.outbox import Delivery, Outbox, TableUpdate
from skat_server.tables.table import Table

DECISIONS: Final = 20_000

Answer = tuple[Seat, str, Action]
"""Whose it is, to which turn, and what."""

Written = Callable[[Sequence[TableUpdate]], int]
"""What becomes of that which was drained: how many bytes."""


def kept_back(_: Sequence[TableUpdate]) -> int:
    """No message is made."""
    return 0


def as_messages(updates: Sequence[TableUpdate]) -> int:
    """The messages of a stream are made."""
    return sum(map(len, packed(b"", updates, lambda _: True)))


FIGURES: Final = {"decision_us": kept_back, "decision_with_messages_us": as_messages}


class Reader:
    """A session that is read as soon as there is something to read.

    Attributes:
        seat: from which it follows the table.
        is_awake: whether there is something to read.
        facts: how many it has read.
        sequence: of the last of them.
        written: bytes so far.
    """

    def __init__(self, table: Table, seat: Seat, clock: ManualClock, written: Written) -> None:
        """Follow a table from a seat."""
        self.seat = seat
        self.facts = self.sequence = self.written = 0
        self.is_awake = False
        self._write = written
        self._outbox = Outbox(Delivery.WITH_DECISIONS, clock, self._wake)
        self._outbox.attach(table, seat, None)

    def _wake(self) -> None:
        self.is_awake = True

    def read(self) -> None:
        """Take what is ready as a stream would."""
        self.is_awake = False
        updates = self._outbox.drain()
        for update in updates:
            self.facts += len(update.facts)
            self.sequence = update.sequence
        self.written += self._write(updates)


def new_table(clock: ManualClock) -> Table:
    """The table that all measured ones are, before its first answer."""
    return seated_table("table-0", MemoryStore(), clock, random.Random(1))


def drawn(decisions: int) -> list[Answer]:
    """So many answers in a row, by chance."""
    table, chance, answers = new_table(ManualClock()), random.Random(1), []
    for _ in range(decisions):
        decision = table.decision
        assert decision is not None
        answers.append((decision.seat, decision.turn_id, pick(decision.options, chance)))
        table.answer(*answers[-1], succeeded)
    return answers


def replay(answers: Sequence[Answer], written: Written) -> tuple[Table, Sequence[Reader]]:
    """Give these answers at a table of its own; it, and the sessions that have read it."""
    clock = ManualClock()
    table = new_table(clock)
    readers = [Reader(table, seat, clock, written) for seat in range(len(NAMES))]
    for seat, turn_id, action in answers:
        table.answer(seat, turn_id, action, succeeded)
        for reader in readers:
            if reader.is_awake:
                reader.read()
    return table, readers


def measure(decisions: int, rounds: int) -> Values:
    """Microseconds of processor time for each decision, by what is done with it."""
    answers = drawn(decisions)
    spare_the_collector()  # as the server does
    return {
        name: median_us(partial(replay, answers, written), decisions, rounds)
        for name, written in FIGURES.items()
    }


def main() -> None:
    """Read the options, measure, and print the line."""
    parser = argparse.ArgumentParser(description="measure a decision without a transport")
    parser.add_argument("--decisions", type=int, default=DECISIONS, help="in each round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds to take the median of")
    options = parser.parse_args()
    print(json.dumps(measure(options.decisions, options.rounds)))


if __name__ == "__main__":
    main()
