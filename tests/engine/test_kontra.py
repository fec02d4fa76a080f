"""Kontra and Re: R-KON-1 to R-KON-6; section 22.3, the column of eligible defenders."""

from dataclasses import replace

import pytest

from skat_engine import (
    Deal,
    DeclarerGame,
    HandExposed,
    IllegalActionError,
    KontraAnswered,
    Occasion,
    OptionValue,
    Phase,
    ReAnswered,
    Refusal,
    parse_action,
    preset,
)
from skat_engine.kontra import eligible_defenders
from skat_engine.options import (
    AllPass,
    Kontra,
    KontraInRamschGrandHand,
    KontraTiming,
)
from tests.builders import auction, dealt, play

RULES = preset("proskat_pub")
LATE = {"kontra_timing": KontraTiming.BEFORE_OWN_FIRST_CARD}
CARDS = dealt("CJ HJ CA CT CK C9 SA HA D8 D7", skat="H7 S7")
GRAND_HAND = Occasion(ramsch_round=True)
BOTH_SAID_18 = "1:18 0:hold 1:pass 2:20 0:hold 2:pass"
PRICED_OUT = "1:20 0:hold 1:pass 2:pass"
ANY = Kontra.ANY_DEFENDER


def at_kontra(
    bidding: str = BOTH_SAID_18,
    game: str = "hand CH",
    **options: OptionValue,
) -> Deal:
    rules = preset("proskat_pub", options)
    deal = Deal(rules, CARDS)
    play(deal, f"{bidding} {game}")
    return deal


def game_of(deal: Deal) -> DeclarerGame:
    """What the deal came to, everybody playing the lowest card."""
    while deal.to_act is not None:
        play(deal, str(deal.legal(deal.to_act)[0]))
    assert deal.result is not None
    assert deal.result.game is not None
    return deal.result.game


def refusal(deal: Deal, step: str) -> Refusal:
    with pytest.raises(IllegalActionError) as refused:
        play(deal, step)
    return refused.value.reason


# The bidding and who may say Kontra under said_18, said_18_or_priced_out and any_defender.
ELIGIBLE = [
    (
        "BID1",
        "1:18 0:hold 1:20 0:hold 1:pass 2:22 0:hold 2:23 0:hold 2:24 0:pass",
        "01",
        "01",
        "01",
    ),
    ("BID2", "1:pass 2:18 0:hold 2:pass", "2", "2", "12"),
    ("BID4", "1:18 0:pass 2:pass", "", "", "02"),
    ("BID6", "1:pass 2:pass 0:18", "", "", "12"),
    ("BID8", "1:pass 2:pass 0:24", "", "", "12"),
    ("BID11", "1:264 0:hold 1:pass 2:pass", "1", "12", "12"),
    ("X18-priced-out", PRICED_OUT, "1", "12", "12"),
    ("X18-not-above-18", "1:18 0:hold 1:pass 2:pass", "1", "1", "12"),
]


@pytest.mark.parametrize(
    ("bidding", "said", "priced", "anybody"),
    [row[1:] for row in ELIGIBLE],
    ids=[row[0] for row in ELIGIBLE],
)
def test_eligible_defenders(bidding: str, said: str, priced: str, anybody: str) -> None:
    """R-KON-2, R-BID-5; X18. Holding 18 is saying it."""
    for rule, expected in (
        (Kontra.OFF, ""),
        (Kontra.SAID_18, said),
        (Kontra.SAID_18_OR_PRICED_OUT, priced),
        (Kontra.ANY_DEFENDER, anybody),
    ):
        rules = replace(preset("swedish_ramsch"), kontra=rule, all_pass=AllPass.PASS_IN)
        deal = Deal(rules, CARDS)
        play(deal, f"{bidding} hand")
        assert "".join(map(str, eligible_defenders(deal))) == expected


def test_nobody_but_forehand_said_18_where_he_must_play() -> None:
    """R-KON-2; section 5, ``forehand_must_play``."""
    rules = replace(RULES, all_pass=AllPass.FOREHAND_MUST_PLAY)
    deal = Deal(rules, CARDS)
    play(deal, "1:pass 2:pass hand CH")
    assert deal.phase is Phase.PLAY


def test_defenders_are_asked_in_order() -> None:
    """R-KON-3: forehand, middlehand, rearhand, without the declarer."""
    deal = at_kontra()
    assert (deal.phase, deal.to_act) == (Phase.KONTRA, 1)
    assert play(deal, "decline") == [KontraAnswered(1, kontra=False)]
    assert (deal.phase, deal.to_act) == (Phase.KONTRA, 2)
    play(deal, "decline")
    assert (deal.phase, deal.to_act) == (Phase.PLAY, 0)


def test_the_first_kontra_ends_the_asking() -> None:
    """R-KON-1, R-KON-3: one Kontra; then the declarer answers."""
    deal = at_kontra()
    assert play(deal, "kontra") == [KontraAnswered(1, kontra=True)]
    assert (deal.phase, deal.to_act) == (Phase.KONTRA, 0)
    assert [str(action) for action in deal.legal(0)] == ["decline", "re"]
    assert play(deal, "re") == [ReAnswered(0, re=True)]
    assert (deal.phase, deal.to_act) == (Phase.PLAY, 0)


def test_the_declarer_is_not_asked_for_kontra() -> None:
    """R-KON-1."""
    assert refusal(at_kontra(), "0:kontra") is Refusal.NOT_YOUR_TURN
    assert refusal(at_kontra(), "1:re") is Refusal.NOT_OFFERED


