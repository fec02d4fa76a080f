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
    nonces_hash,
    shuffled_deck,
    table_commitment,
    table_deal_seed,
)

PAGE = (Path(__file__).parents[2] / "docs" / "shuffle.md").read_text()
VECTORS = re.findall(r"^seed (\w{64})\ndeck (.+)$", PAGE, re.MULTILINE)
SEEDS = re.findall(r"^series (\w{64})\ndeal (\d+)\nseed (\w{64})$", PAGE, re.MULTILINE)

COMMITMENTS = re.findall(r"^id (.+)\nseed (\w{64})\ncommitment (\w{64})$", PAGE, re.MULTILINE)

TABLES = re.findall(r"^table (.+)\nseed (\w{64})\ncommitment (\w{64})$", PAGE, re.MULTILINE)
HASHES = re.findall(r"^nonces ([-0-9a-f ]+)\nhash (\w{64})$", PAGE, re.MULTILINE)
DEALINGS = re.findall(
    r"^seed of table (\w{64})\ndealing (\d+)\nnonces ([-0-9a-f ]+)\nseed of deal (\w{64})$",
    PAGE,
    re.MULTILINE,
)


def nonces_in(text: str) -> list[bytes]:
    return [bytes.fromhex(word.replace("-", "")) for word in text.split()]


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_the_page_has_vectors() -> None:
    assert len(VECTORS) >= 3
    assert len(SEEDS) >= 3
    assert len(COMMITMENTS) >= 3
    assert (len(TABLES), len(HASHES), len(DEALINGS)) == (3, 3, 3)


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


@pytest.mark.parametrize(("table_id", "of_table", "committed"), TABLES)
def test_documented_commitment_of_a_table(table_id: str, of_table: str, committed: str) -> None:
    assert table_commitment(bytes.fromhex(of_table), table_id).hex() == committed


@pytest.mark.parametrize(("nonces", "hashed"), HASHES)
def test_documented_hash_of_nonces(nonces: str, hashed: str) -> None:
    assert nonces_hash(nonces_in(nonces)).hex() == hashed


@pytest.mark.parametrize(("of_table", "dealing", "nonces", "of_deal"), DEALINGS)
def test_documented_seed_of_a_dealing(
    of_table: str, dealing: str, nonces: str, of_deal: str
) -> None:
    made = table_deal_seed(bytes.fromhex(of_table), int(dealing), nonces_in(nonces))
    assert made.hex() == of_deal


nonce_lists = st.lists(st.binary(max_size=32), min_size=3, max_size=5)


@given(nonce_lists, nonce_lists)
def test_other_nonces_have_another_hash(first: list[bytes], second: list[bytes]) -> None:
    """T9: nobody can move bytes from one seat to the next."""
    assert (nonces_hash(first) == nonces_hash(second)) == (first == second)


def test_every_nonce_changes_the_deal() -> None:
    """T9: one player whom the operator cannot foresee is enough."""
    plain = [b"a", b"b", b"c"]
    seeds = {table_deal_seed(seed(1), 1, plain)}
    for place in range(3):
        other = [*plain]
        other[place] = b"x"
        seeds.add(table_deal_seed(seed(1), 1, other))
    assert len(seeds) == 4


def test_a_nonce_has_at_most_32_bytes() -> None:
    assert len(nonces_hash([bytes(32)])) == 32
    with pytest.raises(ValueError, match="32 bytes"):
        nonces_hash([bytes(33)])


@pytest.mark.parametrize("length", [0, 31, 33])
def test_the_seed_of_a_table_has_32_bytes(length: int) -> None:
    """T8: nobody can make a table with a seed that can be searched."""
    with pytest.raises(ValueError, match="32 bytes"):
        table_commitment(bytes(length), "t")
    with pytest.raises(ValueError, match="32 bytes"):
        table_deal_seed(bytes(length), 1, [])


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
