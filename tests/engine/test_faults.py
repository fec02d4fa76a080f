"""Faults seen in other programs, by their number in the list of faults.

The list belongs to the project's collection of recorded games; faults that a test of a single
module holds have no case here.
"""

import pytest

from skat_engine import (
    BID_VALUES,
    POSITIONS,
    Deal,
    Ending,
    IllegalActionError,
    Level,
    Occasion,
    Phase,
    Refusal,
    RuleSetError,
    Standing,
    card_text,
    cards_in,
    deal_from_seed,
    dealt_text,
    parse_action,
    parse_dealt,
    played_out,
    preset,
    score_ramsch,
)
from skat_engine.events import BidMade, HandExposed
from skat_engine.options import AllPass, DefenderGiveUp, NullUnderbid
from tests.builders import announced, auction, dealt, hand, isko, play, standing

FORCED = Occasion(ramsch_round=True, grand_hand_offered=False)


def ten(contract: str, matadors: int, points: int, tricks: int, bid: int = 18) -> Standing:
    """A standing after ten tricks: card points and number of tricks of the declarer."""
    return standing(contract, matadors, bid, (points, 120 - points), (tricks, 10 - tricks))


# Fault, standing after ten tricks, score.
SCORES = [
    ("1-overbid-is-rounded-up", ten("H", 1, 55, 5, bid=24), -60),
    ("2-89-points-are-no-schneider", ten("S", 2, 89, 8), 33),
    ("2-90-points-are-schneider", ten("S", 2, 90, 8), 44),
    ("4-schwarz-is-tricks", ten("GHSZ", 1, 120, 9), -336),
    ("5-lost-announced-schneider", ten("CHS", 1, 80, 7), -120),
    ("15-overbid-without-1", ten("D", -1, 75, 6, bid=36), -72),
    ("19-grand-with-1", ten("G", 1, 50, 5), -96),
    ("25-jack-in-the-skat", ten("HH", 2, 93, 8), 50),
    ("27-grand-ouvert", ten("GHSZO", 4, 106, 9), -528),
    ("30-overbid-is-not-twice-the-bid", ten("H", 1, 70, 6, bid=24), -60),
    ("30-null-ouvert", standing("NO", tricks=(0, 10)), 46),
    ("30-null-ouvert-hand", standing("NHO", tricks=(0, 10)), 59),
    ("32-own-schneider", ten("C", 1, 30, 3), -72),
    ("32-schwarz-needs-all-tricks", ten("C", 1, 120, 9), 36),
    ("38-lost-hand-counts-twice", ten("CH", 1, 55, 5), -72),
    ("38-grand-ouvert-is-based-on-24", ten("GHSZO", 1, 120, 10), 192),
    ("40-own-schneider", ten("C", 1, 30, 3), -72),
]


@pytest.mark.parametrize(
    ("game", "score"), [row[1:] for row in SCORES], ids=[row[0] for row in SCORES]
)
def test_score(game: Standing, score: int) -> None:
    assert played_out(game, isko()).score == score


def test_7_who_has_no_trick_is_not_the_loser() -> None:
    """The others tie, and the one without a trick doubles what both lose."""
    rules = preset("proskat_pub")
    assert score_ramsch((0, 60, 60), (0, 5, 5), rules=rules) == (0, -120, -120)


def test_8_the_points_of_a_ramsch_go_to_who_took_them() -> None:
    deal = Deal(preset("proskat_pub"), deal_from_seed(bytes(32)), FORCED)
    while deal.to_act is not None:
        play(deal, str(deal.legal(deal.to_act)[0]))
    assert deal.result is not None
    assert deal.result.ramsch is not None
    points = deal.result.ramsch.points
    assert [score < 0 for score in deal.result.scores] == [one == max(points) for one in points]


def test_9_the_skat_is_pushed_three_times_and_forehand_leads() -> None:
    deal = Deal(preset("bga_skat"), dealt(), FORCED)
    for position in POSITIONS:
        play(deal, "pick-up")
        assert [cards.bit_count() == 12 for cards in deal.hands] == [
            other == position for other in POSITIONS
        ]
        play(deal, str(deal.legal(position)[0]))
    assert (deal.phase, deal.to_act, deal.skat.bit_count()) == (Phase.PLAY, 0, 2)


def test_11_no_ramsch_under_tournament_rules() -> None:
    with pytest.raises(RuleSetError, match="all_pass"):
        isko(all_pass=AllPass.RAMSCH)


def test_12_defenders_get_the_ouvert_hand() -> None:
    deal = Deal(isko(), dealt())
    play(deal, auction(0, 18) + " hand")
    assert play(deal, "NHO")[-1] == HandExposed(0, deal.hands[0])


def test_13_the_ouvert_hand_is_the_one_after_the_discard() -> None:
    deal = announced("NO", dealt("CJ CA", skat="D7 D8"), discards="CJ.CA")
    assert deal.exposed
    assert not deal.hands[0] & hand("CJ CA")


def test_15_matadors_are_without_one() -> None:
    assert played_out(ten("D", -1, 75, 6, bid=36), isko()).matadors == -1


def test_16_forehands_18_is_shown() -> None:
    deal = Deal(isko(), dealt())
    assert BidMade(0, 18) in play(deal, "1:pass 2:pass 0:18")
    assert deal.bid == 18


def test_17_ten_cards_after_the_discard() -> None:
    deal = announced("C", dealt(skat="D7 D8"), declarer=2)
    assert [cards.bit_count() for cards in (*deal.hands, deal.skat)] == [10, 10, 10, 2]


