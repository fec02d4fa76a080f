"""From seeds to cards and commitments, as the server's page on shuffling has it.

Nothing of the rules is in it: a client needs it only to see that a server kept its word.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final

from skat_client._cards import Card
from skat_client._results import DealtCards

SEED_BYTES: Final = 32

_SHUFFLE: Final = b"skat-shuffle-v1"
_DEAL: Final = b"skat-deal-v1"
_TABLE: Final = b"skat-table-v1"
_TABLE_DEAL: Final = b"skat-table-deal-v1"


def deal_from_seed(seed: bytes) -> DealtCards:
    """The cards that a deal's seed gives, every hand in rising order."""
    deck = list(Card)
    stream = _bytes_of(seed)
    for last in range(31, 0, -1):
        choices = last + 1
        byte = next(stream)
        while byte >= 256 - 256 % choices:
            byte = next(stream)
        deck[last], deck[byte % choices] = deck[byte % choices], deck[last]
    return DealtCards(
        forehand=tuple(sorted(deck[0:3] + deck[11:15] + deck[23:26])),
        middlehand=tuple(sorted(deck[3:6] + deck[15:19] + deck[26:29])),
        rearhand=tuple(sorted(deck[6:9] + deck[19:23] + deck[29:32])),
        skat=tuple(sorted(deck[9:11])),
    )


def deal_commitment(seed: bytes, deal_id: str) -> bytes:
    """What binds a deal to its seed."""
    return sha256(_DEAL + deal_id.encode() + seed).digest()


def table_commitment(table_seed: bytes, table_id: str) -> bytes:
    """What binds a table to its seed before anybody sits there."""
    return sha256(_TABLE + table_id.encode() + table_seed).digest()


def table_deal_seed(table_seed: bytes, dealing: int, nonces: Sequence[bytes]) -> bytes:
    """The seed of one dealing at a table, with the nonces of whoever sits there, by seat."""
    shares = sha256(b"".join(bytes([len(nonce)]) + nonce for nonce in nonces)).digest()
    message = _TABLE_DEAL + dealing.to_bytes(8, "big") + shares
    return hmac.digest(table_seed, message, "sha256")


def _bytes_of(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, _SHUFFLE + block.to_bytes(8, "big"), "sha256")
        block += 1
