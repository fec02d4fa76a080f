"""Who sits at a table as a JSON object, both ways."""

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from skat_engine.errors import NotationError
from skat_engine.records.rows import Row
from skat_engine.shuffling import MOST_NONCE_BYTES
from skat_server.tables.house import HouseBot
from skat_server.tables.state import Occupant

_Word = TypeVar("_Word", bound=Enum)


def word_of(kind: type[_Word], text: str) -> _Word:
    """The member of an enum whose value is this text.

    Raises:
        NotationError: there is none.
    """
    try:
        return kind(text)
    except ValueError:
        raise NotationError(f"{kind.__name__} has no such word") from None


def occupant_row(occupant: Occupant) -> dict[str, object]:
    """Somebody who sits at a table, as a JSON object."""
    row: dict[str, object] = {"player": occupant.player_id, "name": occupant.name}
    if occupant.house is not None:
        row["house"] = occupant.house.value
    if occupant.nonce:
        row["nonce"] = occupant.nonce.hex()
    return row


def occupant_of(row: Row) -> Occupant:
    """What `occupant_row` has written.

    Raises:
        NotationError: something is missing or not of its kind.
    """
    nonce = row.text("nonce") if "nonce" in row else ""
    try:
        share = bytes.fromhex(nonce)
    except ValueError:
        raise NotationError("field nonce is not hexadecimal") from None
    if len(share) > MOST_NONCE_BYTES:
        raise NotationError(f"field nonce has more than {MOST_NONCE_BYTES} bytes")
    house = word_of(HouseBot, row.text("house")) if "house" in row else None
    return Occupant(row.name("player"), row.text("name"), house, share)


def occupant_or_none(item: object) -> Occupant | None:
    """Somebody who sits at a table, or nobody where the log has null.

    Raises:
        NotationError: it is neither.
    """
    if item is None:
        return None
    if not isinstance(item, Mapping):
        raise NotationError("a seat is neither an object nor null")
    return occupant_of(Row(item))
