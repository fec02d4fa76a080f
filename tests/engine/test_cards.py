"""Cards, sets of cards and card points: R-CARD-1, R-CARD-2."""

import pytest
from hypothesis import given

from skat_engine import (
    CARD_POINTS,
    DECK,
    CardSet,
    NotationError,
    Rank,
    Suit,
    card_set,
    card_text,
    cards_in,
    cards_text,
    hand_text,
    new_card,
    parse_card,
    parse_cards,
    points_in,
    rank_of,
    suit_of,
)
from skat_engine.cards import EMPTY, FULL_DECK, JACKS
from tests.builders import hand
from tests.strategies import card_sets, cards


def test_the_deck_has_32_different_names() -> None:
    """R-CARD-1."""
    assert len({card_text(card) for card in DECK}) == 32


def test_every_suit_is_worth_30_points() -> None:
    """R-CARD-2."""
    for suit in Suit:
        assert points_in(card_set(new_card(suit, rank) for rank in Rank)) == 30


@pytest.mark.parametrize(
    ("name", "points"),
    [("CA", 11), ("ST", 10), ("HK", 4), ("DQ", 3), ("CJ", 2), ("S9", 0), ("H8", 0), ("D7", 0)],
)
def test_card_points(name: str, points: int) -> None:
    """R-CARD-2."""
    assert CARD_POINTS[parse_card(name)] == points


def test_the_deck_is_worth_120_points() -> None:
    assert points_in(FULL_DECK) == 120


def test_the_jacks_are_the_four_top_bits() -> None:
    assert hand("CJ SJ HJ DJ") == JACKS


@given(cards)
def test_a_card_is_its_suit_and_rank(card: int) -> None:
    assert new_card(suit_of(DECK[card]), rank_of(DECK[card])) == card


@given(cards)
def test_a_card_is_read_back_from_its_text(card: int) -> None:
    assert parse_card(card_text(DECK[card])) == card


@pytest.mark.parametrize("text", ["", "C", "JC", "C10", "cj", "X7", "CJ "])
def test_what_is_no_card_is_not_read(text: str) -> None:
    with pytest.raises(NotationError):
        parse_card(text)


@given(card_sets)
def test_a_set_is_read_back_from_its_members(mask: CardSet) -> None:
    assert card_set(cards_in(mask)) == mask


@given(card_sets)
def test_members_come_in_rising_order(mask: CardSet) -> None:
    assert list(cards_in(mask)) == sorted(cards_in(mask))


@given(card_sets)
def test_points_of_a_set_are_those_of_its_members(mask: CardSet) -> None:
    assert points_in(mask) == sum(CARD_POINTS[card] for card in cards_in(mask))


@given(card_sets)
def test_a_set_is_read_back_from_its_text(mask: CardSet) -> None:
    assert hand(hand_text(mask)) == mask


def test_a_hand_is_shown_jacks_first_and_suits_together() -> None:
    assert hand_text(hand("H7 C9 DJ CA CJ")) == "CJ DJ CA C9 H7"


def test_cards_are_joined_by_dots_in_their_order() -> None:
    assert cards_text(parse_cards("H7 CJ.DT")) == "H7.CJ.DT"


def test_a_card_named_twice_counts_once() -> None:
    assert card_set(parse_cards("H7 H7")) == hand("H7")


def test_the_empty_set_has_no_members() -> None:
    assert cards_in(EMPTY) == ()
