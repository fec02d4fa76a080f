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
from skat_client._results import DealResult, DealtCards
from skat_client._tables import RuleSet
from skat_client.errors import ErrorReason


@dataclass(frozen=True, slots=True)
class RuleSetInfo:
    """A named preset."""

    preset: str
    options: Mapping[str, str] = field(hash=False)
    """The value of every option under this preset."""
    not_playable_because: str
    """Empty when tables can be made with it now, else what stands in the way."""

    @property
    def is_playable(self) -> bool:
        """Whether tables can be made with it now."""
        return not self.not_playable_because


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
    """What a declarer game came to, for valuing it."""

    contract: Contract
    declarer_cards: tuple[Card, ...]
    """The declarer's twelve cards: hand and skat or discards."""
    bid: int = 0
    """The number to reach; 0 when nobody bid."""
    declarer_points: int = 0
    """Card points of the declarer, skat or discards included, 0 to 120. Ignored in Null."""
    declarer_tricks: int = 0
    defender_tricks: int = 0
