"""The commands of the command line: each asks the server and yields lines for people."""

import asyncio
import secrets
from argparse import Namespace
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from skat_client._aio import AsyncClient
from skat_client._channel import Tls
from skat_client._events import DealEnded, TableEvent
from skat_client._items import EventSeen, TableShown
from skat_client._session import SessionOptions
from skat_client._sight import TableSight
from skat_client._tables import (
    DealSource,
    FreshDeals,
    RuleSet,
    SeededDeals,
    TableState,
    Visibility,
)
from skat_client._text import event_text, result_text, table_text, totals_text
from skat_client.bot import Bot, run
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


async def list_tables(client: AsyncClient, options: Namespace, say: Say) -> None:
    """One line a public table."""
    state = TableState[options.state.upper()] if options.state else None
    async for table in client.list_tables(state):
        say(table_text(table))


async def list_presets(client: AsyncClient, options: Namespace, say: Say) -> None:
    """One line a preset, then, when asked, one an option."""
    book = await client.list_rule_sets()
    for preset in book.rule_sets:
        say(preset.preset)
    if options.options:
        for option in book.options:
            values = ", ".join(option.values)
            say(f"{option.name}={option.default_value}  {option.meaning} ({values})")


async def create_table(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Make a table and show its id; with bots, seat them and play to the end."""
    names = [name.strip() for name in options.bots.split(",") if name.strip()]
    for name in names:
        _bundled_bot(name, 0)
    overrides = dict(_override(text) for text in options.set)
    if options.seats is not None:
        overrides["seats"] = str(options.seats)
    if options.deals is not None:
        # A number of deals is an end, also where the rules of the preset have none.
        overrides.setdefault("session_end", "fixed_deals")
        overrides["session_deals"] = str(options.deals)
    table = await client.create_table(
        RuleSet(options.preset, overrides),
        display_name=options.name,
        visibility=Visibility.PRIVATE if options.private else Visibility.PUBLIC,
        deal_source=_deal_source(options.seed),
    )
    if len(names) > len(table.seats):
        await client.close_table(table.table_id)
        raise ConfigurationError(f"{len(names)} bots do not fit on {len(table.seats)} seats")
    say(table.table_id)
    async with asyncio.TaskGroup() as tasks:
        for seat, name in enumerate(names):
            bot = _bundled_bot(name, secrets.randbits(32))
            if seat == 0:
                bot = _Reporter(bot, say)
            tasks.create_task(_play_alone(options, bot, name, table.table_id))


async def end_series(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Ask for the end of a series, and show the table."""
    say(table_text(await client.end_series(options.table)))


async def _play_alone(options: Namespace, bot: Bot, name: str, table_id: str) -> None:
    """Play under a token of its own: a player has one seat at a table."""
    async with new_client(options, secrets.token_urlsafe(32)) as client:
        await run(bot, client, [table_id], player_name=name)


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


async def play(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Play a table to its end with a bundled bot; one line a deal."""
    bot = _bundled_bot(options.bot, options.seed)
    table_id = options.table or await _open_table(client)
    say(f"{options.bot} plays at {table_id}")
    await run(
        _Reporter(bot, say),
        client,
        [table_id],
        player_name=options.name or options.bot,
        seat=options.seat,
        options=SessionOptions(max_downtime=options.max_downtime),
    )


class _Reporter:
    """A bot that shows every deal of its tables when it is over."""

    def __init__(self, bot: Bot, say: Say) -> None:
        self._say = say
        self._observe = getattr(bot, "observe", None)
        self.decide = bot.decide

    def observe(self, event: TableEvent, sight: TableSight) -> None:
        if self._observe is not None:
            self._observe(event, sight)
        if isinstance(event.event, DealEnded):
            result, totals = event.event.result, totals_text(event.event.totals)
            self._say(f"deal {sight.deal.number}: {result_text(result)}; totals {totals}")


def _bundled_bot(name: str, seed: int) -> Bot:
    # Not at the top: who lists tables needs no bots.
    from skat_client.bots import BOTS  # noqa: PLC0415

    if name not in BOTS:
        raise ConfigurationError(f"there is no bot {name!r}: choose one of {', '.join(BOTS)}")
    return BOTS[name](seed)


async def _open_table(client: AsyncClient) -> str:
    """The newest public table with a free seat."""
    async for table in client.list_tables(TableState.OPEN):
        if any(not seat.taken for seat in table.seats):
            return table.table_id
    raise ConfigurationError(
        "no table has a free seat: make one with `skat-client create --preset isko`"
    )


def _override(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ConfigurationError(f"{text!r} sets no option: write NAME=VALUE")
    return name, value


def _deal_source(seed: str | None) -> DealSource:
    if seed is None:
        return FreshDeals()
    try:
        return SeededDeals(bytes.fromhex(seed))
    except ValueError as error:
        raise ConfigurationError("a seed is written as 64 hexadecimal digits") from error
