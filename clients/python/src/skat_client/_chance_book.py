"""What a player saw of the chance of a table, and whether it was kept. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from skat_client._events import DealEnded, DealStarted, TableEvent
from skat_client._record_checks import RecordedChance, chance_in, faults_in, seed_fault
from skat_client._tables import DealRecord, Table, TableChance
from skat_client.errors import FairnessError, ProtocolError


@dataclass(frozen=True, slots=True)
class Promise:
    """What was known when the player sat down."""

    commitment: bytes
    """What bound the table's seed then."""
    seat: int
    nonce: bytes | None
    """The player's own; None where the seat was his before, with a nonce of an earlier time."""
    is_from_start: bool
    """Whether he sat there before the first deal."""


class ChanceBook:
    """One table: commitments as they were shown, seeds as they were revealed."""

    def __init__(self, table_id: str, promise: Promise) -> None:
        self._table_id = table_id
        self._promise = promise
        self._starts: dict[int, DealStarted] = {}
        """By sequence: a view tells some of them once more."""
        self._last: int | None = None
        self._saw_first = False
        """The first deal that was seen is the first one of the table."""
        self._saw_all = True
        """No event was missed between the first one seen and the last."""

    def observe(self, event: TableEvent) -> None:
        """Take one event in.

        Raises:
            FairnessError: it breaks what was promised.
        """
        self._note_sequence(event)
        match event.event:
            case DealStarted() as started:
                self._note_start(event.sequence, started)
            case DealEnded() as ended:
                self._check_end(event.sequence, ended)
            case _:
                pass

    def check_over(self, table: Table, records: Iterable[DealRecord]) -> None:
        """Check everything again when the table is over and has shown its seed.

        Raises:
            FairnessError: something was not as promised.
        """
        if table.chance.commitment != self._promise.commitment:
            raise self._unfair("it is bound to another seed than it was")
        if not table.chance.seed:
            raise self._unfair("it is over and does not show its seed")
        offset = 1 if self._saw_first else None
        for record in records:
            offset = self._check_record(record, table.chance, offset)

    def _note_sequence(self, event: TableEvent) -> None:
        if self._last is None:
            is_deal = isinstance(event.event, DealStarted)
            self._saw_first = self._promise.is_from_start and not is_deal
        elif event.sequence > self._last + 1:
            self._saw_all = False
        self._last = max(self._last or 0, event.sequence)

    def _note_start(self, sequence: int, started: DealStarted) -> None:
        known = self._starts.setdefault(sequence, started)
        if (known.deal_id, known.commitment) != (started.deal_id, started.commitment):
            raise self._unfair(f"deal {started.deal_number} is bound to another seed than it was")
        if not started.commitment:
            raise self._unfair(f"deal {started.deal_number} is bound to no seed")

    def _check_end(self, sequence: int, ended: DealEnded) -> None:
        before = [number for number in self._starts if number < sequence]
        if before:
            started = self._starts[max(before)]
            dealt = ended.result.dealt
            fault = seed_fault(ended.seed, started.deal_id, started.commitment, dealt)
            if fault:
                raise self._unfair(f"deal {started.deal_number}: {fault}")

    def _check_record(
        self, record: DealRecord, table: TableChance, offset: int | None
    ) -> int | None:
        """Check a record; by how much its dealing differs from its place among those seen."""
        chance = self._read(record)
        faults = list(faults_in(chance, self._table_id, table))
        seen = [start.commitment for _, start in sorted(self._starts.items())]
        place = seen.index(chance.commitment) if chance.commitment in seen else None
        if place is not None and not self._has_nonce(chance):
            faults.append("it leaves out the nonce of this player")
        if self._saw_all and offset is not None and place is None:
            faults.append("it is none of the deals that were dealt here")
        if self._saw_all and place is not None:
            offset = chance.dealing - place if offset is None else offset
            if chance.dealing - place != offset:
                faults.append("cards were dealt in between that nobody saw")
        if faults:
            raise self._unfair(f"record of deal {record.deal_number}: {faults[0]}")
        return offset

    def _has_nonce(self, chance: RecordedChance) -> bool:
        nonce, seat = self._promise.nonce, self._promise.seat
        return nonce is None or chance.nonces[seat : seat + 1] == (nonce,)

    def _read(self, record: DealRecord) -> RecordedChance:
        try:
            chance = chance_in(record)
        except ProtocolError as error:
            raise self._unfair(f"{error}") from error
        if chance is None:
            raise self._unfair(f"the record of deal {record.deal_number} has no seed")
        return chance

    def _unfair(self, what: str) -> FairnessError:
        return FairnessError(self._table_id, what)
