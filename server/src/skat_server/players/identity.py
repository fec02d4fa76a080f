"""From the token in a call to the player who makes it.

Nobody registers yet: whoever presents a token for the first time becomes a player under it,
so a client makes a random one and keeps it. Only the token's hash is ever kept or shown
(ADR 0004).
"""

import hashlib
from dataclasses import dataclass
from typing import Final

from skat_server.errors import Reason, RefusedError

SCHEME: Final = "Bearer "
SHORTEST_TOKEN: Final = 16
LONGEST_TOKEN: Final = 200


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who can sit at tables."""

    player_id: str
    """Public id, derived from the token and useless to guess it."""


def player_of(authorization: str | None) -> Player:
    """The player behind the value of the `authorization` metadata.

    Raises:
        RefusedError: UNAUTHENTICATED when there is no bearer token of a usable length.
    """
    if authorization is None or not authorization.startswith(SCHEME):
        raise RefusedError(
            Reason.UNAUTHENTICATED,
            "send metadata `authorization: Bearer TOKEN`; any random token of your own will do",
        )
    token = authorization.removeprefix(SCHEME)
    if not SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN:
        raise RefusedError(
            Reason.UNAUTHENTICATED,
            f"a token has {SHORTEST_TOKEN} to {LONGEST_TOKEN} characters; make a longer random one",
        )
    digest = hashlib.sha256(token.encode()).hexdigest()
    return Player(f"player-{digest[:16]}")
