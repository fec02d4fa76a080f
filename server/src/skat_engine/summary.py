"""What a deal is worth from its summary: cards, contract and outcome, without the play.

The oracle of scores: it uses the same functions as a deal that is played, says which levels
and factors made up the score, and refuses what no deal can have come to. What a summary
names (Kontra, Bock, Spitze, a Grand Hand without a bid) it implies to be allowed.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from skat_engine import ramsch, valuation
from skat_engine.announcements import has_spitze, open_contracts
from skat_engine.bidding import BID_VALUES
from skat_engine.cards import CardSet, points_in
from skat_engine.contracts import Contract, Level
from skat_engine.errors import SkatEngineError
from skat_engine.options import (
    NullUnderbid,
    Permission,
    RamschSkatTo,
    RamschTie,
    Switch,
    UnreachableDeclaration,
)
from skat_engine.ramsch import Triple
from skat_engine.ruleset import RuleSet
from skat_engine.seats import POSITIONS, Position
from skat_engine.valuation import NO_DOUBLING, Doubling, GameValue, Standing

_ALL_POINTS: Final = 120
_ALL_TRICKS: Final = 10
_MOST_IN_SKAT: Final = 22


class SummaryRefusal(Enum):
    """Why a summary has no score."""

    NULL_UNDERBID = "null_underbid"
    """A Null below the bid may not be announced (R-ANN-6)."""
    UNREACHABLE_DECLARATION = "unreachable_declaration"
    """The game cannot reach the bid, and such games are refused (R-ANN-7)."""
    CONTRADICTORY_ANNOUNCEMENT = "contradictory_announcement"
    """The announced flags exclude one another (R-ANN-2 to R-ANN-5)."""
    RE_WITHOUT_KONTRA = "re_without_kontra"
    """Re answers a Kontra (R-KON-1)."""
    ILLEGAL_BID = "illegal_bid"
    """The bid is neither 0 nor a game value (R-BID-1)."""
    SPITZE_CARD_NOT_HELD = "spitze_card_not_held"
    """Spitze without its card in the playing hand (R-SPI-3)."""
    SPITZE_WITH_FOUR_JACKS = "spitze_with_four_jacks"
    """Grand Spitze with all jacks in hand, where that is forbidden (R-SPI-3)."""
    WRONG_CARDS = "wrong_cards"
    """Not ten cards and two others."""
    WRONG_POINTS = "wrong_points"
    """Card points that a deal does not have, or none in a trump game."""
    WRONG_TRICKS = "wrong_tricks"
    """More tricks than ten, fewer than ten in a Ramsch, or none named."""
    LAST_TRICK_UNKNOWN = "last_trick_unknown"
    """The result depends on who took the last trick of a Ramsch."""


class SummaryError(SkatEngineError):
    """A summary that has no score.

    Attributes:
        reason: the machine-readable reason.
    """

    def __init__(self, reason: SummaryRefusal, message: str) -> None:
        """Keep the reason beside the sentence for people."""
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class DeclarerSummary:
    """What is known of a declarer game when only its value is of interest."""

    rules: RuleSet
    contract: Contract
    bid: int
    """0 when nobody bid (R-OVER-6)."""
    playing_hand: CardSet
    """The declarer's ten cards before the first trick."""
    skat: CardSet
    """The skat of a Hand game, otherwise the discards."""
    declarer_points: int | None
    """Card points, skat included; not needed in Null."""
    declarer_tricks: int | None
    """Not needed for a Null that is below the bid."""
    defender_tricks: int | None
    """Not needed in Null."""
    doubling: Doubling = NO_DOUBLING
    spitze_made: bool = False
    lay_open_failed: bool = False
    schenken_refused: bool = False


@dataclass(frozen=True, slots=True)
class RamschSummary:
    """What is known of a Ramsch when only its scores are of interest."""

    rules: RuleSet
    points: Triple
    """Card points per position; with the skat, unless `skat_points` is given."""
    tricks: Triple
    looked: frozenset[Position] = frozenset()
    untouched: int = 0
    bock: bool = False
    knocked: bool = False
    skat_points: int | None = None
    """Card points of the skat where they are not among `points`."""
    last_trick_winner: Position | None = None


def new_doubling(*, kontra: bool, re: bool, bock: bool) -> Doubling:
    """What a summary says of doubling.

    Raises:
        SummaryError: Re without Kontra (R-KON-1).
    """
    try:
        return Doubling(kontra, re, bock)
    except ValueError as error:
        raise SummaryError(SummaryRefusal.RE_WITHOUT_KONTRA, str(error)) from None


Part = tuple[str, int]
"""A named number: a level with what it counts, a factor with how often it multiplies."""


