"""Accounts that live as long as the process: for tests, and for servers without any."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from skat_server.storage.accounts import (
    Account,
    AuditEvent,
    AuditLine,
    Identity,
    NameTakenError,
    Role,
    Token,
    TooManyError,
)


class MemoryAccounts:
    """Keeps accounts, tokens and the audit log in memory."""

    def __init__(self) -> None:
        """Start empty."""
        self._accounts: dict[str, Account] = {}
        self._tokens: dict[str, Token] = {}
        self._audit: list[AuditLine] = []

    async def add_account(self, account: Account, event: AuditEvent, most: int | None) -> None:
        """Keep it."""
        if any(other.name == account.name for other in self._accounts.values()):
            raise NameTakenError
        if most is not None and await self.count_bots(account.owner_id) >= most:
            raise TooManyError
        self._accounts[account.account_id] = account
        self._note(event)

    async def account(self, account_id: str) -> Account | None:
        """Look it up."""
        return self._accounts.get(account_id)

    async def account_named(self, name: str) -> Account | None:
        """Look for it."""
        return next((found for found in self._accounts.values() if found.name == name), None)

    async def accounts(self, owner_id: str, after: str, limit: int) -> Sequence[Account]:
        """Sort those that fit."""
        found = (one for one in self._accounts.values() if one.owner_id == owner_id)
        return sorted((one for one in found if one.name > after), key=lambda one: one.name)[:limit]

    async def count_bots(self, owner_id: str) -> int:
        """Count them."""
        bots = (one for one in self._accounts.values() if one.role is Role.BOT)
        return sum(bot.owner_id == owner_id for bot in bots)

    async def disable(self, account_id: str, since_ms: int | None, event: AuditEvent) -> bool:
        """Change it."""
        account = self._accounts.get(account_id)
        if account is None:
            return False
        self._accounts[account_id] = replace(account, disabled_ms=since_ms)
        self._note(event)
        return True

    async def add_token(self, token: Token, event: AuditEvent, most: int | None) -> None:
        """Keep it."""
        family_id = self._accounts[token.account_id].family_id
        if most is not None and await self.count_tokens(family_id, token.created_ms) >= most:
            raise TooManyError
        self._tokens[token.token_id] = token
        self._note(event)

    async def tokens(
        self, family_id: str, before: tuple[int, str] | None, limit: int
    ) -> Sequence[Token]:
        """Sort those that fit."""
        keys = {(token.created_ms, token.token_id): token for token in self._tokens_of(family_id)}
        wanted = sorted((key for key in keys if before is None or key < before), reverse=True)
        return [keys[key] for key in islice(wanted, limit)]

    async def count_tokens(self, family_id: str, at_ms: int) -> int:
        """Count them."""
        return sum(token.is_counted(at_ms) for token in self._tokens_of(family_id))

    async def identity(self, token_id: str) -> Identity | None:
        """Join token, bot and account."""
        token = self._tokens.get(token_id)
        if token is None:
            return None
        holder = self._accounts[token.account_id]
        owner = self._accounts.get(holder.owner_id)
        return Identity(token, holder, None if owner is None else owner.disabled_ms)

    async def identities(self, token_ids: Collection[str]) -> Mapping[str, Identity]:
        """Join each."""
        found = [await self.identity(token_id) for token_id in token_ids]
        return {one.token.token_id: one for one in found if one is not None}

    async def revoke(self, token_id: str, at_ms: int, event: AuditEvent) -> Token | None:
        """Change it once."""
        token = self._tokens.get(token_id)
        if token is None or token.revoked_ms is not None:
            return token
        self._tokens[token_id] = replace(token, revoked_ms=at_ms)
        self._note(event)
        return self._tokens[token_id]

    async def mark_used(self, token_ids: Collection[str], day: int) -> None:
        """Note the day."""
        for token_id in token_ids:
            if token_id in self._tokens:
                self._tokens[token_id] = replace(self._tokens[token_id], last_used_day=day)

    async def note(self, event: AuditEvent) -> None:
        """Keep it."""
        self._note(event)

    async def audit_lines(self, before: int | None, limit: int) -> Sequence[AuditLine]:
        """Read backwards."""
        lines = (line for line in reversed(self._audit) if before is None or line.audit_id < before)
        return list(islice(lines, limit))

    def _note(self, event: AuditEvent) -> None:
        self._audit.append(AuditLine(len(self._audit) + 1, event))

    def _tokens_of(self, family_id: str) -> Iterator[Token]:
        for token in self._tokens.values():
            if family_id in ("", self._accounts[token.account_id].family_id):
                yield token
