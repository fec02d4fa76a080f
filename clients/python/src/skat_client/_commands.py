"""The commands that look at a server and its tables; each yields lines for people."""

import os
from argparse import Namespace
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from skat_client._aio import AsyncClient
from skat_client._channel import Tls
from skat_client._items import EventSeen, TableShown
from skat_client._rules import RuleBook
from skat_client._tables import TableState
from skat_client._text import event_text, table_text
from skat_client._tokens import TOKEN_FILE_VARIABLE, TOKEN_VARIABLE, token_in
from skat_client.errors import ConfigurationError

Say = Callable[[str], None]
"""Shows one line."""


def new_client(options: Namespace, token: str | None = None) -> AsyncClient:
    """The client that the options describe, under another token where one is given.

    Raises:
        ConfigurationError: the address, the token or the certificates cannot be used.
    """
    plaintext = True if options.plaintext else None
    token = token or options.token
    if not token and options.token_file:
        token = token_in(Path(options.token_file))
    return AsyncClient(options.server, token=token, tls=_tls(options), plaintext=plaintext)


def _tls(options: Namespace) -> Tls | None:
    if options.ca is None and options.server_name is None:
        return None
    try:
        roots = None if options.ca is None else Path(options.ca).read_bytes()
    except OSError as error:
        raise ConfigurationError(f"cannot read {options.ca}: {error.strerror}") from error
    return Tls(roots, options.server_name)


def has_own_token(options: Namespace) -> bool:
    """Whether the user chose the token, so that he can come back under it."""
    chosen = (options.token, options.token_file)
    kept = (os.environ.get(name) for name in (TOKEN_VARIABLE, TOKEN_FILE_VARIABLE))
    return any((*chosen, *kept))


async def list_tables(client: AsyncClient, options: Namespace, say: Say) -> None:
    """One line a public table."""
    state = TableState[options.state.upper()] if options.state else None
    async for table in client.list_tables(state):
        say(table_text(table))


async def list_presets(client: AsyncClient, options: Namespace, say: Say) -> None:
    """One line a preset, or what one of them changes; then, when asked, one line an option."""
    book = await client.list_rule_sets()
    if options.preset is None:
        for preset in book.rule_sets:
            say(preset.preset)
    else:
        _show_preset(book, options.preset, say)
    if options.options:
        for option in book.options:
            values = ", ".join(option.values)
            say(f"{option.name}={option.default_value}  {option.meaning} ({values})")


async def end_series(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Ask for the end of a series, and show the table."""
    say(table_text(await client.end_series(options.table)))


def _show_preset(book: RuleBook, name: str, say: Say) -> None:
    """What a preset changes in the defaults."""
    preset = next((preset for preset in book.rule_sets if preset.preset == name), None)
    if preset is None:
        known = ", ".join(preset.preset for preset in book.rule_sets)
        raise ConfigurationError(f"there is no preset {name!r}: choose one of {known}")
    say(preset.preset)
    for option in book.options:
        value = preset.options.get(option.name, option.default_value)
        if value != option.default_value:
            say(f"  {option.name}={value}  {option.meaning}; default {option.default_value}")


async def watch_table(client: AsyncClient, options: Namespace, say: Say) -> None:
    """One line an event, until the table is over."""
    watch = client.watch_table(options.table, max_downtime=options.max_downtime)
    async with aclosing(watch) as items:
        async for item in items:
            match item:
                case TableShown(sight):
                    say(table_text(sight.table))
                case EventSeen(event, _):
                    say(event_text(event.event))


async def leave_table(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Get up from a table."""
    _need_token(options)
    say(table_text(await client.leave_seat(options.table)))


async def close_table(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Close a table."""
    _need_token(options)
    say(table_text(await client.close_table(options.table)))


def _need_token(options: Namespace) -> None:
    if not has_own_token(options):
        raise ConfigurationError(
            "the server knows you by your token: name the one that made the table or sits there "
            f"with --token-file, --token or {TOKEN_VARIABLE}"
        )
