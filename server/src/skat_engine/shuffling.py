"""From a secret seed to a deal and its commitment, the same in every language.

Algorithm ``skat-shuffle-v1``: Fisher-Yates over the 32 cards, driven by the byte stream
``HMAC-SHA256(seed, label | counter)`` with the counter as 8 big-endian bytes from 0. A
number below ``n`` is one byte ``b`` with ``b < 256 - 256 % n``, reduced modulo ``n``; other
bytes are skipped, so no card is favoured. `docs/shuffle.md` has the test vectors.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain, count
from typing import Final

from skat_engine.cards import DECK, Card, CardSet
from skat_engine.results import Dealt

LABEL: Final = b"skat-shuffle-v1"
COMMITMENT_LABEL: Final = b"skat-deal-v1"
TABLE_LABEL: Final = b"skat-table-v1"
TABLE_DEAL_LABEL: Final = b"skat-table-deal-v1"
BOARD_LABEL: Final = b"skat-board-v1"
SEED_BYTES: Final = 32
MOST_NONCE_BYTES: Final = 32
"""Bytes of a player's share in the chance of a table, at most."""

_STEPS: Final = tuple((last, 256 - 256 % (last + 1)) for last in range(31, 0, -1))
"""The places to fill, the last first, and the bytes that are skipped there: from this one on."""


def shuffled_deck(seed: bytes) -> tuple[Card, ...]:
    """The deck in the order that a seed gives.

    Args:
        seed: 32 secret bytes.

    Raises:
        ValueError: the seed has another length.
    """
    _require_seed(seed)
    deck = list(DECK)
    stream = _byte_stream(seed)
    for last, usable in _STEPS:
        byte = next(stream)
        while byte >= usable:
            byte = next(stream)
        pick = byte % (last + 1)
        deck[last], deck[pick] = deck[pick], deck[last]
    return tuple(deck)


def deal_cards(deck: Sequence[Card]) -> Dealt:
    """Deal a shuffled deck: 3 each, 2 to the skat, 4 each, 3 each (R-DEAL-1, R-DEAL-2)."""
    bits = [1 << card for card in deck]
    forehand = CardSet(sum(bits[0:3] + bits[11:15] + bits[23:26]))
    middlehand = CardSet(sum(bits[3:6] + bits[15:19] + bits[26:29]))
    rearhand = CardSet(sum(bits[6:9] + bits[19:23] + bits[29:32]))
    return Dealt((forehand, middlehand, rearhand), CardSet(sum(bits[9:11])))


def deal_from_seed(seed: bytes) -> Dealt:
    """The deal of a seed; see the module for the algorithm."""
    return deal_cards(shuffled_deck(seed))


def deal_seed(series_seed: bytes, deal_number: int) -> bytes:
    """The seed of one deal of a series that is given as a whole.

    Args:
        series_seed: 32 secret bytes.
        deal_number: counted from 1.
    """
    message = b"skat-deal-seed-v1" + deal_number.to_bytes(8, "big")
    return hmac.digest(series_seed, message, "sha256")


def commitment(seed: bytes, deal_id: str) -> bytes:
    """What binds a deal to its seed and tells nothing of it: 32 bytes.

    Args:
        seed: 32 secret bytes.
        deal_id: names the deal, as its record does.

    Raises:
        ValueError: the seed has another length, or the id is no text that UTF-8 can hold.
    """
    _require_seed(seed)
    return sha256(COMMITMENT_LABEL + deal_id.encode("utf-8") + seed).digest()


def table_commitment(table_seed: bytes, table_id: str) -> bytes:
    """What binds a table to its seed before anybody sits there: 32 bytes.

    >>> table_commitment(bytes(32), "table-1").hex()[:16]
    '44cf45465d1411c7'

    Args:
        table_seed: 32 secret bytes.
        table_id: names the table.

    Raises:
        ValueError: the seed has another length, or the id is no text that UTF-8 can hold.
    """
    _require_seed(table_seed)
    return sha256(TABLE_LABEL + table_id.encode("utf-8") + table_seed).digest()


def nonces_hash(nonces: Sequence[bytes]) -> bytes:
    """The shares of all players in the chance of a deal as one: 32 bytes.

    >>> nonces_hash([b"ann", b"", b"cem"]).hex()[:16]
    '03e9c7d890627099'

    Args:
        nonces: one for every seat in order, 0 to 32 bytes each; empty for who gave none.

    Raises:
        ValueError: a nonce is longer.
    """
    if any(len(nonce) > MOST_NONCE_BYTES for nonce in nonces):
        raise ValueError(f"a nonce has at most {MOST_NONCE_BYTES} bytes")
    return sha256(b"".join(bytes([len(nonce)]) + nonce for nonce in nonces)).digest()


def table_deal_seed(table_seed: bytes, dealing: int, nonces: Sequence[bytes]) -> bytes:
    """The seed of one dealing at a table whose players have a share in the chance.

    >>> table_deal_seed(bytes(32), 1, [b"ann", b"", b"cem"]).hex()[:16]
    'd1310e7758f9c3ac'

    Args:
        table_seed: 32 secret bytes.
        dealing: how often cards have been dealt there, this time included; void deals count.
        nonces: see `nonces_hash`.

    Raises:
        ValueError: the seed has another length, or a nonce is too long.
    """
    _require_seed(table_seed)
    message = TABLE_DEAL_LABEL + dealing.to_bytes(8, "big") + nonces_hash(nonces)
    return hmac.digest(table_seed, message, "sha256")


def board_seed(tournament_seed: bytes, nonces: bytes, board: int) -> bytes:
    """The seed of one board of a tournament whose entrants have a share in the chance.

    >>> board_seed(bytes(32), nonces_hash([b"ann", b"ben"]), 0).hex()[:16]
    'cd4c3a13393e17d5'

    Args:
        tournament_seed: 32 secret bytes.
        nonces: the `nonces_hash` of the entrants' nonces, in the order of registration.
        board: its number, from 0.

    Raises:
        ValueError: the seed has another length.
    """
    _require_seed(tournament_seed)
    message = BOARD_LABEL + nonces + board.to_bytes(8, "big")
    return hmac.digest(tournament_seed, message, "sha256")


def _require_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")


def _byte_stream(seed: bytes) -> Iterator[int]:
    return chain.from_iterable(
        hmac.digest(seed, LABEL + counter.to_bytes(8, "big"), "sha256") for counter in count()
    )
