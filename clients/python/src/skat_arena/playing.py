"""Bots of `skat_client` at tables of the arena, one table or many in step.

>>> from skat_arena import ArenaTable
>>> from skat_arena.playing import play
>>> from skat_client.bots import BOTS
>>> from skat_engine import preset
>>> table = ArenaTable(preset("isko", {"session_deals": 3}), bytes(32))
>>> play([BOTS["rules"](1), BOTS["random"](2), BOTS["random"](3)], [table])
>>> table.is_over, sum(table.totals) != 0
(True, True)
"""

import inspect
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, cast

import skat_client as client
from skat_arena.answers import action_of
from skat_arena.asked import decision_of
from skat_arena.table import ArenaTable, require_deals
from skat_arena.told import deal_ended, deal_started, event_of, series_ended
from skat_client import BatchBot, Bot, BotError, BotFactory, DecisionAsked, TableSight
from skat_client._answers import action_in, answers_text, no_action_text
from skat_client._faults import FAULTS, let_cancel
from skat_client.bot import factory_of
from skat_engine import Action, Event, IllegalActionError, project, rule_set_options
from skat_engine.options import SessionEnd

Player = Bot | BotFactory | BatchBot
"""Who plays a seat: one bot for all tables, a function that makes the bot of a table from its id,
or a bot that answers for many tables at once."""

