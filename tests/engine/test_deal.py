"""A deal from the first bid to its result: R-SKAT, R-ANN-8, R-PLAY, R-NULL-1."""

import pytest

from skat_engine import (
    PRESETS,
    Deal,
    Dealt,
    Ending,
    Phase,
    card_text,
    cards_in,
    parse_cards,
    points_in,
    preset,
)
from skat_engine.events import (
    CardsDealt,
    ContractAnnounced,
    DealEnded,
    HandChosen,
    HandExposed,
    SkatTaken,
    TrickTaken,
)
from skat_engine.results import DealResult
from tests.builders import announced, auction, dealt, hand, isko, play

CARDS = dealt("CJ SJ CA CT SA ST HA HT DA D7", "H7 H8 S7 S8", skat="D8 D9")
# Forehand has the seven lowest spades but one: he cannot be made to take a trick for long.
NULL = dealt("S7 S8 S9 ST H7 H8 H9 D7 D8 D9", skat="DA HA")


def finish(deal: Deal) -> DealResult:
    """Everybody plays the lowest legal card."""
    while deal.to_act is not None:
        play(deal, str(deal.legal(deal.to_act)[0]))
    assert deal.result is not None
    return deal.result


def test_middlehand_speaks_first() -> None:
    """R-BID-3."""
    deal = Deal(isko(), CARDS)
    assert (deal.phase, deal.to_act) == (Phase.BIDDING, 1)


def test_the_opening_shows_all_cards() -> None:
    assert Deal(isko(), CARDS).opening() == CardsDealt(CARDS)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_played(name: str) -> None:
    assert finish(Deal(preset(name), CARDS)).dealt == CARDS


def test_everybody_passed() -> None:
    """Section 5, ``pass_in``; LST11: nobody scores."""
    deal = Deal(isko(), CARDS)
    result = play(deal, "1:pass 2:pass 0:pass")[-1]
    assert isinstance(result, DealEnded)
    assert (result.result.ending, result.result.game) == (Ending.PASSED_IN, None)
    assert result.result.scores == (0, 0, 0)


def test_the_declarer_takes_the_skat() -> None:
    """R-SKAT-2."""
    deal = Deal(isko(), CARDS)
    play(deal, auction(0, 18))
    assert play(deal, "take") == [SkatTaken(0, parse_cards("D8 D9"))]
    assert deal.hands[0].bit_count() == 12


def test_the_declarer_holds_ten_cards_after_the_discard() -> None:
    """R-SKAT-4; fault 17."""
    deal = announced("C", CARDS, discards="D7.DA")
    assert [cards.bit_count() for cards in (*deal.hands, deal.skat)] == [10, 10, 10, 2]


def test_discards_count_for_the_declarer() -> None:
    """R-SKAT-1."""
    deal = announced("C", CARDS, discards="DA.HT")
    assert deal.standing().declarer_points == 21


def test_in_a_hand_game_the_skat_counts_for_the_declarer() -> None:
    """R-SKAT-1."""
    deal = announced("CH", dealt("CJ", skat="SA HT"))
    assert deal.standing().declarer_points == 21


def test_jacks_in_the_skat_of_a_hand_game_are_matadors() -> None:
    """R-SKAT-1, R-MAT-4; fault 25."""
    deal = announced("HH", dealt("CJ", "HJ", skat="SJ D7"))
    assert deal.standing().matadors == 2


def test_matadors_that_were_played_or_put_down_still_count() -> None:
    """R-MAT-1."""
    deal = announced("G", CARDS, discards="SJ.D7")
    play(deal, "CJ")
    assert deal.standing().matadors == 2


def test_hand_is_chosen_in_the_open() -> None:
    deal = Deal(isko(), CARDS)
    play(deal, auction(0, 18))
    assert play(deal, "hand") == [HandChosen(0)]


def test_the_skat_of_a_hand_game_is_shown_at_the_end() -> None:
    """R-SKAT-3."""
    result = finish(announced("GH", CARDS))
    assert result.game is not None
    assert result.game.discards == parse_cards("D8 D9")


def test_the_kind_need_not_be_what_was_bid_on() -> None:
    """R-ANN-1."""
    assert str(announced("D", CARDS, bid=96).contract) == "D"


