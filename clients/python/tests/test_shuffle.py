"""Seeds, cards and commitments, as the page on shuffling has them."""

import pytest

from skat_client import parse_cards
from skat_client._shuffle import (
    deal_commitment,
    deal_from_seed,
    table_commitment,
    table_deal_seed,
)

DECKS = [
    (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "HJ DK DQ CJ ST DJ HK C9 SK S9 D7 S8 DT H9 D8 CT C8 SJ CK HA C7 CA D9 H7 DA HT SQ H8 HQ CQ "
        "SA S7",
    ),
    (
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "SJ D7 CK ST HT C7 H7 SQ H8 DJ DQ SK S8 C8 D9 HQ CQ C9 S7 H9 HA CA SA D8 CT DA HJ S9 HK DT "
        "DK CJ",
    ),
    (
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "DK S8 CK CA DJ CQ S7 C8 H9 HJ DQ SQ D9 H8 DA HK SK SA S9 CT DT D7 HQ C7 D8 ST HA C9 SJ HT "
        "H7 CJ",
    ),
]


@pytest.mark.parametrize(("seed", "deck"), DECKS, ids=["zeros", "rising", "ones"])
def test_the_test_vectors_are_dealt(seed: str, deck: str) -> None:
    cards = parse_cards(deck)
    dealt = deal_from_seed(bytes.fromhex(seed))
    assert dealt.forehand == tuple(sorted(cards[0:3] + cards[11:15] + cards[23:26]))
    assert dealt.middlehand == tuple(sorted(cards[3:6] + cards[15:19] + cards[26:29]))
    assert dealt.rearhand == tuple(sorted(cards[6:9] + cards[19:23] + cards[29:32]))
    assert dealt.skat == tuple(sorted(cards[9:11]))


def test_a_table_is_bound_to_its_seed() -> None:
    assert table_commitment(bytes(32), "table-1").hex()[:16] == "44cf45465d1411c7"


def test_the_nonces_of_all_seats_go_into_every_dealing() -> None:
    seed = table_deal_seed(bytes(32), 1, [b"ann", b"", b"cem"])
    assert seed.hex()[:16] == "d1310e7758f9c3ac"
    assert seed != table_deal_seed(bytes(32), 2, [b"ann", b"", b"cem"])
    assert seed != table_deal_seed(bytes(32), 1, [b"an", b"n", b"cem"])


def test_a_deal_is_bound_to_seed_and_id() -> None:
    bound = {deal_commitment(bytes(32), name) for name in ("t/1", "t/2", "u/1")}
    assert len(bound) == 3
