"""The engine's values against the formulas of the rules, written down line by line.

Section 12 for declarer games, section 16.3 for Ramsch. What the tests of single rules hold
with examples is held here for every mix of options and circumstances.
"""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from skat_engine import RuleSet, Standing, played_out
from skat_engine.contracts import ContractKind, Level
from skat_engine.options import (
    AllPass,
    LossRule,
    RamschDurchmarsch,
    RamschJungfrau,
    RamschScoring,
    RamschSkatExchange,
    RamschTie,
    SchwarzDefinition,
)
from skat_engine.ramsch import Triple, score_ramsch
from skat_engine.valuation import Doubling
from tests.strategies import contracts

BASE = {
    ContractKind.DIAMONDS: 9,
    ContractKind.HEARTS: 10,
    ContractKind.SPADES: 11,
    ContractKind.CLUBS: 12,
    ContractKind.GRAND: 24,
}
DOUBLINGS = [
    Doubling(kontra=kontra, re=kontra and re, bock=bock)
    for kontra in (False, True)
    for re in (False, True)
    for bock in (False, True)
]


@st.composite
def standings(draw: st.DrawFn) -> Standing:
    contract = draw(contracts.filter(lambda contract: not contract.is_null))
    tricks = draw(st.integers(0, 10))
    skat = draw(st.sampled_from((0, 4, 10, 14, 22)))
    among = st.sampled_from((30, 31, 60, 61, 89, 90, 120)) | st.integers(skat, 120)
    points = {0: skat, 10: 120}.get(tricks, draw(among.filter(lambda points: points >= skat)))
    return Standing(
        contract=contract,
        bid=draw(st.sampled_from((0, 18, 22, 24, 36, 40, 48, 60, 72, 96, 120, 264))),
        matadors=draw(st.integers(1, 4)) * draw(st.sampled_from((1, -1))),
        declarer_points=points,
        defender_points=120 - points,
        declarer_tricks=tricks,
        defender_tricks=10 - tricks,
        spitze_made=draw(st.booleans()),
        skat_points=skat,
    )


trump_rules = st.builds(
    RuleSet,
    loss_rule=st.sampled_from(LossRule),
    own_schneider_raises_loss=st.booleans(),
    schwarz_definition=st.sampled_from(SchwarzDefinition),
    spitze_factor=st.sampled_from((1, 2)),
)


def section_12(game: Standing, rules: RuleSet, doubling: Doubling) -> tuple[bool, int, int]:
    """Won, value and score by the formula."""
    contract, dp, bid = game.contract, game.declarer_points, game.bid
    own_tricks, others = game.declarer_tricks, game.defender_tricks
    base = BASE[contract.kind]
    s_ann = contract.announced >= Level.SCHNEIDER
    w_ann = contract.announced == Level.SCHWARZ
    ok = dp >= 61 and (not s_ann or dp >= 90) and (not w_ann or others == 0)
    ok = ok and (not contract.spitze or game.spitze_made)
    own = rules.own_schneider_raises_loss
    schneider = s_ann or dp >= 90 or (own and dp <= 30)
    if rules.schwarz_definition is SchwarzDefinition.NO_POINTS:
        schwarz = w_ann or dp == 120 or (own and dp == game.skat_points)
    else:
        schwarz = w_ann or others == 0 or (own and own_tricks == 0)
    mult = abs(game.matadors) + 1 + contract.hand + schneider + s_ann + schwarz + w_ann
    mult += contract.ouvert + (rules.spitze_factor if contract.spitze else 0)
    raw = base * mult
    won = ok and raw >= bid
    value = raw
    if not won:
        while value < bid:
            value += base
    single = rules.loss_rule is LossRule.HAND_SINGLE and contract.hand
    score = value if won else -value * (1 if single else 2)
    for said in (doubling.kontra, doubling.re, doubling.bock):
        score *= 2 if said else 1
    return won, value, score


@settings(max_examples=400)
@given(standings(), trump_rules, st.sampled_from(DOUBLINGS))
def test_declarer_games(game: Standing, rules: RuleSet, doubling: Doubling) -> None:
    """Section 12, section 13, R-KON-4, R-SPI-2."""
    value = played_out(game, rules, doubling)
    assert (value.won, value.value, value.score) == section_12(game, rules, doubling)


