"""What the commands about accounts, bots and tokens share: the database, and how things look."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from skat_server.cli.endings import ended
from skat_server.clock import SystemClock, secret_bytes
from skat_server.config import DATABASE
from skat_server.errors import RefusedError
from skat_server.players.accounts import Accounts, By
from skat_server.storage.accounts import ALL, Account
from skat_server.storage.accounts_sqlite import SqliteAccounts
from skat_server.storage.protocols import StoreError, UnusableStoreError
from skat_server.storage.sqlite.visitor import Visitor, make_database

EXIT_REFUSED: Final = 1
EXIT_UNUSABLE: Final = 2
LOCAL: Final = "local"
"""Who acts in the audit log when somebody uses the command line."""

_Result = TypeVar("_Result")

Data = Annotated[
    Path,
    typer.Option(metavar="DIR", envvar="SKAT_DATA", help="Folder of the server's database."),
]
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="1 to 40 characters that nobody else has as name.")
]
Family = Annotated[
    str | None,
    typer.Argument(metavar="[ACCOUNT]", help="Name or id of an account; all when not given."),
]
AsJson = Annotated[
    bool,
    typer.Option("--json", envvar="SKAT_ACCOUNTS_JSON", help="Print JSON instead."),
]


def by(action: str) -> By:
    """Who does something at the command line, for the audit log."""
    return By(LOCAL, action)


def with_accounts(
    data: Path, work: Callable[[Accounts], Awaitable[_Result]], *, makes: bool = False
) -> _Result:
    """Open the accounts of a folder, also while a server runs on it, and work with them.

    Args:
        data: the folder.
        work: what to do.
        makes: make the database where there is none.

    Raises:
        typer.Exit: with what to do on standard error.
    """
    database = data / DATABASE
    try:
        if makes:
            make_database(database)
        elif not database.is_file():
            raise UnusableStoreError(
                f"there is no database in {data}; name a server's folder with --data"
            )
        return asyncio.run(_worked(database, work))
    except RefusedError as error:
        raise ended(error, EXIT_REFUSED) from error
    except (OSError, StoreError, UnusableStoreError) as error:
        raise ended(error, EXIT_UNUSABLE) from error


async def _worked(database: Path, work: Callable[[Accounts], Awaitable[_Result]]) -> _Result:
    visitor = Visitor(database)
    try:
        return await work(Accounts(SqliteAccounts(visitor), SystemClock(), secret_bytes))
    finally:
        visitor.close()


async def all_of(accounts: Accounts, owner_id: str) -> Sequence[Account]:
    """All bots of an account by name; all accounts for an empty owner."""
    return await accounts.store.accounts(owner_id, "", ALL)


def day(at_ms: int | None) -> str:
    """A day in UTC, empty for never."""
    if at_ms is None:
        return ""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d")


def show_token(text: str) -> None:
    """Print the text of a new token, and say that it is shown this once."""
    typer.echo(text)
    typer.echo("Keep this token; the server does not, and cannot show it again.", err=True)
