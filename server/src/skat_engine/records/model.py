"""A recorded deal as one value, wherever it was written down."""

from dataclasses import dataclass
from typing import NamedTuple

from skat_engine.occasions import ORDINARY, Occasion
from skat_engine.records.moves import Move
from skat_engine.records.timekeeping import Timekeeping
from skat_engine.results import Dealt
from skat_engine.ruleset import RuleSet
from skat_engine.seats import Seat, Seating, seating

Fact = bool | int | str | tuple[int, ...] | None
"""A value that a record claims or a replay finds."""


class Expected(NamedTuple):
    """One thing that a record says about the outcome, under the record's own name for it.

    A named tuple, because every record has eighteen and a frozen dataclass takes twice as long.
    """

    field: str
    value: Fact


@dataclass(frozen=True, slots=True)
class TableShare:
    """How the table and its players had a share in a deal's seed (`docs/shuffle.md`)."""

    table_commitment: bytes
    """What bound the table's seed before anybody sat down; 32 bytes."""
    nonces: tuple[bytes, ...]
    """The nonces that went in, by seat; empty for who gave none."""
    dealing: int
    """How often cards had been dealt at the table, this time included."""


@dataclass(frozen=True, slots=True)
class OwnOrigin:
    """Written by this server."""

    deal_number: int
    """The deal's place in its series, from 1."""
    occasion: Occasion = ORDINARY
    """What the deal owed to the ones before it (section 17)."""
    think_ms: tuple[int, ...] = ()
    """For each action the milliseconds from the opening of the decision to the receipt of the
    answer, 0 for one out of turn; empty where nobody has measured them."""
    seed: bytes | None = None
    """What the cards were shuffled with; None for cards that come from no seed."""
    share: TableShare | None = None
    """How the seed came about; None where nobody but the table's maker had a share in it."""
    timekeeping: Timekeeping | None = None
    """How long the players had; None where nobody kept the time."""


@dataclass(frozen=True, slots=True)
class XskatOrigin:
    """Logged by the program XSkat."""


@dataclass(frozen=True, slots=True)
class IssOrigin:
    """Written by the International Skat Server or its app; the header beside the deal."""

    server: str
    """Which server or app; some differ in their house rules."""
    comment: str | None
    """None in records of before 2008, which have no such property."""
    series: str
    played_at: str
    ratings: tuple[str, str, str]


Origin = OwnOrigin | XskatOrigin | IssOrigin
"""Where a record comes from: decides how it is replayed and what its fields mean."""


@dataclass(frozen=True, slots=True)
class Record:
    """A deal with everything that is needed to play it again, and what came of it then."""

    id: str
    origin: Origin
    rules: RuleSet
    seats: tuple[str, ...]
    """Who sat at the table, by seat."""
    dealer: Seat
    dealt: Dealt
    moves: tuple[Move, ...]
    expected: tuple[Expected, ...]
    """What the record says about the outcome, in the order in which it is compared."""

    @property
    def seating(self) -> Seating:
        """Who played which position (R-TAB-1)."""
        return seating(self.dealer, len(self.seats))


def fact_text(fact: Fact) -> str:
    """A fact as people read it: ``true``, ``-96``, ``win``, ``3,4,3``, ``none``."""
    if fact is None:
        return "none"
    if isinstance(fact, bool):
        return str(fact).lower()
    if isinstance(fact, tuple):
        return ",".join(str(number) for number in fact)
    return str(fact)
