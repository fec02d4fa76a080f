"""What may be announced under all options: R-ANN-6, R-ANN-7, R-OVER-5, X24; Revolution."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_engine import (
    Deal,
    Dealt,
    DefendersCompared,
    Ending,
    HandsRearranged,
    IllegalActionError,
    OptionValue,
    Phase,
    Rearrange,
    Refusal,
    RuleSet,
    parse_action,
    parse_contract,
    preset,
)
from skat_engine.actions import DECLINE, TAKE_SKAT
from skat_engine.announcements import can_reach, open_contracts
from skat_engine.arrangements import Arrangements
from skat_engine.cards import CardSet
from skat_engine.options import (
    Kontra,
    KontraTiming,
    NullUnderbid,
    UnreachableDeclaration,
)
from tests.builders import auction, dealt, hand, isko, play
from tests.strategies import any_rules, deals_dealt

REJECT = isko(unreachable_declaration=UnreachableDeclaration.REJECT)
LOSE: dict[str, OptionValue] = {"null_underbid": NullUnderbid.LOSE_AS_TRUMP_GAME}
CARDS = dealt("CJ SJ CA CT SA ST HA HT DA D7", skat="D8 D9")


def refused(deal: Deal, step: str) -> Refusal:
    with pytest.raises(IllegalActionError) as refusal:
        play(deal, step)
    return refusal.value.reason


# R-ANN-7


@pytest.mark.parametrize(
    ("held", "bid", "contract", "fits"),
    [
        # With the skat taken the matadors are known: with 2, game, Schneider, Schwarz.
        ("CJ SJ CA CT SA ST HA HT DA D7 D8 D9", 45, "D", True),
        ("CJ SJ CA CT SA ST HA HT DA D7 D8 D9", 46, "D", False),
        # In a Hand game two more jacks may lie in the skat: with 5, and Hand.
        ("CJ SJ CA CT SA ST HA HT DA D7", 81, "DH", True),
        ("CJ SJ CA CT SA ST HA HT DA D7", 84, "DH", False),
        # Without 4 in hand; jacks in the skat can only make it less.
        ("CA CT CK CQ SA ST HA HT DA D7", 192, "GH", True),
        ("CA CT CK CQ SA ST HA HT DA D7", 198, "GH", False),
        ("CA CT CK CQ SA ST HA HT DA D7", 23, "N", True),
        ("CA CT CK CQ SA ST HA HT DA D7", 24, "N", False),
    ],
)
def test_what_can_reach_the_bid(held: str, bid: int, contract: str, fits: bool) -> None:
    """R-ANN-7: with every level, and in a Hand game with the best skat."""
    assert can_reach(parse_contract(contract), bid, hand(held), REJECT) is fits


@pytest.mark.parametrize(
    ("choice", "step"), [("take", "D.D8.D9"), ("take", "H.D8.D9"), ("hand", "DH")]
)
def test_a_game_out_of_reach_is_refused(choice: str, step: str) -> None:
    """R-ANN-7, ``unreachable_declaration=reject``."""
    deal = Deal(REJECT, CARDS)
    play(deal, f"{auction(0, 96)} {choice}")
    assert refused(deal, step) is Refusal.BID_OUT_OF_REACH
    assert parse_action("G.D8.D9" if choice == "take" else "GH") in deal.legal(0)


def test_where_nothing_reaches_the_bid_everything_is_open() -> None:
    """R-ANN-7: something must be announced."""
    deal = Deal(REJECT, CARDS)
    play(deal, f"{auction(0, 264)} take")
    assert {str(c) for c in open_contracts(REJECT, 264, deal.hands[0])} == set("DHSCG")


def test_by_default_it_is_allowed_and_lost() -> None:
    """R-ANN-7, ``allow``; X30: and final."""
    deal = Deal(isko(), CARDS)
    play(deal, f"{auction(0, 264)} take D.D8.D9")
    assert refused(deal, "0:G.D8.D9") is Refusal.WRONG_PHASE


@given(any_rules, deals_dealt, st.sampled_from([0, 18, 24, 60, 120, 264]), st.booleans())
def test_something_can_always_be_announced(
    rules: RuleSet, cards: Dealt, bid: int, take: bool
) -> None:
    """R-ANN-6, R-ANN-7."""
    held = CardSet(cards.hands[0] | cards.skat) if take else cards.hands[0]
    assert open_contracts(rules, bid, held)


# R-OVER-5

UNDERBID = [
    ("CJ H7 H8 C7 C8 C9 S7 S8 D7 D8", "SA HA", 24, "take N", -48),
    ("CJ SJ HJ H7 C7 C8 S7 S8 D7 D8", "DA HA", 50, "take NO", -100),
    ("SJ H7 H8 C7 C8 C9 S7 S8 D7 D8", "SA HA", 36, "hand NH", -72),
]


def lost_at_once(own: str, skat: str, bid: int, game: str, **options: OptionValue) -> Deal:
    deal = Deal(isko(**(LOSE | options)), dealt(own, skat=skat))
    down = "." + skat.replace(" ", ".") if "take" in game else ""
    play(deal, f"{auction(0, bid)} {game}{down}")
    return deal


@pytest.mark.parametrize(("own", "skat", "bid", "game", "score"), UNDERBID)
def test_an_impossible_null_is_lost_before_play(
    own: str, skat: str, bid: int, game: str, score: int
) -> None:
    """R-OVER-5, R-ANN-6; X24, fault 33."""
    result = lost_at_once(own, skat, bid, game).result
    assert result is not None
    assert (result.ending, result.scores) == (Ending.NULL_UNDERBID, (score, 0, 0))


def test_a_null_that_reaches_the_bid_is_played() -> None:
    """R-OVER-5."""
    own, skat, _, game, _ = UNDERBID[0]
    assert lost_at_once(own, skat, 23, game).phase is Phase.PLAY


# Revolution

XSKAT = preset("xskat_extras", {"kontra": Kontra.OFF})
NULL = dealt("S7 S8 S9 ST H7 H8 H9 D7 D8 D9", skat="DA HA")


def in_revolution(declarer: int = 0) -> Deal:
    deal = Deal(XSKAT, NULL)
    play(deal, f"{auction(declarer, 18)} hand NHOR")
    return deal


def test_revolution_is_an_option() -> None:
    """Section 21, ``revolution``."""
    deal = Deal(isko(), NULL)
    play(deal, f"{auction(0, 18)} hand")
    assert refused(deal, "NHOR") is Refusal.NOT_OFFERED


@pytest.mark.parametrize("game", ["take NOR.DA.HA", "hand NHOR"])
def test_revolution_is_worth_92(game: str) -> None:
    """Section 21, ``revolution``: with the skat taken or not."""
    deal = Deal(XSKAT, NULL)
    play(deal, f"{auction(0, 72)} {game} decline 0:give-up")
    assert deal.result is not None
    assert deal.result.scores == (-184, 0, 0)


@pytest.mark.parametrize(("declarer", "decider", "partner"), [(0, 1, 2), (1, 0, 2), (2, 0, 1)])
def test_the_first_defender_deals_the_cards_anew(declarer: int, decider: int, partner: int) -> None:
    """Section 21, ``revolution``: after the declarer's cards are shown."""
    deal = in_revolution(declarer)
    assert (deal.phase, deal.to_act, deal.exposed) == (Phase.REARRANGEMENT, decider, True)
    both = CardSet(deal.hands[decider] | deal.hands[partner])
    option = deal.legal(decider)[-1]
    assert isinstance(option, Rearrange)
    (done,) = deal.apply(decider, option)
    assert done == HandsRearranged(decider, partner, option.cards, CardSet(both & ~option.cards))
    assert (deal.phase, deal.to_act) == (Phase.PLAY, 0)
    assert deal.hands[decider] | deal.hands[partner] == both


