"""The commands that look at a server and its tables; each yields lines for people."""

import os
from argparse import Namespace
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from skat_client._aio import AsyncClient
from skat_client._channel import TOKEN_VARIABLE, Tls
from skat_client._items import EventSeen, TableShown
from skat_client._rules import RuleBook
from skat_client._tables import TableState
from skat_client._text import event_text, table_text
from skat_client.errors import ConfigurationError

Say = Callable[[str], None]
"""Shows one line."""


def new_client(options: Namespace, token: str | None = None) -> AsyncClient:
    """The client that the options describe, under another token where one is given.

    Raises:
        ConfigurationError: the address, the token or the certificates cannot be used.
    """
    tls = None
    if options.ca_file is not None:
        try:
            tls = Tls(root_certificates=Path(options.ca_file).read_bytes())
        except OSError as error:
            raise ConfigurationError(f"cannot read {options.ca_file}: {error.strerror}") from error
    plaintext = True if options.plaintext else None
    return AsyncClient(options.server, token=token or options.token, tls=tls, plaintext=plaintext)


def has_own_token(options: Namespace) -> bool:
    """Whether the user chose the token, so that he can come back under it."""
    return bool(options.token or os.environ.get(TOKEN_VARIABLE))


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


async def list_records(client: AsyncClient, options: Namespace, say: Say) -> None:
    """One line of JSON a deal, as files of records have it."""
    async for record in client.list_deal_records(options.table):
        say(record.json)


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
            f"with --token or {TOKEN_VARIABLE}"
        )
