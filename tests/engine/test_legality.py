"""What may be done now, and why something may not: R-SKAT-2 to R-SKAT-4, R-ANN-5 to R-ANN-7."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_engine import (
    HAND_CONTRACTS,
    SKAT_CONTRACTS,
    Announce,
    CardSet,
    Contract,
    ContractKind,
    Deal,
    IllegalActionError,
    Level,
    Phase,
    PlayCard,
    Refusal,
    parse_action,
    parse_card,
)
from skat_engine.actions import TAKE_SKAT
from skat_engine.announcements import Announcements
from tests.builders import announced, auction, dealt, hand, isko, play

TWELVE = hand("CJ SJ CA CT SA ST HA HT DA D7 D8 D9")
CARDS = dealt("CJ SJ CA CT SA ST HA HT DA D7", "H7 H8 S7 S8", skat="D8 D9")


def at_announcement(choice: str, bid: int = 18) -> Deal:
    deal = Deal(isko(), CARDS)
    play(deal, f"{auction(0, bid)} {choice}")
    return deal


def refused(deal: Deal, step: str) -> Refusal:
    with pytest.raises(IllegalActionError) as refusal:
        play(deal, step)
    return refusal.value.reason


def test_after_taking_the_skat_every_pair_goes_with_every_contract() -> None:
    """R-SKAT-2: any two of twelve cards."""
    assert len(at_announcement("take").legal(0)) == len(SKAT_CONTRACTS) * 66


def test_a_hand_game_is_announced_without_discards() -> None:
    """R-SKAT-4."""
    assert len(at_announcement("hand").legal(0)) == len(HAND_CONTRACTS)


def test_jacks_and_just_taken_cards_may_be_discarded() -> None:
    """R-SKAT-2."""
    assert parse_action("G.CJ.D8") in at_announcement("take").legal(0)


@pytest.mark.parametrize(
    ("choice", "step", "reason"),
    [
        ("take", "C", Refusal.BAD_DISCARD),
        ("take", "C.D8", Refusal.BAD_DISCARD),
        ("take", "C.D7.D8.D9", Refusal.BAD_DISCARD),
        ("take", "C.DA.DA", Refusal.BAD_DISCARD),
        ("take", "C.H7.D8", Refusal.CARD_NOT_HELD),
        ("take", "CH.D8.D9", Refusal.CONTRADICTORY_ANNOUNCEMENT),
        ("take", "GS.D8.D9", Refusal.CONTRADICTORY_ANNOUNCEMENT),
        ("hand", "C", Refusal.CONTRADICTORY_ANNOUNCEMENT),
        ("hand", "CH.D8.D9", Refusal.BAD_DISCARD),
    ],
)
def test_an_announcement_is_refused(choice: str, step: str, reason: Refusal) -> None:
    """R-SKAT-4, R-ANN-2, R-ANN-5; fault 38: one card twice into the skat."""
    assert refused(at_announcement(choice), step) is reason


def test_a_contract_without_its_implied_flags_is_refused() -> None:
    """R-ANN-5: `new_contract` sets them."""
    bare = Contract(ContractKind.GRAND, hand=True, announced=Level.SIMPLE, ouvert=True)
    with pytest.raises(IllegalActionError) as refusal:
        at_announcement("hand").apply(0, Announce(bare))
    assert refusal.value.reason is Refusal.CONTRADICTORY_ANNOUNCEMENT


@pytest.mark.parametrize(
    ("choice", "bid", "step"),
    [
        ("take", 24, "N.D8.D9"),
        ("hand", 36, "NH"),
        ("take", 48, "NO.D8.D9"),
        ("hand", 60, "NHO"),
    ],
)
def test_a_null_below_the_bid_is_refused(choice: str, bid: int, step: str) -> None:
    """R-ANN-6; E9, fault 33."""
    assert refused(at_announcement(choice, bid), step) is Refusal.NULL_BELOW_BID


@pytest.mark.parametrize("bid", [18, 59, 264])
def test_something_else_can_always_be_announced(bid: int) -> None:
    """R-ANN-6."""
    assert len(at_announcement("take", bid).legal(0)) >= 5 * 66


def test_a_trump_game_that_cannot_reach_the_bid_is_allowed() -> None:
    """R-ANN-7."""
    deal = at_announcement("take", 264)
    play(deal, "D.D8.D9")
    assert deal.phase is Phase.PLAY


@pytest.mark.parametrize("choice", ["take", "hand"])
def test_announcements_are_a_sequence(choice: str) -> None:
    options = at_announcement(choice).legal(0)
    listed = list(options)
    assert listed == [options[place] for place in range(len(options))]
    assert len(set(listed)) == len(listed)
    assert all(action in options for action in listed)


@given(st.integers(-462, 461), st.integers(-462, 461))
def test_announcements_are_sliced_like_a_list(start: int, stop: int) -> None:
    options = Announcements(SKAT_CONTRACTS, TWELVE)
    assert list(options[start:stop]) == list(options)[start:stop]
    assert options[start] == list(options)[start]


def test_there_is_no_announcement_behind_the_last() -> None:
    with pytest.raises(IndexError):
        Announcements(SKAT_CONTRACTS, TWELVE)[462]


def test_other_actions_are_no_announcements() -> None:
    assert TAKE_SKAT not in Announcements(HAND_CONTRACTS, CardSet(0))


def test_a_card_of_another_hand_is_refused() -> None:
    assert refused(announced("C", CARDS), "H7") is Refusal.CARD_NOT_HELD


def test_a_card_already_played_is_refused() -> None:
    """R-PLAY-4: a card played stays played."""
    deal = announced("G", CARDS)
    play(deal, "SA S7")
    while deal.to_act != 0:
        play(deal, str(deal.legal(deal.to_act or 0)[0]))
    assert refused(deal, "SA") is Refusal.CARD_NOT_HELD


def test_a_card_that_does_not_follow_is_refused() -> None:
    """R-PLAY-2, R-PLAY-4; fault 20."""
    deal = announced("G", CARDS)
    play(deal, "SA")
    assert refused(deal, "H7") is Refusal.MUST_FOLLOW


def test_who_is_not_to_act_is_told_so() -> None:
    assert refused(announced("G", CARDS), "1:H7") is Refusal.NOT_YOUR_TURN


def test_an_action_of_another_phase_is_refused() -> None:
    assert refused(announced("G", CARDS), "0:18") is Refusal.WRONG_PHASE


def test_nothing_is_added_to_a_finished_deal() -> None:
    deal = announced("G", CARDS)
    play(deal, "0:give-up")
    with pytest.raises(IllegalActionError) as refusal:
        deal.apply(0, PlayCard(parse_card("SA")))
    assert refusal.value.reason is Refusal.DEAL_OVER


def test_a_refusal_names_who_is_to_act() -> None:
    with pytest.raises(IllegalActionError, match="middlehand"):
        play(Deal(isko(), CARDS), "0:18")


def test_defenders_only_have_interventions_out_of_turn() -> None:
    assert [str(action) for action in announced("G", CARDS).legal(1)] == ["give-up"]


def test_cards_come_before_interventions() -> None:
    words = [str(action) for action in announced("G", CARDS).legal(0)]
    assert words[10:] == ["give-up", "open:simple", "open:schneider", "open:schwarz"]
