"""What a declarer game is worth: sections 10 to 13 and 18, and the games of section 22.1."""

from dataclasses import replace

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
from skat_engine.options import LossRule, MatadorLimit, SchwarzDefinition
from skat_engine.ruleset_text import parse_option
from skat_engine.valuation import Doubling, is_null_below_bid, null_underbid, null_value
from tests.builders import hand, isko, standing, table

GAMES = table("declarer_games")


def rules_of(row: dict[str, str]) -> RuleSet:
    name, _, value = row["options"].partition("=")
    options = {name: parse_option(name, value)} if name else {}
    return preset(row["preset"], options) if row["preset"] else RuleSet(**options)  # type: ignore[arg-type]


def standing_of(row: dict[str, str]) -> Standing:
    contract = replace(parse_contract(row["contract"]), spitze=bool(row["spitze"]))
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
        spitze_made=row["spitze"] == "made",
    )


def doubling_of(row: dict[str, str]) -> Doubling:
    return Doubling(**dict.fromkeys(row["saying"].split(), True))


@pytest.mark.parametrize("row", GAMES, ids=[row["id"] for row in GAMES])
def test_matadors_of_worked_games(row: dict[str, str]) -> None:
    """R-MAT-1, R-MAT-2, R-MAT-3, R-MAT-4."""
    assert standing_of(row).matadors == int(row["matadors"])


@pytest.mark.parametrize("row", GAMES, ids=[row["id"] for row in GAMES])
def test_value_of_worked_games(row: dict[str, str]) -> None:
    """R-VAL-1 to R-VAL-9, R-LOSS-1, R-LOSS-2, R-OVER-1 to R-OVER-4, R-NULL-1 to R-NULL-3.

    Also R-KON-1, R-KON-4, R-BOCK-1, R-SPI-1 and R-SPI-2.
    """
    value = played_out(standing_of(row), rules_of(row), doubling_of(row))
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


@pytest.mark.parametrize(
    ("doubling", "factor"),
    [
        (Doubling(), 1),
        (Doubling(kontra=True), 2),
        (Doubling(kontra=True, re=True), 4),
        (Doubling(bock=True), 2),
        (Doubling(kontra=True, bock=True), 4),
        (Doubling(kontra=True, re=True, bock=True), 8),
    ],
)
@pytest.mark.parametrize("points", [61, 60])
def test_doubling_changes_the_score_and_not_the_value(
    doubling: Doubling, factor: int, points: int
) -> None:
    """R-KON-1, R-KON-4, R-BOCK-1."""
    game = standing("C", points=(points, 120 - points))
    plain, doubled = played_out(game, isko()), played_out(game, isko(), doubling)
    assert doubling.factor == factor
    assert doubled == replace(plain, score=plain.score * factor)


def test_re_answers_a_kontra() -> None:
    """R-KON-1."""
    with pytest.raises(ValueError, match="Re without Kontra"):
        Doubling(re=True)


def with_spitze(game: Standing, *, made: bool) -> Standing:
    return replace(game, contract=replace(game.contract, spitze=True), spitze_made=made)


@pytest.mark.parametrize(("factor", "score"), [(1, 36), (2, 48)])
def test_spitze_reaches_the_bid(factor: int, score: int) -> None:
    """R-SPI-2: its levels count before the bid is compared."""
    game = with_spitze(standing("C", bid=36, points=(61, 59)), made=True)
    assert played_out(game, RuleSet(spitze_factor=factor)).score == score


def test_a_missed_spitze_with_schneider_against_the_defenders() -> None:
    """R-SPI-1: the Schneider that was reached stays in the value (Q33)."""
    game = with_spitze(standing("C", points=(95, 25)), made=False)
    assert played_out(game, RuleSet()).score == -120


def test_spitze_on_top_of_everything() -> None:
    """R-SPI-4, R-VAL-7."""
    game = with_spitze(standing("GHSZO", matadors=4, points=(120, 0), tricks=(10, 0)), made=True)
    assert played_out(game, RuleSet()).score == 24 * 13


@pytest.mark.parametrize(
    ("points", "score"), [(61, -48), (95, -48)], ids=["enough-points", "schneider"]
)
def test_a_failed_lay_open_loses_in_the_simple_level(points: int, score: int) -> None:
    """R-END-8."""
    game = replace(standing("C", points=(points, 120 - points)), lay_open_failed=True)
    assert played_out(game, RuleSet()).score == score


def test_a_failed_lay_open_keeps_the_announced_levels() -> None:
    """R-END-8."""
    game = replace(standing("CHS", points=(95, 25)), lay_open_failed=True)
    assert played_out(game, RuleSet()).score == -120


