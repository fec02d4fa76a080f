"""What is kept of accounts, bots, tokens and of what was done to them.

Secrets are never here: of a token only the SHA-256 of its secret is kept. Everything that
changes something takes the event that the audit log keeps of it, in the same transaction.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol

DAY_MS: Final = 24 * 60 * 60 * 1000
"""How long a token that has ended still counts: otherwise tokens could be made without end."""

ALL: Final = 1_000_000
"""A limit above whatever there is of accounts, bots and tokens."""


class Scope(Enum):
    """What a token allows."""

    PLAY = "play"
    """Take seats and play."""
    SPECTATE = "spectate"
    """Watch tables and read records."""
    ORGANISE = "organise"
    """Make tables; make bots of the own account and tokens for them."""
    ADMIN = "admin"
    """Call the operator's side."""


class Role(Enum):
    """What an account is."""

    ACCOUNT = "account"
    """Somebody who owns bots."""
    BOT = "bot"
    """A player of an account."""


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who owns bots, or one of the bots."""

    account_id: str
    """Opaque; the player's id at tables."""
    name: str
    """Unique over accounts and bots."""
    role: Role
    owner_id: str
    """The account that a bot belongs to; empty for an account."""
    created_ms: int
    """Milliseconds since 1970."""
    disabled_ms: int | None = None
    """Since when its tokens are refused; None while they are good."""

    @property
    def family_id(self) -> str:
        """The account itself, or the one that the bot belongs to."""
        return self.owner_id or self.account_id


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret."""

    token_id: str
    """Public, part of the token's text."""
    account_id: str
    """The account or bot that it speaks for."""
    secret_sha256: bytes = field(repr=False)
    """All that is known of the secret."""
    scopes: frozenset[Scope]
    created_ms: int
    """Milliseconds since 1970."""
    expires_ms: int | None = None
    """When it ends; None for never."""
    revoked_ms: int | None = None
    """When it was revoked; None while it is good."""
    last_used_day: int | None = None
    """Days from 1970 to its last use; best effort."""

    def is_counted(self, at_ms: int) -> bool:
        """Whether it is good at a moment, or was so in the day before it."""
        ends = (self.expires_ms, self.revoked_ms)
        return all(end is None or end > at_ms - DAY_MS for end in ends)


@dataclass(frozen=True, slots=True)
class Identity:
    """A token with those for whom it speaks."""

    token: Token
    holder: Account
    """Account or bot of the token."""
    owner_disabled_ms: int | None = None
    """`disabled_ms` of the account that a bot belongs to."""

    @property
    def is_disabled(self) -> bool:
        """Whether the bot or its account is banned."""
        return self.holder.disabled_ms is not None or self.owner_disabled_ms is not None


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One thing that somebody with special rights did."""

    at_ms: int
    """Milliseconds since 1970."""
    actor: str
    """Common name of a client certificate, id of an account or bot, or `local`."""
    action: str
    """Name of the method or command."""
    target: str
    """Id of what it was done to."""
    detail: str = ""
    """More, for people."""


@dataclass(frozen=True, slots=True)
class AuditLine:
    """An event in its place in the audit log."""

    audit_id: int
    """Counted up from 1."""
    event: AuditEvent


class NameTakenError(Exception):
    """Another account or bot has the name; nothing was kept."""


class TooManyError(Exception):
    """The account has as many as it may; nothing was kept."""


class AccountStore(Protocol):
    """Accounts, tokens and the audit log: a cold path, so every method may take its time.

    All of them raise `StoreError` when the store does not work.
    """

    async def add_account(self, account: Account, event: AuditEvent, most: int | None) -> None:
        """Keep a new account or bot.

        Args:
            account: the new one.
            event: goes into the audit log.
            most: how many bots the owner may have; None for any number.

        Raises:
            NameTakenError: another one has its name.
            TooManyError: the owner has `most` bots.
        """

    async def account(self, account_id: str) -> Account | None:
        """The account or bot of an id."""

    async def account_named(self, name: str) -> Account | None:
        """The account or bot of a name."""

    async def accounts(self, owner_id: str, after: str, limit: int) -> Sequence[Account]:
        """The bots of an account by name, those after a name; accounts for an empty owner."""

    async def count_bots(self, owner_id: str) -> int:
        """How many bots an account has."""

    async def disable(self, account_id: str, since_ms: int | None, event: AuditEvent) -> bool:
        """Refuse an account or bot since a moment, or let it in again with None.

        Returns:
            False when there is no such id; then nothing was kept, the event neither.
        """

    async def add_token(self, token: Token, event: AuditEvent, most: int | None) -> None:
        """Keep a new token.

        Args:
            token: the new one.
            event: goes into the audit log.
            most: how many tokens the account and its bots may have between them, counted as
                `count_tokens` does at the token's `created_ms`; None for any number.

        Raises:
            TooManyError: there are `most` of them.
        """

    async def tokens(
        self, family_id: str, before: tuple[int, str] | None, limit: int
    ) -> Sequence[Token]:
        """The tokens of an account and its bots, the newest first.

        Args:
            family_id: the account; empty for everybody's.
            before: `created_ms` and id of the token that they follow in this order.
            limit: at most so many.
        """

    async def count_tokens(self, family_id: str, at_ms: int) -> int:
        """How many tokens of an account and its bots are good or were so in the last day."""

    async def identity(self, token_id: str) -> Identity | None:
        """A token with those for whom it speaks."""

    async def identities(self, token_ids: Collection[str]) -> Mapping[str, Identity]:
        """Those tokens that there are, by id."""

    async def revoke(self, token_id: str, at_ms: int, event: AuditEvent) -> Token | None:
        """Revoke a token.

        Returns:
            The token as it is then; one that was revoked before is left as it is, and its
            event is not kept. None when there is no such id.
        """

    async def mark_used(self, token_ids: Collection[str], day: int) -> None:
        """Note the day on which tokens were used."""

    async def note(self, event: AuditEvent) -> None:
        """Keep an event of something that changed nothing here."""

    async def audit_lines(self, before: int | None, limit: int) -> Sequence[AuditLine]:
        """The audit log, the newest first, from before a line on."""
