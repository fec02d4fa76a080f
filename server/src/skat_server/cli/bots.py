"""``skat-server bots``: the players of an account."""

import json
from collections.abc import Sequence
from typing import Annotated

import typer

from skat_server.cli.keeping import AsJson, Data, Family, Name, all_of, by, day, with_accounts
from skat_server.cli.render import print_table
from skat_server.config import DEFAULT_DATA
from skat_server.players.accounts import Accounts
from skat_server.storage.accounts import Account

app = typer.Typer(no_args_is_help=True, help="Bots: make and list the players of an account.")


@app.callback()
def bots() -> None:
    """Bots: make and list the players of an account.

    They work on the server's folder, also while it runs.
    """


@app.command()
def create(
    account: Annotated[str, typer.Argument(metavar="ACCOUNT", help="Name or id of its account.")],
    name: Name,
    data: Data = DEFAULT_DATA,
) -> None:
    """Make a bot of an account and print its id; `tokens issue` then makes a token for it.

    Example: skat-server bots create ann hal

    Exit code: 0 it is made, 1 no such account, or the name is taken or cannot be used, 2 no
    usable database.
    """

    async def work(found: Accounts) -> Account:
        owner = await found.find(account)
        return await found.create_bot(owner, name, by("bots create"))

    typer.echo(with_accounts(data, work).account_id)


@app.command(name="list")
def list_bots(
    account: Family = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """List the bots of one account or of all.

    Example: skat-server bots list ann

    Exit code: 0 done, 1 there is no such account, 2 no usable database.
    """

    async def work(found: Accounts) -> Sequence[tuple[Account, Account]]:
        owners = [await found.find(account)] if account else await all_of(found, "")
        return [(owner, bot) for owner in owners for bot in await all_of(found, owner.account_id)]

    rows = with_accounts(data, work)
    if as_json:
        shown = [
            {
                "bot_id": bot.account_id,
                "name": bot.name,
                "account_id": owner.account_id,
                "disabled": bot.disabled_ms is not None,
            }
            for owner, bot in rows
        ]
        typer.echo(json.dumps(shown, indent=2))
        return
    print_table(
        ("name", "bot", "account", "made", "disabled since"),
        [
            (bot.name, bot.account_id, owner.name, day(bot.created_ms), day(bot.disabled_ms))
            for owner, bot in rows
        ],
    )
