"""Stores of accounts for tests, and accounts that are made in one line."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from skat_server.config import DATABASE
from skat_server.storage.accounts import Account, AccountStore, AuditEvent, Role, Scope, Token
from skat_server.storage.accounts_memory import MemoryAccounts
from skat_server.storage.accounts_sqlite import SqliteAccounts
from skat_server.storage.sqlite.store import SqliteStore
from skat_server.storage.sqlite.visitor import Visitor, make_database

NOW_MS: Final = 1_700_000_000_000
"""When everything in these tests is made."""


@cache
def _new_database() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, DATABASE)
        make_database(path)
        return path.read_bytes()


def furnish(folder: Path) -> None:
    """Put a new database into a folder, faster than the migrations make one."""
    path = folder / DATABASE
    if not path.exists():
        folder.mkdir(exist_ok=True)
        path.write_bytes(_new_database())


@asynccontextmanager
async def in_memory(folder: Path) -> AsyncIterator[AccountStore]:
    """Accounts of a server without a file."""
    del folder
    yield MemoryAccounts()


@asynccontextmanager
async def beside_tables(folder: Path) -> AsyncIterator[AccountStore]:
    """Accounts of a server, in the file of its tables."""
    furnish(folder)
    store = SqliteStore(folder / DATABASE)
    await store.open()
    yield SqliteAccounts(store.database)
    await store.close()


@asynccontextmanager
async def visiting(folder: Path) -> AsyncIterator[AccountStore]:
    """Accounts of a command."""
    furnish(folder)
    visitor = Visitor(folder / DATABASE)
    yield SqliteAccounts(visitor)
    visitor.close()


Opening = Callable[[Path], AbstractAsyncContextManager[AccountStore]]
"""Opens accounts in a folder."""

ACCOUNT_MAKERS: Final[dict[str, Opening]] = {
    "memory": in_memory,
    "sqlite": beside_tables,
    "visitor": visiting,
}
"""Every implementation by name."""


def account(name: str) -> Account:
    """Somebody who owns bots; the id comes from the name."""
    return Account(f"account-{name}", name, Role.ACCOUNT, "", NOW_MS)


def bot(name: str, owner: str) -> Account:
    """A bot of the account of that name."""
    return Account(f"bot-{name}", name, Role.BOT, f"account-{owner}", NOW_MS)


def token(
    token_id: str,
    account_id: str,
    *,
    created_ms: int = NOW_MS,
    expires_ms: int | None = None,
) -> Token:
    """A token that allows to play and to watch."""
    scopes = frozenset({Scope.PLAY, Scope.SPECTATE})
    return Token(token_id, account_id, token_id.encode(), scopes, created_ms, expires_ms)


def event(action: str, target: str = "somebody") -> AuditEvent:
    """Something that the operator did."""
    return AuditEvent(NOW_MS, "local", action, target, f"{action} it")


def counting_bytes() -> Callable[[int], bytes]:
    """Entropy of a test: every call gives bytes that no call gave before."""
    numbers = count(1)
    return lambda size: next(numbers).to_bytes(size, "big")
