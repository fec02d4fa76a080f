"""Where the sources contradict one another, both sides can be had (section 20).

Here are the contradictions about values, Ramsch scores, score sheets and series; those about
what may be done at the table are held by the tests of play.
"""

from dataclasses import replace

import pytest

from skat_engine import (
    DealResult,
    Ending,
    IllegalActionError,
    OptionValue,
    RuleSet,
    RuleSetError,
    Series,
    matadors,
    new_contract,
    parse_cards,
    parse_contract,
    played_out,
    preset,
)
from skat_engine.bock import BockQueue
from skat_engine.contracts import ContractKind, Level
from skat_engine.options import (
    BockLength,
    LossRule,
    MatadorLimit,
    NullUnderbid,
    SchwarzDefinition,
    Scoring,
    SessionEnd,
)
from skat_engine.ramsch import score_ramsch
from skat_engine.summary import DeclarerSummary, SummaryError, score_deal
from tests.builders import dealt, hand, standing
from tests.engine.booking import declared, ramsch

RULES = RuleSet()
PASSED = DealResult(Ending.PASSED_IN, None, (0, 0, 0), (0, 0, 0), dealt())
REDEALT = replace(PASSED, ending=Ending.REDEALT)
EVEN = (4, 3, 3)


def test_x1_a_passed_deal_counts_or_is_void() -> None:
    """X1, R-TAB-2."""
    counted = Series(preset("isko"))
    counted.book(PASSED)
    void = Series(preset("terse_english"), parse_cards("CJ"))
    void.book(REDEALT)
    assert (counted.deals_done, counted.dealer, void.deals_done, void.dealer) == (1, 1, 0, 0)


@pytest.mark.parametrize(
    ("scoring", "scores"), [("all_points", (-55, -40, -25)), ("loser_points", (-55, 0, 0))]
)
def test_x3_who_pays_in_a_bga_ramsch(scoring: str, scores: tuple[int, ...]) -> None:
    """X3."""
    rules = preset("bga_skat", {"ramsch_scoring": type(RULES.ramsch_scoring)(scoring)})
    assert score_ramsch((55, 40, 25), EVEN, rules=rules) == scores


@pytest.mark.parametrize(
    ("rule", "score"), [(LossRule.HAND_SINGLE, -36), (LossRule.DOUBLE_ALWAYS, -72)]
)
def test_x4_a_lost_hand_game(rule: LossRule, score: int) -> None:
    """X4, R-LOSS-1, R-LOSS-2."""
    lost = standing("CH", points=(55, 65), tricks=(5, 5))
    assert played_out(lost, RuleSet(loss_rule=rule)).score == score


@pytest.mark.parametrize(("raises", "score"), [(True, -72), (False, -48)])
def test_x5_own_schneider(raises: bool, score: int) -> None:
    """X5, R-VAL-4; fault 40: 30 points with Clubs and 1."""
    lost = standing("C", points=(30, 90), tricks=(3, 7))
    assert played_out(lost, RuleSet(own_schneider_raises_loss=raises)).score == score


def test_x6_looking_or_not_looking_doubles() -> None:
    """X6, R-RAM-6: the looker's own loss, or everybody's when somebody did not look."""
    looked = preset("terse_english_ramsch")
    pushed = preset("bga_skat")
    points = (55, 40, 25)
    assert score_ramsch(points, EVEN, rules=looked, looked={0}, untouched=2) == (-110, 0, 0)
    assert score_ramsch(points, EVEN, rules=pushed, looked={0}, untouched=2) == (-220, -160, -100)


def test_x8_jungfrau_and_durchmarsch() -> None:
    """X8, R-RAM-7, R-RAM-8."""
    yes, no = preset("proskat_pub"), preset("terse_english_ramsch")
    for points, tricks, with_rule, without in (
        ((70, 50, 0), (6, 4, 0), -140, -70),
        ((120, 0, 0), (10, 0, 0), 120, -120),
    ):
        assert score_ramsch(points, tricks, rules=yes)[0] == with_rule
        assert score_ramsch(points, tricks, rules=no)[0] == without


@pytest.mark.parametrize(("raised", "score"), [(True, 480), (False, 120)])
def test_x9_what_a_durchmarsch_is_worth(raised: bool, score: int) -> None:
    """X9."""
    rules = preset("bga_skat", {"ramsch_durchmarsch_times_untouched": raised})
    assert score_ramsch((120, 0, 0), (10, 0, 0), rules=rules, untouched=2)[0] == score


@pytest.mark.parametrize(("name", "score"), [("swedish_ramsch", -40), ("xskat_extras", 0)])
def test_x12_a_three_way_tie(name: str, score: int) -> None:
    """X12, R-RAM-9."""
    assert score_ramsch((40, 40, 40), EVEN, rules=preset(name)) == (score, score, score)


@pytest.mark.parametrize(("name", "score"), [("proskat_pub", 40), ("xskat_extras", 30)])
def test_x13_what_spitze_adds(name: str, score: int) -> None:
    """X13, R-SPI-2; H1, H6."""
    won = replace(standing("H", points=(70, 50)), contract=parse_contract("HP"))
    assert played_out(won, preset(name)).score == score


