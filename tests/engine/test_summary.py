"""Values from summaries: every worked game and Ramsch of section 22, and what is refused."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_engine import RuleSet, parse_contract, preset
from skat_engine.options import (
    AllPass,
    LossRule,
    NullUnderbid,
    Permission,
    RamschSkatTo,
    RamschTie,
    UnreachableDeclaration,
)
from skat_engine.summary import (
    DeclarerSummary,
    RamschSummary,
    Reasoning,
    SummaryError,
    SummaryRefusal,
    reasoning_of,
    score_deal,
    score_ramsch_deal,
)
from skat_engine.valuation import Doubling
from tests.builders import hand
from tests.strategies import contracts

RULES = RuleSet()
WITH_1 = hand("CJ HJ DA DT DK D9 D7 CA SA H8")
SKAT = hand("S7 H7")


def game(contract: str = "D", **changes: object) -> DeclarerSummary:
    """Example A1 of section 22.1, or something else than that."""
    plain = DeclarerSummary(RULES, parse_contract(contract), 18, WITH_1, SKAT, 61, 6, 4)
    return replace(plain, **changes)  # type: ignore[arg-type]


def refusal(summary: DeclarerSummary) -> SummaryRefusal:
    with pytest.raises(SummaryError) as refused:
        score_deal(summary)
    return refused.value.reason


def test_a_game() -> None:
    """A1."""
    assert (score_deal(game()).won, score_deal(game()).score) == (True, 18)


def test_matadors_are_counted_under_the_rules_of_the_table() -> None:
    """R-MAT-1, R-MAT-4: the skat counts."""
    assert (
        score_deal(
            game(playing_hand=hand("CJ HJ DA DT DK D9 D7 CA H7 H8"), skat=hand("SJ C7"))
        ).matadors
        == 3
    )


def test_a_null_below_the_bid_is_refused() -> None:
    """R-ANN-6; E9: whatever else is missing."""
    nothing = {"declarer_points": None, "declarer_tricks": None, "defender_tricks": None}
    assert refusal(game("N", bid=24, **nothing)) is SummaryRefusal.NULL_UNDERBID


@pytest.mark.parametrize(
    ("contract", "bid", "score"), [("N", 24, -48), ("NH", 36, -72), ("NO", 48, -96)]
)
def test_a_null_below_the_bid_may_be_lost(contract: str, bid: int, score: int) -> None:
    """R-OVER-5; fault 33."""
    rules = RuleSet(null_underbid=NullUnderbid.LOSE_AS_TRUMP_GAME)
    assert score_deal(game(contract, bid=bid, rules=rules)).score == score


@pytest.mark.parametrize(
    ("summary", "reason"),
    [
        (game(bid=19), SummaryRefusal.ILLEGAL_BID),
        (game(skat=hand("S7")), SummaryRefusal.WRONG_CARDS),
        (game(skat=hand("S7 CJ")), SummaryRefusal.WRONG_CARDS),
        (game(playing_hand=hand("CJ")), SummaryRefusal.WRONG_CARDS),
        (game(declarer_points=None), SummaryRefusal.WRONG_POINTS),
        (game(declarer_points=121), SummaryRefusal.WRONG_POINTS),
        (game(declarer_points=-1), SummaryRefusal.WRONG_POINTS),
        (game(declarer_tricks=11), SummaryRefusal.WRONG_TRICKS),
        (game(declarer_tricks=None), SummaryRefusal.WRONG_TRICKS),
        (game(defender_tricks=5), SummaryRefusal.WRONG_TRICKS),
        (game("N", declarer_tricks=None), SummaryRefusal.WRONG_TRICKS),
        (game("HP"), SummaryRefusal.SPITZE_CARD_NOT_HELD),
    ],
)
def test_what_no_deal_comes_to_is_refused(summary: DeclarerSummary, reason: SummaryRefusal) -> None:
    """R-BID-1, R-SPI-3 and the numbers of a deck."""
    assert refusal(summary) is reason


def test_a_null_needs_the_declarers_tricks_only() -> None:
    """R-NULL-1."""
    null = game("N", declarer_points=None, declarer_tricks=0, defender_tricks=None)
    assert score_deal(null).score == 23


ALL_JACKS = hand("CJ SJ HJ DJ DA DT CA CT SA ST")


def test_grand_spitze_with_four_jacks() -> None:
    """R-SPI-3."""
    summary = game("GP", playing_hand=ALL_JACKS, spitze_made=True)
    assert score_deal(summary).score == 24 * 7
    forbidden = RuleSet(grand_spitze_with_four_jacks=Permission.FORBID)
    reason = SummaryRefusal.SPITZE_WITH_FOUR_JACKS
    assert refusal(replace(summary, rules=forbidden)) is reason


def test_a_game_that_cannot_reach_the_bid_is_refused_where_that_is_an_option() -> None:
    """R-ANN-7, D4."""
    rules = RuleSet(unreachable_declaration=UnreachableDeclaration.REJECT)
    assert score_deal(game(bid=40)).score == -90
    reason = SummaryRefusal.UNREACHABLE_DECLARATION
    assert refusal(game(bid=40, rules=rules)) is reason
    assert score_deal(game(bid=36, rules=rules)).score == -72


def test_what_a_summary_names_is_allowed() -> None:
    """Section 22: circumstances imply the option that permits them."""
    said = Doubling(kontra=True, re=True, bock=True)
    summary = game("DP", rules=preset("isko"), doubling=said, spitze_made=True)
    assert score_deal(summary).score == 36 * 8


@pytest.mark.parametrize(
    ("summary", "reasoning"),
    [
        (game(), Reasoning((("with", 1), ("game", 1)), None, ())),
        (
            game("DHS", declarer_points=95, bid=54, doubling=Doubling(kontra=True)),
            Reasoning(
                (
                    ("with", 1),
                    ("game", 1),
                    ("hand", 1),
                    ("schneider", 1),
                    ("schneider_announced", 1),
                ),
                54,
                (("lost", 2), ("kontra", 2)),
            ),
        ),
        (game("N", declarer_tricks=1), Reasoning((), None, (("lost", 2),))),
        (
            game(schenken_refused=True, declarer_points=90),
            Reasoning(
                (("with", 1), ("game", 1), ("schneider", 1), ("schneider_announced", 1)), None, ()
            ),
        ),
        (
            game("DHO", declarer_points=120, declarer_tricks=10, defender_tricks=0),
            Reasoning(
                (
                    ("with", 1),
                    ("game", 1),
                    ("hand", 1),
                    ("schneider", 1),
                    ("schneider_announced", 1),
                    ("schwarz", 1),
                    ("schwarz_announced", 1),
                    ("ouvert", 1),
                ),
                None,
                (),
            ),
        ),
    ],
    ids=["plain", "overbid", "null", "refused-gift", "ouvert"],
)
def test_reasoning(summary: DeclarerSummary, reasoning: Reasoning) -> None:
    """R-VAL-5, R-VAL-6, R-OVER-2."""
    assert reasoning_of(summary, score_deal(summary)) == reasoning


@st.composite
def summaries(draw: st.DrawFn) -> DeclarerSummary:
    tricks = draw(st.integers(0, 10))
    return DeclarerSummary(
        rules=RuleSet(
            loss_rule=draw(st.sampled_from(LossRule)),
            null_underbid=NullUnderbid.LOSE_AS_TRUMP_GAME,
        ),
        contract=draw(contracts),
        bid=draw(st.sampled_from((0, 18, 24, 48, 59, 60, 96, 264))),
        playing_hand=hand("CJ DJ C7 S7 H7 D7 CA SA HA DA"),
        skat=hand("SJ C8"),
        declarer_points=draw(st.integers(0, 120)),
        declarer_tricks=tricks,
        defender_tricks=10 - tricks,
        doubling=draw(st.sampled_from((Doubling(), Doubling(kontra=True, re=True)))),
    )


@given(summaries())
def test_levels_add_up_and_factors_multiply(summary: DeclarerSummary) -> None:
    """Section 12: the reasoning says how the number comes about, all of it."""
    value = score_deal(summary)
    reasoning = reasoning_of(summary, value)
    if reasoning.levels:
        assert sum(count for _, count in reasoning.levels) == value.multiplier
    product = math.prod(times for _, times in reasoning.factors)
    assert abs(value.score) == value.value * product
    assert (reasoning.rounded_up is not None) == value.overbid


PLAIN = RamschSummary(RuleSet(all_pass=AllPass.RAMSCH), (55, 40, 25), (4, 3, 3))


def ramsch_rules(**options: object) -> RuleSet:
    return RuleSet(all_pass=AllPass.RAMSCH, **options)  # type: ignore[arg-type]


def ramsch_refusal(summary: RamschSummary) -> SummaryRefusal:
    with pytest.raises(SummaryError) as refused:
        score_ramsch_deal(summary)
    return refused.value.reason


def test_a_ramsch() -> None:
    """RAM1."""
    assert score_ramsch_deal(PLAIN) == (-55, 0, 0)


def test_a_skat_named_apart_goes_to_the_last_trick() -> None:
    """R-RAM-2."""
    summary = replace(PLAIN, points=(45, 40, 25), skat_points=10, last_trick_winner=2)
    assert score_ramsch_deal(replace(summary, last_trick_winner=0)) == (-55, 0, 0)
    assert score_ramsch_deal(summary) == (-45, 0, 0)


def test_a_skat_for_nobody_may_be_left_out() -> None:
    """R-RAM-2; RAM33."""
    rules = ramsch_rules(ramsch_skat_to=RamschSkatTo.NOBODY)
    summary = replace(PLAIN, rules=rules, points=(50, 40, 20))
    assert score_ramsch_deal(summary) == (-50, 0, 0)
    assert score_ramsch_deal(replace(summary, skat_points=10)) == (-50, 0, 0)


LAST = ramsch_rules(ramsch_tie=RamschTie.LAST_TRICK_TAKER_LOSES)


def test_a_tie_that_the_last_trick_decides() -> None:
    """R-RAM-9."""
    summary = replace(PLAIN, rules=LAST, points=(48, 48, 24), last_trick_winner=1)
    assert score_ramsch_deal(summary) == (0, -48, 0)


@pytest.mark.parametrize(
    ("summary", "reason"),
    [
        (replace(PLAIN, points=(55, 40, 24)), SummaryRefusal.WRONG_POINTS),
        (replace(PLAIN, points=(-5, 100, 25)), SummaryRefusal.WRONG_POINTS),
        (replace(PLAIN, skat_points=10), SummaryRefusal.WRONG_POINTS),
        (
            replace(
                PLAIN, rules=ramsch_rules(ramsch_skat_to=RamschSkatTo.NOBODY), points=(50, 40, 7)
            ),
            SummaryRefusal.WRONG_POINTS,
        ),
        (replace(PLAIN, tricks=(4, 3, 2)), SummaryRefusal.WRONG_TRICKS),
        (replace(PLAIN, tricks=(12, -1, -1)), SummaryRefusal.WRONG_TRICKS),
        (
            replace(PLAIN, rules=LAST, points=(48, 48, 24)),
            SummaryRefusal.LAST_TRICK_UNKNOWN,
        ),
        (
            replace(PLAIN, points=(45, 40, 25), skat_points=10),
            SummaryRefusal.LAST_TRICK_UNKNOWN,
        ),
    ],
)
def test_what_no_ramsch_comes_to_is_refused(summary: RamschSummary, reason: SummaryRefusal) -> None:
    """R-RAM-2, R-RAM-9 and the numbers of a deck."""
    assert ramsch_refusal(summary) is reason
