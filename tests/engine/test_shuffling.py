"""The shuffle is the one that is documented, and it is fair: R-DEAL-1, R-DEAL-2."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_engine import (
    DECK,
    card_text,
    cards_in,
    commitment,
    deal_cards,
    deal_from_seed,
    deal_seed,
    shuffled_deck,
)

PAGE = (Path(__file__).parents[2] / "docs" / "shuffle.md").read_text()
VECTORS = re.findall(r"^seed (\w{64})\ndeck (.+)$", PAGE, re.MULTILINE)
SEEDS = re.findall(r"^series (\w{64})\ndeal (\d+)\nseed (\w{64})$", PAGE, re.MULTILINE)

COMMITMENTS = re.findall(r"^id (.+)\nseed (\w{64})\ncommitment (\w{64})$", PAGE, re.MULTILINE)


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_the_page_has_vectors() -> None:
    assert len(VECTORS) >= 3
    assert len(SEEDS) >= 3
    assert len(COMMITMENTS) >= 3


@pytest.mark.parametrize(("given_seed", "deck"), VECTORS)
def test_documented_deck(given_seed: str, deck: str) -> None:
    shuffled = shuffled_deck(bytes.fromhex(given_seed))
    assert " ".join(card_text(card) for card in shuffled) == deck


@pytest.mark.parametrize(("series", "number", "of_deal"), SEEDS)
def test_documented_seed_of_a_deal(series: str, number: str, of_deal: str) -> None:
    assert deal_seed(bytes.fromhex(series), int(number)).hex() == of_deal


@pytest.mark.parametrize(("deal_id", "of_deal", "committed"), COMMITMENTS)
def test_documented_commitment(deal_id: str, of_deal: str, committed: str) -> None:
    assert commitment(bytes.fromhex(of_deal), deal_id).hex() == committed


def test_a_commitment_binds_seed_and_deal() -> None:
    made = {
        commitment(seed(number), name) for number in range(3) for name in ("t/1", "t/2", "t/11")
    }
    assert len(made) == 9


def test_the_documented_order_of_the_deck() -> None:
    assert " ".join(card_text(card) for card in DECK) in PAGE


@given(st.binary(min_size=32, max_size=32))
def test_a_shuffled_deck_is_a_deck(any_seed: bytes) -> None:
    assert sorted(shuffled_deck(any_seed)) == list(DECK)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        shuffled_deck(bytes(length))
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(bytes(length), "t/1")


def test_places_in_the_deck() -> None:
    """R-DEAL-1, R-DEAL-2: dealing the sorted deck shows which places go where."""
    dealt = deal_cards(DECK)
    assert [cards_in(cards) for cards in (*dealt.hands, dealt.skat)] == [
        (0, 1, 2, 11, 12, 13, 14, 23, 24, 25),
        (3, 4, 5, 15, 16, 17, 18, 26, 27, 28),
        (6, 7, 8, 19, 20, 21, 22, 29, 30, 31),
        (9, 10),
    ]


def test_a_deal_is_its_deck_dealt() -> None:
    assert deal_from_seed(seed(7)) == deal_cards(shuffled_deck(seed(7)))


def test_deals_of_a_series_differ() -> None:
    assert len({deal_from_seed(deal_seed(seed(0), number)) for number in range(1, 101)}) == 100


def test_every_card_comes_to_every_place_equally_often() -> None:
    """Chi-square over 32 x 32 counts, 961 degrees of freedom: 99.9 % lie below 1,099."""
    shuffles = 6400
    counts = Counter(
        (place, card)
        for number in range(shuffles)
        for place, card in enumerate(shuffled_deck(seed(number)))
    )
    expected = shuffles / 32
    pairs = ((place, card) for place in range(32) for card in DECK)
    chi_square = sum((counts[pair] - expected) ** 2 / expected for pair in pairs)
    assert 830 < chi_square < 1099
