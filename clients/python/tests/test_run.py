"""The loop that plays bots."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from skat.v1 import event_pb2, table_pb2, table_service_pb2
from skat_client import (
    Action,
    AsyncClient,
    Bid,
    BidPassed,
    BotError,
    ConfigurationError,
    Decision,
    ErrorReason,
    Pass,
    PlayCard,
    SeatTakenError,
    SessionOptions,
    SessionSupersededError,
    TableEvent,
    TableLostError,
    TableSight,
    TableState,
    run,
)
from skat_client.testing import (
    DROP,
    End,
    ExpectHello,
    ExpectSubmission,
    Failure,
    Refuse,
    ScriptedServer,
    SendFrames,
    Silence,
    Wait,
    bidding_decision,
    new_events,
    new_frame,
    new_table,
    new_view,
    passed_deal,
)

pytestmark = pytest.mark.asyncio

Decide = Callable[[Decision, TableSight], Any]


class Scripted:
    """A bot that answers with a function and notes what it sees."""

    def __init__(self, decide: Decide = lambda decision, _: decision.first_option) -> None:
        self._decide = decide
        self.events: list[TableEvent] = []
        self.asked: list[str] = []

    def decide(self, decision: Decision, sight: TableSight) -> Action | Awaitable[Action]:
        self.asked.append(decision.turn_id)
        answer: Action | Awaitable[Action] = self._decide(decision, sight)
        return answer

    def observe(self, event: TableEvent, sight: TableSight) -> None:
        assert event.sequence == sight.sequence
        self.events.append(event)


def shown(turn_id: str | None = "1", table_id: str = "t") -> SendFrames:
    decision = bidding_decision(turn_id, [18]) if turn_id else None
    return SendFrames(new_frame(table_id, view=new_view(table_id), decision=decision))


def asked(turn_id: str) -> table_pb2.TableFrame:
    return new_frame("t", decision=bidding_decision(turn_id, [18]))


def closed(first: int = 1, table_id: str = "t") -> SendFrames:
    return SendFrames(
        new_frame(table_id, new_events(first, event_pb2.TableClosed(reason="enough")))
    )


def raising(*_: object) -> Action:
    raise RuntimeError("a bug")


async def test_a_bot_plays_a_table_to_its_end(seated: ScriptedServer, client: AsyncClient) -> None:
    bot = Scripted()
    seated.play(*passed_deal("t"))
    sights = await run(bot, client, ["t"])
    assert (bot.asked, len(bot.events)) == (["turn 1"], 6)
    assert sights["t"].places == (1, 1, 1)


async def test_it_sits_down_under_its_name(seated: ScriptedServer, client: AsyncClient) -> None:
    seated.play(*passed_deal("t"))
    await run(Scripted(), client, ["t"], seat=0)
    (request,) = seated.requests_of(table_service_pb2.TakeSeatRequest)
    assert (request.player_name, request.seat) == ("Scripted", 0)


async def test_a_bot_needs_no_observe(seated: ScriptedServer, client: AsyncClient) -> None:
    class Plain:
        def decide(self, decision: Decision, sight: TableSight) -> Action:
            return Pass()

    seated.play(*passed_deal("t"))
    sights = await run(Plain(), client, ["t"])
    assert (sights["t"].is_over, sights["t"].sequence) == (True, 6)


async def test_a_bot_may_be_a_coroutine(seated: ScriptedServer, client: AsyncClient) -> None:
    asked = []

    class Thinking:
        async def decide(self, decision: Decision, sight: TableSight) -> Action:
            asked.append(decision.turn_id)
            return decision.first_option

    seated.play(*passed_deal("t"))
    sights = await run(Thinking(), client, ["t"])
    assert (asked, sights["t"].places) == (["turn 1"], (1, 1, 1))


async def test_every_table_gets_a_bot_of_its_own(
    server: ScriptedServer, client: AsyncClient
) -> None:
    bots: dict[str, Scripted] = {}

    def make(table_id: str) -> Scripted:
        return bots.setdefault(table_id, Scripted())

    for table_id in ("a", "b"):
        response = table_service_pb2.TakeSeatResponse(table=new_table(table_id))
        server.reply("TakeSeat", response)
    server.play(
        ExpectHello(),
        shown("1", "a"),
        shown("2", "b"),
        ExpectSubmission("a", "1", Pass()),
        ExpectSubmission("b", "2", Pass()),
        closed(1, "a"),
        closed(1, "b"),
    )
    await run(make, client, ["a", "b"])
    assert {table_id: bot.asked for table_id, bot in bots.items()} == {"a": ["1"], "b": ["2"]}


async def test_a_table_that_is_over_is_not_waited_for(
    server: ScriptedServer, client: AsyncClient
) -> None:
    table = new_table("t", state=table_pb2.TABLE_STATE_FINISHED)
    server.reply("TakeSeat", table_service_pb2.TakeSeatResponse(table=table))
    assert await run(Scripted(), client, ["t"]) == {}


async def test_it_stops_when_told(server: ScriptedServer, client: AsyncClient) -> None:
    passed = event_pb2.BidPassed(seat=1)
    server.play(ExpectHello(), shown(None), SendFrames(new_frame("t", new_events(1, passed))))
    bot = Scripted()
    await run(bot, client, until=lambda event, _: isinstance(event.event, BidPassed))
    assert len(bot.events) == 1


async def test_a_run_that_would_never_end_is_refused(client: AsyncClient) -> None:
    with pytest.raises(ConfigurationError, match="the list of tables is empty"):
        await run(Scripted(), client, [])


async def test_no_tables_are_enough_where_something_else_ends_it(
    server: ScriptedServer, client: AsyncClient
) -> None:
    server.play(ExpectHello(), shown(None), closed())
    sights = await run(Scripted(), client, [], until=lambda _, sight: sight.is_over)
    assert list(sights) == ["t"]


@pytest.mark.parametrize("bot", [Scripted, "rules", object()], ids=["class", "text", "object"])
async def test_what_is_no_bot_is_said_before_it_takes_a_seat(bot: Any, client: AsyncClient) -> None:
    with pytest.raises(TypeError, match="is no bot; make one of a class"):
        await run(bot, client, ["t"])


async def test_so_is_what_makes_no_bot(seated: ScriptedServer, client: AsyncClient) -> None:
    def make(table_id: str) -> Any:
        return None

    seated.play(ExpectHello(), shown(), Silence())
    with pytest.raises(TypeError, match="made None for table t, which is no bot"):
        await run(make, client, ["t"])


async def test_a_seat_that_is_taken_is_an_error(
    server: ScriptedServer, client: AsyncClient
) -> None:
    server.reply("TakeSeat", Failure(grpc.StatusCode.FAILED_PRECONDITION, ErrorReason.SEAT_TAKEN))
    with pytest.raises(SeatTakenError):
        await run(Scripted(), client, ["t"])


# ------------------------------------------------------------------------------- lost connections


async def test_after_a_drop_the_bot_is_not_asked_again(
    seated: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    running = table_service_pb2.GetTableResponse(table=new_table("t"))
    seated.reply("GetTable", running)
    seated.play(ExpectHello(), shown(), ExpectSubmission("t", "1", Pass()), DROP)
    seated.play(ExpectHello(), SendFrames(asked("1")), ExpectSubmission("t", "1", Pass()), closed())
    bot = Scripted()
    await run(bot, client, ["t"], options=options)
    assert bot.asked == ["1"]


async def test_a_table_that_ended_meanwhile_is_noticed(
    seated: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    table = new_table("t", state=table_pb2.TABLE_STATE_FINISHED)
    seated.reply("GetTable", table_service_pb2.GetTableResponse(table=table))
    seated.play(ExpectHello(), shown(None), DROP)
    seated.play(ExpectHello())
    bot = Scripted()
    sights = await run(bot, client, ["t"], options=options)
    assert (bot.events, sights["t"].table.state) == ([], TableState.FINISHED)


@pytest.mark.parametrize("reason", [ErrorReason.RATE_LIMITED, ErrorReason.GOING_AWAY])
async def test_who_may_not_ask_for_them_plays_on(
    reason: ErrorReason, seated: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    seated.reply("GetTable", Failure(grpc.StatusCode.UNAVAILABLE, reason))
    seated.play(ExpectHello(), shown(None), DROP)
    seated.play(ExpectHello(), closed())
    bot = Scripted()
    await run(bot, client, ["t"], options=options)
    assert len(bot.events) == 1


@pytest.mark.parametrize("named", [("t",), None], ids=["named", "found in the session"])
async def test_a_table_that_the_server_forgot_is_an_error(
    named: tuple[str, ...] | None,
    server: ScriptedServer,
    client: AsyncClient,
    options: SessionOptions,
) -> None:
    if named:
        server.reply("GetTable", table_service_pb2.GetTableResponse(table=new_table("t")))
        server.reply("TakeSeat", table_service_pb2.TakeSeatResponse(table=new_table("t"), seat=0))
    server.reply("GetTable", Failure(grpc.StatusCode.NOT_FOUND, ErrorReason.TABLE_NOT_FOUND))
    server.play(ExpectHello(), shown(None), DROP)
    server.play(ExpectHello())
    with pytest.raises(TableLostError, match="no longer knows t") as caught:
        await run(Scripted(), client, named, options=options)
    assert caught.value.table_ids == ("t",)


async def test_another_session_of_the_player_ends_it(
    seated: ScriptedServer, client: AsyncClient
) -> None:
    superseded = Failure(grpc.StatusCode.ABORTED, ErrorReason.SESSION_SUPERSEDED)
    seated.play(ExpectHello(), End(superseded))
    with pytest.raises(SessionSupersededError):
        await run(Scripted(), client, ["t"])


# --------------------------------------------------------------------------------------- bad bots


async def test_a_bot_that_raises_ends_the_run(seated: ScriptedServer, client: AsyncClient) -> None:
    seated.play(ExpectHello(), shown(), Silence())
    with pytest.raises(BotError, match="table t, bidding: the bot raised RuntimeError") as caught:
        await run(Scripted(raising), client, ["t"])
    assert isinstance(caught.value.__cause__, RuntimeError)


async def test_so_does_one_that_raises_after_thinking(
    seated: ScriptedServer, client: AsyncClient
) -> None:
    async def think(decision: Decision, sight: TableSight) -> Action:
        return raising()

    seated.play(ExpectHello(), shown(), Silence())
    with pytest.raises(BotError, match="a bug") as caught:
        await run(Scripted(think), client, ["t"])
    assert isinstance(caught.value.__cause__, RuntimeError)


async def awaits_what_was_cancelled() -> Action:
    future: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
    future.cancel()
    return await future


def cancelled(*_: object) -> Action:
    raise asyncio.CancelledError


@pytest.mark.parametrize(
    "decide", [cancelled, lambda *_: awaits_what_was_cancelled()], ids=["at once", "later"]
)
async def test_so_does_one_that_ends_as_if_cancelled(
    decide: Decide, seated: ScriptedServer, client: AsyncClient
) -> None:
    seated.play(ExpectHello(), shown(), Silence())
    with pytest.raises(BotError, match="bidding: the bot raised CancelledError"):
        await run(Scripted(decide), client, ["t"])


async def test_so_does_one_that_answers_nothing(
    seated: ScriptedServer, client: AsyncClient
) -> None:
    seated.play(ExpectHello(), shown(), Silence())
    with pytest.raises(BotError, match=r"bidding: Scripted answered None, .* BiddingOptions"):
        await run(Scripted(lambda *_: None), client, ["t"])


async def test_so_does_one_whose_action_holds_no_value_of_ours(
    seated: ScriptedServer, client: AsyncClient
) -> None:
    seated.play(ExpectHello(), shown(), Silence())
    with pytest.raises(BotError, match="bidding: Scripted answered PlayCard"):
        await run(Scripted(lambda *_: PlayCard("D7")), client, ["t"])  # type: ignore[arg-type]


async def test_so_does_one_that_is_refused(seated: ScriptedServer, client: AsyncClient) -> None:
    refusal = Refuse("t", "1", ErrorReason.ILLEGAL_BID, asked("1"))
    seated.play(ExpectHello(), shown(), ExpectSubmission("t", "1", Bid(17)), refusal, Silence())
    with pytest.raises(BotError, match="refused bid 17"):
        await run(Scripted(lambda *_: Bid(17)), client, ["t"])


async def test_so_does_one_that_raises_in_observe(
    seated: ScriptedServer, client: AsyncClient
) -> None:
    class Clumsy(Scripted):
        def observe(self, event: TableEvent, sight: TableSight) -> None:
            raise RuntimeError("a bug")

    seated.play(ExpectHello(), shown(None), closed(), Silence())
    with pytest.raises(BotError, match="raised in observe"):
        await run(Clumsy(), client, ["t"])


@pytest.mark.parametrize("decide", [raising, lambda *_: None], ids=["raises", "answers nothing"])
async def test_it_can_be_overruled_by_the_first_option(
    decide: Decide, seated: ScriptedServer, client: AsyncClient
) -> None:
    seated.play(*passed_deal("t"))
    await run(Scripted(decide), client, ["t"], on_error="first_option")


async def test_so_can_one_that_is_refused_and_is_not_asked_again(
    seated: ScriptedServer, client: AsyncClient
) -> None:
    seated.play(
        ExpectHello(),
        shown(),
        ExpectSubmission("t", "1", Bid(17)),
        Refuse("t", "1", ErrorReason.ILLEGAL_BID, asked("1")),
        ExpectSubmission("t", "1", Pass()),
        closed(),
    )
    bot = Scripted(lambda *_: Bid(17))
    await run(bot, client, ["t"], on_error="first_option")
    assert bot.asked == ["1"]


async def test_a_refused_first_option_ends_the_run_all_the_same(
    seated: ScriptedServer, client: AsyncClient
) -> None:
    refusal = Refuse("t", "1", ErrorReason.WRONG_PHASE, asked("1"))
    submission = ExpectSubmission("t", "1", Pass())
    seated.play(ExpectHello(), shown(), submission, refusal, submission, refusal, Silence())
    with pytest.raises(BotError, match="refused pass"):
        await run(Scripted(), client, ["t"], on_error="first_option")


async def test_an_answer_that_came_too_late_is_nobodys_fault(
    seated: ScriptedServer, client: AsyncClient
) -> None:
    seated.play(
        ExpectHello(),
        shown(),
        ExpectSubmission("t", "1", Pass()),
        Refuse("t", "1", ErrorReason.STALE_TURN, asked("2")),
        ExpectSubmission("t", "2", Pass()),
        closed(),
    )
    bot = Scripted()
    await run(bot, client, ["t"])
    assert bot.asked == ["1", "2"]


@pytest.mark.parametrize(
    "news",
    [event_pb2.DecisionDefaulted(seat=0), event_pb2.DealVoided(reason="by the operator")],
    ids=["time is up", "deal is void"],
)
async def test_a_thought_about_what_was_settled_otherwise_is_cancelled(
    news: Message, seated: ScriptedServer, client: AsyncClient
) -> None:
    cancelled = asyncio.Event()

    async def ponder() -> Action:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return Pass()

    seated.play(
        ExpectHello(),
        shown(),
        SendFrames(new_frame("t", new_events(1, news))),
        Wait(cancelled),
        closed(2),
    )
    await run(Scripted(lambda *_: ponder()), client, ["t"])
    assert cancelled.is_set()


async def test_a_fault_told_once_more_after_a_view_cancels_nothing(
    seated: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    """The turn that is thought about is a later one, and nobody would ask it again."""
    seated.reply("GetTable", table_service_pb2.GetTableResponse(table=new_table("t")))
    told = new_events(1, event_pb2.DecisionDefaulted(seat=0))
    view = new_view("t", sequence=1)
    again = new_frame("t", told, view=view, decision=bidding_decision("1", [18]))
    seated.play(ExpectHello(), SendFrames(again), DROP)
    seated.play(ExpectHello(), SendFrames(again), ExpectSubmission("t", "1", Pass()), closed(2))
    seen_twice = asyncio.Event()

    class Slow(Scripted):
        def observe(self, event: TableEvent, sight: TableSight) -> None:
            self.events.append(event)
            if len(self.events) == 2:
                seen_twice.set()

    async def ponder() -> Action:
        await seen_twice.wait()
        return Pass()

    bot = Slow(lambda *_: ponder())
    await run(bot, client, ["t"], options=options)
    assert bot.asked == ["1"]


async def test_the_fault_of_another_seat_cancels_nothing(
    seated: ScriptedServer, client: AsyncClient
) -> None:
    go = asyncio.Event()

    class Slow(Scripted):
        def observe(self, event: TableEvent, sight: TableSight) -> None:
            go.set()

    async def ponder() -> Action:
        await go.wait()
        return Pass()

    seated.play(
        ExpectHello(),
        shown(),
        SendFrames(new_frame("t", new_events(1, event_pb2.DecisionDefaulted(seat=1)))),
        ExpectSubmission("t", "1", Pass()),
        closed(2),
    )
    bot = Slow(lambda *_: ponder())
    await run(bot, client, ["t"])
    assert bot.asked == ["1"]


@pytest.mark.parametrize("reason", [ErrorReason.RATE_LIMITED, ErrorReason.STALE_TURN])
async def test_a_limit_of_the_server_is_no_fault_of_the_bot(
    reason: ErrorReason, seated: ScriptedServer, client: AsyncClient
) -> None:
    seated.play(
        ExpectHello(),
        shown(),
        ExpectSubmission("t", "1", Pass()),
        Refuse("t", "1", reason),
        closed(),
    )
    bot = Scripted()
    await run(bot, client, ["t"])
    assert bot.asked == ["1"]


async def test_too_many_illegal_answers_are_the_bots_fault(
    seated: ScriptedServer, client: AsyncClient
) -> None:
    refusal = Refuse("t", "1", ErrorReason.TOO_MANY_ILLEGAL)
    seated.play(ExpectHello(), shown(), ExpectSubmission("t", "1", Bid(17)), refusal, Silence())
    with pytest.raises(BotError, match="refused bid 17"):
        await run(Scripted(lambda *_: Bid(17)), client, ["t"])


async def test_a_thought_whose_decision_was_replaced_is_cancelled(
    seated: ScriptedServer, client: AsyncClient
) -> None:
    cancelled = asyncio.Event()

    async def ponder() -> Action:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return Pass()

    def decide(decision: Decision, sight: TableSight) -> Any:
        return ponder() if decision.turn_id == "1" else Pass()

    seated.play(
        ExpectHello(),
        shown("1"),
        SendFrames(asked("2")),
        ExpectSubmission("t", "2", Pass()),
        closed(),
    )
    await run(Scripted(decide), client, ["t"])
    assert cancelled.is_set()
