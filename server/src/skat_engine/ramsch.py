"""What each player of a Ramsch scores, from card points and tricks (section 16).

All functions are pure. A Ramsch has no declarer, so there is neither value nor bid.
"""

from collections.abc import Collection
from typing import Final

from skat_engine.options import (
    RamschDurchmarsch,
    RamschJungfrau,
    RamschScoring,
    RamschSkatTo,
    RamschTie,
)
from skat_engine.ruleset import RuleSet
from skat_engine.seats import POSITIONS, Position

Triple = tuple[int, int, int]
"""One number for forehand, middlehand and rearhand."""

DURCHMARSCH_POINTS: Final = 120
_ALL_TRICKS: Final = 10


def score_ramsch(  # noqa: PLR0913  # a Ramsch has as many circumstances
    points: Triple,
    tricks: Triple,
    *,
    rules: RuleSet,
    looked: Collection[Position] = (),
    untouched: int = 0,
    bock: bool = False,
    knocked: bool = False,
    skat_points: int = 0,
    last_trick_winner: Position | None = None,
) -> Triple:
    """The signed game points of each position (section 16.3).

    Args:
        points: card points; the skat is among them only where the last trick takes it.
        tricks: number of tricks.
        rules: all options of Ramsch are read from here.
        looked: the positions that picked the skat up (R-RAM-6).
        untouched: how many passed the skat on unseen (R-RAM-6).
        bock: this is a Bock deal (R-BOCK-1).
        knocked: somebody knocked, which doubles like Bock (section 21, `klopfen`).
        skat_points: card points of the skat; read only where the loser gets it (R-RAM-2).
        last_trick_winner: read only where a tie goes against him (R-RAM-9).
    """
    everybody = (1 + bock) * (1 + knocked)
    pushed, jungfrau = factors_of(tricks, rules=rules, untouched=untouched)
    factor = pushed * jungfrau * everybody
    marcher = durchmarsch(tricks, rules)
    if marcher is not None:
        return _for_each((marcher,), DURCHMARSCH_POINTS * factor)
    losing = losers(points, rules, last_trick_winner)
    if rules.ramsch_scoring is RamschScoring.FIXED:
        return _for_each(losing, -rules.ramsch_fixed_amount * factor)
    counted = _with_skat(points, losing, rules, skat_points)
    if rules.ramsch_scoring is RamschScoring.ALL_POINTS:
        return (-counted[0] * factor, -counted[1] * factor, -counted[2] * factor)
    lookers = looked if rules.ramsch_looker_doubles else ()
    first, second, third = (
        -counted[place] * factor * (1 + (place in lookers)) if place in losing else 0
        for place in POSITIONS
    )
    return (first, second, third)


def factors_of(tricks: Triple, *, rules: RuleSet, untouched: int) -> tuple[int, int]:
    """What the skat that nobody wanted and a Jungfrau multiply the points by (R-RAM-6, R-RAM-8).

    What only the loser pays for looking is not among them.
    """
    pushed = 1 << untouched if rules.ramsch_untouched_doubles else 1
    if durchmarsch(tricks, rules) is not None:
        return (pushed if rules.ramsch_durchmarsch_times_untouched else 1, 1)
    if rules.ramsch_scoring is RamschScoring.FIXED:
        return (1, 1)
    return (pushed, _jungfrau_factor(tricks, rules))


def durchmarsch(tricks: Triple, rules: RuleSet) -> Position | None:
    """Who took all ten tricks, where that is known; 120 points do not do (R-RAM-7)."""
    known = rules.ramsch_durchmarsch is RamschDurchmarsch.PLUS_120
    return tricks.index(_ALL_TRICKS) if known and _ALL_TRICKS in tricks else None


def losers(
    points: Triple, rules: RuleSet, last_trick_winner: Position | None = None
) -> tuple[Position, ...]:
    """Who has the most card points, as the rule for ties has it (R-RAM-9)."""
    most = max(points)
    tied = tuple(position for position in POSITIONS if points[position] == most)
    if rules.ramsch_tie is RamschTie.THREE_WAY_ZERO and len(tied) == len(POSITIONS):
        return ()
    goes_to_last_trick = rules.ramsch_tie is RamschTie.LAST_TRICK_TAKER_LOSES
    if goes_to_last_trick and last_trick_winner in tied:
        return tuple(position for position in tied if position == last_trick_winner)
    return tied


def winners(points: Triple, tricks: Triple, rules: RuleSet) -> tuple[Position, ...]:
    """Who wins a single Ramsch: the Durchmarsch, otherwise the fewest points (R-RAM-10)."""
    marcher = durchmarsch(tricks, rules)
    if marcher is not None:
        return (marcher,)
    return tuple(position for position in POSITIONS if points[position] == min(points))


def _with_skat(
    points: Triple, losing: tuple[Position, ...], rules: RuleSet, skat_points: int
) -> Triple:
    """The points that count, the skat with each loser where it goes to him (R-RAM-2)."""
    if rules.ramsch_skat_to is not RamschSkatTo.LOSER:
        return points
    added = _for_each(losing, skat_points)
    return (points[0] + added[0], points[1] + added[1], points[2] + added[2])


def _jungfrau_factor(tricks: Triple, rules: RuleSet) -> int:
    """Two where exactly one player has no trick; a pointless one is a trick (R-RAM-8)."""
    doubles = rules.ramsch_jungfrau is RamschJungfrau.DOUBLE
    return 2 if doubles and tricks.count(0) == 1 else 1


def _for_each(positions: tuple[Position, ...], amount: int) -> Triple:
    """This amount for these positions and nothing for the others."""
    first, second, third = (amount if place in positions else 0 for place in POSITIONS)
    return (first, second, third)
