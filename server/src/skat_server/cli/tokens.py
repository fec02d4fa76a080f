"""``skat-server tokens``: what accounts and bots show to be let in."""

import json
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from skat_server.cli.keeping import AsJson, Data, Family, by, day, show_token, with_accounts
from skat_server.cli.render import print_table
from skat_server.config import DEFAULT_DATA
from skat_server.players.accounts import Accounts, Issued
from skat_server.players.identity import ORGANISING, PLAYING
from skat_server.players.tokens import parse_token_text
from skat_server.storage.accounts import ALL, DAY_MS, Account, Role, Scope, Token

app = typer.Typer(no_args_is_help=True, help="Tokens: issue, list, revoke.")

_LONGEST_DAYS: Final = 36_525


@app.callback()
def tokens() -> None:
    """Tokens: issue, list, revoke.

    They work on the server's folder, also while it runs.
    """


@app.command()
def issue(
    holder: Annotated[
        str,
        typer.Argument(metavar="BOT_OR_ACCOUNT", help="Name or id of who shall have it."),
    ],
    scope: Annotated[
        list[Scope] | None,
        typer.Option(
            envvar="SKAT_TOKENS_SCOPE",
            help="What it allows; more than once for more.  [default: play and spectate; for an "
            "account organise too]",
        ),
    ] = None,
    days: Annotated[
        int | None,
        typer.Option(
            envvar="SKAT_TOKENS_DAYS",
            min=1,
            max=_LONGEST_DAYS,
            help="Days for which it is good; for ever when not given.",
        ),
    ] = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Make a token for a bot or an account and print it.

    Example: skat-server tokens issue hal --days 30

    Exit code: 0 it is made, 1 there is no such bot or account, 2 no usable database.
    """

    async def work(found: Accounts) -> Issued:
        account = await found.find(holder)
        lifetime_ms = None if days is None else days * DAY_MS
        return await found.issue(account, _scopes(scope, account), lifetime_ms, by("tokens issue"))

    show_token(with_accounts(data, work).text.text)


@app.command(name="list")
def list_tokens(
    account: Family = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """List the tokens of one account and its bots, or of all, the newest first.

    Example: skat-server tokens list ann

    Exit code: 0 done, 1 there is no such account, 2 no usable database.
    """

    async def work(found: Accounts) -> Sequence[tuple[Token, str]]:
        family_id = (await found.find(account)).family_id if account else ""
        rows = await found.store.tokens(family_id, None, ALL)
        return [(token, await _name(found, token)) for token in rows]

    rows = with_accounts(data, work)
    if as_json:
        typer.echo(json.dumps([_shown(token) for token, _ in rows], indent=2))
        return
    print_table(
        ("token", "of", "scopes", "made", "expires", "revoked"),
        [
            (
                token.token_id,
                name,
                _names(token.scopes),
                day(token.created_ms),
                day(token.expires_ms),
                day(token.revoked_ms),
            )
            for token, name in rows
        ],
    )


@app.command()
def revoke(
    token_id: Annotated[
        str,
        typer.Argument(metavar="TOKEN_ID", help="The token's public id, as `tokens list` shows."),
    ],
    data: Data = DEFAULT_DATA,
) -> None:
    """Revoke a token; what was opened with it ends within five seconds.

    Example: skat-server tokens revoke 0123456789abcdef

    Exit code: 0 it is revoked, 1 there is no such token, 2 no usable database.
    """
    text = parse_token_text(token_id)

    async def work(found: Accounts) -> Token:
        wanted = token_id if text is None else text.token_id
        return await found.revoke(wanted, by("tokens revoke"))

    typer.echo(f"{with_accounts(data, work).token_id} is revoked")


def _scopes(wanted: Sequence[Scope] | None, holder: Account) -> frozenset[Scope]:
    if wanted:
        return frozenset(wanted)
    return ORGANISING if holder.role is Role.ACCOUNT else PLAYING


def _names(scopes: frozenset[Scope]) -> str:
    return " ".join(scope.value for scope in Scope if scope in scopes)


async def _name(found: Accounts, token: Token) -> str:
    holder = await found.store.account(token.account_id)
    return token.account_id if holder is None else holder.name


def _shown(token: Token) -> dict[str, object]:
    return {
        "token_id": token.token_id,
        "holder_id": token.account_id,
        "scopes": _names(token.scopes).split(),
        "created_ms": token.created_ms,
        "expires_ms": token.expires_ms,
        "revoked_ms": token.revoked_ms,
    }
