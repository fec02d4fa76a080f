"""Who the caller is: accounts, their bots and their tokens."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum


class Scope(Enum):
    """What a token allows."""

    PLAY = 1
    """Take seats and play."""
    SPECTATE = 2
    """Watch tables and read records."""
    ORGANISE = 3
    """Make tables and tournaments, make bots of the own account and tokens for them."""
    ADMIN = 4
    """Run the server."""

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Quota:
    """One limit of the server and what is used of it."""

    name: str
    """For instance `tables_per_player`."""
    limit: int
    used: int


@dataclass(frozen=True, slots=True)
class Caller:
    """Who the server takes the caller for."""

    player_id: str
    """The caller's id at tables."""
    account_id: str
    """Empty where the server keeps no accounts."""
    bot_id: str
    """Empty for an account, and where the server keeps no accounts."""
    scopes: tuple[Scope, ...]
    """What the token allows."""
    quotas: tuple[Quota, ...]
    """The limits that hold for the caller."""


@dataclass(frozen=True, slots=True)
class BotAccount:
    """A player of an account, as the server keeps it."""

    bot_id: str
    """Also the `player_id` of its sessions."""
    account_id: str
    name: str
    """Unique, 1 to 40 characters."""
    created_at: datetime
    """In UTC."""
    disabled: bool
    """Whether its tokens are refused."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret."""

    token_id: str
    """Public, part of the token's text."""
    account_id: str
    bot_id: str
    """Empty where it speaks for the account itself."""
    scopes: tuple[Scope, ...]
    created_at: datetime
    """In UTC."""
    expires_at: datetime | None
    """In UTC; None for never."""
    revoked_at: datetime | None
    """In UTC; None while it is good."""

    @property
    def is_revoked(self) -> bool:
        """Whether somebody has revoked it."""
        return self.revoked_at is not None


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token; its text is shown this once."""

    token: Token
    text: str
    """What to give to `AsyncClient(token=...)`. Keep it secret."""

    def __repr__(self) -> str:
        # Tokens end up in logs through the repr of values.
        return f"IssuedToken(token={self.token!r}, text=...)"
