"""The boards of a tournament: computed from its seed, bound before anybody has registered.

The tournament's seed is committed to before registration, the entrants add nonces, and every board
has a seed of its own (`skat_engine.shuffling.board_seed`). The root of a Merkle tree over
the boards' own commitments is published at the start, so that one board can be revealed and
checked without the others (operations guide, section 10.4; `docs/shuffle.md`).
"""

import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from skat_engine.shuffling import board_seed, commitment

TOURNAMENT_LABEL: Final = b"skat-tournament-v1"
_LEAF: Final = b"\x00"
_NODE: Final = b"\x01"


def tournament_commitment(tournament_id: str, seed: bytes) -> bytes:
    """What binds the organiser to a seed of 32 bytes."""
    return hashlib.sha256(TOURNAMENT_LABEL + tournament_id.encode() + seed).digest()


def board_commitment(tournament_id: str, board: int, seed: bytes) -> bytes:
    """What binds a board to its seed."""
    return commitment(seed, f"{tournament_id}/{board}")


@lru_cache(maxsize=64)
def boards_root(tournament_id: str, seed: bytes, nonces: bytes, boards: int) -> bytes:
    """The root over the commitments of the first boards, 1 or more.

    Args:
        tournament_id: whose boards.
        seed: the tournament's, 32 bytes.
        nonces: the hash of the entrants' nonces.
        boards: how many.
    """
    return merkle_root(
        [
            board_commitment(tournament_id, board, board_seed(seed, nonces, board))
            for board in range(boards)
        ]
    )


def merkle_root(leaves: Sequence[bytes]) -> bytes:
    """The root over commitments; a level with an odd end passes it on unchanged.

    Raises:
        ValueError: no leaves.
    """
    return _levels(leaves)[-1][0]


def merkle_path(leaves: Sequence[bytes], place: int) -> tuple[bytes, ...]:
    """The neighbours on the way from a leaf to the root, empty where there is none."""
    path: list[bytes] = []
    for level in _levels(leaves)[:-1]:
        other = place ^ 1
        path.append(level[other] if other < len(level) else b"")
        place //= 2
    return tuple(path)


def follows(leaf: bytes, place: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether a path leads from a leaf to a root."""
    found = hashlib.sha256(_LEAF + leaf).digest()
    for neighbour in path:
        if neighbour:
            pair = neighbour + found if place % 2 else found + neighbour
            found = hashlib.sha256(_NODE + pair).digest()
        place //= 2
    return hmac.compare_digest(found, root)


def _levels(leaves: Sequence[bytes]) -> list[list[bytes]]:
    if not leaves:
        raise ValueError("a tree has leaves")
    levels = [[hashlib.sha256(_LEAF + leaf).digest() for leaf in leaves]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        pairs = (below[at : at + 2] for at in range(0, len(below), 2))
        levels.append([_joined(pair) for pair in pairs])
    return levels


def _joined(pair: Sequence[bytes]) -> bytes:
    return pair[0] if len(pair) == 1 else hashlib.sha256(_NODE + pair[0] + pair[1]).digest()