@pytest.mark.parametrize(("limit", "count"), [(MatadorLimit.FULL, 6), (MatadorLimit.JACKS_ONLY, 4)])
def test_x14_below_the_jacks(limit: MatadorLimit, count: int) -> None:
    """X14, R-MAT-3; A9, H7."""
    own = hand("CJ SJ HJ DJ HA HT HQ H9 CA SA D7 S7")
    assert matadors(ContractKind.HEARTS, own, limit) == count


@pytest.mark.parametrize(
    ("name", "possible"),
    [("isko", {3, 4}), ("proskat_pub", {3, 4}), ("terse_english", {3, 4, 5}), ("bga_skat", {3})],
)
def test_x20_seats(name: str, possible: set[int]) -> None:
    """X20, R-TAB-1."""
    assert {seats for seats in range(2, 7) if _is_possible(name, seats)} == possible


def _is_possible(name: str, seats: int) -> bool:
    try:
        preset(name, {"seats": seats})
    except RuleSetError:
        return False
    return True


def test_x21_the_end_of_a_session() -> None:
    """X21, R-TAB-4: after a number of deals, or on request with the circuit."""
    fixed = Series(preset("isko", {"session_deals": 2}))
    circuits = Series(preset("terse_english"), parse_cards("CJ"))
    for series in (fixed, circuits):
        series.book(PASSED)
        series.book(PASSED)
    assert (fixed.is_over, circuits.is_over, circuits.request_end()) == (True, False, False)
    circuits.book(PASSED)
    assert circuits.is_over


def test_x22_the_first_dealer() -> None:
    """X22, R-TAB-3."""
    deck = parse_cards("C7 S7 HJ")
    dealers = [Series(preset(name), deck).first_dealer for name in ("isko", "terse_english")]
    assert dealers == [0, 2]


@pytest.mark.parametrize(
    ("definition", "level"),
    [(SchwarzDefinition.NO_TRICK, Level.SCHNEIDER), (SchwarzDefinition.NO_POINTS, Level.SCHWARZ)],
)
def test_x23_schwarz(definition: SchwarzDefinition, level: Level) -> None:
    """X23, R-VAL-3."""
    won = standing("C", points=(120, 0), tricks=(9, 1))
    assert played_out(won, RuleSet(schwarz_definition=definition)).level is level


IMPOSSIBLE = DeclarerSummary(
    RULES, parse_contract("N"), 24, hand("CJ H7 H8 C7 C8 C9 S7 S8 D7 D8"), hand("SA HA"), None, 0, 0
)


def test_x24_a_null_below_the_bid() -> None:
    """X24, R-ANN-6, R-OVER-5; fault 33."""
    with pytest.raises(SummaryError, match="less than the bid"):
        score_deal(IMPOSSIBLE)
    rules = RuleSet(null_underbid=NullUnderbid.LOSE_AS_TRUMP_GAME)
    assert score_deal(replace(IMPOSSIBLE, rules=rules)).score == -48


@pytest.mark.parametrize(("length", "deals"), [(BockLength.THREE, 3), (BockLength.ONE_PER_SEAT, 4)])
def test_x25_the_length_of_a_block(length: BockLength, deals: int) -> None:
    """X25, R-BOCK-5."""
    rules = preset("proskat_pub", {"seats": 4, "bock_length": length})
    queue = BockQueue().after(grand_hand=False, new_blocks=1, rules=rules)
    assert queue.bock_left == deals


@pytest.mark.parametrize(("limit", "over"), [(500, False), (301, True)])
def test_x26_the_limit_of_bierlachs(limit: int, over: bool) -> None:
    """X26, R-BIER-4: checked after a circuit, whatever the limit is."""
    overrides: dict[str, OptionValue] = {
        "session_end": SessionEnd.BIERLACHS,
        "scoring": Scoring.BIERLACHS,
        "bierlachs_limit": limit,
    }
    series = Series(preset("terse_english", overrides), parse_cards("CJ"))
    for loss in (-400, -20, -30):
        assert not series.is_over
        series.book(declared(2, loss))
    assert series.is_over is over


def test_x28_levels_are_announced_in_hand_games_only() -> None:
    """X28, R-ANN-2."""
    with pytest.raises(IllegalActionError):
        new_contract(ContractKind.CLUBS, announced=Level.SCHNEIDER)
    assert new_contract(ContractKind.CLUBS, hand=True, announced=Level.SCHNEIDER).announced


def test_x29_a_ramsch_on_a_tournament_list() -> None:
    """X29, R-BOOK-3: no bonuses; and the official rules know no Ramsch."""
    series = Series(preset("swedish_ramsch", {"scoring": Scoring.SEEGER_FABIAN}))
    series.book(ramsch((0, 0, -55)))
    assert series.sheet.totals == (-55, 0, 0)
    with pytest.raises(RuleSetError):
        preset("isko", {"all_pass": preset("swedish_ramsch").all_pass})
