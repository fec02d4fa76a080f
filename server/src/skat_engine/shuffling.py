"""From a secret seed to a deal and its commitment, the same in every language.

Algorithm ``skat-shuffle-v1``: Fisher-Yates over the 32 cards, driven by the byte stream
``HMAC-SHA256(seed, label | counter)`` with the counter as 8 big-endian bytes from 0. A
number below ``n`` is one byte ``b`` with ``b < 256 - 256 % n``, reduced modulo ``n``; other
bytes are skipped, so no card is favoured. `docs/shuffle.md` has the test vectors.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final

from skat_engine.cards import DECK, Card, CardSet
from skat_engine.results import Dealt

LABEL: Final = b"skat-shuffle-v1"
COMMITMENT_LABEL: Final = b"skat-deal-v1"
SEED_BYTES: Final = 32

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
    forehand = CardSet(sum(bits[0:3]) + sum(bits[11:15]) + sum(bits[23:26]))
    middlehand = CardSet(sum(bits[3:6]) + sum(bits[15:19]) + sum(bits[26:29]))
    rearhand = CardSet(sum(bits[6:9]) + sum(bits[19:23]) + sum(bits[29:32]))
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


def _require_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a deal's seed has {SEED_BYTES} bytes, not {len(seed)}")


def _byte_stream(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from hmac.digest(seed, LABEL + counter.to_bytes(8, "big"), "sha256")
        counter += 1
