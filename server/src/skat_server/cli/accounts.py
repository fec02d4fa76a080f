"""``skat-server accounts``: who may own bots on a server."""

import json
from collections.abc import Sequence
from typing import Annotated

import typer

from skat_server.cli.keeping import (
    AsJson,
    Data,
    Name,
    all_of,
    by,
    day,
    show_token,
    with_accounts,
)
from skat_server.cli.render import print_table
from skat_server.config import DEFAULT_DATA
from skat_server.players.accounts import Accounts, Issued
from skat_server.storage.accounts import Account

app = typer.Typer(no_args_is_help=True, help="Accounts: make, list, disable, enable.")

Whose = Annotated[str, typer.Argument(metavar="NAME", help="Name or id of an account or a bot.")]


@app.callback()
def accounts() -> None:
    """Accounts: make, list, disable, enable.

    They work on the server's folder, also while it runs.
    """


@app.command()
def create(name: Name, data: Data = DEFAULT_DATA, as_json: AsJson = False) -> None:
    """Make an account; print its id, and in a second line its first token.

    The token allows to play, to watch, and to make tables, bots and further tokens.

    Example: skat-server accounts create ann

    Exit code: 0 it is made, 1 the name is taken or cannot be used, 2 no usable database.
    """

    async def work(found: Accounts) -> tuple[Account, Issued]:
        return await found.create_account(name, by("accounts create"))

    account, issued = with_accounts(data, work, makes=True)
    if as_json:
        shown = {"account_id": account.account_id, "token": issued.text.text}
        typer.echo(json.dumps(shown))
        return
    typer.echo(account.account_id)
    show_token(issued.text.text)


@app.command(name="list")
def list_accounts(data: Data = DEFAULT_DATA, as_json: AsJson = False) -> None:
    """List the accounts by name.

    Example: skat-server accounts list
    """

    async def work(found: Accounts) -> Sequence[tuple[Account, int]]:
        return [
            (one, await found.store.count_bots(one.account_id)) for one in await all_of(found, "")
        ]

    rows = with_accounts(data, work)
    if as_json:
        shown = [
            {
                "account_id": one.account_id,
                "name": one.name,
                "bots": bots,
                "disabled": one.disabled_ms is not None,
            }
            for one, bots in rows
        ]
        typer.echo(json.dumps(shown, indent=2))
        return
    print_table(
        ("name", "account", "bots", "made", "disabled since"),
        [
            (one.name, one.account_id, str(bots), day(one.created_ms), day(one.disabled_ms))
            for one, bots in rows
        ],
    )


@app.command()
def disable(
    name: Whose,
    data: Data = DEFAULT_DATA,
    reason: Annotated[
        str,
        typer.Option(envvar="SKAT_ACCOUNTS_REASON", help="Why, for the audit log."),
    ] = "",
) -> None:
    """Refuse an account with all its bots, or one bot; its streams end within five seconds.

    Example: skat-server accounts disable ann --reason "floods the lobby"

    Exit code: 0 done, 1 there is no such account or bot, 2 no usable database.
    """

    async def work(found: Accounts) -> str:
        account_id = (await found.find(name)).account_id
        await found.disable(account_id, reason, by("accounts disable"))
        return account_id

    typer.echo(f"{with_accounts(data, work)} is disabled")


@app.command()
def enable(name: Whose, data: Data = DEFAULT_DATA) -> None:
    """Let an account or a bot in again.

    Example: skat-server accounts enable ann

    Exit code: 0 done, 1 there is no such account or bot, 2 no usable database.
    """

    async def work(found: Accounts) -> str:
        account_id = (await found.find(name)).account_id
        await found.enable(account_id, by("accounts enable"))
        return account_id

    typer.echo(f"{with_accounts(data, work)} is enabled")