@dataclass(frozen=True, slots=True)
class Reasoning:
    """How a score comes about."""

    levels: tuple[Part, ...]
    """What adds up to the multiplier; empty in Null."""
    rounded_up: int | None
    """The multiple of the base value that an overbid game was raised to (R-OVER-2)."""
    factors: tuple[Part, ...]
    """What turns the value into the score, beside the sign."""


def score_deal(summary: DeclarerSummary) -> GameValue:
    """The value and score of a declarer game.

    Raises:
        SummaryError: no deal can have come to this, or the rules refuse the announcement.
    """
    _check_cards(summary)
    contract, rules, bid = summary.contract, summary.rules, summary.bid
    if valuation.is_null_below_bid(contract, bid):
        if rules.null_underbid is NullUnderbid.REJECT:
            raise SummaryError(
                SummaryRefusal.NULL_UNDERBID, f"{contract} is worth less than the bid of {bid}"
            )
        return valuation.null_underbid(contract, _own(summary), bid, rules, summary.doubling)
    _check_announcement(summary)
    return valuation.played_out(standing_of(summary), rules, summary.doubling)


def score_ramsch_deal(summary: RamschSummary) -> Triple:
    """The scores of a Ramsch per position.

    Raises:
        SummaryError: no deal can have come to this.
    """
    _check_ramsch(summary)
    points, last = _with_skat(summary), summary.last_trick_winner
    return ramsch.score_ramsch(
        points,
        summary.tricks,
        rules=summary.rules,
        looked=summary.looked,
        untouched=summary.untouched,
        bock=summary.bock,
        knocked=summary.knocked,
        skat_points=summary.skat_points or 0,
        last_trick_winner=last,
    )


def standing_of(summary: DeclarerSummary) -> Standing:
    """The standing at the end of the deal.

    Raises:
        SummaryError: points or tricks are missing or impossible.
    """
    contract, null = summary.contract, summary.contract.is_null
    points = _number(summary.declarer_points, _ALL_POINTS, SummaryRefusal.WRONG_POINTS, null=null)
    own = _number(summary.declarer_tricks, _ALL_TRICKS, SummaryRefusal.WRONG_TRICKS, null=False)
    others = _number(
        summary.defender_tricks, _ALL_TRICKS - own, SummaryRefusal.WRONG_TRICKS, null=null
    )
    limit = summary.rules.matador_limit
    count = 0 if null else valuation.matadors(contract.kind, _own(summary), limit)
    return Standing(
        contract=contract,
        bid=summary.bid,
        matadors=count,
        declarer_points=points,
        defender_points=_ALL_POINTS - points,
        declarer_tricks=own,
        defender_tricks=others,
        spitze_made=summary.spitze_made,
        lay_open_failed=summary.lay_open_failed,
        skat_points=points_in(summary.skat),
        schenken_refused=summary.schenken_refused,
    )


def reasoning_of(summary: DeclarerSummary, value: GameValue) -> Reasoning:
    """How the score of this summary comes about.

    Args:
        summary: the summary.
        value: what `score_deal` has given for it.
    """
    said = summary.doubling
    loss_factor = abs(value.score) // (value.value * said.factor)
    factors = {
        "lost": 1 if value.won else loss_factor,
        "kontra": 1 + said.kontra,
        "re": 1 + said.re,
        "bock": 1 + said.bock,
    }
    return Reasoning(
        levels=_levels(summary, value),
        rounded_up=value.value if value.overbid else None,
        factors=tuple((name, times) for name, times in factors.items() if times > 1),
    )


def ramsch_reasoning_of(summary: RamschSummary) -> Reasoning:
    """What multiplies the card points of this Ramsch; a looker's own factor is left out."""
    pushed, jungfrau = ramsch.factors_of(
        summary.tricks, rules=summary.rules, untouched=summary.untouched
    )
    factors = {
        "untouched": pushed,
        "jungfrau": jungfrau,
        "knocked": 1 + summary.knocked,
        "bock": 1 + summary.bock,
    }
    named = tuple((name, times) for name, times in factors.items() if times > 1)
    return Reasoning(levels=(), rounded_up=None, factors=named)


def _levels(summary: DeclarerSummary, value: GameValue) -> tuple[Part, ...]:
    """The levels of a trump game by name (R-VAL-5, R-VAL-6)."""
    contract = summary.contract
    as_trump_game = value.base in valuation.BASE_VALUES.values()
    if not as_trump_game:
        return ()
    schenken = summary.schenken_refused
    announced = max(contract.announced, Level.SCHNEIDER) if schenken else contract.announced
    levels = {
        "with" if value.matadors > 0 else "without": abs(value.matadors),
        "game": 1,
        "hand": contract.hand,
        "schneider": value.level >= Level.SCHNEIDER,
        "schneider_announced": announced >= Level.SCHNEIDER,
        "schwarz": value.level >= Level.SCHWARZ,
        "schwarz_announced": announced >= Level.SCHWARZ,
        "ouvert": contract.ouvert and not contract.is_null,
        "spitze": summary.rules.spitze_factor if contract.spitze else 0,
    }
    return tuple((name, int(count)) for name, count in levels.items() if count)


