"""How the record of a deal lies in its row."""

import zlib
from typing import NamedTuple

from skat_server.storage.protocols import CorruptRecordError, SealedDeal
from skat_server.storage.sealing import seal_of
from skat_server.storage.sqlite.statements import LOG_FORMAT


def packed(json: str) -> bytes:
    """A record in `LOG_FORMAT`."""
    return zlib.compress(json.encode())


class PackedDeal(NamedTuple):
    """A sealed deal as it lies in its row."""

    table_id: str
    deal_number: int
    log_format: int
    log: bytes
    sha256: bytes
    previous_sha256: bytes


def unpacked(row: PackedDeal) -> SealedDeal:
    """A record from its row, after a look at its seal (F21).

    Raises:
        CorruptRecordError: it is not what was sealed.
    """
    if row.log_format != LOG_FORMAT:
        raise CorruptRecordError(
            row.table_id, row.deal_number, f"its format {row.log_format} is unknown"
        )
    try:
        json = zlib.decompress(row.log).decode()
    except (zlib.error, UnicodeDecodeError):
        raise CorruptRecordError(row.table_id, row.deal_number, "it cannot be unpacked") from None
    if seal_of(json, row.previous_sha256) != row.sha256:
        raise CorruptRecordError(row.table_id, row.deal_number, "it does not match its seal")
    return SealedDeal(row.deal_number, json, row.sha256, row.previous_sha256)
