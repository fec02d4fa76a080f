"""Bots in the arena: one table or many in step."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from math import nan
from typing import Any

import pytest

from skat_arena import ArenaTable
from skat_arena.playing import play
from skat_client import (
    Action,
    Bid,
    BotError,
    DealEnded,
    Decision,
    DecisionAsked,
    Pass,
    SeriesEnded,
    TableEvent,
    TableSight,
)
from skat_client.bots import BOTS
from skat_engine import preset
from tests.arena.random_play import rules_of

SEED = bytes(range(32))


def table_of(number: int = 0, deals: int = 2, **options: Any) -> ArenaTable:
    seed = number.to_bytes(32, "big")
    return ArenaTable(rules_of("isko", deals), seed, table_id=f"table {number}", **options)


class Plain:
    """Answers with the plainest option, or what it was told, and notes what it sees."""

    def __init__(self, answer: Callable[[Decision], Any] | None = None) -> None:
        self._answer = answer or (lambda decision: decision.first_option)
        self.events: list[TableEvent] = []

    def decide(self, decision: Decision, sight: TableSight) -> Action:
        answer: Action = self._answer(decision)
        return answer

    def observe(self, event: TableEvent, sight: TableSight) -> None:
        assert event.sequence == sight.sequence
        self.events.append(event)


class Batched:
    """Answers lists, and notes how long they were."""

    def __init__(self, answer: Callable[[Sequence[DecisionAsked]], Any] | None = None) -> None:
        self._answer = answer or (lambda asked: [one.decision.first_option for one in asked])
        self.batches: list[list[tuple[str, int]]] = []

    def decide_batch(self, asked: Sequence[DecisionAsked]) -> Sequence[Action]:
        assert all(one.sight.seat == one.decision.seat for one in asked)
        self.batches.append([(one.decision.table_id, one.decision.seat) for one in asked])
        answers: Sequence[Action] = self._answer(asked)
        return answers


def test_a_series_is_told_to_its_end() -> None:
    bots = [Plain(), Plain(), Plain()]
    play(bots, [table_of()])
    last = [type(one.events[-1].event) for one in bots]
    ended = sum(isinstance(one.event, DealEnded) for one in bots[0].events)
    assert (last, ended) == ([SeriesEnded] * 3, 2)
    assert [one.sequence for one in bots[0].events] == list(range(1, len(bots[0].events) + 1))


def test_all_seats_of_all_tables_are_one_list() -> None:
    bot = Batched()
    play([bot, bot, bot], [table_of(number) for number in range(5)])
    assert bot.batches[0] == [(f"table {number}", 2) for number in range(5)]


def test_seats_may_be_played_by_different_bots() -> None:
    batched, plain = Batched(), Plain()
    play([batched, plain, batched], [table_of(number) for number in range(3)])
    assert {seat for batch in batched.batches for _, seat in batch} == {0, 2}
    assert plain.events


def test_tables_in_step_come_to_the_same_as_tables_alone() -> None:
    def totals(tables: Sequence[ArenaTable], *, together: bool) -> list[tuple[int, ...]]:
        for some in [tables] if together else [[table] for table in tables]:
            play([lambda table_id: BOTS["random"](int(table_id[6:])) for _ in range(3)], some)
        return [table.totals for table in tables]

    alone = totals([table_of(number, deals=6) for number in range(4)], together=False)
    assert totals([table_of(number, deals=6) for number in range(4)], together=True) == alone
    assert any(map(any, alone))


def test_a_function_makes_a_bot_for_every_table() -> None:
    made: list[str] = []

    def make(table_id: str) -> Plain:
        made.append(table_id)
        return Plain()

    play([make, Plain(), Plain()], [table_of(1), table_of(2)])
    assert made == ["table 1", "table 2"]


@pytest.mark.parametrize("name", BOTS)
def test_bundled_bots_play(name: str) -> None:
    table = table_of(3, deals=4)
    play([BOTS[name](seat) for seat in range(3)], [table])
    assert table.is_over


def test_a_table_can_be_left_before_its_end() -> None:
    table = ArenaTable(preset("xskat_extras"), SEED)
    play([Plain(), Plain(), Plain()], [table], deals=3)
    assert table.series.deals_done == 3


def test_a_series_without_an_end_needs_one() -> None:
    with pytest.raises(ValueError, match=r"has no end of its own .*: say play\(..., deals=N\)"):
        play([Plain(), Plain(), Plain()], [ArenaTable(preset("xskat_extras"), SEED)])


@pytest.mark.parametrize(
    ("deals", "error"),
    [(0, ValueError), (-1, ValueError), (1.5, TypeError), (nan, TypeError), ("3", TypeError)],
)
def test_what_is_no_number_of_deals_is_said(deals: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="deals"):
        play([Plain(), Plain(), Plain()], [table_of()], deals=deals)


class Disk:
    """Takes records, unless it is full."""

    def __init__(self) -> None:
        self.is_full = False
        self.lines: list[str] = []

    def write(self, line: str) -> None:
        if self.is_full:
            raise ValueError("the disk is full")
        self.lines.append(line)


@pytest.mark.parametrize("deals", [1, 3], ids=["the last deal", "an earlier deal"])
def test_a_record_that_was_not_taken_is_given_again(deals: int) -> None:
    whole, disk = Disk(), Disk()
    bots = [Plain(), Plain(), Plain()]
    play(bots, [table_of(deals=deals, on_record=whole.write)])
    table = table_of(deals=deals, on_record=disk.write)
    disk.is_full = True
    for _ in range(2):
        with pytest.raises(ValueError, match="the disk is full"):
            play(bots, [table])
    disk.is_full = False
    play(bots, [table])
    assert disk.lines == whole.lines
    assert len(disk.lines) == deals


def test_a_bot_may_take_its_list_apart() -> None:
    def answer(asked: Any) -> Sequence[Action]:
        return [asked.pop(0).decision.first_option for _ in range(len(asked))]

    bot, tables = Batched(answer), [table_of(number) for number in range(3)]
    play([bot, bot, bot], tables)
    assert all(table.is_over for table in tables)


def test_players_have_to_fit_the_seats() -> None:
    with pytest.raises(ValueError, match="2 players for 3 seats"):
        play([Plain(), Plain()], [table_of()])


def test_tables_have_to_have_their_own_ids() -> None:
    with pytest.raises(ValueError, match="two tables are called 'table 1'"):
        play([Plain(), Plain(), Plain()], [table_of(1), table_of(2), table_of(1)])


@pytest.mark.parametrize("player", [Plain, "random"])
def test_what_is_no_bot_is_said(player: Any) -> None:
    with pytest.raises(TypeError, match="is no bot"):
        play([Plain(), player, Plain()], [table_of()])


def test_what_makes_no_bot_is_said() -> None:
    def make(table_id: str) -> Any:
        return None

    with pytest.raises(TypeError, match="made None for table table 0, which is no bot"):
        play([Plain(), make, Plain()], [table_of()])


def test_a_bot_that_raises_in_observe_is_named() -> None:
    class Blind(Plain):
        def observe(self, event: TableEvent, sight: TableSight) -> None:
            raising(event)

    with pytest.raises(BotError, match="table 0: Blind raised in observe: RuntimeError"):
        play([Plain(), Blind(), Plain()], [table_of()])


def raising(_: object) -> Any:
    raise RuntimeError("a bug")


def cancelled(_: object) -> Any:
    raise asyncio.CancelledError


async def batch_later(asked: Sequence[DecisionAsked]) -> Sequence[Action]:
    return [one.decision.first_option for one in asked]


async def later(_: Decision) -> Action:
    return Pass()


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda _: Bid(19), "answered bid 19"),
        (lambda _: "pass", "which is no action"),
        (raising, "raised RuntimeError"),
        (cancelled, "raised CancelledError"),
        (later, "answered with a coroutine, for which nobody waits here, which is no action"),
    ],
    ids=["illegal", "no action", "raises", "cancelled", "coroutine"],
)
def test_a_wrong_answer_is_said(answer: Callable[[Decision], Any], says: str) -> None:
    with pytest.raises(BotError, match=says):
        play([Plain(answer), Plain(answer), Plain(answer)], [table_of()])


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda asked: [Pass()] * (len(asked) + 1), "Batched answered with 3 actions to 2"),
        (lambda _: None, "answered with a value of type NoneType"),
        (batch_later, "with a coroutine"),
        (raising, "raised RuntimeError"),
        (cancelled, "raised CancelledError"),
        (lambda asked: [Bid(19)] * len(asked), "answered bid 19"),
    ],
    ids=["too many", "no list", "coroutine", "raises", "cancelled", "illegal"],
)
def test_a_wrong_list_is_said(answer: Callable[[Sequence[DecisionAsked]], Any], says: str) -> None:
    bot = Batched(answer)
    with pytest.raises(BotError, match=says):
        play([bot, bot, bot], [table_of(1), table_of(2)])
