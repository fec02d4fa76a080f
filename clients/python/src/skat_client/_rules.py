"""What the rules service is asked and what it answers.

It knows no tables: where a value speaks of seats, they are positions here, 0 forehand,
1 middlehand, 2 rearhand.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from skat_client._actions import Action
from skat_client._cards import Card
from skat_client._contracts import Contract
from skat_client._decisions import Decision
from skat_client._events import TableEvent
from skat_client._results import DealResult, DealtCards, GameValue
from skat_client._tables import RuleSet
from skat_client.errors import ErrorReason


@dataclass(frozen=True, slots=True)
class RuleSetInfo:
    """A named preset."""

    preset: str
    options: Mapping[str, str] = field(hash=False)
    """The value of every option under this preset."""


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """An option of the rules."""

    name: str
    meaning: str
    values: tuple[str, ...]
    """The values it may have."""
    default_value: str
    """Its value where a preset says nothing."""
    source: str
    """The rule that defines it."""


@dataclass(frozen=True, slots=True)
class RuleBook:
    """Every preset and every option."""

    rule_sets: tuple[RuleSetInfo, ...]
    options: tuple[OptionInfo, ...]


@dataclass(frozen=True, slots=True)
class DealStep:
    """One action of one position."""

    position: int
    action: Action


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal so far."""

    rule_set: RuleSet
    dealt: DealtCards
    steps: tuple[DealStep, ...] = ()
    """What was done, in order."""
    bock: bool = False
    """A Bock deal."""
    ramsch_round: bool = False
    """A deal of a Ramsch round: there is no bidding."""
    forced_ramsch: bool = False
    """In a Ramsch round: no Grand Hand is offered."""


@dataclass(frozen=True, slots=True)
class LegalActions:
    """What may be done next."""

    decision: Decision | None
    """The open decision, without table and turn id; None when the deal is over."""
    interventions: Mapping[int, tuple[Action, ...]] = field(hash=False)
    """What each position may propose out of turn; only in play."""


@dataclass(frozen=True, slots=True)
class IllegalStep:
    """The first step that could not be taken."""

    index: int
    """Index of the step, from 0."""
    reason: ErrorReason | None
    """Why; None when this version of the client does not know the reason."""
    message: str
    """The same for people."""


@dataclass(frozen=True, slots=True)
class DealReplay:
    """What the legal steps of a deal came to, with nothing hidden."""

    events: tuple[TableEvent, ...]
    result: DealResult | None
    """Present when the deal is over."""
    illegal_step: IllegalStep | None
    """Present when a step was illegal; the steps after it were not looked at."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """What a declarer game came to, for valuing it.

    What it names (Kontra, Bock, Spitze, a bid of 0) it implies to be allowed.
    """

    contract: Contract
    playing_hand: tuple[Card, ...]
    """The declarer's ten cards before the first trick."""
    skat: tuple[Card, ...]
    """The skat of a Hand game, otherwise the two discards."""
    bid: int = 0
    """The number to reach; 0 when nobody bid."""
    declarer_points: int | None = None
    """Card points of the declarer, skat or discards included, 0 to 120. Not needed in Null."""
    declarer_tricks: int | None = None
    defender_tricks: int | None = None
    """Not needed in Null."""
    kontra: bool = False
    """A defender said Kontra."""
    re: bool = False
    """The declarer answered Re."""
    bock: bool = False
    """A Bock deal."""
    spitze_made: bool = False
    """Where Spitze was announced: whether it was made."""
    lay_open_failed: bool = False
    """The declarer laid open, was not believed, and lost a trick."""
    schenken_refused: bool = False
    """The declarer played on after the defenders had given up in the first trick."""


@dataclass(frozen=True, slots=True)
class RamschSummary:
    """What a Ramsch came to, for scoring it."""

    points: tuple[int, ...]
    """Card points per position; with the skat, unless `skat_points` is given."""
    tricks: tuple[int, ...]
    """Tricks per position, ten in all."""
    looked: tuple[int, ...] = ()
    """Positions that looked into the skat."""
    untouched: int = 0
    """How many passed the skat on unseen."""
    bock: bool = False
    """A Bock deal."""
    knocked: bool = False
    """Somebody knocked."""
    skat_points: int | None = None
    """Card points of the skat where they are not among `points`."""
    last_trick_winner: int | None = None
    """Position that took the last trick; needed where the rules ask for it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A named number: a level with what it counts, or a factor with what it multiplies by."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Reasoning:
    """How a score comes about."""

    levels: tuple[Part, ...]
    """What adds up to the multiplier; empty in Null."""
    rounded_up: int | None
    """The multiple of the base value that an overbid game was raised to."""
    factors: tuple[Part, ...]
    """What turns the value into the score, beside the sign."""


@dataclass(frozen=True, slots=True)
class GameScore:
    """What a declarer game is worth."""

    value: GameValue
    reasoning: Reasoning


@dataclass(frozen=True, slots=True)
class RamschScore:
    """What a Ramsch brings."""

    scores: tuple[int, ...]
    """Signed game points per position."""
    reasoning: Reasoning
