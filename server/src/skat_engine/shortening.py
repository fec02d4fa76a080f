"""Deals that end before the last card: who wins and at which level (section 15).

All functions are pure: they look at a `Standing` in mid-play and give the `GameValue` that
is booked. Who may propose what, and who must agree, is `legality`'s and `deal`'s business.
"""

from typing import Final

from skat_engine.contracts import Contract, Level
from skat_engine.ruleset import RuleSet
from skat_engine.valuation import (
    SCHNEIDER_POINTS,
    GameValue,
    Standing,
    is_fulfilled,
    raw_value,
    settle,
)

_SIMPLE, _SCHNEIDER, _SCHWARZ = Level  # bound, because looking up an enum member is slow
_HALF: Final = 60
_OUT_OF_SCHNEIDER: Final = 120 - SCHNEIDER_POINTS
"""With more card points than this a side cannot become Schneider any more (R-VAL-2)."""


def highest_level(contract: Contract, defender_points: int, defender_tricks: int) -> Level:
    """The highest level that the declarer can still reach (R-END-6, R-END-7)."""
    if contract.is_null or defender_points > _OUT_OF_SCHNEIDER:
        return _SIMPLE
    return _SCHNEIDER if defender_tricks else _SCHWARZ


def _still_possible(standing: Standing) -> Level:
    return highest_level(standing.contract, standing.defender_points, standing.defender_tricks)


def is_lost(standing: Standing, rules: RuleSet) -> bool:
    """Whether the defenders have won already, whatever is conceded later (section 15)."""
    contract = standing.contract
    if contract.is_null:
        return standing.declarer_tricks > 0
    best = _still_possible(standing)
    out_of_reach = best < contract.announced or raw_value(standing, best, rules) < standing.bid
    return standing.defender_points >= _HALF or out_of_reach


def is_won(standing: Standing, rules: RuleSet) -> bool:
    """Whether the declarer has won already: nothing mandatory is open (section 15)."""
    contract = standing.contract
    if contract.is_null or contract.announced is Level.SCHWARZ or is_lost(standing, rules):
        return False
    secured = _secured(standing, rules)
    return is_fulfilled(standing) and raw_value(standing, secured, rules) >= standing.bid


def declarer_gave_up(standing: Standing, rules: RuleSet) -> GameValue:
    """The declarer concedes: simple level, unless he had won already (R-END-3)."""
    won = is_won(standing, rules)
    return settle(standing, fulfilled=won, reached=_secured(standing, rules), rules=rules)


def defenders_gave_up(standing: Standing, rules: RuleSet) -> GameValue:
    """The defenders concede: the level the bid needs is granted, if still possible (R-END-6)."""
    return _granted(standing, Level.SIMPLE, rules)


def claim_accepted(standing: Standing, level: Level, rules: RuleSet) -> GameValue:
    """Both defenders accept the declarer's open cards and the level he named (R-END-7)."""
    return _granted(standing, level, rules)


def _granted(standing: Standing, level: Level, rules: RuleSet) -> GameValue:
    """The declarer wins at `level` or what he has secured or needs, unless he has lost."""
    secured = _secured(standing, rules)
    if is_lost(standing, rules):
        return settle(standing, fulfilled=False, reached=secured, rules=rules)
    reached = max(level, secured)
    while raw_value(standing, reached, rules) < standing.bid:
        reached = Level(reached + 1)
    return settle(standing, fulfilled=True, reached=reached, rules=rules)


def _secured(standing: Standing, rules: RuleSet) -> Level:
    """The level that no later trick can take back; Schwarz never before the end."""
    if standing.contract.is_null:
        return Level.SIMPLE
    own = standing.defender_points >= SCHNEIDER_POINTS and rules.own_schneider_raises_loss
    made = standing.declarer_points >= SCHNEIDER_POINTS
    return Level.SCHNEIDER if made or own else Level.SIMPLE
