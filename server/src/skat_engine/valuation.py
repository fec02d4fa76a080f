"""Matadors, game value, overbid and score of a declarer game (sections 8, 10 to 13, 18).

All functions are pure. `settle` is the one formula; what differs between a deal played out
and a shortened one is only which level counts and whether the declarer fulfilled the game.
"""

from dataclasses import dataclass
from typing import Final

from skat_engine.cards import JACKS, CardSet
from skat_engine.contracts import Contract, ContractKind, Level, order_of
from skat_engine.options import LossRule, MatadorLimit, SchwarzDefinition
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

REVOLUTION_VALUE: Final = 92
"""Value of a Null ouvert against rearranged hands (section 21)."""

WINNING_POINTS: Final = 61
"""Card points that win a game; 60 lose (R-VAL-1)."""

SCHNEIDER_POINTS: Final = 90
"""Card points that make the other side Schneider; 30 or fewer are Schneider (R-VAL-2)."""


def null_value(contract: Contract) -> int:
    """The fixed value of a Null game (R-NULL-2)."""
    if contract.revolution:
        return REVOLUTION_VALUE
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
    spitze_made: bool = True
    """The tenth trick fell to the Spitze card; read only when it was announced (R-SPI-1)."""
    lay_open_failed: bool = False
    """The declarer laid open and lost one more trick (R-END-8)."""
    skat_points: int = 0
    """Card points of skat or discards; read only where Schwarz is about points (R-VAL-3)."""
    schenken_refused: bool = False
    """The game was given to the declarer in the first trick and he played on (section 21)."""


@dataclass(frozen=True, slots=True)
class Doubling:
    """What doubles the score of a deal, and never its value (R-KON-4, R-BOCK-1)."""

    kontra: bool = False
    re: bool = False
    bock: bool = False

    def __post_init__(self) -> None:
        """Re answers a Kontra (R-KON-1)."""
        if self.re and not self.kontra:
            raise ValueError("Re without Kontra")

    @property
    def factor(self) -> int:
        """1, 2, 4 or 8 (R-KON-1)."""
        return 1 << self.kontra + self.re + self.bock


NO_DOUBLING: Final = Doubling()


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
    """Signed game points of the declarer, the loss rule and every doubling included."""


def multiplier(standing: Standing, reached: Level, rules: RuleSet) -> int:
    """The number of levels of a trump game (section 12).

    Args:
        standing: suit or Grand; its points are not looked at.
        reached: the level that one side reached; an announced one counts anyway (R-VAL-5).
        rules: what Spitze adds is read from here (R-SPI-2).
    """
    contract, announced = standing.contract, announced_level(standing)
    level = max(announced, reached)
    levels = abs(standing.matadors) + 1 + contract.hand + level + announced + contract.ouvert
    return levels + rules.spitze_factor if contract.spitze else levels


def announced_level(standing: Standing) -> Level:
    """The announced level; whoever plays on although given the game has announced Schneider.

    That makes two levels of it, one for Schneider and one for the announcement (section 21).
    """
    announced = standing.contract.announced
    return max(announced, Level.SCHNEIDER) if standing.schenken_refused else announced


def raw_value(standing: Standing, reached: Level, rules: RuleSet) -> int:
    """The value that is compared with the bid if this level counts (R-OVER-1)."""
    contract = standing.contract
    if contract.is_null:
        return null_value(contract)
    return BASE_VALUES[contract.kind] * multiplier(standing, reached, rules)


def settle(
    standing: Standing,
    *,
    fulfilled: bool,
    reached: Level,
    rules: RuleSet,
    doubling: Doubling = NO_DOUBLING,
) -> GameValue:
    """The value and score of a game whose outcome is known.

    A level that was reached counts before the value is compared with the bid, whoever
    reached it (R-OVER-3, R-OVER-4).
    A Null below the bid has no value here: see `null_underbid` (R-ANN-6).

    Args:
        standing: contract, bid and matadors; the points are not looked at.
        fulfilled: the declarer did what the game asks, the bid aside.
        reached: the level one side reached.
        rules: the loss rule is read from here.
        doubling: Kontra, Re and Bock.
    """
    contract, bid = standing.contract, standing.bid
    assert not is_null_below_bid(contract, bid)
    if contract.is_null:
        base, levels, level = null_value(contract), 1, Level.SIMPLE
    else:
        base = BASE_VALUES[contract.kind]
        levels = multiplier(standing, reached, rules)
        level = max(reached, announced_level(standing))
    raw = base * levels
    overbid = raw < bid
    won = fulfilled and not overbid
    value = raw if won else max(raw, _rounded_up(bid, base))
    score = value if won else -value * _loss_factor(contract, rules)
    return GameValue(
        base,
        standing.matadors,
        level,
        levels,
        raw,
        overbid,
        won,
        value,
        score * doubling.factor,
    )


