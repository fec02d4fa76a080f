"""Cards and contracts."""

import doctest
import importlib

import pytest

from skat_client import Card, Contract, ContractKind, Level, Rank, Suit, cards_text, parse_cards


def test_there_are_32_cards_with_120_points() -> None:
    assert len(Card) == 32
    assert sum(card.points for card in Card) == 120


@pytest.mark.parametrize("card", Card, ids=str)
def test_a_card_prints_suit_and_rank(card: Card) -> None:
    suit = {Suit.DIAMONDS: "D", Suit.HEARTS: "H", Suit.SPADES: "S", Suit.CLUBS: "C"}[card.suit]
    rank = "789QKTAJ"[card.rank - 1]
    assert str(card) == f"{card}" == suit + rank


@pytest.mark.parametrize(
    ("rank", "points"),
    [(Rank.ACE, 11), (Rank.TEN, 10), (Rank.KING, 4), (Rank.QUEEN, 3), (Rank.JACK, 2)],
)
def test_card_points_follow_the_rank(rank: Rank, points: int) -> None:
    assert {card.points for card in Card if card.rank is rank} == {points}


def test_cards_sort_with_jacks_on_top() -> None:
    assert cards_text(sorted(parse_cards("CJ DA CA D7 DJ"))) == "D7 DA CA DJ CJ"


def test_what_is_no_card_is_refused() -> None:
    with pytest.raises(ValueError, match="'C10' is not a card"):
        parse_cards("CJ C10")


@pytest.mark.parametrize(
    ("contract", "text"),
    [
        (Contract(ContractKind.CLUBS), "clubs"),
        (Contract(ContractKind.NULL, hand=True, ouvert=True), "null hand ouvert"),
        (Contract(ContractKind.GRAND, True, Level.SCHWARZ), "grand hand schwarz"),
    ],
)
def test_a_contract_prints_its_flags(contract: Contract, text: str) -> None:
    assert str(contract) == text


@pytest.mark.parametrize(
    ("kind", "base", "trump"),
    [
        (ContractKind.DIAMONDS, 9, Suit.DIAMONDS),
        (ContractKind.CLUBS, 12, Suit.CLUBS),
        (ContractKind.GRAND, 24, None),
        (ContractKind.NULL, None, None),
    ],
)
def test_a_kind_knows_base_and_trump(
    kind: ContractKind, base: int | None, trump: Suit | None
) -> None:
    assert (kind.base, kind.trump_suit) == (base, trump)


@pytest.mark.parametrize("name", ["_cards", "_contracts", "_channel"])
def test_examples_in_docstrings_hold(name: str) -> None:
    module = importlib.import_module(f"skat_client.{name}")
    assert doctest.testmod(module).attempted
    assert doctest.testmod(module).failed == 0