ramsch_rules = st.builds(
    RuleSet,
    all_pass=st.just(AllPass.RAMSCH),
    ramsch_skat_exchange=st.just(RamschSkatExchange.PASS_ALONG),
    ramsch_untouched_doubles=st.booleans(),
    ramsch_looker_doubles=st.booleans(),
    ramsch_scoring=st.sampled_from(RamschScoring),
    ramsch_jungfrau=st.sampled_from(RamschJungfrau),
    ramsch_durchmarsch=st.sampled_from(RamschDurchmarsch),
    ramsch_durchmarsch_times_untouched=st.booleans(),
)


@st.composite
def ramsch_ends(draw: st.DrawFn) -> tuple[Triple, Triple]:
    first, second = draw(st.integers(0, 120)), draw(st.integers(0, 120))
    points = (min(first, second), abs(first - second), 120 - max(first, second))
    points = draw(st.sampled_from((points, (60, 60, 0), (40, 40, 40), (0, 120, 0))))
    tricks = draw(st.sampled_from(((4, 3, 3), (6, 4, 0), (0, 9, 1))))
    marches: list[tuple[Triple, Triple]] = [
        ((120, 0, 0), (10, 0, 0)),
        ((0, 0, 120), (0, 0, 10)),
    ]
    return draw(st.sampled_from([(points, tricks), *marches]))


def section_16_3(
    end: tuple[Triple, Triple], rules: RuleSet, looked: set[int], untouched: int, bock: bool
) -> Triple:
    """The scores by the formula, ties as R-RAM-9 has them by default."""
    pts, tricks = end
    score = [0, 0, 0]
    um = 2**untouched if rules.ramsch_untouched_doubles else 1
    for i in range(3):
        if rules.ramsch_durchmarsch is RamschDurchmarsch.PLUS_120 and tricks[i] == 10:
            score[i] = 120 * (um if rules.ramsch_durchmarsch_times_untouched else 1)
            break
    else:
        virgins = sum(number == 0 for number in tricks)
        jm = 2 if rules.ramsch_jungfrau is RamschJungfrau.DOUBLE and virgins == 1 else 1
        for i in range(3):
            most = pts[i] == max(pts)
            if rules.ramsch_scoring is RamschScoring.ALL_POINTS:
                score[i] = -pts[i] * um * jm
            elif most and rules.ramsch_scoring is RamschScoring.FIXED:
                score[i] = -rules.ramsch_fixed_amount
            elif most:
                looker = rules.ramsch_looker_doubles and i in looked
                score[i] = -pts[i] * um * jm * (2 if looker else 1)
    first, second, third = (number * 2 if bock else number for number in score)
    return (first, second, third)


@given(ramsch_ends(), ramsch_rules, st.sets(st.integers(0, 2)), st.integers(0, 3), st.booleans())
def test_ramsch(
    end: tuple[Triple, Triple], rules: RuleSet, looked: set[int], untouched: int, bock: bool
) -> None:
    """Section 16.3."""
    points, tricks = end
    scores = score_ramsch(
        points, tricks, rules=rules, looked=looked, untouched=untouched, bock=bock
    )
    assert scores == section_16_3(end, rules, looked, untouched, bock)


@given(ramsch_ends(), ramsch_rules)
def test_three_way_ties_are_the_only_ones_that_xskat_cancels(
    end: tuple[Triple, Triple], rules: RuleSet
) -> None:
    """R-RAM-9, X12."""
    points, tricks = end
    cancels = replace(rules, ramsch_tie=RamschTie.THREE_WAY_ZERO)
    scores = score_ramsch(points, tricks, rules=cancels)
    three_way = points == (40, 40, 40)
    pays_all = rules.ramsch_scoring is RamschScoring.ALL_POINTS
    if three_way and not pays_all:
        assert scores == (0, 0, 0)
    elif not three_way:
        assert scores == score_ramsch(points, tricks, rules=rules)
