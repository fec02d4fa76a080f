"""A true history of one short table, to be doctored by tests."""

from __future__ import annotations

from dataclasses import replace

from skat_engine import Action
from skat_server.clock import ManualClock
from skat_server.storage.protocols import SeatResult
from skat_server.tables.outbox import Delivery, Outbox
from skat_server.tables.sources import FreshDeals
from skat_server.tables.table import Table
from tests.histories.model import (
    IN_PROCESS,
    Acknowledged,
    ClientHistory,
    Frame,
    History,
    Line,
    Opened,
    Question,
    Submitted,
    TableHistory,
)
from tests.server.playing import config, open_question, succeeded
from tests.server.playing import occupant as somebody
from tests.server.stores import RecordingStore, records_of

NAMES = ("ann", "ben", "cem")
TABLE = "table-1"


class _Reader:
    """A client that notes down what it is told."""

    def __init__(self, table: Table, clock: ManualClock, seat: int | None) -> None:
        self.history = ClientHistory("" if seat is None else f"player-{NAMES[seat]}")
        self.seat = seat
        self.read: int | None = None
        self._table = table
        self._clock = clock
        self._outbox: Outbox | None = None

    def connect(self) -> None:
        """Open a connection, from what was read last."""
        if self._outbox is not None:
            self._outbox.close()
        self.history.items.append(Opened({} if self.read is None else {TABLE: self.read}))
        self._outbox = Outbox(Delivery.LIVE, self._clock, lambda: None)
        self._outbox.attach(self._table, self.seat, self.read)

    def take(self) -> None:
        """Read what there is."""
        assert self._outbox is not None
        for update in self._outbox.drain():
            decision = update.decision
            question = None
            if decision is not None:
                question = Question(decision.turn_id, IN_PROCESS.question(decision))
            events = tuple((shown.sequence, shown) for shown in update.facts)
            view = update.sequence if update.is_view else None
            self.history.items.append(Frame(TABLE, view, update.viewer, events, question))
            self.read = update.sequence

    def submit(self, turn_id: str, action: Action) -> None:
        """Note an answer down, and that it was received."""
        self.history.items.append(Submitted(TABLE, turn_id, 0, str(action)))
        self.history.items.append(Acknowledged(TABLE, turn_id, str(action)))


def true_history() -> History:
    """Two deals; a player reconnects in the middle, and everything is kept and told."""
    store, clock = RecordingStore(), ManualClock()
    fixed = replace(config(None, options={"session_deals": 2}), source=FreshDeals(bytes(range(32))))
    table = Table(fixed, store, clock)
    table.open(succeeded)
    readers = [_Reader(table, clock, seat) for seat in range(3)]
    for seat, name in enumerate(NAMES):
        table.sit(somebody(name), seat, succeeded)
    readers.append(_Reader(table, clock, None))
    for reader in readers:
        reader.connect()
        reader.take()
    _play(table, clock, readers)
    for reader in readers:
        reader.history.at_rest = True
    return History([_kept(store)], [reader.history for reader in readers], IN_PROCESS)


def _play(table: Table, clock: ManualClock, readers: list[_Reader]) -> None:
    """Forehand plays the first bid, so that there is a game; then everybody's first option."""
    count = 0
    while table.decision is not None:
        count += 1
        clock.advance(0.5)
        decision = open_question(table)
        action = decision.options[1 if count == 1 else 0]
        readers[decision.seat].submit(decision.turn_id, action)
        table.answer(decision.seat, decision.turn_id, action, succeeded)
        if count == 8:
            readers[1].connect()
        for reader in readers:
            reader.take()


def _kept(store: RecordingStore) -> TableHistory:
    """What the store has, all of it from its first server."""
    lines = [Line(1, batch.at, entry) for batch in store.batches for entry in batch.entries]
    results: list[tuple[int, tuple[SeatResult, ...]]] = [
        (batch.record.deal_number, batch.record.results)
        for batch in store.batches
        if batch.record is not None
    ]
    return TableHistory(TABLE, lines, records_of(store, TABLE), results)