def test_ouvert_cards_are_shown_before_the_first_lead() -> None:
    """R-ANN-8; fault 12, fault 13: the hand as it is after the discard."""
    deal = Deal(isko(), NULL)
    play(deal, auction(0, 46) + " take")
    events = play(deal, "NO.DA.HA")
    assert [type(event) for event in events] == [ContractAnnounced, HandExposed]
    assert events[1] == HandExposed(0, NULL.hands[0])


def test_without_ouvert_nothing_is_shown() -> None:
    assert not announced("N", NULL).exposed


@pytest.mark.parametrize("declarer", [0, 1, 2])
def test_forehand_leads_whoever_is_declarer(declarer: int) -> None:
    """R-PLAY-1."""
    assert announced("C", CARDS, declarer=declarer, discards=low(CARDS, declarer)).to_act == 0


def low(cards: Dealt, declarer: int) -> str:
    return ".".join(card_text(card) for card in cards_in(cards.hands[declarer])[:2])


def test_the_winner_of_a_trick_leads_next() -> None:
    """R-PLAY-1."""
    deal = announced("G", dealt("S7", "S8", "SA", "D7 D8"))
    events = play(deal, "S7 S8 SA")
    assert isinstance(events[-1], TrickTaken)
    assert (deal.to_act, deal.leader) == (2, 2)


def test_the_last_trick_is_kept() -> None:
    """R-PLAY-5."""
    deal = announced("G", dealt("S7", "S8", "SA", "D7 D8"))
    play(deal, "S7 S8 SA")
    assert deal.tricks[-1].cards == parse_cards("S7 S8 SA")


def test_a_deal_has_ten_tricks() -> None:
    """R-PLAY-1."""
    result = finish(announced("G", CARDS))
    assert (result.ending, sum(result.tricks)) == (Ending.PLAYED_OUT, 10)


def test_points_of_both_sides_are_120_after_ten_tricks() -> None:
    game = finish(announced("G", CARDS)).game
    assert game is not None
    assert game.declarer_points + game.defender_points == 120


def test_only_the_declarer_scores() -> None:
    """R-BOOK-1."""
    result = finish(announced("G", CARDS))
    assert result.scores == (96, 0, 0)


def test_a_trick_of_the_declarer_ends_a_null() -> None:
    """R-NULL-1; E2, fault 38."""
    deal = announced("N", dealt("SA D7", "S7", "S8", "H7 H8"))
    events = play(deal, "SA S7 S8")
    assert isinstance(events[-1], DealEnded)
    assert deal.result is not None
    assert (deal.result.ending, deal.result.scores[0]) == (Ending.NULL_LOST, -46)


def test_a_null_is_lost_by_a_trick_without_points() -> None:
    """R-NULL-1."""
    deal = announced("N", dealt("S9", "S7", "S8", "H7 H8"))
    play(deal, "S9 S7 S8")
    assert deal.is_over


def test_a_lost_null_is_played_out_where_that_is_an_option() -> None:
    """R-NULL-1."""
    rules = isko(null_ends_at_first_trick=False)
    deal = announced("N", dealt("SA D7", "S7", "S8", "H7 H8"), rules=rules)
    result = finish(deal)
    assert (result.ending, result.scores[0]) == (Ending.PLAYED_OUT, -46)


def test_a_null_without_a_trick_is_won() -> None:
    """R-NULL-1; E1."""
    cards = dealt(
        "S7 S8 S9 SJ H7 H8 H9 HJ D7 D8",
        "SA ST SK HA HT HK CA CT CK DA",
        "SQ HQ CQ CJ C9 C8 C7 DT DK DQ",
        "D9 DJ",
    )
    result = finish(announced("N", cards))
    assert (result.ending, result.scores) == (Ending.PLAYED_OUT, (23, 0, 0))


def test_a_deal_is_three_hands_and_a_skat() -> None:
    """R-DEAL-1."""
    with pytest.raises(ValueError, match="three hands of ten"):
        Dealt((hand("CJ"), hand("SJ"), hand("HJ")), hand("D7 D8"))


def test_a_card_is_dealt_once() -> None:
    first, second, _ = CARDS.hands
    with pytest.raises(ValueError, match="all different"):
        Dealt((first, second, second), CARDS.skat)


def test_the_cards_of_a_deal_are_all_there() -> None:
    assert sum(points_in(cards) for cards in (*CARDS.hands, CARDS.skat)) == 120
