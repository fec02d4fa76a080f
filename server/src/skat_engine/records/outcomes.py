"""What came of replaying a record, and the comparison that decides it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skat_engine.records.model import Expected, Fact, fact_text


@dataclass(frozen=True, slots=True)
class Identical:
    """Every move was legal and everything the record says came out again."""

    record_id: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.record_id} ok"


@dataclass(frozen=True, slots=True)
class Differs:
    """The record can be read, and its first difference from the replay is this one."""

    record_id: str
    field: str
    """The record's name for what differs; ``move N`` when that move is not legal."""
    expected: str
    got: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.record_id} differs: {self.field} expected {self.expected} got {self.got}"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The record cannot be understood, so nothing was compared."""

    record_id: str
    """The record's id if it can be made out, else its place in the file."""
    why: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.record_id} unreadable: {self.why}"


ReplayOutcome = Identical | Differs | Unreadable
"""How a replay ended."""


def compare(
    record_id: str, expected: Sequence[Expected], facts: Mapping[str, Fact]
) -> Identical | Differs:
    """Hold what a record says against what the replay found.

    A number never equals a truth value, so ``1`` is not ``true``.

    Args:
        record_id: names the record in the outcome.
        expected: what the record says; the first difference in this order is reported.
        facts: what the replay found, by the same names.
    """
    for claim in expected:
        if claim.field not in facts:
            return Differs(record_id, claim.field, fact_text(claim.value), "nothing")
        found = facts[claim.field]
        if type(found) is not type(claim.value) or found != claim.value:
            return Differs(record_id, claim.field, fact_text(claim.value), fact_text(found))
    return Identical(record_id)
