"""What a declarer game is worth: R-MAT, R-VAL, R-LOSS, R-OVER, R-NULL; section 22.1."""

import pytest

from skat_engine import (
    CardSet,
    ContractKind,
    Level,
    RuleSet,
    Standing,
    matadors,
    parse_contract,
    played_out,
    preset,
)
from skat_engine.options import LossRule, MatadorLimit
from skat_engine.ruleset_text import parse_option
from skat_engine.valuation import is_null_below_bid, null_value
from tests.builders import hand, isko, standing, table

GAMES = table("declarer_games")


def rules_of(row: dict[str, str]) -> RuleSet:
    name, _, value = row["options"].partition("=")
    options = {name: parse_option(name, value)} if name else {}
    return preset(row["preset"], options) if row["preset"] else RuleSet(**options)  # type: ignore[arg-type]


def standing_of(row: dict[str, str]) -> Standing:
    contract = parse_contract(row["contract"])
    rules = rules_of(row)
    own = CardSet(hand(row["hand"]) | hand(row["skat"]))
    points = int(row["declarer_points"] or 0)
    return Standing(
        contract=contract,
        bid=int(row["bid"]),
        matadors=0 if contract.is_null else matadors(contract.kind, own, rules.matador_limit),
        declarer_points=points,
        defender_points=120 - points,
        declarer_tricks=int(row["declarer_tricks"]),
        defender_tricks=int(row["defender_tricks"] or 0),
    )


@pytest.mark.parametrize("row", GAMES, ids=[row["id"] for row in GAMES])
def test_matadors_of_worked_games(row: dict[str, str]) -> None:
    """R-MAT-1, R-MAT-2, R-MAT-3, R-MAT-4."""
    assert standing_of(row).matadors == int(row["matadors"])


@pytest.mark.parametrize("row", GAMES, ids=[row["id"] for row in GAMES])
def test_value_of_worked_games(row: dict[str, str]) -> None:
    """R-VAL-1 to R-VAL-9, R-LOSS-1, R-LOSS-2, R-OVER-1 to R-OVER-4, R-NULL-1 to R-NULL-3."""
    value = played_out(standing_of(row), rules_of(row))
    outcome = "won" if value.won else "lost"
    assert (value.value, outcome, value.score) == (
        int(row["value"]),
        row["outcome"],
        int(row["score"]),
    )


@pytest.mark.parametrize(("points", "won"), [(61, True), (60, False)])
def test_61_points_win(points: int, won: bool) -> None:
    """R-VAL-1."""
    assert played_out(standing("C", points=(points, 120 - points)), isko()).won is won


@pytest.mark.parametrize(("points", "level"), [(31, 0), (30, 1), (89, 0), (90, 1)])
def test_schneider(points: int, level: int) -> None:
    """R-VAL-2."""
    assert played_out(standing("C", points=(points, 120 - points)), isko()).level == level


def test_a_pointless_trick_saves_from_schwarz() -> None:
    """R-VAL-3."""
    value = played_out(standing("C", points=(120, 0), tricks=(9, 1)), isko())
    assert value.level is Level.SCHNEIDER


def test_own_schwarz_raises_the_loss() -> None:
    """R-VAL-4."""
    value = played_out(standing("C", points=(0, 120), tricks=(0, 10)), isko())
    assert (value.level, value.score) == (Level.SCHWARZ, -96)


def test_a_pointless_trick_saves_the_declarer_from_schwarz() -> None:
    """R-VAL-3, R-VAL-4."""
    value = played_out(standing("C", points=(0, 120), tricks=(1, 9)), isko())
    assert (value.level, value.score) == (Level.SCHNEIDER, -72)


def test_own_schneider_does_not_raise_the_loss_where_that_is_an_option() -> None:
    """R-VAL-4."""
    rules = isko(own_schneider_raises_loss=False)
    assert played_out(standing("C", points=(0, 120), tricks=(0, 10)), rules).score == -48


def test_the_maximum_of_a_suit_game() -> None:
    """R-VAL-7, R-MAT-2."""
    game = standing("CHSZO", matadors=11, points=(120, 0), tricks=(10, 0))
    assert played_out(game, isko()).score == 216


def test_the_maximum_of_grand() -> None:
    """R-VAL-7, R-VAL-9."""
    game = standing("GHSZO", matadors=4, points=(120, 0), tricks=(10, 0))
    assert played_out(game, isko()).score == 264


def test_the_value_is_booked_and_not_the_bid() -> None:
    """R-VAL-8."""
    assert played_out(standing("C", matadors=3, points=(70, 50)), isko()).score == 48


def test_without_a_bid_nothing_is_overbid() -> None:
    """R-OVER-6: a Grand Hand in place of a Ramsch has no bid."""
    value = played_out(standing("GH", bid=0, points=(70, 50)), isko())
    assert (value.overbid, value.score) == (False, 72)


def test_an_overbid_hand_game_costs_once_under_the_old_rule() -> None:
    """R-LOSS-2."""
    rules = isko(loss_rule=LossRule.HAND_SINGLE)
    value = played_out(standing("CH", bid=40, points=(75, 45)), rules)
    assert (value.overbid, value.score) == (True, -48)


@pytest.mark.parametrize(("contract", "value"), [("N", 23), ("NH", 35), ("NO", 46), ("NHO", 59)])
def test_null_values(contract: str, value: int) -> None:
    """R-NULL-2."""
    assert null_value(parse_contract(contract)) == value


@pytest.mark.parametrize(("contract", "bid"), [("N", 24), ("NH", 36), ("NO", 48), ("NHO", 60)])
def test_a_null_below_the_bid(contract: str, bid: int) -> None:
    """R-ANN-6; fault 33."""
    assert is_null_below_bid(parse_contract(contract), bid)


def test_a_null_has_neither_matadors_nor_levels() -> None:
    """R-NULL-2."""
    value = played_out(standing("NHO", points=(0, 120), tricks=(0, 10)), isko())
    assert (value.matadors, value.level, value.multiplier) == (0, Level.SIMPLE, 1)


def test_matadors_stop_at_the_jacks_where_that_is_an_option() -> None:
    """R-MAT-3."""
    own = hand("CJ SJ HJ DJ HA HT")
    assert matadors(ContractKind.HEARTS, own, MatadorLimit.JACKS_ONLY) == 4


def test_without_stops_at_the_jacks_as_well() -> None:
    """R-MAT-3."""
    assert matadors(ContractKind.HEARTS, hand("H7"), MatadorLimit.JACKS_ONLY) == -4


def test_grand_has_at_most_four_matadors() -> None:
    """R-MAT-2."""
    assert matadors(ContractKind.GRAND, hand("CJ SJ HJ DJ CA")) == 4


def test_without_all_eleven() -> None:
    """R-MAT-2."""
    assert matadors(ContractKind.HEARTS, hand("CA CT")) == -11
