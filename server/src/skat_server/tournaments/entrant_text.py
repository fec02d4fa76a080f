"""An entry of a tournament as a JSON object, in its log and in its export."""

from collections.abc import Mapping
from typing import Any

from skat_server.tables.house import HouseBot
from skat_server.tournaments.state import Entrant


def entrant_row(entrant: Entrant) -> dict[str, object]:
    """An entry as a JSON object."""
    return {
        "name": entrant.name,
        "players": entrant.players,
        "owner": entrant.owner,
        "house": entrant.house.value if entrant.house else None,
        "nonce": entrant.nonce.hex(),
    }


def entrant_of(row: Mapping[str, Any]) -> Entrant:
    """What `entrant_row` has written.

    Raises:
        KeyError: a field is missing.
        TypeError: a field is not of its kind.
        ValueError: a field has no such value.
    """
    house = HouseBot(row["house"]) if row["house"] else None
    nonce = bytes.fromhex(row["nonce"])
    return Entrant(row["name"], tuple(row["players"]), row["owner"], house, nonce)
