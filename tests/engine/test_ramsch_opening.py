"""A Ramsch before its first card: R-RAM-3 to R-RAM-6, R-RAM-11, R-RAM-12, R-BOCK-6; section 5."""

from dataclasses import replace

import pytest

from skat_engine import (
    AuctionWon,
    CardsPutDown,
    Deal,
    Ending,
    GrandHandAccepted,
    GrandHandDeclined,
    IllegalActionError,
    Knocked,
    Occasion,
    OptionValue,
    Passed,
    Phase,
    RamschStarted,
    Refusal,
    SkatPassedOn,
    SkatPickedUp,
    parse_cards,
    preset,
)
from skat_engine.options import (
    AllPass,
    GrandHandOrder,
    Kontra,
    RamschGrandHand,
    RamschRoundGrandHand,
    RamschSkatExchange,
)
from tests.builders import dealt, hand, isko, play

ALL_PASSED = "1:pass 2:pass 0:pass"
FORCED = Occasion(ramsch_round=True, grand_hand_offered=False)
ROUND = Occasion(ramsch_round=True)
CARDS = dealt("CJ SJ CA CT SA ST HA HT DA D7", "H7 H8 S7 S8", "DJ", skat="HJ D9")


def refused(deal: Deal, step: str) -> Refusal:
    with pytest.raises(IllegalActionError) as refusal:
        play(deal, step)
    return refusal.value.reason


# Everybody passed


def test_a_passed_deal_counts() -> None:
    """Section 5, ``pass_in``; X1."""
    deal = Deal(isko(), CARDS)
    play(deal, ALL_PASSED)
    assert deal.result is not None
    assert deal.result.ending is Ending.PASSED_IN


def test_a_passed_deal_is_dealt_again() -> None:
    """R-TAB-2; section 5, ``redeal_same_dealer``; X1."""
    deal = Deal(preset("terse_english"), CARDS)
    play(deal, ALL_PASSED)
    assert deal.result is not None
    assert (deal.result.ending, deal.result.scores) == (Ending.REDEALT, (0, 0, 0))


def test_forehand_must_play() -> None:
    """Section 5, ``forehand_must_play``; X2: at 18, without being asked."""
    deal = Deal(preset("swedish_standard"), CARDS)
    assert play(deal, "1:pass 2:pass") == [Passed(1), Passed(2), AuctionWon(0, 18)]
    assert (deal.phase, deal.to_act) == (Phase.SKAT_DECISION, 0)


def test_who_outbid_forehand_plays_also_where_forehand_must() -> None:
    """X2: the rule is about a deal without a number."""
    deal = Deal(preset("swedish_standard"), CARDS)
    play(deal, "1:18 0:pass 2:pass")
    assert deal.declarer == 1


def test_a_ramsch_follows_forehands_last_option() -> None:
    """R-RAM-3: he may still take the game."""
    deal = Deal(preset("swedish_ramsch"), CARDS)
    play(deal, "1:pass 2:pass")
    assert (deal.phase, deal.to_act) == (Phase.FOREHAND_OPTION, 0)
    assert play(deal, "0:pass") == [Passed(0), RamschStarted()]
    assert (deal.phase, deal.to_act, deal.declarer) == (Phase.PLAY, 0, None)


def test_forehand_may_name_any_number() -> None:
    """R-BID-4; BID8, X19."""
    deal = Deal(preset("swedish_ramsch"), CARDS)
    play(deal, "1:pass 2:pass 0:24")
    assert (deal.declarer, deal.bid) == (0, 24)


# Grand Hand instead


def offered_to(deal: Deal) -> list[int]:
    """Who is offered Grand Hand, everybody declining."""
    asked = []
    while deal.phase is Phase.GRAND_HAND_OFFER:
        assert deal.to_act is not None
        asked.append(deal.to_act)
        assert str(deal.legal(deal.to_act)[0]) == "decline"
        play(deal, "decline")
    return asked