def _own(summary: DeclarerSummary) -> CardSet:
    """The twelve cards that matadors are counted on (R-MAT-1)."""
    return CardSet(summary.playing_hand | summary.skat)


def _check_cards(summary: DeclarerSummary) -> None:
    sizes = (summary.playing_hand.bit_count(), summary.skat.bit_count())
    if sizes != (_ALL_TRICKS, 2) or summary.playing_hand & summary.skat:
        raise SummaryError(
            SummaryRefusal.WRONG_CARDS, "a declarer has ten cards and two others in the skat"
        )
    if summary.bid and summary.bid not in BID_VALUES:
        raise SummaryError(SummaryRefusal.ILLEGAL_BID, f"{summary.bid} is not a bid")


def _check_announcement(summary: DeclarerSummary) -> None:
    contract, rules, hand = summary.contract, summary.rules, summary.playing_hand
    if contract.spitze and not has_spitze(contract.kind, hand, rules):
        anyway = replace(rules, grand_spitze_with_four_jacks=Permission.ALLOW)
        if has_spitze(contract.kind, hand, anyway):
            raise SummaryError(
                SummaryRefusal.SPITZE_WITH_FOUR_JACKS, "Grand Spitze with four jacks is forbidden"
            )
        raise SummaryError(
            SummaryRefusal.SPITZE_CARD_NOT_HELD, "the Spitze card is not in the playing hand"
        )
    if rules.unreachable_declaration is UnreachableDeclaration.REJECT:
        named = replace(rules, spitze=Switch.ON if contract.spitze else Switch.OFF)
        held = hand if contract.hand else _own(summary)
        if contract not in open_contracts(named, summary.bid, held):
            raise SummaryError(
                SummaryRefusal.UNREACHABLE_DECLARATION,
                f"{contract} cannot reach the bid of {summary.bid}",
            )


def _number(number: int | None, most: int, refusal: SummaryRefusal, *, null: bool) -> int:
    """A number within its bounds; where Null does not need it, it may be missing."""
    if number is None and null:
        return 0
    if number is None or not 0 <= number <= most:
        raise SummaryError(refusal, f"{number} is not a number from 0 to {most}")
    return number


def _check_ramsch(summary: RamschSummary) -> None:
    total = sum(summary.points) + (summary.skat_points or 0)
    if min(*summary.points, summary.skat_points or 0) < 0 or total not in _possible(summary):
        raise SummaryError(
            SummaryRefusal.WRONG_POINTS, f"the card points add up to {total}, not to {_ALL_POINTS}"
        )
    if min(summary.tricks) < 0 or sum(summary.tricks) != _ALL_TRICKS:
        raise SummaryError(SummaryRefusal.WRONG_TRICKS, "a Ramsch has ten tricks")
    if summary.last_trick_winner is None and _needs_last_trick(summary):
        raise SummaryError(
            SummaryRefusal.LAST_TRICK_UNKNOWN, "the scores depend on who took the last trick"
        )


def _possible(summary: RamschSummary) -> range:
    """What the card points may add up to; a skat that counts for nobody may be left out."""
    for_nobody = summary.rules.ramsch_skat_to is RamschSkatTo.NOBODY
    unknown = for_nobody and summary.skat_points is None
    return range(_ALL_POINTS - _MOST_IN_SKAT if unknown else _ALL_POINTS, _ALL_POINTS + 1)


def _needs_last_trick(summary: RamschSummary) -> bool:
    rules, points = summary.rules, summary.points
    takes_skat = rules.ramsch_skat_to is RamschSkatTo.LAST_TRICK and summary.skat_points is not None
    tied = points.count(max(points)) > 1
    return takes_skat or (tied and rules.ramsch_tie is RamschTie.LAST_TRICK_TAKER_LOSES)


def _with_skat(summary: RamschSummary) -> Triple:
    """The card points with the skat where the last trick takes it (R-RAM-2)."""
    points, skat = summary.points, summary.skat_points or 0
    if summary.rules.ramsch_skat_to is not RamschSkatTo.LAST_TRICK:
        return points
    first, second, third = (
        points[place] + (skat if place == summary.last_trick_winner else 0) for place in POSITIONS
    )
    return (first, second, third)
