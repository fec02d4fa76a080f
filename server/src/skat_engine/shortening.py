"""Deals that end before the last card: who wins and at which level (section 15).

All functions are pure: they look at a `Standing` in mid-play and give the `GameValue` that
is booked. Who may propose what, and who must agree, is `legality`'s and `deal`'s business.
"""

from dataclasses import replace
from typing import Final

from skat_engine.contracts import Contract, Level
from skat_engine.options import SchwarzDefinition
from skat_engine.ruleset import RuleSet
from skat_engine.valuation import (
    NO_DOUBLING,
    SCHNEIDER_POINTS,
    Doubling,
    GameValue,
    Standing,
    announced_level,
    is_fulfilled,
    raw_value,
    settle,
)

_SIMPLE, _SCHNEIDER, _SCHWARZ = Level  # bound, because looking up an enum member is slow
_NO_POINTS: Final = SchwarzDefinition.NO_POINTS
_HALF: Final = 60
_ALL_POINTS: Final = 120
_ALL_TRICKS: Final = 10
_OUT_OF_SCHNEIDER: Final = _ALL_POINTS - SCHNEIDER_POINTS
"""With more card points than this a side cannot become Schneider any more (R-VAL-2)."""


def highest_level(
    contract: Contract, defender_points: int, defender_tricks: int, rules: RuleSet
) -> Level:
    """The highest level that the declarer can still reach (R-END-6, R-END-7)."""
    if contract.is_null or defender_points > _OUT_OF_SCHNEIDER:
        return _SIMPLE
    by_points = rules.schwarz_definition is _NO_POINTS
    taken = defender_points if by_points else defender_tricks
    return _SCHNEIDER if taken else _SCHWARZ


def is_lost(standing: Standing, rules: RuleSet) -> bool:
    """Whether the defenders have won already, whatever is conceded later (section 15)."""
    contract, tricks = standing.contract, standing.defender_tricks
    if contract.is_null:
        return standing.declarer_tricks > 0
    best = highest_level(contract, standing.defender_points, tricks, rules)
    out_of_reach = best < announced_level(standing) or (
        contract.announced is _SCHWARZ and tricks > 0
    )
    overbid = raw_value(standing, best, rules) < standing.bid
    spitze_lost = contract.spitze and not standing.spitze_made
    return standing.defender_points >= _HALF or out_of_reach or overbid or spitze_lost


def is_won(standing: Standing, rules: RuleSet) -> bool:
    """Whether the declarer has won already: nothing mandatory is open (section 15)."""
    contract = standing.contract
    open_to_the_end = contract.is_null or contract.announced is _SCHWARZ or contract.spitze
    if open_to_the_end or is_lost(standing, rules):
        return False
    secured = _secured(standing, rules)
    return is_fulfilled(standing) and raw_value(standing, secured, rules) >= standing.bid


def declarer_gave_up(
    standing: Standing, rules: RuleSet, doubling: Doubling = NO_DOUBLING
) -> GameValue:
    """The declarer concedes: simple level, unless he had won already (R-END-3)."""
    won = is_won(standing, rules)
    reached = _secured(standing, rules)
    return settle(standing, fulfilled=won, reached=reached, rules=rules, doubling=doubling)


def defenders_gave_up(
    standing: Standing, rules: RuleSet, doubling: Doubling = NO_DOUBLING
) -> GameValue:
    """The defenders concede: the level the bid needs is granted, if still possible (R-END-6)."""
    return claim_accepted(standing, _SIMPLE, rules, doubling)


def claim_accepted(
    standing: Standing, level: Level, rules: RuleSet, doubling: Doubling = NO_DOUBLING
) -> GameValue:
    """The declarer wins at the level named, or at what he has secured or needs (R-END-7).

    A game that is lost already stays lost, whoever concedes it.
    """
    lost = is_lost(standing, rules)
    secured = _secured(standing, rules)
    reached = secured if lost else max(level, secured)
    while not lost and raw_value(standing, reached, rules) < standing.bid:
        reached = Level(reached + 1)
    return settle(standing, fulfilled=not lost, reached=reached, rules=rules, doubling=doubling)


def rest_to_declarer(standing: Standing) -> Standing:
    """The standing with every remaining trick on the declarer's side (R-END-8, R-END-9)."""
    return replace(
        standing,
        declarer_points=_ALL_POINTS - standing.defender_points,
        declarer_tricks=_ALL_TRICKS - standing.defender_tricks,
    )


def rest_to_defenders(standing: Standing) -> Standing:
    """The standing with every remaining trick on the defenders' side (R-END-9)."""
    return replace(
        standing,
        defender_points=_ALL_POINTS - standing.declarer_points,
        defender_tricks=_ALL_TRICKS - standing.declarer_tricks,
        spitze_made=False,
    )


def _secured(standing: Standing, rules: RuleSet) -> Level:
    """The level that no later trick can take back; Schwarz never before the end.

    None after a failed Lay Open, which is lost in what was announced (R-END-8).
    """
    if standing.contract.is_null or standing.lay_open_failed:
        return _SIMPLE
    own = standing.defender_points >= SCHNEIDER_POINTS and rules.own_schneider_raises_loss
    made = standing.declarer_points >= SCHNEIDER_POINTS
    return _SCHNEIDER if made or own else _SIMPLE