def test_19_a_single_jack_follows_a_jack_in_grand() -> None:
    deal = announced("GH", dealt("HJ", "CJ HA HT HK SA ST SK CA CT CK", "SJ"))
    play(deal, "HJ")
    cards = [action for action in deal.legal(1) if str(action) != "give-up"]
    assert cards == [parse_action("CJ")]


def test_20_a_wrong_card_in_the_first_trick_hangs_nothing() -> None:
    deal = announced("G", dealt("SA", "S7 H7", skat="D7 D8"))
    play(deal, "SA")
    with pytest.raises(IllegalActionError) as refused:
        play(deal, "H7")
    assert refused.value.reason is Refusal.MUST_FOLLOW
    play(deal, "S7")
    assert (deal.phase, deal.to_act) == (Phase.PLAY, 2)


def test_24_forehand_is_offered_18() -> None:
    deal = Deal(isko(), dealt())
    play(deal, "1:pass 2:pass")
    assert parse_action("18") in deal.legal(0)


def test_25_a_jack_in_the_skat_of_a_hand_game_counts() -> None:
    deal = announced("HH", dealt("CJ HA", skat="SJ D7"))
    assert deal.standing().matadors == 2


def test_28_a_deal_can_be_replayed_from_its_text() -> None:
    deal = announced("G", dealt("SA", skat="D7 D8"))
    script = []
    while deal.to_act is not None:
        script.append(str(deal.legal(deal.to_act)[0]))
        play(deal, script[-1])
    again = announced("G", parse_dealt(dealt_text(deal.dealt)))
    play(again, " ".join(script))
    assert again.result == deal.result


def test_31_a_given_up_null_is_lost() -> None:
    deal = announced("N", dealt(skat="D7 D8"))
    play(deal, "0:give-up")
    assert deal.result is not None
    assert deal.result.scores == (-46, 0, 0)


@pytest.mark.parametrize(
    ("bid", "contract"), [(24, "N.D7.D8"), (36, "NH"), (48, "NO.D7.D8"), (60, "NHO")]
)
def test_33_a_null_below_the_bid_is_refused(bid: int, contract: str) -> None:
    deal = Deal(isko(), dealt(skat="D7 D8"))
    play(deal, f"{auction(0, bid)} {'take' if '.' in contract else 'hand'}")
    with pytest.raises(IllegalActionError) as refused:
        play(deal, contract)
    assert refused.value.reason is Refusal.NULL_BELOW_BID


@pytest.mark.parametrize(
    ("bid", "contract"), [(24, "N.D7.D8"), (36, "NH"), (48, "NO.D7.D8"), (60, "NHO")]
)
def test_33_or_it_is_lost_as_a_trump_game(bid: int, contract: str) -> None:
    """Never twice the bid, never twice the Null."""
    rules = isko(null_underbid=NullUnderbid.LOSE_AS_TRUMP_GAME)
    deal = Deal(rules, dealt(skat="D7 D8"))
    play(deal, f"{auction(0, bid)} {'take' if '.' in contract else 'hand'} {contract}")
    assert deal.result is not None
    assert deal.result.game is not None
    assert deal.result.game.value.value % deal.result.game.value.base == 0
    assert deal.result.game.value.base in (9, 10, 11, 12, 24)


def test_35_there_are_63_bids() -> None:
    assert len(BID_VALUES) == 63
    assert not {19, 21, 171, 189, 190, 499} & set(BID_VALUES)


def test_37_one_defender_binds_both() -> None:
    deal = announced("G", dealt("CJ", skat="D7 D8"))
    play(deal, "1:give-up 0:accept")
    assert deal.result is not None
    assert deal.result.ending is Ending.DEFENDERS_GAVE_UP


def test_37_or_both_must_agree() -> None:
    deal = announced("G", dealt("CJ", skat="D7 D8"), rules=preset("proskat_pub"))
    play(deal, "1:give-up 2:reject")
    assert (deal.phase, deal.to_act) == (Phase.PLAY, 0)


def test_37_with_nine_cards_the_declarer_is_free() -> None:
    deal = announced("G", dealt("CJ", skat="D7 D8"))
    play(deal, "CJ 0:give-up")
    assert deal.is_over


def test_37_conceding_is_an_option_of_the_table() -> None:
    rules = isko(defender_give_up=DefenderGiveUp.OFF)
    deal = announced("G", dealt("CJ", skat="D7 D8"), rules=rules)
    assert list(deal.legal(1)) == []


def test_38_bids_are_irrevocable() -> None:
    deal = Deal(isko(), dealt())
    play(deal, "1:264 0:pass")
    assert str(deal.legal(2)[-1]) == "pass"
    play(deal, "2:pass")
    assert (deal.declarer, deal.bid) == (1, 264)


def test_38_one_card_is_not_discarded_twice() -> None:
    deal = Deal(isko(), dealt("DA"))
    play(deal, auction(0, 18) + " take")
    with pytest.raises(IllegalActionError) as refused:
        play(deal, "C.DA.DA")
    assert refused.value.reason is Refusal.BAD_DISCARD


def test_38_a_null_ends_with_the_declarers_first_trick() -> None:
    deal = announced("N", dealt("SA D9", "S7", "S8", "D7 D8"))
    play(deal, "SA S7 S8")
    assert deal.is_over


def test_32_schneider_is_reached_with_90() -> None:
    assert played_out(ten("C", 1, 90, 8), isko()).level is Level.SCHNEIDER


def test_the_first_hand_of_a_filled_deal_is_as_asked() -> None:
    """The builder that all of these rest on."""
    assert "CJ" in [card_text(card) for card in cards_in(dealt("CJ").hands[0])]
