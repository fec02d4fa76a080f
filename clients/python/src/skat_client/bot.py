"""What a bot is, and the loop that plays it."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, Protocol, cast

from skat_client._actions import Action
from skat_client._aio import AsyncClient
from skat_client._answers import action_in, no_action_text
from skat_client._batch import BatchBot, Gatherer
from skat_client._decisions import Decision
from skat_client._events import (
    DealVoided,
    DecisionDefaulted,
    SeriesEnded,
    TableClosed,
    TableEvent,
)
from skat_client._fairness import ChanceGuard, OnUnfair
from skat_client._faults import FAULTS, let_cancel
from skat_client._items import Connected, DecisionAsked, EventSeen, SessionItem, SubmissionRefused
from skat_client._session import Session
from skat_client._session_options import SessionOptions
from skat_client._sight import TableSight
from skat_client._tables import Seating
from skat_client.errors import (
    BotError,
    ConfigurationError,
    ErrorReason,
    NotFoundError,
    QuotaExceededError,
    TableLostError,
    UnavailableError,
)

__all__ = ["BatchBot", "Bot", "BotFactory", "OnError", "OnSeated", "Until", "run"]

_log = logging.getLogger("skat_client")


class Bot(Protocol):
    """Answers decisions.

    A bot may also have a method `observe(event: TableEvent, sight: TableSight) -> None`, which
    is called with every event of its tables, in order, before the next decision.
    """

    def decide(self, decision: Decision, sight: TableSight) -> Action | Awaitable[Action]:
        """Answer an open decision with one of its options; may be a coroutine function.

        The sight is shared with the loop: it must not be changed, and while a coroutine thinks
        it may move on. A coroutine is cancelled when its decision is replaced by another.
        """
        ...


BotFactory = Callable[[str], Bot]
"""Makes the bot of a table, given the table's id."""

Until = Callable[[TableEvent, TableSight], bool]
"""Asked after every event whether to stop."""

OnSeated = Callable[[Seating], None]
"""Told of every seat that a run takes, before anything is played there."""

OnError = Literal["raise", "first_option"]
"""What to do with a bot that raises, or answers what cannot be played."""

# The decision was gone before the answer came, or it came too fast. Nothing that a bot can mend.
_TOO_LATE: Final = frozenset(
    {
        ErrorReason.RATE_LIMITED,
        ErrorReason.STALE_TURN,
        ErrorReason.NOT_YOUR_TURN,
        ErrorReason.DEAL_OVER,
        ErrorReason.TABLE_OVER,
        ErrorReason.NOT_SEATED,
    }
)


async def run(  # noqa: PLR0913 - the one entry point; all but three have good defaults
    bot: Bot | BotFactory | BatchBot,
    client: AsyncClient,
    tables: Iterable[str] | None = None,
    *,
    player_name: str = "",
    seat: int | None = None,
    until: Until | None = None,
    on_error: OnError = "raise",
    options: SessionOptions | None = None,
    on_unfair: OnUnfair = "raise",
    on_seated: OnSeated | None = None,
) -> dict[str, TableSight]:
    """Sit down at tables and play them to their end, across lost connections.

    All tables of the player are played, in one session; `tables` names those to sit down at
    first.

    Args:
        bot: one bot for all tables, a function that makes the bot of a table from its id, or a
            bot that answers for many tables at once.
        client: the player.
        tables: ids of the tables to join; a seat that the player has already is kept. None when
            somebody else seats the player, a tournament for instance.
        player_name: a name for people, 1 to 40 characters; the bot's class when empty.
        seat: the seat to take at each table; the first free one when None.
        until: asked after every event whether to stop. The loop also ends once all the tables
            named are over; without `tables` only `until` or a cancellation ends it.
        on_error: with "first_option", a bot that raises or answers what cannot be played is
            overruled by the decision's first option, and a warning is logged.
        options: how the session behaves, for instance when it gives up.
        on_unfair: with "raise", a server that does not keep to what its deals were bound to ends
            the run; with "warn" an error is logged; with "off" nobody looks.
        on_seated: called with every seat that was taken, or kept, at the tables named.

    Returns:
        What is known of each table in the end, by table id.

    Raises:
        TypeError: it is no bot.
        ConfigurationError: `tables` is empty, and there is no `until`: that would never end.
        BotError: the bot raised, or answered what cannot be played.
        SessionSupersededError: the same player opened another session.
        GaveUpError: there was no connection for longer than allowed.
        FairnessError: the cards of a table were not those that it was bound to.
        TableLostError: after a lost connection the server no longer knew a table.
        ServerError: the server refused a seat or the session.
    """
    make_bot = factory_of(bot)
    name = player_name or _name_of(bot)
    named = tuple(tables or ())
    if tables is not None and not named and until is None:
        raise ConfigurationError("the list of tables is empty, and nothing else ends this run")
    options = options or SessionOptions()
    guard = ChanceGuard(client, on_unfair, options)
    open_tables: set[str] = set()
    for table_id in named:
        seating = await guard.sit(table_id, name, seat)
        if on_seated is not None:
            on_seated(seating)
        if not seating.table.is_over:
            open_tables.add(table_id)
    async with client.open_session(options) as session:
        loop = _Loop(make_bot, client, session, on_error=on_error, until=until)
        if hasattr(bot, "decide_batch"):
            loop.batch_bot = cast(BatchBot, bot)
        loop.guard = guard
        if named:
            loop.open_tables = open_tables
        await loop.play()
        sights = dict(session.sights)
    await guard.audit(table_id for table_id in named if _is_over(sights, table_id))
    return sights


