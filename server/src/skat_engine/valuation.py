"""Matadors, game value, overbid and score of a declarer game (sections 10 to 13).

All functions are pure. `settle` is the one formula; what differs between a deal played out
and a shortened one is only which level counts and whether the declarer fulfilled the game.
"""

from dataclasses import dataclass
from typing import Final

from skat_engine.cards import JACKS, CardSet
from skat_engine.contracts import Contract, ContractKind, Level, order_of
from skat_engine.options import LossRule, MatadorLimit
from skat_engine.ruleset import RuleSet

BASE_VALUES: Final = {
    ContractKind.DIAMONDS: 9,
    ContractKind.HEARTS: 10,
    ContractKind.SPADES: 11,
    ContractKind.CLUBS: 12,
    ContractKind.GRAND: 24,
}
"""Base value of each suit game and of Grand, Grand ouvert included (R-VAL-9)."""

_NULL_VALUES: Final = {
    (False, False): 23,
    (True, False): 35,
    (False, True): 46,
    (True, True): 59,
}

WINNING_POINTS: Final = 61
"""Card points that win a game; 60 lose (R-VAL-1)."""

SCHNEIDER_POINTS: Final = 90
"""Card points that make the other side Schneider; 30 or fewer are Schneider (R-VAL-2)."""


def null_value(contract: Contract) -> int:
    """The fixed value of a Null game (R-NULL-2)."""
    return _NULL_VALUES[contract.hand, contract.ouvert]


def is_null_below_bid(contract: Contract, bid: int) -> bool:
    """Whether this is a Null that cannot reach the bid and may not be announced (R-ANN-6)."""
    return contract.is_null and null_value(contract) < bid


def matadors(kind: ContractKind, own: CardSet, limit: MatadorLimit = MatadorLimit.FULL) -> int:
    """Matadors of a trump game: ``with k`` is ``k``, ``without k`` is ``-k`` (R-MAT-1, R-MAT-2).

    Args:
        kind: a suit or Grand.
        own: the declarer's 12 cards, skat or discards included (R-MAT-4).
        limit: `JACKS_ONLY` stops counting after the four jacks (R-MAT-3).
    """
    trumps = order_of(kind).trumps_from_top
    if limit is MatadorLimit.JACKS_ONLY:
        trumps = trumps[: JACKS.bit_count()]
    holds_top = own >> trumps[0] & 1
    count = 0
    for card in trumps:
        if own >> card & 1 != holds_top:
            break
        count += 1
    return count if holds_top else -count


@dataclass(frozen=True, slots=True)
class Standing:
    """What declarer and defenders hold when a deal ends, played out or shortened."""

    contract: Contract
    bid: int
    """The number the declarer must reach; 0 when nobody bid (R-OVER-6)."""
    matadors: int
    """Signed as `matadors` gives it; 0 in Null."""
    declarer_points: int
    """Card points of his tricks and of skat or discards."""
    defender_points: int
    """Card points of the defenders' completed tricks."""
    declarer_tricks: int
    defender_tricks: int


@dataclass(frozen=True, slots=True)
class GameValue:
    """What a declarer game is worth and how that comes about."""

    base: int
    """Base value of the suit or Grand; the fixed value in Null."""
    matadors: int
    """Signed: negative means without; 0 in Null."""
    level: Level
    """The level that counted, announced or reached by either side."""
    multiplier: int
    """Levels in all, 1 in Null (R-VAL-5, R-VAL-6)."""
    raw: int
    """``base * multiplier``: what is compared with the bid."""
    overbid: bool
    """``raw`` is below the bid (R-OVER-1)."""
    won: bool
    value: int
    """What is booked before the loss rule, never the bid itself (R-VAL-8).

    Rounded up to the bid when overbid (R-OVER-2).
    """
    score: int
    """Signed game points of the declarer."""


def multiplier(contract: Contract, matador_count: int, reached: Level) -> int:
    """The number of levels of a trump game (section 12).

    Args:
        contract: suit or Grand.
        matador_count: signed or unsigned number of matadors.
        reached: the level that one side reached; an announced one counts anyway (R-VAL-5).
    """
    announced = contract.announced
    level = max(announced, reached)
    return abs(matador_count) + 1 + contract.hand + level + announced + contract.ouvert


def settle(standing: Standing, *, fulfilled: bool, reached: Level, rules: RuleSet) -> GameValue:
    """The value and score of a game whose outcome is known.

    A level that was reached counts before the value is compared with the bid, whoever
    reached it (R-OVER-3, R-OVER-4).
    A Null below the bid has no value here: its announcement is refused (R-ANN-6).

    Args:
        standing: contract, bid and matadors; the points are not looked at.
        fulfilled: the declarer did what the game asks, the bid aside.
        reached: the level one side reached.
        rules: the loss rule is read from here.
    """
    contract, bid = standing.contract, standing.bid
    assert not is_null_below_bid(contract, bid)
    if contract.is_null:
        base, levels, level = null_value(contract), 1, Level.SIMPLE
    else:
        base = BASE_VALUES[contract.kind]
        levels = multiplier(contract, standing.matadors, reached)
        level = max(reached, contract.announced)
    raw = base * levels
    overbid = raw < bid
    won = fulfilled and not overbid
    value = raw if won else max(raw, -(-bid // base) * base)
    score = value if won else -value * _loss_factor(contract, rules)
    return GameValue(base, standing.matadors, level, levels, raw, overbid, won, value, score)


def _loss_factor(contract: Contract, rules: RuleSet) -> int:
    """What a lost game costs, in values (R-LOSS-1, R-LOSS-2, R-NULL-3)."""
    return 1 if contract.hand and rules.loss_rule is LossRule.HAND_SINGLE else 2


def is_fulfilled(standing: Standing) -> bool:
    """Whether the declarer has done what the game asks, the bid aside (section 12)."""
    if standing.contract.is_null:
        return standing.declarer_tricks == 0
    announced = standing.contract.announced
    needed = SCHNEIDER_POINTS if announced else WINNING_POINTS
    if announced is Level.SCHWARZ and standing.defender_tricks:
        return False
    return standing.declarer_points >= needed


def played_out(standing: Standing, rules: RuleSet) -> GameValue:
    """The value of a deal in which all ten tricks were played, or that a Null trick ended."""
    fulfilled = is_fulfilled(standing)
    return settle(standing, fulfilled=fulfilled, reached=_final_level(standing, rules), rules=rules)


def _final_level(standing: Standing, rules: RuleSet) -> Level:
    """The level that either side reached after ten tricks (R-VAL-2 to R-VAL-4)."""
    if standing.contract.is_null:
        return Level.SIMPLE
    if standing.defender_tricks == 0:
        return Level.SCHWARZ
    if standing.declarer_points >= SCHNEIDER_POINTS:
        return Level.SCHNEIDER
    if not rules.own_schneider_raises_loss:
        return Level.SIMPLE
    if standing.declarer_tricks == 0:
        return Level.SCHWARZ
    own_schneider = standing.declarer_points <= 120 - SCHNEIDER_POINTS
    return Level.SCHNEIDER if own_schneider else Level.SIMPLE