def test_where_there_is_no_re_play_begins() -> None:
    """R-KON-1, option ``re``."""
    deal = at_kontra(re=False)
    play(deal, "kontra")
    assert (deal.phase, deal.to_act, deal.doubling.factor) == (Phase.PLAY, 0, 2)


@pytest.mark.parametrize(
    ("answers", "factor"), [("decline decline", 1), ("kontra decline", 2), ("kontra re", 4)]
)
def test_the_score_is_doubled_and_not_the_value(answers: str, factor: int) -> None:
    """R-KON-1, R-KON-4, R-KON-6."""
    deal = at_kontra()
    play(deal, answers)
    game = game_of(deal)
    assert game.doubling.factor == factor
    assert game.value.score == (1 if game.value.won else -2) * game.value.value * factor


def test_ouvert_cards_are_shown_after_the_window() -> None:
    """R-KON-3, R-ANN-8."""
    deal = at_kontra(game="hand NHO")
    assert not deal.exposed
    play(deal, "kontra")
    assert not deal.exposed
    assert play(deal, "decline") == [ReAnswered(0, re=False), HandExposed(0, deal.hands[0])]


def test_the_window_is_closed_in_play() -> None:
    """R-KON-3, ``before_first_lead``."""
    deal = at_kontra()
    play(deal, "decline decline")
    assert refusal(deal, "1:kontra") is Refusal.NOT_OFFERED


def late(game: str = "hand CH", **options: OptionValue) -> Deal:
    return at_kontra(BOTH_SAID_18, game, **LATE, **options)


def test_kontra_may_be_said_until_the_own_first_card() -> None:
    """R-KON-3, ``before_own_first_card``."""
    deal = late()
    assert (deal.phase, deal.to_act) == (Phase.PLAY, 0)
    play(deal, "CJ")
    assert parse_action("kontra") in deal.legal(1)
    assert parse_action("kontra") in deal.legal(2)
    assert parse_action("kontra") not in deal.legal(0)
    play(deal, str(deal.legal(1)[0]))
    assert refusal(deal, "1:kontra") is Refusal.NOT_OFFERED
    assert parse_action("kontra") in deal.legal(2)


@pytest.mark.parametrize("answer", ["decline", "re"])
def test_play_waits_for_the_declarers_answer(answer: str) -> None:
    """R-KON-3: it goes on where it was."""
    deal = late()
    play(deal, "CJ 2:kontra")
    assert (deal.phase, deal.to_act) == (Phase.KONTRA, 0)
    assert refusal(deal, "1:C7") is Refusal.WRONG_PHASE
    play(deal, answer)
    assert (deal.phase, deal.to_act) == (Phase.PLAY, 1)
    assert refusal(deal, "1:kontra") is Refusal.NOT_OFFERED


def test_without_re_play_is_not_suspended() -> None:
    """R-KON-1, R-KON-3."""
    deal = late(re=False)
    play(deal, "CJ 2:kontra")
    assert (deal.phase, deal.to_act, deal.doubling.kontra) == (Phase.PLAY, 1, True)


def test_a_defender_who_leads_may_say_kontra_first() -> None:
    """R-KON-3."""
    timing = KontraTiming.BEFORE_OWN_FIRST_CARD
    deal = Deal(replace(RULES, kontra=ANY, kontra_timing=timing), CARDS)
    play(deal, auction(2, 18) + " hand CH")
    assert deal.to_act == 0
    assert str(deal.legal(0)[-1]) == "kontra"


def test_shown_cards_end_the_late_window() -> None:
    """R-KON-3: nobody says Kontra when he has seen the cards."""
    deal = late()
    play(deal, "0:open:simple 1:reject")
    assert refusal(deal, "1:kontra") is Refusal.NOT_OFFERED


def test_for_ouvert_everybody_is_asked_beforehand() -> None:
    """R-KON-3: with ``before_own_first_card`` as well."""
    deal = late("hand NHO")
    assert (deal.phase, deal.exposed) == (Phase.KONTRA, False)
    play(deal, "decline decline")
    assert (deal.phase, deal.exposed, deal.may_say_kontra) == (Phase.PLAY, True, 0)


def instead_of_a_ramsch(**options: OptionValue) -> Deal:
    deal = Deal(preset("proskat_pub", options), CARDS, GRAND_HAND)
    play(deal, "decline grand-hand GH")
    return deal


def test_in_a_grand_hand_of_a_ramsch_round_nobody_had_to_bid() -> None:
    """R-KON-5; G8: both defenders are asked, in order of play."""
    deal = instead_of_a_ramsch()
    assert (deal.declarer, deal.phase, deal.waiting) == (0, Phase.KONTRA, (1, 2))
    play(deal, "decline kontra re")
    assert game_of(deal).doubling.factor == 4


def test_the_waiver_is_an_option() -> None:
    """R-KON-5."""
    deal = instead_of_a_ramsch(kontra_in_ramsch_grand_hand=KontraInRamschGrandHand.OFF)
    assert deal.phase is Phase.PLAY
    assert instead_of_a_ramsch(kontra=Kontra.OFF).phase is Phase.PLAY


def test_a_ramsch_knows_no_kontra() -> None:
    """R-KON-5, R-RAM-1."""
    for timing in KontraTiming:
        rules = preset("proskat_pub", {"kontra": ANY, "kontra_timing": timing})
        deal = Deal(rules, CARDS, Occasion(ramsch_round=True, grand_hand_offered=False))
        assert refusal(deal, "1:kontra") is Refusal.NOT_OFFERED