@pytest.mark.parametrize(
    ("who", "order", "asked"),
    [
        (RamschGrandHand.OFF, GrandHandOrder.FOREHAND_FIRST, []),
        (RamschGrandHand.FOREHAND_ONLY, GrandHandOrder.DEALER_FIRST, [0]),
        (RamschGrandHand.ALL_PLAYERS, GrandHandOrder.FOREHAND_FIRST, [0, 1, 2]),
        (RamschGrandHand.ALL_PLAYERS, GrandHandOrder.DEALER_FIRST, [2, 0, 1]),
    ],
)
def test_offers_after_everybody_passed(
    who: RamschGrandHand, order: GrandHandOrder, asked: list[int]
) -> None:
    """R-RAM-11; X10, X11."""
    options: dict[str, OptionValue] = {
        "ramsch_grand_hand": who,
        "ramsch_grand_hand_order": order,
    }
    deal = Deal(preset("swedish_ramsch", options), CARDS)
    play(deal, ALL_PASSED)
    assert offered_to(deal) == asked
    assert deal.phase is Phase.PLAY


@pytest.mark.parametrize(
    ("occasion", "rule", "asked"),
    [
        (ROUND, RamschRoundGrandHand.ALL_PLAYERS, [2, 0, 1]),
        (ROUND, RamschRoundGrandHand.OFF, []),
        (FORCED, RamschRoundGrandHand.ALL_PLAYERS, []),
    ],
    ids=["geben-hoeren-sagen", "off", "forced"],
)
def test_offers_in_a_ramsch_round(
    occasion: Occasion, rule: RamschRoundGrandHand, asked: list[int]
) -> None:
    """R-BOCK-6, R-BOCK-7, R-RAM-3: there is no bidding."""
    deal = Deal(preset("proskat_pub", {"ramsch_round_grand_hand": rule}), CARDS, occasion)
    assert offered_to(deal) == asked
    assert (deal.phase, deal.to_act) == (Phase.PLAY, 0)


def test_the_first_acceptance_ends_the_offers() -> None:
    """R-RAM-11, R-RAM-12."""
    deal = Deal(preset("proskat_pub", {"kontra": Kontra.OFF}), CARDS, ROUND)
    events = play(deal, "decline grand-hand")
    assert events == [GrandHandDeclined(2), GrandHandAccepted(0)]
    assert (deal.phase, deal.to_act, deal.bid) == (Phase.ANNOUNCE, 0, 0)


def test_only_grand_hand_may_be_announced() -> None:
    """R-RAM-12: with every level, and ouvert."""
    deal = Deal(preset("bga_skat"), CARDS)
    play(deal, f"{ALL_PASSED} decline grand-hand")
    assert [str(action) for action in deal.legal(1)] == ["GH", "GHS", "GHSZ", "GHSZO"]
    assert refused(deal, "CH") is Refusal.CONTRADICTORY_ANNOUNCEMENT


@pytest.mark.parametrize("declarer", [0, 1, 2])
def test_forehand_leads_to_it_and_no_bid_is_to_be_reached(declarer: int) -> None:
    """R-RAM-12, R-OVER-6."""
    deal = Deal(preset("bga_skat"), CARDS)
    play(deal, f"{ALL_PASSED} {'decline ' * declarer}grand-hand GH")
    assert (deal.to_act, deal.declarer, deal.bid) == (0, declarer, 0)
    while deal.to_act is not None:
        play(deal, str(deal.legal(deal.to_act)[0]))
    assert deal.result is not None
    assert deal.result.game is not None
    assert deal.result.game.replaces_ramsch
    assert not deal.result.game.value.overbid


# The skat


def pushing(**options: OptionValue) -> Deal:
    return Deal(preset("bga_skat", options), CARDS, FORCED)


def test_the_skat_goes_along_forehand_middlehand_rearhand() -> None:
    """R-RAM-5; fault 9: three decisions, then forehand leads with ten cards."""
    deal = pushing()
    events = play(deal, "pick-up down:D7.D9 pass-on pick-up")
    assert events == [
        SkatPickedUp(0, parse_cards("D9 HJ")),
        CardsPutDown(0, parse_cards("D7 D9")),
        SkatPassedOn(1),
        SkatPickedUp(2, parse_cards("D7 D9")),
    ]
    assert [cards.bit_count() for cards in deal.hands] == [10, 10, 12]
    play(deal, "down:D7.D9")
    assert [cards.bit_count() for cards in (*deal.hands, deal.skat)] == [10, 10, 10, 2]
    assert (deal.phase, deal.to_act, deal.looked) == (Phase.PLAY, 0, (0, 2))


def test_a_jack_may_not_be_put_down() -> None:
    """R-RAM-5; X7: not even one just received."""
    deal = pushing()
    play(deal, "pick-up")
    assert refused(deal, "down:HJ.D9") is Refusal.BAD_DISCARD
    assert len(deal.legal(0)) == 9 * 8 // 2


