"""Accounts in the file of the durable store.

Another process may use the same file at the same time: the commands of the operator do. So
nothing is remembered here; what others change is read at once.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

from skat_server.storage.accounts import (
    DAY_MS,
    Account,
    AuditEvent,
    AuditLine,
    Identity,
    NameTakenError,
    Token,
    TooManyError,
)
from skat_server.storage.accounts_rows import (
    ACCOUNT,
    TOKEN,
    account_of,
    account_row,
    audit_of,
    audit_row,
    identity_of,
    token_of,
    token_row,
)
from skat_server.storage.sqlite.connections import Connection

_Found = TypeVar("_Found")

_ADD_ACCOUNT: Final = "INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?)"
"""account_id, name, role, owner_id, created_ms, disabled_ms."""
_ADD_TOKEN: Final = "INSERT INTO api_tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S105 - SQL
_NOTE: Final = "INSERT INTO audit_log (at_ms, actor, action, target, detail) VALUES (?, ?, ?, ?, ?)"
_ACCOUNT_BY: Final = f"SELECT {ACCOUNT} FROM accounts a WHERE"  # noqa: S608 - constants
_ACCOUNT_BY_ID: Final = f"{_ACCOUNT_BY} a.account_id = ?"
_ACCOUNT_BY_NAME: Final = f"{_ACCOUNT_BY} a.name = ?"
_ACCOUNTS: Final = (
    f"{_ACCOUNT_BY} coalesce(a.owner_id, '') = ? AND a.name > ? ORDER BY a.name LIMIT ?"
)
_COUNT_BOTS: Final = "SELECT count(*) FROM accounts WHERE owner_id = ?"
_COUNT_NAMED: Final = "SELECT count(*) FROM accounts WHERE name = ?"
_DISABLE: Final = "UPDATE accounts SET disabled_ms = ? WHERE account_id = ? RETURNING account_id"
_FAMILY: Final = (
    "FROM api_tokens t JOIN accounts a USING (account_id)"
    " WHERE ?1 IN ('', coalesce(a.owner_id, a.account_id))"
)
_TOKENS: Final = (
    f"SELECT {TOKEN} {_FAMILY} AND (?2 IS NULL OR (t.created_ms, t.token_id) < (?2, ?3))"
    " ORDER BY t.created_ms DESC, t.token_id DESC LIMIT ?4"
)
_COUNT_TOKENS: Final = (
    f"SELECT count(*) {_FAMILY} AND (t.expires_ms IS NULL OR t.expires_ms > ?2)"
    " AND (t.revoked_ms IS NULL OR t.revoked_ms > ?2)"
)
_TOKEN: Final = f"SELECT {TOKEN} FROM api_tokens t WHERE t.token_id = ?"  # noqa: S608 - constants
_IDENTITIES: Final = (
    f"SELECT {TOKEN}, {ACCOUNT}, o.disabled_ms FROM api_tokens t"  # noqa: S608 - constants
    " JOIN accounts a ON a.account_id = t.account_id"
    " LEFT JOIN accounts o ON o.account_id = a.owner_id"
    " WHERE t.token_id IN (SELECT value FROM json_each(?))"
)
_REVOKE: Final = (
    "UPDATE api_tokens SET revoked_ms = ? WHERE token_id = ? AND revoked_ms IS NULL"
    " RETURNING token_id"
)
_MARK_USED: Final = (
    "UPDATE api_tokens SET last_used_day = ? WHERE token_id IN (SELECT value FROM json_each(?))"
)
_AUDIT: Final = (
    "SELECT audit_id, at_ms, actor, action, target, coalesce(detail, '') FROM audit_log"
    " WHERE ?1 IS NULL OR audit_id < ?1 ORDER BY audit_id DESC LIMIT ?2"
)


class File(Protocol):
    """A database with the schema, held by somebody who knows what may wait for what."""

    async def read(self, call: Callable[[Connection], _Found]) -> _Found:
        """Make a call that reads."""

    async def write(self, call: Callable[[Connection], _Found]) -> _Found:
        """Make a call inside a transaction; durable on return."""


class SqliteAccounts:
    """Keeps accounts, tokens and the audit log in tables of `storage/schema.py`."""

    def __init__(self, file: File) -> None:
        """Use a file that has the schema."""
        self._file = file

    async def add_account(self, account: Account, event: AuditEvent, most: int | None) -> None:
        """Insert it."""

        def work(db: Connection) -> None:
            if _number(db, _COUNT_NAMED, account.name):
                raise NameTakenError
            if most is not None and _number(db, _COUNT_BOTS, account.owner_id) >= most:
                raise TooManyError
            db.execute(_ADD_ACCOUNT, account_row(account))
            db.execute(_NOTE, audit_row(event))

        await self._file.write(work)

    async def account(self, account_id: str) -> Account | None:
        """Select it."""
        rows = await self._rows(_ACCOUNT_BY_ID, account_id)
        return account_of(rows[0]) if rows else None

    async def account_named(self, name: str) -> Account | None:
        """Select it."""
        rows = await self._rows(_ACCOUNT_BY_NAME, name)
        return account_of(rows[0]) if rows else None

    async def accounts(self, owner_id: str, after: str, limit: int) -> Sequence[Account]:
        """Select them."""
        return [account_of(row) for row in await self._rows(_ACCOUNTS, owner_id, after, limit)]

    async def count_bots(self, owner_id: str) -> int:
        """Count them."""
        return await self._file.read(lambda db: _number(db, _COUNT_BOTS, owner_id))

    async def disable(self, account_id: str, since_ms: int | None, event: AuditEvent) -> bool:
        """Update it."""

        def work(db: Connection) -> bool:
            changed = bool(db.execute(_DISABLE, (since_ms, account_id)).fetchall())
            if changed:
                db.execute(_NOTE, audit_row(event))
            return changed

        return await self._file.write(work)

    async def add_token(self, token: Token, event: AuditEvent, most: int | None) -> None:
        """Insert it."""

        def work(db: Connection) -> None:
            if most is not None:
                (holder,) = db.execute(_ACCOUNT_BY_ID, (token.account_id,)).fetchall()
                since = token.created_ms - DAY_MS
                if _number(db, _COUNT_TOKENS, account_of(holder).family_id, since) >= most:
                    raise TooManyError
            db.execute(_ADD_TOKEN, token_row(token))
            db.execute(_NOTE, audit_row(event))

        await self._file.write(work)

    async def tokens(
        self, family_id: str, before: tuple[int, str] | None, limit: int
    ) -> Sequence[Token]:
        """Select them."""
        created_ms, token_id = before or (None, None)
        rows = await self._rows(_TOKENS, family_id, created_ms, token_id, limit)
        return [token_of(row) for row in rows]

    async def count_tokens(self, family_id: str, at_ms: int) -> int:
        """Count them."""
        since = at_ms - DAY_MS
        return await self._file.read(lambda db: _number(db, _COUNT_TOKENS, family_id, since))

    async def identity(self, token_id: str) -> Identity | None:
        """Select it."""
        return (await self.identities([token_id])).get(token_id)

    async def identities(self, token_ids: Collection[str]) -> Mapping[str, Identity]:
        """Select them in one statement."""
        rows = await self._rows(_IDENTITIES, json.dumps(list(token_ids)))
        return {row[0]: identity_of(row) for row in rows}

    async def revoke(self, token_id: str, at_ms: int, event: AuditEvent) -> Token | None:
        """Update it once."""

        def work(db: Connection) -> Token | None:
            if db.execute(_REVOKE, (at_ms, token_id)).fetchall():
                db.execute(_NOTE, audit_row(event))
            rows = db.execute(_TOKEN, (token_id,)).fetchall()
            return token_of(rows[0]) if rows else None

        return await self._file.write(work)

    async def mark_used(self, token_ids: Collection[str], day: int) -> None:
        """Update them in one statement."""
        parameters = (day, json.dumps(list(token_ids)))
        await self._file.write(lambda db: db.execute(_MARK_USED, parameters).fetchall())

    async def note(self, event: AuditEvent) -> None:
        """Insert it."""
        await self._file.write(lambda db: db.execute(_NOTE, audit_row(event)).fetchall())

    async def audit_lines(self, before: int | None, limit: int) -> Sequence[AuditLine]:
        """Select them."""
        return [audit_of(row) for row in await self._rows(_AUDIT, before, limit)]

    async def _rows(self, statement: str, *parameters: object) -> list[Any]:
        return await self._file.read(lambda db: db.execute(statement, parameters).fetchall())


def _number(db: Connection, statement: str, *parameters: object) -> int:
    """The only value of the only row."""
    ((number,),) = db.execute(statement, parameters).fetchall()
    return int(number)
