"""A bot that answers for many tables at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from skat.v1 import event_pb2, table_pb2, table_service_pb2
from skat_client import (
    Action,
    AsyncClient,
    Bid,
    BotError,
    DecisionAsked,
    Pass,
    TableEvent,
    TableSight,
    run,
)
from skat_client.testing import (
    ExpectHello,
    ExpectSubmission,
    ScriptedServer,
    SendFrames,
    Silence,
    Wait,
    bidding_decision,
    new_events,
    new_frame,
    new_table,
    new_view,
)

pytestmark = pytest.mark.asyncio

TABLES = ("a", "b", "c")
Answer = Callable[[Sequence[DecisionAsked]], Any]


def plainest(asked: Sequence[DecisionAsked]) -> Sequence[Action]:
    return [one.decision.first_option for one in asked]


class Batched:
    """A bot that answers with a function and notes what it is asked together."""

    def __init__(self, answer: Answer = plainest) -> None:
        self._answer = answer
        self.batches: list[list[str]] = []
        self.events: list[str] = []

    def decide_batch(
        self, asked: Sequence[DecisionAsked]
    ) -> Sequence[Action] | Awaitable[Sequence[Action]]:
        self.batches.append([one.decision.table_id for one in asked])
        answers: Sequence[Action] | Awaitable[Sequence[Action]] = self._answer(asked)
        return answers

    def observe(self, event: TableEvent, sight: TableSight) -> None:
        self.events.append(sight.table_id)


def view_of(table_id: str) -> table_pb2.TableFrame:
    return new_frame(table_id, view=new_view(table_id), decision=bidding_decision("1", [18]))


def asking(table_id: str, turn_id: str) -> table_pb2.TableFrame:
    return new_frame(table_id, decision=bidding_decision(turn_id, [18]))


def closing(*table_ids: str) -> SendFrames:
    ends = new_events(1, event_pb2.TableClosed(reason="enough"))
    return SendFrames(*(new_frame(table_id, ends) for table_id in table_ids))


@pytest.fixture
def three(server: ScriptedServer) -> ScriptedServer:
    """The server, prepared for whoever takes seats at three tables."""
    for table_id in TABLES:
        response = table_service_pb2.TakeSeatResponse(table=new_table(table_id))
        server.reply("TakeSeat", response)
        server.reply("GetTable", table_service_pb2.GetTableResponse(table=new_table(table_id)))
    return server


def passing(turn_id: str = "1") -> list[ExpectSubmission]:
    return [ExpectSubmission(table_id, turn_id, Pass()) for table_id in TABLES]


async def test_what_is_ready_comes_as_one_list(three: ScriptedServer, client: AsyncClient) -> None:
    bot = Batched()
    three.play(ExpectHello(), SendFrames(*map(view_of, TABLES)), *passing(), closing(*TABLES))
    await run(bot, client, TABLES)
    assert bot.batches == [list(TABLES)]
    assert bot.events == list(TABLES)


async def test_answers_go_to_their_tables(three: ScriptedServer, client: AsyncClient) -> None:
    def bids_at_b(asked: Sequence[DecisionAsked]) -> Sequence[Action]:
        return [Bid(18) if one.decision.table_id == "b" else Pass() for one in asked]

    expected = [
        ExpectSubmission("a", "1", Pass()),
        ExpectSubmission("b", "1", Bid(18)),
        ExpectSubmission("c", "1", Pass()),
    ]
    three.play(ExpectHello(), SendFrames(*map(view_of, TABLES)), *expected, closing(*TABLES))
    await run(Batched(bids_at_b), client, TABLES)


async def test_what_comes_while_it_thinks_is_the_next_list(
    three: ScriptedServer, client: AsyncClient
) -> None:
    thinks, goes_on = asyncio.Event(), asyncio.Event()

    class Slow(Batched):
        def observe(self, event: TableEvent, sight: TableSight) -> None:
            if sight.table_id == "d":
                goes_on.set()

    async def slowly(asked: Sequence[DecisionAsked]) -> Sequence[Action]:
        thinks.set()
        if len(asked) == 1:
            await goes_on.wait()
        return plainest(asked)

    bot = Slow(slowly)
    three.play(
        ExpectHello(),
        SendFrames(view_of("a")),
        Wait(thinks),
        SendFrames(view_of("b")),
        SendFrames(view_of("c")),
        # An event of a table that nobody has named shows that everything before it has come.
        SendFrames(new_frame("d", new_events(1, event_pb2.SeatLeft(seat=0)), view=new_view("d"))),
        *passing(),
        closing(*TABLES),
    )

    await run(bot, client, TABLES)
    assert bot.batches == [["a"], ["b", "c"]]


async def test_a_newer_question_of_a_table_takes_the_place_of_the_older(
    three: ScriptedServer, client: AsyncClient
) -> None:
    bot = Batched()
    frames = [*map(view_of, TABLES)]
    three.play(
        ExpectHello(),
        SendFrames(*frames),
        *passing(),
        SendFrames(asking("a", "2")),
        ExpectSubmission("a", "2", Pass()),
        closing(*TABLES),
    )
    await run(bot, client, TABLES)
    assert bot.batches == [list(TABLES), ["a"]]


def too_few(asked: Sequence[DecisionAsked]) -> Sequence[Action]:
    return plainest(asked)[1:]


def raising(_: object) -> Sequence[Action]:
    raise RuntimeError("a bug")


async def raising_later(_: object) -> Sequence[Action]:
    raise RuntimeError("a bug")


def raising_cancelled(_: object) -> Sequence[Action]:
    raise asyncio.CancelledError


async def awaiting_what_was_cancelled(_: object) -> Sequence[Action]:
    future: asyncio.Future[Sequence[Action]] = asyncio.get_running_loop().create_future()
    future.cancel()
    return await future


WRONG = {
    "too few": (too_few, "with 2 actions to 3 decisions"),
    "no list": (
        lambda _: None,
        "answered with a value of type NoneType, which is no list, to 3 decisions",
    ),
    "raises": (raising, "raised RuntimeError"),
    "raises later": (raising_later, "raised RuntimeError"),
    "cancelled": (raising_cancelled, "raised CancelledError"),
    "awaits what was cancelled": (awaiting_what_was_cancelled, "raised CancelledError"),
    "no action": (lambda asked: ["pass"] * len(asked), "which is no action"),
}


@pytest.mark.parametrize(("answer", "says"), WRONG.values(), ids=WRONG)
async def test_a_wrong_answer_is_said(
    three: ScriptedServer, client: AsyncClient, answer: Answer, says: str
) -> None:
    three.play(ExpectHello(), SendFrames(*map(view_of, TABLES)))
    with pytest.raises(BotError, match=says):
        await run(Batched(answer), client, TABLES)


@pytest.mark.parametrize(("answer", "says"), WRONG.values(), ids=WRONG)
async def test_a_wrong_answer_may_be_overruled(
    three: ScriptedServer,
    client: AsyncClient,
    answer: Answer,
    says: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    three.play(ExpectHello(), SendFrames(*map(view_of, TABLES)), *passing(), closing(*TABLES))
    await run(Batched(answer), client, TABLES, on_error="first_option")
    assert says in caplog.text


async def test_a_run_that_is_cancelled_while_it_thinks_is_cancelled(
    three: ScriptedServer, client: AsyncClient
) -> None:
    thinks = asyncio.Event()

    async def ponder(_: object) -> Sequence[Action]:
        thinks.set()
        await asyncio.Event().wait()
        return []

    three.play(ExpectHello(), SendFrames(*map(view_of, TABLES)), Silence())
    playing = asyncio.create_task(run(Batched(ponder), client, TABLES))
    await thinks.wait()
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing


@pytest.mark.parametrize("spoil", [list.clear, list.reverse], ids=["empties", "reverses"])
async def test_what_a_bot_does_to_its_list_harms_nobody(
    three: ScriptedServer, client: AsyncClient, spoil: Callable[[Any], None]
) -> None:
    def answer(asked: Sequence[DecisionAsked]) -> Sequence[Action]:
        answers = [Bid(18) if one.decision.table_id == "a" else Pass() for one in asked]
        spoil(asked)
        return answers

    expected = [ExpectSubmission("a", "1", Bid(18)), *passing()[1:]]
    three.play(ExpectHello(), SendFrames(*map(view_of, TABLES)), *expected, closing(*TABLES))
    await run(Batched(answer), client, TABLES)