def _rounded_up(bid: int, base: int) -> int:
    """The smallest multiple of the base value that is not below the bid (R-OVER-2)."""
    return -(-bid // base) * base


def null_underbid(
    contract: Contract,
    own: CardSet,
    bid: int,
    rules: RuleSet,
    doubling: Doubling = NO_DOUBLING,
) -> GameValue:
    """The loss of a Null that cannot reach the bid, as the cheapest trump game (R-OVER-5).

    Args:
        contract: the Null; its ouvert adds nothing, its Hand does.
        own: the declarer's 12 cards.
        bid: the number above the value of the Null.
        rules: matador limit and loss rule are read from here.
        doubling: Bock; nobody can have said Kontra.
    """
    losses = (
        _lost_as(kind, contract, matadors(kind, own, rules.matador_limit), bid)
        for kind in BASE_VALUES
    )
    base, count, levels, value = min(losses, key=lambda loss: loss[3])
    raw = base * levels
    score = -value * _loss_factor(contract, rules) * doubling.factor
    return GameValue(base, count, Level.SIMPLE, levels, raw, raw < bid, False, value, score)


def _lost_as(
    kind: ContractKind, contract: Contract, count: int, bid: int
) -> tuple[int, int, int, int]:
    """Base, matadors, levels and lost value of an impossible Null as this trump game."""
    base, levels = BASE_VALUES[kind], abs(count) + 1 + contract.hand
    return base, count, levels, max(base * levels, _rounded_up(bid, base))


def _loss_factor(contract: Contract, rules: RuleSet) -> int:
    """What a lost game costs, in values (R-LOSS-1, R-LOSS-2, R-NULL-3)."""
    return 1 if contract.hand and rules.loss_rule is LossRule.HAND_SINGLE else 2


def is_fulfilled(standing: Standing) -> bool:
    """Whether the declarer has done what the game asks, the bid aside (section 12)."""
    contract = standing.contract
    if contract.is_null:
        return standing.declarer_tricks == 0
    announced = announced_level(standing)
    if announced is Level.SCHWARZ and standing.defender_tricks:
        return False
    if standing.lay_open_failed or (contract.spitze and not standing.spitze_made):
        return False
    needed = SCHNEIDER_POINTS if announced else WINNING_POINTS
    return standing.declarer_points >= needed


def played_out(standing: Standing, rules: RuleSet, doubling: Doubling = NO_DOUBLING) -> GameValue:
    """The value of a deal in which all ten tricks were played.

    Also of one that a Null trick or the failure of a ProSkat Lay Open ended (R-END-8).
    """
    return settle(
        standing,
        fulfilled=is_fulfilled(standing),
        reached=final_level(standing, rules),
        rules=rules,
        doubling=doubling,
    )


def final_level(standing: Standing, rules: RuleSet) -> Level:
    """The level that either side reached after ten tricks (R-VAL-2 to R-VAL-4).

    After a failed Lay Open no level counts that was not announced (R-END-8).
    """
    if standing.contract.is_null or standing.lay_open_failed:
        return Level.SIMPLE
    by_points = rules.schwarz_definition is SchwarzDefinition.NO_POINTS
    points = standing.declarer_points
    if standing.defender_tricks == 0 or (by_points and points == 120):
        return Level.SCHWARZ
    if points >= SCHNEIDER_POINTS:
        return Level.SCHNEIDER
    if not rules.own_schneider_raises_loss:
        return Level.SIMPLE
    if standing.declarer_tricks == 0 or (by_points and points == standing.skat_points):
        return Level.SCHWARZ
    own_schneider = points <= 120 - SCHNEIDER_POINTS
    return Level.SCHNEIDER if own_schneider else Level.SIMPLE
