"""What came of checking the record of a deal."""

from dataclasses import dataclass
from enum import Enum


class DealCheckKind(Enum):
    """What can be checked in a record."""

    FORMAT = 1
    """The record can be read."""
    COMMITMENT = 2
    """The commitment is that of id and seed."""
    DERIVATION = 3
    """The seed was derived from the table's seed and the players' nonces."""
    SHUFFLE = 4
    """The cards are those of the seed."""
    LEGALITY = 5
    """Every action was legal."""
    RESULT = 6
    """The result is what the rules make of the actions."""

    def __str__(self) -> str:
        return self.name.lower()


class DealCheckOutcome(Enum):
    """What came of a check."""

    OK = 1
    """It holds."""
    FAILED = 2
    """It does not hold."""
    NOT_CHECKED = 3
    """The record or the request does not have what it needs."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class DealCheck:
    """One thing that was checked."""

    kind: DealCheckKind
    outcome: DealCheckOutcome
    message: str
    """The same for people."""


@dataclass(frozen=True, slots=True)
class DealVerdict:
    """What the server found in a record."""

    ok: bool
    """No check failed."""
    checks: tuple[DealCheck, ...]
    """All of them, in the order of their kinds."""