def test_the_hands_may_stay_as_they_are() -> None:
    deal = in_revolution()
    before = deal.hands.copy()
    play(deal, "decline")
    assert deal.hands == before


@pytest.mark.parametrize("step", ["keep:S7", "keep:S7.C7.C8.C9.CQ.CK.CT.CA.CJ.SQ"])
def test_only_ten_of_the_twenty_cards_may_be_kept(step: str) -> None:
    deal = in_revolution()
    assert refused(deal, step) is Refusal.NOT_OFFERED


def test_kontra_comes_before_the_cards_are_compared() -> None:
    """R-KON-3, R-ANN-8."""
    rules = preset(
        "xskat_extras",
        {"kontra": Kontra.ANY_DEFENDER, "kontra_timing": KontraTiming.BEFORE_OWN_FIRST_CARD},
    )
    deal = Deal(rules, NULL)
    play(deal, f"{auction(0, 18)} hand NHOR")
    assert deal.phase is Phase.KONTRA
    assert isinstance(play(deal, "decline decline")[-1], DefendersCompared)


TWELVE = hand("C7 C8 C9 CQ CK CT CA CJ S7 S8 S9 SQ")


def test_arrangements_are_a_sequence() -> None:
    """66 hands of ten out of twelve cards stand for 184756 out of twenty."""
    options = Arrangements(TWELVE)
    listed = list(options)
    assert len(listed) == len(options) == len(set(listed)) == 67
    assert listed == [options[place] for place in range(67)]
    assert options[3:5] == tuple(listed[3:5])
    assert all(action in options for action in listed)
    assert options[0] is DECLINE
    assert TAKE_SKAT not in options


def test_there_is_no_arrangement_behind_the_last() -> None:
    assert len(Arrangements(CardSet(0xFFFFF))) == 184757
    with pytest.raises(IndexError):
        Arrangements(TWELVE)[67]