NO_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of every event: the arena has no clock."""

_ENDS: Final = frozenset({SessionEnd.FIXED_DEALS, SessionEnd.BIERLACHS})


def play(
    players: Sequence[Player], tables: Iterable[ArenaTable], *, deals: int | None = None
) -> None:
    """Play tables to their end, all in step: every round asks once at each.

    A `BatchBot` gets the decisions of all tables at which it is asked in one list, also where it
    plays several seats. Bots answer at once; a coroutine has nobody here to wait for it.

    Args:
        players: who plays, by seat; the same at every table.
        tables: where to play; series that were begun elsewhere are gone on with at their next
            deal.
        deals: leave a table after so many deals on its sheet, if it does not end before.

    Raises:
        BotError: a bot raised, or answered what is not legal; the table stays as it was.
        ValueError: players do not fit the seats, a deal is under way, nothing ends a series,
            `deals` is less than 1, or two tables have one id.
        TypeError: a player is no bot, or makes none, or `deals` is no whole number.
        Exception: whatever `on_record` of a table raises. To play the table again gives it the
            same record again, and then goes on; of the deal's end its bots are not told. Other
            tables stay in the middle of their deals.
    """
    tables = tuple(tables)
    _require_own_ids(tables)
    if deals is not None:
        require_deals(deals)
    places = [_Place(table, players, deals) for table in tables]
    for table in tables:
        table.hand_over()
    while places := [place for place in places if place.is_running()]:
        batches: dict[int, list[_Place]] = {}
        for place in places:
            asked = place.ask()
            bot = place.bots[asked.decision.seat]
            if hasattr(bot, "decide_batch"):
                batches.setdefault(id(bot), []).append(place)
            else:
                place.answer(_decided(bot, asked))
        for together in batches.values():
            _decide_together(together)


def _require_own_ids(tables: Sequence[ArenaTable]) -> None:
    """Bots tell tables apart by their ids."""
    ids = Counter(table.table_id for table in tables)
    if len(ids) < len(tables):
        ((table_id, _),) = ids.most_common(1)
        raise ValueError(f"two tables are called {table_id!r}; give each a table_id of its own")


def _decided(bot: Bot, asked: DecisionAsked) -> object:
    decision = asked.decision
    try:
        return bot.decide(decision, asked.sight)
    except FAULTS as error:
        let_cancel(error)
        name = type(bot).__name__
        message = f"table {decision.table_id}, {decision.phase}: {name} raised {error!r}"
        raise BotError(message) from error


def _decide_together(places: Sequence["_Place"]) -> None:
    asked = [place.asked for place in places]
    bot = cast(BatchBot, places[0].bots[asked[0].decision.seat])
    try:
        answers = bot.decide_batch(list(asked))  # its own, to do with as it likes
    except FAULTS as error:
        let_cancel(error)
        raise BotError(
            f"{type(bot).__name__} raised {error!r} to {len(asked)} decisions"
        ) from error
    if not isinstance(answers, Sequence) or len(answers) != len(asked):
        said = _said_of_coroutine(answers) or answers_text(answers)
        raise BotError(f"{type(bot).__name__} answered {said} to {len(asked)} decisions")
    for place, answer in zip(places, answers, strict=True):
        place.answer(answer)


def _said_of_coroutine(answer: object) -> str:
    """What is said of a coroutine; of all else nothing."""
    if not inspect.iscoroutine(answer):
        return ""
    answer.close()
    return "with a coroutine, for which nobody waits here"


class _Place:
    """A table, who sits there, and what each of them knows."""

    def __init__(self, table: ArenaTable, players: Sequence[Player], deals: int | None) -> None:
        seats = table.rules.seats
        if len(players) != seats:
            raise ValueError(f"{len(players)} players for {seats} seats")
        if table.deal is not None:
            raise ValueError(f"a deal is under way at table {table.table_id}")
        if deals is None and table.rules.session_end not in _ENDS:
            raise ValueError(
                f"table {table.table_id}: under these rules a series has no end of its own "
                f"(session_end is {table.rules.session_end}): say play(..., deals=N)"
            )
        self.table = table
        self.bots = [factory_of(player)(table.table_id) for player in players]
        self.sights = [_new_sight(table, seat) for seat in range(seats)]
        self.asked: DecisionAsked
        self._deals = deals

    def is_running(self) -> bool:
        """Whether there is a question; cards are dealt for it where that is needed."""
        table = self.table
        while table.deal is None:
            if table.is_over or (self._deals is not None and self._is_enough(self._deals)):
                return False
            table.start_deal()
            for seat in range(len(self.sights)):
                self._tell(seat, deal_started(table, seat))
        return True

    def ask(self) -> DecisionAsked:
        """The question that is open."""
        decision = decision_of(self.table)
        self.asked = DecisionAsked(decision, self.sights[decision.seat])
        return self.asked

    def answer(self, answer: object) -> None:
        """Take the answer, and tell everybody what follows.

        Raises:
            BotError: it is not legal.
        """
        for event in self._applied(answer):
            self._tell_of_deal(event)
        table = self.table
        if table.deal is None:
            assert table.booking is not None
            self._tell_all(deal_ended(table.booking, table.deal_seed))
            if table.is_over:
                self._tell_all(series_ended(table.series.sheet))

    def _applied(self, answer: object) -> Sequence[Event]:
        decision = self.asked.decision
        try:
            return self.table.act(self._action_in(answer))
        except IllegalActionError as error:
            bot, where = self._asked_bot(), f"table {decision.table_id}, {decision.phase}"
            raise BotError(f"{where}: {bot} answered {answer}: {error}") from error

    def _action_in(self, answer: object) -> Action:
        try:
            return action_of(action_in(answer))
        except (TypeError, ValueError) as error:
            said = _said_of_coroutine(answer) or repr(answer)
            text = no_action_text(self.asked.decision, self._asked_bot(), said)
            raise BotError(text) from error

    def _asked_bot(self) -> str:
        return type(self.bots[self.asked.decision.seat]).__name__

    def _tell_of_deal(self, event: Event) -> None:
        """Tell every seat what it may know; what is public is said once for all."""
        seating, public = self.table.seating, event_of(event, self.table.seating)
        for seat in range(len(self.sights)):
            shown = project(event, seating.position_of(seat))
            told = public if shown is event else event_of(shown, seating)
            if told is not None:
                self._tell(seat, told)

    def _tell_all(self, event: client.Event) -> None:
        for seat in range(len(self.sights)):
            self._tell(seat, event)

    def _tell(self, seat: int, event: client.Event) -> None:
        sight = self.sights[seat]
        told = client.TableEvent(sight.sequence + 1, NO_TIME, event)
        sight.apply(told)
        observe = getattr(self.bots[seat], "observe", None)
        if observe is not None:
            try:
                observe(told, sight)
            except FAULTS as error:
                let_cancel(error)
                name = type(self.bots[seat]).__name__
                message = f"table {self.table.table_id}: {name} raised in observe: {error!r}"
                raise BotError(message) from error

    def _is_enough(self, deals: int) -> bool:
        return self.table.series.deals_done >= deals


def _new_sight(table: ArenaTable, seat: int) -> TableSight:
    seats = tuple(
        client.SeatInfo(number, True, name, True) for number, name in enumerate(table.names)
    )
    shown = client.Table(
        table_id=table.table_id,
        display_name="",
        state=client.TableState.PLAYING,
        rule_set=client.RuleSet("", rule_set_options(table.rules)),
        visibility=client.Visibility.PRIVATE,
        seats=seats,
        deals_done=table.series.deals_done,
        deals=table.rules.deals if table.rules.session_end is SessionEnd.FIXED_DEALS else 0,
        totals=table.totals,
        created_at=NO_TIME,
    )
    return TableSight.from_view(client.TableView(shown, seat, 0))
