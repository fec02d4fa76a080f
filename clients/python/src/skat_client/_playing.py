"""The commands that play: they make tables, seat bundled bots, and show every deal."""

import asyncio
import secrets
from argparse import Namespace
from collections.abc import Awaitable
from contextlib import suppress

from skat_client._actions import Action
from skat_client._aio import AsyncClient
from skat_client._commands import Say, has_own_token, new_client
from skat_client._decisions import Decision
from skat_client._events import (
    DealEnded,
    DealStarted,
    DealVoided,
    SeatReturned,
    SeatTakenOver,
    TableClosed,
    TableEvent,
)
from skat_client._session_options import SessionOptions, Transport
from skat_client._sight import TableSight
from skat_client._table_options import clock_of, faults_of, house_bots_of
from skat_client._tables import (
    DealSource,
    FreshDeals,
    RuleSet,
    Seating,
    SeededDeals,
    Table,
    TableState,
    Visibility,
)
from skat_client._text import deal_text, event_text, seats_text, totals_text
from skat_client._tokens import new_token
from skat_client.bot import Bot, run
from skat_client.errors import ConfigurationError, SkatError


async def create_table(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Make a table and show its id; with bots, seat them and play to the end."""
    names = [name.strip() for name in options.bots.split(",") if name.strip()]
    bots = [(name, bundled_bot(name, secrets.randbits(32))) for name in names]
    rules, deal_source = _rule_set(options), _deal_source(options.seed)
    house_bots = house_bots_of(options.house_bots)
    clock, faults = clock_of(options.clock), faults_of(options.faults)
    if names:
        await _check_seats(client, rules, len(names) + len(house_bots))
    table = await client.create_table(
        rules,
        display_name=options.name,
        visibility=Visibility.PRIVATE if options.private else Visibility.PUBLIC,
        deal_source=deal_source,
        clock=clock,
        faults=faults,
        house_bots=house_bots,
    )
    say(table.table_id)
    if not names:
        return
    _say_who_lacks(table, len(table.seats) - len(names) - len(house_bots), say)
    try:
        await _play_all(options, table.table_id, bots, say)
    except BaseException:
        # Nobody else can close it, and without its bots nobody would ever play there.
        with suppress(SkatError):
            await client.close_table(table.table_id)
            say(f"closed {table.table_id}")
        raise


async def play(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Play a table to its end with a bundled bot; one line a deal."""
    bot = bundled_bot(options.bot, options.seed)
    table_id = options.table or await _open_table(client)
    name = options.name or options.bot
    try:
        await run(
            _Reporter(bot, say),
            client,
            [table_id],
            player_name=name,
            seat=options.seat,
            options=SessionOptions(
                max_downtime=options.max_downtime,
                transport=Transport.POLLING if options.polling else Transport.STREAM,
            ),
            on_seated=lambda seating: _say_seat(seating, name, say),
        )
    except asyncio.CancelledError:
        if not has_own_token(options):
            # Nobody can come back under a token that nobody knows.
            with suppress(SkatError):
                await client.leave_seat(table_id)
                say(f"left {table_id}")
        raise


async def _play_all(
    options: Namespace, table_id: str, bots: list[tuple[str, Bot]], say: Say
) -> None:
    """Play every bot on the seat of its place in the list; the first one shows the deals."""
    async with asyncio.TaskGroup() as tasks:
        for seat, (name, bot) in enumerate(bots):
            shown = _Reporter(bot, say) if seat == 0 else bot
            tasks.create_task(_play_alone(options, shown, name, table_id, seat))


async def _play_alone(options: Namespace, bot: Bot, name: str, table_id: str, seat: int) -> None:
    """Play under a token of its own: a player has one seat at a table."""
    async with new_client(options, new_token()) as client:
        await run(bot, client, [table_id], player_name=name, seat=seat)


class _Reporter:
    """A bot that shows who plays, and every deal of its table when it is over."""

    def __init__(self, bot: Bot, say: Say) -> None:
        self._say = say
        self._bot = bot
        self._seats = ""

    def decide(self, decision: Decision, sight: TableSight) -> Action | Awaitable[Action]:
        return self._bot.decide(decision, sight)

    def observe(self, event: TableEvent, sight: TableSight) -> None:
        observe = getattr(self._bot, "observe", None)
        if observe is not None:
            observe(event, sight)
        match event.event:
            case DealStarted():
                self._show_seats(seats_text(sight.table))
            case DealEnded():
                names = [seat.player_name for seat in sight.table.seats]
                self._say(f"deal {sight.deal.number}: {deal_text(event.event, names)}")
            case DealVoided() | SeatTakenOver() | SeatReturned() | TableClosed():
                self._say(event_text(event.event))
            case _:
                pass

    def _show_seats(self, seats: str) -> None:
        if seats != self._seats:
            self._say(seats)
        self._seats = seats


def _say_seat(seating: Seating, name: str, say: Say) -> None:
    table = seating.table
    if table.is_over:
        say(f"{table.table_id} is {table.state} already: totals {totals_text(table.totals)}")
        return
    say(f"{name} plays at {table.table_id}, seat {seating.seat}")
    _say_who_lacks(table, sum(not seat.taken for seat in table.seats), say)


def _say_who_lacks(table: Table, count: int, say: Say) -> None:
    if count:
        players = "1 more player" if count == 1 else f"{count} more players"
        say(f"waiting for {players}: skat-client play --table {table.table_id}")


def bundled_bot(name: str, seed: int) -> Bot:
    """A bot of this package.

    Raises:
        ConfigurationError: there is no such bot.
    """
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


async def _check_seats(client: AsyncClient, rules: RuleSet, bots: int) -> None:
    """Refuse too many bots; a preset that is not known is left for the server to refuse."""
    text = str(rules.overrides.get("seats", ""))
    if not text:
        book = await client.list_rule_sets()
        known = {preset.preset: preset.options for preset in book.rule_sets}
        text = known.get(rules.preset, {}).get("seats", "")
    if text.isdecimal() and bots > int(text):
        raise ConfigurationError(
            f"{bots} bots do not fit on {text} seats: name fewer, or add --seats {bots}"
        )


def _rule_set(options: Namespace) -> RuleSet:
    overrides = dict(_override(text) for text in options.set)
    if options.seats is not None:
        overrides["seats"] = str(options.seats)
    if options.deals is not None:
        # A number of deals is an end, also where the rules of the preset have none.
        overrides.setdefault("session_end", "fixed_deals")
        overrides["session_deals"] = str(options.deals)
    return RuleSet(options.preset, overrides)


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
