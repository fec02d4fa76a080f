"""The chain of a table's records: each seal covers the one before it."""

import hashlib
from typing import Final

from skat_server.storage.protocols import DealRecordLine, SealedDeal

FIRST: Final = bytes(32)
"""What the first record of a table follows."""


def sealed(line: DealRecordLine, previous_sha256: bytes) -> SealedDeal:
    """A record in its place in the chain."""
    sha256 = seal_of(line.json, previous_sha256)
    return SealedDeal(line.deal_number, line.json, sha256, previous_sha256)


def seal_of(json: str, previous_sha256: bytes) -> bytes:
    """SHA-256 over the seal before and the record's bytes in UTF-8."""
    return hashlib.sha256(previous_sha256 + json.encode()).digest()
