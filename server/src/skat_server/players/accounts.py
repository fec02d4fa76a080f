"""Accounts, bots and tokens: made and changed, every change with its line in the audit log."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError, quoted
from skat_server.players.identity import ORGANISING
from skat_server.players.names import check_name
from skat_server.players.tokens import Entropy, TokenText, new_token_text
from skat_server.storage.accounts import (
    ALL,
    Account,
    AccountStore,
    AuditEvent,
    NameTakenError,
    Role,
    Scope,
    Token,
    TooManyError,
)


@dataclass(frozen=True, slots=True)
class AccountLimits:
    """What one account may have; None for any number."""

    bots: int | None = None
    tokens: int | None = None
    """Of the account and its bots; one that has ended counts for a day."""


_log = structlog.get_logger()

_NO_LIMITS: Final = AccountLimits()
_ID_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class By:
    """Who does something, and what it is called."""

    actor: str
    """Common name of a client certificate, id of an account, or `local`."""
    action: str
    """Name of the method or command."""


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token with its text, which is shown once."""

    token: Token
    text: TokenText


class Accounts:
    """Makes and changes accounts, bots and tokens.

    Attributes:
        store: where they are kept.
        limits: what one account may have.
    """

    def __init__(
        self,
        store: AccountStore,
        clock: Clock,
        entropy: Entropy,
        limits: AccountLimits = _NO_LIMITS,
        *,
        are_in_use: bool = True,
    ) -> None:
        """Keep them in this store.

        Args:
            store: where they are kept.
            clock: says when something is made.
            entropy: gives ids and secrets.
            limits: what one account may have.
            are_in_use: whether callers are looked up here; an open server has none.
        """
        self.store = store
        self.limits = limits
        self._are_in_use = are_in_use
        self._clock = clock
        self._entropy = entropy

    def require_use(self) -> None:
        """Refuse what makes no sense on an open server.

        Raises:
            RefusedError: NO_ACCOUNTS.
        """
        if not self._are_in_use:
            raise RefusedError(
                Reason.NO_ACCOUNTS,
                "this server keeps no accounts; any random token of your own is a player",
            )

    async def create_account(self, name: str, by: By) -> tuple[Account, Issued]:
        """Make an account and its first token, which has all scopes but admin.

        Raises:
            RefusedError: INVALID_FIELD or NAME_TAKEN.
        """
        account = self._new(name, Role.ACCOUNT, "")
        await self._add(account, by)
        return account, await self.issue(account, ORGANISING, None, by)

    async def create_bot(self, owner: Account, name: str, by: By) -> Account:
        """Make a bot of an account.

        Raises:
            RefusedError: INVALID_FIELD, NAME_TAKEN or QUOTA_EXCEEDED.
        """
        if owner.role is not Role.ACCOUNT:
            raise RefusedError(Reason.NOT_ALLOWED, f"{owner.account_id} is a bot: it has no bots")
        bot = self._new(name, Role.BOT, owner.account_id)
        await self._add(bot, by)
        return bot

    async def issue(
        self, holder: Account, scopes: frozenset[Scope], lifetime_ms: int | None, by: By
    ) -> Issued:
        """Make a token for an account or bot.

        Args:
            holder: for whom it speaks.
            scopes: what it allows.
            lifetime_ms: how long it is good; None for ever.
            by: who makes it.

        Raises:
            RefusedError: QUOTA_EXCEEDED.
        """
        text = new_token_text(self._entropy)
        now = self._now_ms()
        token = Token(
            token_id=text.token_id,
            account_id=holder.account_id,
            secret_sha256=text.secret_sha256,
            scopes=scopes,
            created_ms=now,
            expires_ms=None if lifetime_ms is None else now + lifetime_ms,
        )
        detail = f"for {holder.account_id}: {', '.join(sorted(s.value for s in scopes))}"
        event = AuditEvent(now, by.actor, by.action, token.token_id, detail)
        try:
            await self.store.add_token(token, event, self.limits.tokens)
        except TooManyError as error:
            raise _too_many("tokens", self.limits.tokens, holder.family_id) from error
        _tell(event)
        return Issued(token, text)

    async def revoke(self, token_id: str, by: By, family_id: str = "") -> Token:
        """Revoke a token; one that is revoked stays so.

        Args:
            token_id: public id of the token.
            by: who revokes it.
            family_id: whose it must be; empty for anybody's.

        Raises:
            RefusedError: TOKEN_NOT_FOUND, also for a token of another account.
        """
        identity = await self.store.identity(token_id)
        if identity is None or family_id not in ("", identity.holder.family_id):
            raise RefusedError(Reason.TOKEN_NOT_FOUND, f"there is no token {quoted(token_id)}")
        now = self._now_ms()
        event = AuditEvent(now, by.actor, by.action, token_id, f"of {identity.token.account_id}")
        revoked = await self.store.revoke(token_id, now, event)
        _tell(event)
        return revoked or identity.token

    async def disable(self, account_id: str, reason: str, by: By) -> None:
        """Refuse an account with its bots, or a bot, from now on.

        Raises:
            RefusedError: ACCOUNT_NOT_FOUND.
        """
        now = self._now_ms()
        event = AuditEvent(now, by.actor, by.action, account_id, reason)
        if not await self.store.disable(account_id, now, event):
            raise _not_found(account_id)
        _tell(event)

    async def enable(self, account_id: str, by: By) -> None:
        """Let an account or bot in again.

        Raises:
            RefusedError: ACCOUNT_NOT_FOUND.
        """
        event = AuditEvent(self._now_ms(), by.actor, by.action, account_id)
        if not await self.store.disable(account_id, None, event):
            raise _not_found(account_id)
        _tell(event)

    async def note(self, by: By, target: str, detail: str) -> None:
        """Keep in the audit log what was done elsewhere."""
        event = AuditEvent(self._now_ms(), by.actor, by.action, target, detail)
        await self.store.note(event)
        _tell(event)

    async def find(self, id_or_name: str) -> Account:
        """The account or bot of an id, else of a name.

        Raises:
            RefusedError: ACCOUNT_NOT_FOUND.
        """
        found = await self.store.account(id_or_name) or await self.store.account_named(id_or_name)
        if found is None:
            raise _not_found(id_or_name)
        return found

    async def find_own(self, family_id: str, bot_id: str) -> Account:
        """An account itself, or the bot of it that is named.

        Args:
            family_id: the account.
            bot_id: the bot; empty for the account.

        Raises:
            RefusedError: ACCOUNT_NOT_FOUND, also for a bot of another account.
        """
        found = await self.store.account(bot_id or family_id)
        if found is None or found.family_id != family_id:
            raise _not_found(bot_id)
        return found

    async def family(self, account_id: str) -> Sequence[str]:
        """Ids of an account and of all its bots."""
        bots = await self.store.accounts(account_id, "", ALL)
        return [account_id, *(bot.account_id for bot in bots)]

    async def count_tokens(self, account_id: str) -> int:
        """How many tokens count against the limit of an account."""
        return await self.store.count_tokens(account_id, self._now_ms())

    def _new(self, name: str, role: Role, owner_id: str) -> Account:
        check_name(name)
        account_id = f"{role.value}-{self._entropy(_ID_BYTES).hex()}"
        return Account(account_id, name, role, owner_id, self._now_ms())

    async def _add(self, account: Account, by: By) -> None:
        event = AuditEvent(
            account.created_ms, by.actor, by.action, account.account_id, f"named {account.name}"
        )
        most = self.limits.bots if account.role is Role.BOT else None
        try:
            await self.store.add_account(account, event, most)
        except NameTakenError as error:
            message = f"the name {quoted(account.name)} is taken"
            raise RefusedError(Reason.NAME_TAKEN, message) from error
        except TooManyError as error:
            raise _too_many("bots", most, account.owner_id) from error
        _tell(event)

    def _now_ms(self) -> int:
        return int(self._clock.now() * 1000)


def _tell(event: AuditEvent) -> None:
    """Write into the server's log what the audit log has kept, without what was said about it."""
    _log.info("admin.action", actor=event.actor, action=event.action, target=event.target)


def _not_found(name: str) -> RefusedError:
    return RefusedError(Reason.ACCOUNT_NOT_FOUND, f"there is no account or bot {quoted(name)}")


def _too_many(what: str, most: int | None, subject: str) -> RefusedError:
    return RefusedError(
        Reason.QUOTA_EXCEEDED,
        f"an account may have {most} {what}, and this one has them",
        limit=f"{what}_per_account",
        subject=subject,
    )
