"""Where the cards of a record come from: seed, commitment, and the share that the players had.

`docs/shuffle.md` says how all of it is computed.
"""

import re
from dataclasses import dataclass
from typing import Final

from skat_engine.errors import NotationError
from skat_engine.records.model import Record, TableShare
from skat_engine.records.rows import Row
from skat_engine.results import Dealt
from skat_engine.shuffling import MOST_NONCE_BYTES, commitment, deal_from_seed

_HEX: Final = re.compile("[0-9a-fA-F]{64}")
_NONCE: Final = re.compile(f"(?:[0-9a-fA-F]{{2}}){{0,{MOST_NONCE_BYTES}}}")
_MOST_DEALINGS: Final = 2**53 - 1
"""What every reader of JSON can hold."""


@dataclass(frozen=True, slots=True)
class ClaimedSeed:
    """A seed and the commitment beside it, which need not fit."""

    seed: bytes
    commitment: bytes


def chance_fields(
    record: Record, seed: bytes | None, share: TableShare | None
) -> dict[str, object]:
    """The fields of a record about its chance; none for cards that come from no seed."""
    if seed is None:
        return {}
    fields: dict[str, object] = {
        "seed": seed.hex(),
        "commitment": commitment(seed, record.id).hex(),
    }
    if share is not None:
        fields["chance"] = {
            "table_commitment": share.table_commitment.hex(),
            "nonces": [nonce.hex() for nonce in share.nonces],
            "dealing": share.dealing,
        }
    return fields


def claimed_seed(row: Row) -> ClaimedSeed | None:
    """Seed and commitment as they stand in a row; neither comes alone.

    Raises:
        NotationError: one of them is missing or no such number.
    """
    if "seed" not in row and "commitment" not in row:
        return None
    return ClaimedSeed(_digits(row, "seed"), _digits(row, "commitment"))


def check_seed(claimed: ClaimedSeed, record_id: str, dealt: Dealt) -> None:
    """Refuse a seed that is not the one of commitment and cards.

    Raises:
        NotationError: it is not.
    """
    if not is_bound(claimed.seed, record_id, claimed.commitment):
        raise NotationError("field commitment is not that of seed and id")
    if deal_from_seed(claimed.seed) != dealt:
        raise NotationError("field dealt has not the cards of the seed")


def is_bound(seed: bytes, record_id: str, claimed: bytes) -> bool:
    """Whether a commitment is that of seed and id.

    Raises:
        NotationError: the id is no text that UTF-8 can hold.
    """
    try:
        return commitment(seed, record_id) == claimed
    except UnicodeEncodeError:
        raise NotationError("field id is not text that UTF-8 can hold") from None


def share_of_row(row: Row, seats: int) -> TableShare | None:
    """What a row says of the table's chance.

    Raises:
        NotationError: it says something that cannot be, or has no seed.
    """
    if "chance" not in row:
        return None
    if "seed" not in row:
        raise NotationError("field chance needs a seed")
    fields = Row(row.mapping("chance"))
    nonces = fields.texts("nonces")
    if len(nonces) != seats:
        raise NotationError(f"field nonces has {len(nonces)} nonces for {seats} seats")
    if not all(map(_NONCE.fullmatch, nonces)):
        raise NotationError(f"field nonces is not bytes in hexadecimal, {MOST_NONCE_BYTES} each")
    return TableShare(
        _digits(fields, "table_commitment"),
        tuple(map(bytes.fromhex, nonces)),
        fields.number("dealing", least=1, most=_MOST_DEALINGS),
    )


def _digits(row: Row, name: str) -> bytes:
    text = row.text(name)
    if not _HEX.fullmatch(text):
        raise NotationError(f"field {name} is not 64 hexadecimal digits")
    return bytes.fromhex(text)