def _is_over(sights: dict[str, TableSight], table_id: str) -> bool:
    return table_id in sights and sights[table_id].is_over


def factory_of(bot: Bot | BotFactory | BatchBot) -> BotFactory:
    """A function that gives the bot of a table, whichever kind of bot this is.

    It raises TypeError where it was to make a bot and made none.

    Raises:
        TypeError: it is no bot, and nothing that can be called to make one.
    """
    given: object = bot
    if inspect.isclass(given) or not (_decides(given) or callable(given)):
        raise TypeError(f"{given!r} is no bot; make one of a class, as in BOTS['rules'](1)")
    if _decides(given):
        one = cast(Bot, bot)
        return lambda _: one
    return partial(_made, cast(BotFactory, bot))


def _made(make: BotFactory, table_id: str) -> Bot:
    bot: object = make(table_id)
    if inspect.isclass(bot) or not _decides(bot):
        raise TypeError(f"{make!r} made {bot!r} for table {table_id}, which is no bot")
    return cast(Bot, bot)


def _name_of(bot: Bot | BotFactory | BatchBot) -> str:
    return type(bot).__name__[:40] if _decides(bot) else "bot"


def _decides(bot: object) -> bool:
    """Whether it is a bot itself, and no function that makes one."""
    return hasattr(bot, "decide") or hasattr(bot, "decide_batch")


@dataclass(frozen=True, slots=True)
class _Thought:
    decision: Decision
    task: asyncio.Task[None]


