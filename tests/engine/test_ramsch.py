"""What a Ramsch scores: R-RAM; section 22.2 and the options beside it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_engine import RuleSet, preset
from skat_engine.options import (
    AllPass,
    RamschDurchmarsch,
    RamschJungfrau,
    RamschScoring,
    RamschSkatExchange,
    RamschSkatTo,
    RamschTie,
)
from skat_engine.ramsch import Triple, losers, score_ramsch, winners

PUB = preset("proskat_pub")
TERSE = preset("terse_english_ramsch")
BGA = preset("bga_skat")
SIMPLE = preset("bga_simple")
SWEDISH = preset("swedish_ramsch")
LOSER_PAYS = preset("bga_skat", {"ramsch_scoring": RamschScoring.LOSER_POINTS})
THREE_WAY = preset("xskat_extras")
PLAIN = (55, 40, 25)
EVEN = (4, 3, 3)
VIRGIN = ((70, 50, 0), (6, 4, 0))

# Row of section 22.2, rules, card points, tricks, who looked, untouched, Bock, scores.
ROWS = [
    ("RAM1", PUB, PLAIN, EVEN, (), 0, False, (-55, 0, 0)),
    ("RAM2", PUB, (48, 48, 24), (4, 4, 2), (), 0, False, (-48, -48, 0)),
    ("RAM4", PUB, *VIRGIN, (), 0, False, (-140, 0, 0)),
    ("RAM6", PUB, (70, 50, 0), (5, 4, 1), (), 0, False, (-70, 0, 0)),
    ("RAM7", PUB, (120, 0, 0), (10, 0, 0), (), 0, False, (120, 0, 0)),
    ("RAM8", PUB, (120, 0, 0), (9, 1, 0), (), 0, False, (-240, 0, 0)),
    ("RAM9", PUB, PLAIN, EVEN, (), 0, True, (-110, 0, 0)),
    ("RAM11", PUB, *VIRGIN, (), 0, False, (-140, 0, 0)),
    ("RAM12", TERSE, PLAIN, EVEN, (0,), 0, False, (-110, 0, 0)),
    ("RAM13", TERSE, PLAIN, EVEN, (1,), 0, False, (-55, 0, 0)),
    ("RAM15", TERSE, *VIRGIN, (), 0, False, (-70, 0, 0)),
    ("RAM17", BGA, PLAIN, EVEN, (0, 1, 2), 0, False, (-55, -40, -25)),
    ("RAM18", BGA, PLAIN, EVEN, (), 1, False, (-110, -80, -50)),
    ("RAM20", BGA, PLAIN, EVEN, (), 3, False, (-440, -320, -200)),
    ("RAM22", BGA, (0, 120, 0), (0, 10, 0), (), 1, False, (0, 240, 0)),
    ("RAM24", LOSER_PAYS, PLAIN, EVEN, (), 2, False, (-220, 0, 0)),
    ("RAM25", SIMPLE, PLAIN, EVEN, (), 0, False, (-55, -40, -25)),
    ("RAM26", SIMPLE, *VIRGIN, (), 0, False, (-140, -100, 0)),
    ("RAM28", SWEDISH, PLAIN, EVEN, (), 0, False, (-55, 0, 0)),
    ("RAM31", THREE_WAY, (40, 40, 40), EVEN, (), 0, False, (0, 0, 0)),
    ("fault-7-tied-with-a-virgin", PUB, (0, 60, 60), (0, 5, 5), (), 0, False, (0, -120, -120)),
    ("fault-8-loser-only", PUB, (20, 30, 70), EVEN, (), 0, False, (0, 0, -70)),
    ("Durchmarsch-in-Bock", PUB, (0, 0, 120), (0, 0, 10), (), 0, True, (0, 0, 240)),
    ("no-Durchmarsch-in-001", TERSE, (120, 0, 0), (10, 0, 0), (), 0, False, (-120, 0, 0)),
    ("Durchmarsch-raised", LOSER_PAYS, (120, 0, 0), (10, 0, 0), (), 3, False, (960, 0, 0)),
    ("two-way-tie-in-XSkat", THREE_WAY, (50, 50, 20), EVEN, (), 0, False, (-50, -50, 0)),
    ("looker-in-Bock", TERSE, PLAIN, EVEN, (0, 1, 2), 0, True, (-220, 0, 0)),
]


@pytest.mark.parametrize(
    ("rules", "points", "tricks", "looked", "untouched", "bock", "scores"),
    [row[1:] for row in ROWS],
    ids=[row[0] for row in ROWS],
)
def test_score(  # noqa: PLR0913, PLR0917  # the columns of the table
    rules: RuleSet,
    points: Triple,
    tricks: Triple,
    looked: tuple[int, ...],
    untouched: int,
    bock: bool,
    scores: Triple,
) -> None:
    """R-RAM-6 to R-RAM-9, R-BOCK-1, R-BOCK-8; X3, X6, X8, X9, X12."""
    scored = score_ramsch(
        points, tricks, rules=rules, looked=looked, untouched=untouched, bock=bock
    )
    assert scored == scores


def ramsch(**options: object) -> RuleSet:
    return RuleSet(all_pass=AllPass.RAMSCH, **options)  # type: ignore[arg-type]


def test_the_skat_may_count_for_nobody() -> None:
    """R-RAM-2; RAM33."""
    rules = ramsch(ramsch_skat_to=RamschSkatTo.NOBODY)
    assert score_ramsch((50, 40, 20), EVEN, rules=rules, skat_points=10) == (-50, 0, 0)


def test_the_skat_may_go_to_the_loser() -> None:
    """R-RAM-2: the loser is found without it."""
    rules = ramsch(ramsch_skat_to=RamschSkatTo.LOSER)
    assert score_ramsch((50, 40, 20), EVEN, rules=rules, skat_points=10) == (-60, 0, 0)


def test_each_of_two_losers_gets_the_skat() -> None:
    """R-RAM-2, R-RAM-9."""
    rules = ramsch(ramsch_skat_to=RamschSkatTo.LOSER)
    assert score_ramsch((45, 45, 20), EVEN, rules=rules, skat_points=10) == (-55, -55, 0)


def test_the_loser_gets_the_skat_where_all_pay() -> None:
    """R-RAM-2; X3."""
    rules = ramsch(ramsch_skat_to=RamschSkatTo.LOSER, ramsch_scoring=RamschScoring.ALL_POINTS)
    assert score_ramsch((50, 40, 20), EVEN, rules=rules, skat_points=10) == (-60, -40, -20)


@pytest.mark.parametrize(
    ("last", "scores"), [(0, (-48, 0, 0)), (1, (0, -48, 0)), (2, (-48, -48, 0))]
)
def test_a_tie_may_go_against_the_last_trick(last: int, scores: Triple) -> None:
    """R-RAM-9: of the tied players; when a third took the last trick, all tied lose."""
    rules = ramsch(ramsch_tie=RamschTie.LAST_TRICK_TAKER_LOSES)
    assert score_ramsch((48, 48, 24), EVEN, rules=rules, last_trick_winner=last) == scores


@pytest.mark.parametrize(
    ("bock", "knocked", "amount"), [(False, False, 15), (True, False, 30), (True, True, 60)]
)
def test_a_fixed_amount_is_doubled_by_bock_and_by_a_knock_only(
    bock: bool, knocked: bool, amount: int
) -> None:
    """Section 16.3 and `klopfen` of section 21."""
    rules = ramsch(ramsch_scoring=RamschScoring.FIXED, ramsch_fixed_amount=15)
    scored = score_ramsch(*VIRGIN, rules=rules, bock=bock, knocked=knocked)
    assert scored == (-amount, 0, 0)


def test_a_knock_doubles_every_score() -> None:
    """Section 21, `klopfen`."""
    assert score_ramsch(PLAIN, EVEN, rules=BGA, knocked=True) == (-110, -80, -50)


def test_jungfrau_may_count_for_nothing() -> None:
    """R-RAM-8."""
    rules = ramsch(ramsch_jungfrau=RamschJungfrau.OFF)
    assert score_ramsch(*VIRGIN, rules=rules) == (-70, 0, 0)


def test_two_without_a_trick_are_no_jungfrauen() -> None:
    """R-RAM-8."""
    rules = ramsch(ramsch_durchmarsch=RamschDurchmarsch.OFF)
    assert score_ramsch((120, 0, 0), (10, 0, 0), rules=rules) == (-120, 0, 0)


def test_durchmarsch_is_raised_by_the_pushed_skat_only_as_an_option() -> None:
    """R-RAM-7; X9."""
    rules = replace(BGA, ramsch_durchmarsch_times_untouched=False)
    assert score_ramsch((120, 0, 0), (10, 0, 0), rules=rules, untouched=2) == (120, 0, 0)


@pytest.mark.parametrize(
    ("points", "tricks", "best"),
    [
        (PLAIN, EVEN, (2,)),
        ((48, 48, 24), (4, 4, 2), (2,)),
        (*VIRGIN, (2,)),
        ((120, 0, 0), (10, 0, 0), (0,)),
        ((60, 30, 30), EVEN, (1, 2)),
    ],
    ids=["RAM1", "RAM2", "RAM4", "RAM7", "tied"],
)
def test_winner_of_a_single_deal(points: Triple, tricks: Triple, best: tuple[int, ...]) -> None:
    """R-RAM-10."""
    assert winners(points, tricks, PUB) == best


def test_without_durchmarsch_whoever_took_everything_wins_nothing() -> None:
    """R-RAM-10, R-RAM-7."""
    assert winners((120, 0, 0), (10, 0, 0), TERSE) == (1, 2)


ends = st.builds(
    lambda a, b, c, d: (
        (min(a, b), abs(a - b), 120 - max(a, b)),
        (min(c, d), abs(c - d), 10 - max(c, d)),
    ),
    *(st.integers(0, n) for n in (120, 120, 10, 10)),
)
all_rules = st.builds(
    ramsch,
    ramsch_skat_exchange=st.just(RamschSkatExchange.PASS_ALONG),
    ramsch_untouched_doubles=st.booleans(),
    ramsch_looker_doubles=st.booleans(),
    ramsch_scoring=st.sampled_from(RamschScoring),
    ramsch_skat_to=st.sampled_from(RamschSkatTo),
    ramsch_jungfrau=st.sampled_from(RamschJungfrau),
    ramsch_durchmarsch=st.sampled_from(RamschDurchmarsch),
    ramsch_durchmarsch_times_untouched=st.booleans(),
    ramsch_tie=st.sampled_from(RamschTie),
)


@given(ends, all_rules, st.integers(0, 3), st.sets(st.integers(0, 2)))
def test_bock_doubles_whatever_was_scored(
    end: tuple[Triple, Triple], rules: RuleSet, untouched: int, looked: set[int]
) -> None:
    """R-BOCK-1: a Ramsch in a Bock deal and a Durchmarsch as well."""
    points, tricks = end
    plain, doubled = (
        score_ramsch(points, tricks, rules=rules, looked=looked, untouched=untouched, bock=bock)
        for bock in (False, True)
    )
    assert doubled == tuple(2 * score for score in plain)


@given(ends, all_rules)
def test_only_a_durchmarsch_is_positive(end: tuple[Triple, Triple], rules: RuleSet) -> None:
    """R-RAM-7."""
    points, tricks = end
    scores = score_ramsch(points, tricks, rules=rules)
    marched = 10 in tricks and rules.ramsch_durchmarsch is RamschDurchmarsch.PLUS_120
    assert (max(scores) > 0) == marched


@given(ends, all_rules)
def test_whoever_pays_has_the_most_points(end: tuple[Triple, Triple], rules: RuleSet) -> None:
    """R-RAM-9."""
    points, _ = end
    assert all(points[position] == max(points) for position in losers(points, rules, 0))
