"""Who calls, as far as the server knows, and the tokens that callers make themselves.

On an open server nobody registers: whoever presents a token for the first time becomes a player
under it, so a client makes a random one and keeps it. Only the token's hash is ever kept or
shown (ADR 0004).
"""

import hashlib
from dataclasses import dataclass
from typing import Final

from skat_server.errors import Reason, RefusedError
from skat_server.storage.accounts import Scope

SCHEME: Final = "Bearer "
SHORTEST_TOKEN: Final = 16
LONGEST_TOKEN: Final = 200

PLAYING: Final = frozenset({Scope.PLAY, Scope.SPECTATE})
"""What a token is for unless it is said otherwise."""
ORGANISING: Final = PLAYING | {Scope.ORGANISE}
"""Everything but the operator's side."""


@dataclass(frozen=True, slots=True)
class Player:
    """A caller: somebody who can sit at tables."""

    player_id: str
    """Public id: of the bot or account, or derived from a token of the caller's own making and
    useless to guess it."""
    scopes: frozenset[Scope] = ORGANISING
    """What the token allows."""
    account_id: str = ""
    """The account, or the bot's account; empty on an open server."""
    bot_id: str = ""
    """The bot; empty for an account, and on an open server."""
    token_id: str = ""
    """The issued token that was presented; empty on an open server."""


GUEST: Final = Player("guest")
"""Everybody who comes to an open server on the loopback without a token."""


def bearer_of(authorization: str) -> str | None:
    """The token in the value of the `authorization` metadata, None where there is none."""
    has_token = authorization.startswith(SCHEME)
    return authorization.removeprefix(SCHEME) if has_token else None


def player_of(authorization: str) -> Player:
    """The player behind a token of the caller's own making.

    Args:
        authorization: the value of the metadata.

    Raises:
        RefusedError: UNAUTHENTICATED when there is no bearer token of a usable length.
    """
    token = bearer_of(authorization)
    if token is None:
        raise stranger()
    if not SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN:
        raise RefusedError(
            Reason.UNAUTHENTICATED,
            f"a token has {SHORTEST_TOKEN} to {LONGEST_TOKEN} characters; make a longer random one",
        )
    digest = hashlib.sha256(token.encode()).hexdigest()
    return Player(f"player-{digest[:16]}")


def stranger() -> RefusedError:
    """Why a call without a token is refused on an open server."""
    return RefusedError(
        Reason.UNAUTHENTICATED,
        "send metadata `authorization: Bearer TOKEN`; any random token of your own will do",
    )