NO_POINTS = RuleSet(schwarz_definition=SchwarzDefinition.NO_POINTS)


@pytest.mark.parametrize(
    ("points", "tricks", "skat_points", "level"),
    [
        (120, (9, 1), 0, Level.SCHWARZ),
        (119, (9, 1), 0, Level.SCHNEIDER),
        (120, (10, 0), 0, Level.SCHWARZ),
        (14, (1, 9), 14, Level.SCHWARZ),
        (16, (1, 9), 14, Level.SCHNEIDER),
        (0, (0, 10), 0, Level.SCHWARZ),
    ],
)
def test_schwarz_by_points(
    points: int, tricks: tuple[int, int], skat_points: int, level: Level
) -> None:
    """R-VAL-3: a pointless trick counts as nothing."""
    game = replace(
        standing("C", points=(points, 120 - points), tricks=tricks), skat_points=skat_points
    )
    assert played_out(game, NO_POINTS).level is level


def test_own_schwarz_by_points_does_not_raise_the_loss_where_that_is_an_option() -> None:
    """R-VAL-3, R-VAL-4."""
    rules = replace(NO_POINTS, own_schneider_raises_loss=False)
    game = replace(standing("C", points=(14, 106)), skat_points=14)
    assert played_out(game, rules).score == -48


@pytest.mark.parametrize(
    ("contract", "points", "score"), [("C", 90, 48), ("C", 89, -96), ("CHS", 90, 60)]
)
def test_whoever_plays_on_although_given_the_game_must_make_schneider(
    contract: str, points: int, score: int
) -> None:
    """Section 21, `schenken_first_trick`: as if Schneider had been announced."""
    game = replace(standing(contract, points=(points, 120 - points)), schenken_refused=True)
    assert played_out(game, RuleSet()).score == score


@pytest.mark.parametrize(("tricks", "score"), [((0, 10), 92), ((1, 9), -184)])
def test_revolution(tricks: tuple[int, int], score: int) -> None:
    """Section 21, `revolution`: a Null ouvert of value 92."""
    game = standing("NO", bid=60, tricks=tricks)
    game = replace(game, contract=replace(game.contract, revolution=True))
    assert played_out(game, RuleSet()).score == score


# The examples of R-OVER-5, and a Hand game under the old loss rule.
IMPOSSIBLE_NULLS = [
    ("CJ H7 H8 C7 C8 C9 S7 S8 D7 D8 SA HA", "N", 24, 12, 1, 24, -48),
    ("CJ SJ HJ H7 C7 C8 S7 S8 D7 D8 DA HA", "NO", 50, 10, 3, 50, -100),
    ("SJ H7 H8 C7 C8 C9 S7 S8 D7 D8 SA HA", "NH", 36, 9, -1, 36, -72),
    ("CJ SJ HJ DJ CA CT CK S7 S8 S9 H7 D7", "NHO", 60, 10, 4, 60, -120),
]


@pytest.mark.parametrize(
    ("own", "contract", "bid", "base", "matadors", "value", "score"), IMPOSSIBLE_NULLS
)
def test_an_impossible_null_is_lost_as_the_cheapest_trump_game(  # noqa: PLR0913, PLR0917  # the columns
    own: str, contract: str, bid: int, base: int, matadors: int, value: int, score: int
) -> None:
    """R-OVER-5; faults 33 and 40."""
    lost = null_underbid(parse_contract(contract), hand(own), bid, RuleSet())
    assert (lost.base, lost.matadors, lost.value, lost.score) == (base, matadors, value, score)
    assert not lost.won


def test_an_impossible_null_hand_under_the_old_loss_rule_in_a_bock_deal() -> None:
    """R-OVER-5, R-LOSS-2, R-NULL-3, R-BOCK-1."""
    own = hand("SJ H7 H8 C7 C8 C9 S7 S8 D7 D8 SA HA")
    rules = RuleSet(loss_rule=LossRule.HAND_SINGLE)
    lost = null_underbid(parse_contract("NH"), own, 36, rules, Doubling(bock=True))
    assert (lost.value, lost.score) == (36, -72)


def test_an_impossible_null_that_would_not_even_be_overbid_as_a_trump_game() -> None:
    """R-OVER-5: the value counts when it is above the rounded bid."""
    own = hand("CJ SJ HJ DJ CA CT CK CQ C9 C8 C7 D7")
    lost = null_underbid(parse_contract("N"), own, 24, RuleSet())
    assert (lost.base, lost.value, lost.overbid) == (9, 45, False)