class _Loop:
    """One run: hands items of the session to the bots, and their answers to the session."""

    def __init__(
        self,
        make_bot: BotFactory,
        client: AsyncClient,
        session: Session,
        *,
        on_error: OnError,
        until: Until | None,
    ) -> None:
        self.open_tables: set[str] | None = None
        """The run ends when it is empty; None when only `until` ends it."""
        self.guard = ChanceGuard(client, "off", SessionOptions())
        """Looks at every event before the bots do."""
        self.batch_bot: BatchBot | None = None
        """The bot that answers for many tables at once, where it is one."""
        self._make_bot = make_bot
        self._gatherer: Gatherer | None = None
        """Asks the batch bot."""
        self._client = client
        self._session = session
        self._on_error = on_error
        self._until = until
        self._bots: dict[str, Bot] = {}
        self._thinking: dict[str, _Thought] = {}
        self._overruled: dict[str, str] = {}
        """Table to the turn whose answer was refused."""

    async def play(self) -> None:
        """Go on until the run is to end."""
        try:
            async with asyncio.TaskGroup() as tasks:
                self._prepare_batches(tasks)
                await self._play(tasks)
                if self._gatherer is not None:
                    self._gatherer.stop()
                for thought in self._thinking.values():
                    thought.task.cancel()
        except BaseExceptionGroup as group:
            # One failure ends everything; it is what the caller is to see.
            raise group.exceptions[0] from group.exceptions[0].__cause__

    def _prepare_batches(self, tasks: asyncio.TaskGroup) -> None:
        if self.batch_bot is None:
            return
        session = self._session
        self._gatherer = Gatherer(self.batch_bot, session, tasks, self._submit, self._blame)
        session.at_rest = self._gatherer.ask

    async def _play(self, tasks: asyncio.TaskGroup) -> None:
        if self.open_tables is not None and not self.open_tables:
            return
        async for item in self._session:
            match item:
                case EventSeen(event, sight):
                    self._observe(event, sight)
                case DecisionAsked(decision, sight):
                    self._ask(decision, sight, tasks)
                case SubmissionRefused():
                    self._note_refusal(item)
                case Connected(is_first=False):
                    await self._look_for_ends()
                case _:
                    continue
            if self._is_done(item):
                return

    def _is_done(self, item: SessionItem) -> bool:
        if self.open_tables is not None and not self.open_tables:
            return True
        if self._until is None or not isinstance(item, EventSeen):
            return False
        return self._until(item.event, item.sight)

    def _bot_of(self, table_id: str) -> Bot:
        if table_id not in self._bots:
            self._bots[table_id] = self._make_bot(table_id)
        return self._bots[table_id]

    def _observe(self, event: TableEvent, sight: TableSight) -> None:
        self.guard.observe(sight.table_id, event)
        bot = self._bot_of(sight.table_id)
        observe = getattr(bot, "observe", None)
        if observe is not None:
            try:
                observe(event, sight)
            except FAULTS as error:
                let_cancel(error)
                message = f"table {sight.table_id}: the bot raised in observe: {error!r}"
                self._blame(BotError(message), error)
        if isinstance(event.event, SeriesEnded | TableClosed):
            self._close(sight.table_id)
        elif isinstance(event.event, DecisionDefaulted | DealVoided):
            self._stop_idle_thoughts(sight.table_id)

    def _ask(self, decision: Decision, sight: TableSight, tasks: asyncio.TaskGroup) -> None:
        self._stop_thinking(decision.table_id)
        if self._overruled.get(decision.table_id) == decision.turn_id:
            self._session.submit(decision, decision.first_option)
            return
        if self._gatherer is not None:
            self._gatherer.add(DecisionAsked(decision, sight))
            return
        bot = self._bot_of(decision.table_id)
        try:
            answer = bot.decide(decision, sight)
        except FAULTS as error:
            let_cancel(error)
            self._session.submit(decision, self._first_option(decision, error))
            return
        if inspect.isawaitable(answer):
            task = tasks.create_task(self._think(decision, answer))
            self._thinking[decision.table_id] = _Thought(decision, task)
        else:
            self._submit(decision, answer)

    async def _think(self, decision: Decision, answer: Awaitable[Action]) -> None:
        try:
            action = await answer
        except FAULTS as error:
            let_cancel(error)
            action = self._first_option(decision, error)
        # From here on a new decision must not cancel this task: it would cut the connection.
        thought = self._thinking.get(decision.table_id)
        if thought is not None and thought.task is asyncio.current_task():
            del self._thinking[decision.table_id]
        self._submit(decision, action)
        await self._session.flush()

    def _submit(self, decision: Decision, answer: object) -> None:
        try:
            self._session.submit(decision, action_in(answer))
        except Exception as error:  # no action, or one around what the wire cannot say
            self._refuse(decision, answer, error)

    def _refuse(self, decision: Decision, answer: object, cause: Exception) -> None:
        bot = type(self._bot_of(decision.table_id)).__name__
        message = no_action_text(decision, bot, repr(answer))
        self._blame(BotError(message), cause)
        self._session.submit(decision, decision.first_option)

    def _first_option(self, decision: Decision, error: BaseException) -> Action:
        message = f"table {decision.table_id}, {decision.phase}: the bot raised {error!r}"
        self._blame(BotError(message), error)
        return decision.first_option

    def _note_refusal(self, refusal: SubmissionRefused) -> None:
        if refusal.reason in _TOO_LATE:
            return
        error = BotError(
            f"table {refusal.table_id}: the server refused {refusal.action}: {refusal.message}"
        )
        if self._overruled.get(refusal.table_id) == refusal.turn_id:
            # Even the first option was refused: asking on would never end.
            raise error
        self._blame(error)
        self._overruled[refusal.table_id] = refusal.turn_id

    def _blame(self, error: BotError, cause: BaseException | None = None) -> None:
        if self._on_error == "raise":
            raise error from cause
        _log.warning("%s; taking the first option instead", error, exc_info=cause)

    async def _look_for_ends(self) -> None:
        """Find the tables that ended or went while there was no connection."""
        lost: list[str] = []
        for table_id in self._running():
            try:
                table = await self._client.get_table(table_id)
            except NotFoundError:
                lost.append(table_id)
                continue
            except (UnavailableError, QuotaExceededError):
                # The session will notice too, and ask again after its next connection.
                return
            if table.is_over:
                if table_id in self._session.sights:
                    self._session.sights[table_id].table = table
                self._close(table_id)
        if lost:
            raise TableLostError(tuple(lost))

    def _running(self) -> tuple[str, ...]:
        """The tables that are being played, as far as is known."""
        if self.open_tables is not None:
            return tuple(self.open_tables)
        return tuple(sight.table_id for sight in self._session.sights.values() if not sight.is_over)

    def _close(self, table_id: str) -> None:
        if self.open_tables is not None:
            self.open_tables.discard(table_id)
        self._stop_thinking(table_id)

    def _stop_thinking(self, table_id: str) -> None:
        if self._gatherer is not None:
            self._gatherer.drop(table_id)
        thought = self._thinking.pop(table_id, None)
        if thought is not None:
            thought.task.cancel()

    def _stop_idle_thoughts(self, table_id: str) -> None:
        """Stop a thought whose decision was settled otherwise, by the clock or with the deal."""
        thought = self._thinking.get(table_id)
        if thought is not None and not self._session.awaits(thought.decision):
            self._stop_thinking(table_id)
