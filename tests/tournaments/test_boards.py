"""The boards of a tournament and how one of them is checked (operations 10.4)."""

from __future__ import annotations

import pytest

from skat_engine.shuffling import board_seed, nonces_hash
from skat_server.tournaments import boards

SEED = bytes(range(32))
LEAVES = [bytes([n]) * 32 for n in range(7)]


def test_every_board_has_a_seed_of_its_own() -> None:
    """R38: no seed is used twice, and each has 256 bits; R37: a board is its seed."""
    nonces = nonces_hash([b"a", b"b"])
    assert len({board_seed(SEED, nonces, board) for board in range(1_000)}) == 1_000


def test_a_nonce_changes_every_board() -> None:
    """T9: the organiser cannot choose the cards once somebody else has added a nonce."""
    first, second = nonces_hash([b"a", b"b"]), nonces_hash([b"a", b"c"])
    assert board_seed(SEED, first, 0) != board_seed(SEED, second, 0)


def test_nonces_cannot_be_cut_otherwise() -> None:
    assert nonces_hash([b"ab", b"c"]) != nonces_hash([b"a", b"bc"])


@pytest.mark.parametrize("count", range(1, 8))
def test_every_board_leads_to_the_root(count: int) -> None:
    leaves = LEAVES[:count]
    root = boards.merkle_root(leaves)
    for place, leaf in enumerate(leaves):
        assert boards.follows(leaf, place, boards.merkle_path(leaves, place), root)


@pytest.mark.parametrize("count", range(2, 8))
def test_no_other_board_does(count: int) -> None:
    leaves = LEAVES[:count]
    root = boards.merkle_root(leaves)
    for place in range(count):
        path = boards.merkle_path(leaves, place)
        assert not boards.follows(leaves[place - 1], place, path, root)


def test_a_tree_without_leaves_is_refused() -> None:
    with pytest.raises(ValueError, match="leaves"):
        boards.merkle_root([])
