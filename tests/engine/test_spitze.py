"""Announced Spitze in play: R-SPI-1 to R-SPI-4."""

import pytest

from skat_engine import (
    Announcements,
    Deal,
    IllegalActionError,
    OptionValue,
    Phase,
    Refusal,
    SpitzeRevealed,
    card_text,
    parse_action,
    parse_card,
    preset,
)
from skat_engine.contracts import ContractKind, spitze_card
from skat_engine.options import Kontra, Permission
from tests.builders import auction, dealt, play

# Forehand holds the four jacks, the seven of hearts and no other seven.
CARDS = dealt("CJ SJ HJ DJ HA HT HK H7 SA DA", "H8", "H9", skat="C8 S8")
OFF = {"kontra": Kontra.OFF}


def at_announcement(choice: str, **options: OptionValue) -> Deal:
    deal = Deal(preset("proskat_pub", OFF | options), CARDS)
    play(deal, f"{auction(0, 18)} {choice}")
    return deal


def refused(deal: Deal, step: str) -> Refusal:
    with pytest.raises(IllegalActionError) as refusal:
        play(deal, step)
    return refusal.value.reason


@pytest.mark.parametrize(
    ("kind", "card"),
    [(ContractKind.HEARTS, "H7"), (ContractKind.CLUBS, "C7"), (ContractKind.GRAND, "DJ")],
)
def test_the_card_is_the_lowest_trump(kind: ContractKind, card: str) -> None:
    """R-SPI-1."""
    assert card_text(spitze_card(kind)) == card


@pytest.mark.parametrize(
    ("choice", "step", "reason"),
    [
        ("take", "DP.C8.S8", Refusal.CARD_NOT_HELD),
        ("take", "HP.H7.S8", Refusal.BAD_DISCARD),
        ("hand", "CHP", Refusal.CARD_NOT_HELD),
        ("hand", "HP", Refusal.CONTRADICTORY_ANNOUNCEMENT),
    ],
)
def test_the_card_must_be_in_the_playing_hand(choice: str, step: str, reason: Refusal) -> None:
    """R-SPI-3."""
    assert refused(at_announcement(choice), step) is reason


@pytest.mark.parametrize(
    ("choice", "step"),
    [("take", "HP.C8.S8"), ("hand", "HHP"), ("hand", "HHSP"), ("hand", "HHSZOP"), ("hand", "GHP")],
)
def test_it_goes_with_all_other_announcements(choice: str, step: str) -> None:
    """R-SPI-4."""
    deal = at_announcement(choice)
    play(deal, step)
    assert deal.phase is Phase.PLAY


def test_without_the_option_nothing_of_it_exists() -> None:
    """R-SPI-1."""
    deal = Deal(preset("isko"), CARDS)
    play(deal, f"{auction(0, 18)} hand")
    assert refused(deal, "HHP") is Refusal.NOT_OFFERED


def test_with_four_jacks_grand_spitze_may_be_forbidden() -> None:
    """R-SPI-3, ``grand_spitze_with_four_jacks``."""
    deal = at_announcement("hand", grand_spitze_with_four_jacks=Permission.FORBID)
    assert refused(deal, "GHP") is Refusal.CARD_NOT_HELD
    assert parse_action("HHP") in deal.legal(0)


def test_the_card_is_shown_by_option() -> None:
    """R-SPI-3, ``spitze_card_revealed``."""
    assert play(at_announcement("hand"), "HHP")[1:] == [SpitzeRevealed(0, parse_card("H7"))]
    assert len(play(at_announcement("hand", spitze_card_revealed=False), "HHP")) == 1


def score(deal: Deal) -> int:
    assert deal.result is not None
    return deal.result.scores[0]


def play_to_the_end(deal: Deal, own: str) -> None:
    """Forehand plays these cards in order, the others their lowest."""
    cards = own.split()
    while deal.to_act is not None:
        play(deal, cards.pop(0) if deal.to_act == 0 else str(deal.legal(deal.to_act)[0]))


def test_the_tenth_trick_is_won_with_it() -> None:
    """R-SPI-1, R-SPI-2; H1: with 7, game 8, Spitze 10, and Schneider and Schwarz on top."""
    deal = at_announcement("hand")
    play(deal, "HHP")
    play_to_the_end(deal, "CJ SJ HJ DJ HA HT HK SA DA H7")
    assert deal.standing().spitze_made
    assert score(deal) == 10 * (7 + 1 + 1 + 2 + 2)


def test_the_card_was_played_too_early() -> None:
    """R-SPI-1, R-SPI-2; H2: lost whatever the points, and the levels count."""
    deal = at_announcement("hand")
    play(deal, "HHP")
    play_to_the_end(deal, "CJ SJ HJ DJ HA HT HK H7 SA DA")
    assert not deal.standing().spitze_made
    assert score(deal) == -2 * 10 * (7 + 1 + 1 + 2 + 2)


def test_the_tenth_trick_is_lost() -> None:
    """R-SPI-1: the jack of clubs takes it from the jack of diamonds."""
    cards = dealt("DJ SA ST SK SQ S9 S8 S7 CA CT", "CJ", skat="SJ HJ")
    deal = Deal(preset("proskat_pub", OFF), cards)
    play(deal, f"{auction(0, 18)} hand GHP")
    play_to_the_end(deal, "SA ST SK SQ S9 S8 S7 CA CT DJ")
    assert deal.tricks[-1].winner == 1
    assert not deal.standing().spitze_made
    assert score(deal) < 0


def test_a_concession_with_the_card_on_the_table_counts_as_made() -> None:
    """R-END-6: until the tenth trick is lost."""
    deal = at_announcement("hand")
    play(deal, "HHP")
    for card in ["CJ", "SJ", "HJ", "DJ", "HA", "HT", "HK", "SA", "DA", "H7"]:
        play(deal, card)
        if len(deal.tricks) < 9:
            play(deal, str(deal.legal(1)[0]))
            play(deal, str(deal.legal(2)[0]))
    assert deal.standing().spitze_made
    play(deal, "1:give-up 2:accept 0:accept")
    assert score(deal) > 0


@pytest.mark.parametrize("choice", ["take", "hand"])
def test_announcements_with_spitze_are_a_sequence(choice: str) -> None:
    """R-SPI-3: with the skat taken eleven cards are left to choose from."""
    options = at_announcement(choice).legal(0)
    listed = list(options)
    assert len(listed) == len(options) == len(set(listed))
    assert listed == [options[place] for place in range(len(options))]
    assert all(action in options for action in listed)
    assert isinstance(options, Announcements)
    assert {str(contract) for contract in options.spitze} >= {"HP"} or choice == "hand"