def test_jacks_may_be_put_down_where_the_rules_say_so() -> None:
    """R-RAM-5; X7."""
    deal = pushing(ramsch_jacks_may_be_passed=True)
    play(deal, "pick-up down:HJ.SJ")
    assert deal.skat == hand("HJ SJ")
    assert len(pushing(ramsch_jacks_may_be_passed=True).legal(0)) == 2


def test_a_jack_that_nobody_picks_up_travels_on() -> None:
    """R-RAM-5."""
    deal = pushing()
    play(deal, "pass-on pass-on pass-on")
    assert (deal.skat, deal.looked) == (hand("HJ D9"), ())


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("down:D7", Refusal.BAD_DISCARD),
        ("down:D7.D7", Refusal.BAD_DISCARD),
        ("down:D7.D9.HT", Refusal.BAD_DISCARD),
        ("down:D7.H7", Refusal.CARD_NOT_HELD),
        ("pass-on", Refusal.NOT_OFFERED),
        ("pick-up", Refusal.NOT_OFFERED),
        ("1:pick-up", Refusal.NOT_YOUR_TURN),
        ("CJ", Refusal.WRONG_PHASE),
    ],
)
def test_what_may_not_be_put_down(step: str, reason: Refusal) -> None:
    """R-RAM-5."""
    deal = pushing()
    play(deal, "pick-up")
    assert refused(deal, step) is reason


def test_nobody_puts_down_what_he_has_not_picked_up() -> None:
    """R-RAM-5."""
    assert refused(pushing(), "down:D7.CA") is Refusal.NOT_OFFERED


def test_without_an_exchange_the_skat_is_left_alone() -> None:
    """R-RAM-4."""
    deal = Deal(preset("bga_simple"), CARDS, FORCED)
    assert (deal.phase, deal.skat) == (Phase.PLAY, hand("HJ D9"))


def test_forehand_declares_grand_hand_before_looking() -> None:
    """R-RAM-11; source 001: the offer comes before the exchange."""
    deal = Deal(preset("terse_english_ramsch"), CARDS)
    play(deal, ALL_PASSED)
    assert deal.phase is Phase.GRAND_HAND_OFFER
    play(deal, "decline")
    assert (deal.phase, deal.to_act) == (Phase.RAMSCH_EXCHANGE, 0)


# Knocking

KNOCK = replace(preset("xskat_extras"), ramsch_round_grand_hand=RamschRoundGrandHand.OFF)


def test_who_picked_up_may_knock() -> None:
    """Section 21, ``klopfen``; XSkat: not who passed the skat on unseen."""
    deal = Deal(KNOCK, CARDS, ROUND)
    play(deal, "pass-on pick-up")
    play(deal, f"{deal.legal(1)[0]} pass-on")
    assert (deal.phase, deal.to_act) == (Phase.KNOCKING, 1)
    assert play(deal, "knock") == [Knocked(1, knock=True)]
    assert (deal.phase, deal.to_act, deal.knocked) == (Phase.PLAY, 0, True)


PLAIN: dict[str, OptionValue] = {
    "ramsch_skat_exchange": RamschSkatExchange.NONE,
    "ramsch_untouched_doubles": False,
    "ramsch_durchmarsch_times_untouched": False,
}


def test_without_an_exchange_all_are_asked() -> None:
    """Section 21, ``klopfen``: one after the other, until somebody knocks."""
    deal = Deal(replace(KNOCK, **PLAIN), CARDS, ROUND)  # type: ignore[arg-type]
    for position in (0, 1, 2):
        assert (deal.phase, deal.to_act) == (Phase.KNOCKING, position)
        assert play(deal, "decline") == [Knocked(position, knock=False)]
    assert (deal.phase, deal.to_act, deal.knocked) == (Phase.PLAY, 0, False)


def test_nobody_knocks_outside_a_ramsch_round() -> None:
    """Section 21, ``klopfen``."""
    deal = Deal(replace(KNOCK, all_pass=AllPass.RAMSCH, **PLAIN), CARDS)  # type: ignore[arg-type]
    play(deal, ALL_PASSED)
    assert deal.phase is Phase.PLAY


def test_without_the_option_nobody_knocks() -> None:
    deal = Deal(replace(KNOCK, klopfen=False, **PLAIN), CARDS, ROUND)  # type: ignore[arg-type]
    assert deal.phase is Phase.PLAY
