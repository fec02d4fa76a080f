"""A bot that answers for many tables at once, and how its decisions are gathered."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, cast

from skat_client._actions import Action
from skat_client._answers import answers_text
from skat_client._decisions import Decision
from skat_client._faults import FAULTS, let_cancel
from skat_client._items import DecisionAsked
from skat_client._session import Session
from skat_client.errors import BotError


class BatchBot(Protocol):
    """Answers the decisions of all its tables together, as networks on a GPU like it.

    It may also have a method `observe(event: TableEvent, sight: TableSight) -> None`, which is
    called with every event of its tables, in order, before the next decision of the table.
    """

    def decide_batch(
        self, asked: Sequence[DecisionAsked]
    ) -> Sequence[Action] | Awaitable[Sequence[Action]]:
        """Answer every one of these, in their order, each with one of its options.

        They are all the decisions that are open when the bot has time, at most one a table; the
        sights are shared with the loop and must not be changed. A coroutine may take its time:
        what is asked meanwhile is gathered, and is the next batch.
        """
        ...


Blame = Callable[[BotError, BaseException | None], None]
"""Told of everything that a bot does wrong; may raise it."""

Submit = Callable[[Decision, object], None]
"""Takes the answer to a decision."""


class Gatherer:
    """Gathers decisions until nothing more is at hand, and has one bot answer them."""

    def __init__(
        self,
        bot: BatchBot,
        session: Session,
        tasks: asyncio.TaskGroup,
        submit: Submit,
        blame: Blame,
    ) -> None:
        self._bot = bot
        self._session = session
        self._tasks = tasks
        self._submit = submit
        self._blame = blame
        self._waiting: dict[str, DecisionAsked] = {}
        self._thought: asyncio.Task[None] | None = None

    def add(self, asked: DecisionAsked) -> None:
        """Keep a decision; it replaces an older one of its table."""
        self._waiting[asked.decision.table_id] = asked

    def drop(self, table_id: str) -> None:
        """Forget the decision of a table, if it still waits."""
        self._waiting.pop(table_id, None)

    def ask(self) -> None:
        """Have everything answered that waits, unless the bot is thinking."""
        if self._thought is not None:
            return
        asked = [one for one in self._waiting.values() if self._session.awaits(one.decision)]
        self._waiting.clear()
        if not asked:
            return
        try:
            answers = self._bot.decide_batch(list(asked))  # its own, to do with as it likes
        except FAULTS as error:
            let_cancel(error)
            self._overrule(asked, f"raised {error!r}", error)
            return
        if inspect.isawaitable(answers):
            self._thought = self._tasks.create_task(self._think(asked, answers))
        else:
            self._take(asked, answers)

    def stop(self) -> None:
        """Think no more."""
        if self._thought is not None:
            self._thought.cancel()

    async def _think(
        self, asked: Sequence[DecisionAsked], coming: Awaitable[Sequence[Action]]
    ) -> None:
        try:
            answers = await coming
        except FAULTS as error:
            let_cancel(error)
            self._overrule(asked, f"raised {error!r}", error)
        else:
            self._take(asked, answers)
        # From here on nobody may cancel this task: that would cut the connection.
        self._thought = None
        await self._session.flush()
        self.ask()

    def _take(self, asked: Sequence[DecisionAsked], answers: object) -> None:
        if not isinstance(answers, Sequence) or len(answers) != len(asked):
            self._overrule(asked, f"answered {answers_text(answers)}", None)
            return
        for one, answer in zip(asked, cast(Sequence[object], answers), strict=True):
            self._submit(one.decision, answer)

    def _overrule(
        self, asked: Sequence[DecisionAsked], what: str, cause: BaseException | None
    ) -> None:
        bot = type(self._bot).__name__
        self._blame(BotError(f"{bot} {what} to {len(asked)} decisions"), cause)
        for one in asked:
            self._submit(one.decision, one.decision.first_option)
