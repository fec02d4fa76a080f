"""A session outlives its connections. The server is scripted; no wait takes time."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import grpc
import pytest
import pytest_asyncio
from google.protobuf.timestamp_pb2 import Timestamp

from skat.v1 import event_pb2, table_pb2
from skat.v1 import play_service_pb2 as play
from skat.v1.table_service_pb2 import GetTableResponse
from skat_client import (
    AsyncClient,
    Bid,
    Connected,
    DecisionAsked,
    ErrorReason,
    EventSeen,
    GaveUpError,
    GiveUp,
    GoingAway,
    NotAllowedError,
    Pass,
    ProtocolError,
    Session,
    SessionOptions,
    SessionSupersededError,
    SubmissionRefused,
    TableShown,
    Transport,
    UnauthenticatedError,
)
from skat_client.testing import (
    DROP,
    Close,
    End,
    ExpectHello,
    ExpectSubmission,
    Failure,
    Refuse,
    ScriptedServer,
    Send,
    SendFrames,
    Silence,
    Step,
    bidding_decision,
    new_events,
    new_frame,
    new_table,
    new_view,
)

pytestmark = pytest.mark.asyncio

PASSED = event_pb2.BidPassed(seat=1)
AFTERWARDS = new_frame("t", new_events(2, event_pb2.BidPassed(seat=0)))
LAST = new_frame("t", new_events(2, event_pb2.TableClosed(reason="enough")))


def shown(turn_id: str | None = "1") -> SendFrames:
    decision = bidding_decision(turn_id, [18]) if turn_id else None
    view = new_view("t", sequence=1)
    return SendFrames(new_frame("t", new_events(1, PASSED), view=view, decision=decision))


def asked(turn_id: str = "1") -> table_pb2.TableFrame:
    return new_frame("t", decision=bidding_decision(turn_id, [18]))


@pytest_asyncio.fixture
async def session(client: AsyncClient, either: SessionOptions) -> AsyncIterator[Session]:
    async with client.open_session(either) as opened:
        yield opened


async def until(session: Session, kind: type[Any]) -> Any:
    """Go on to the next item of a type."""
    async for item in session:
        if isinstance(item, kind):
            return item
    raise AssertionError(f"no {kind.__name__} came")


async def answer(session: Session, action: Bid | Pass) -> DecisionAsked:
    item: DecisionAsked = await until(session, DecisionAsked)
    assert session.submit(item.decision, action)
    return item


async def test_it_begins_with_a_welcome(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    server.play(ExpectHello(positions={}))
    async with client.open_session(options) as session:
        item = await anext(session)
    assert isinstance(item, Connected)
    assert (item.session_id, item.player_id, item.is_first) == ("session", "player", True)


async def test_a_polled_one_begins_without_names(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    server.play(ExpectHello(positions={}))
    async with client.open_session(replace(options, transport=Transport.POLLING)) as session:
        assert await anext(session) == Connected("", "", None, is_first=True)


async def test_items_come_in_order(server: ScriptedServer, session: Session) -> None:
    server.play(ExpectHello(), shown())
    kinds = [type(await anext(session)) for _ in range(4)]
    assert kinds == [Connected, TableShown, EventSeen, DecisionAsked]


async def test_an_answer_leaves_with_the_next_item(
    server: ScriptedServer, session: Session
) -> None:
    server.play(ExpectHello(), shown(), ExpectSubmission("t", "1", Pass()), SendFrames(AFTERWARDS))
    await answer(session, Pass())
    assert isinstance(await anext(session), EventSeen)


async def test_a_flush_sends_at_once(server: ScriptedServer, session: Session) -> None:
    server.play(ExpectHello(), shown(), ExpectSubmission("t", "1", Pass()))
    await answer(session, Pass())
    await session.flush()


async def test_what_was_submitted_leaves_before_it_closes(
    server: ScriptedServer, session: Session
) -> None:
    server.play(ExpectHello(), shown(), ExpectSubmission("t", "1", Pass()))
    await answer(session, Pass())


async def test_a_closed_session_has_no_more_items(server: ScriptedServer, session: Session) -> None:
    server.play(ExpectHello())
    await anext(session)
    await session.aclose()
    assert [item async for item in session] == []


# ------------------------------------------------------------------------------- lost connections


@pytest.mark.parametrize("end", [DROP, Close()], ids=["broken", "ended"])
async def test_after_a_drop_it_continues_where_it_was(
    end: Step, server: ScriptedServer, session: Session
) -> None:
    server.play(ExpectHello(), shown(None), end)
    server.play(ExpectHello(positions={"t": 1}), SendFrames(AFTERWARDS))
    events = [(await until(session, EventSeen)).event.sequence for _ in range(2)]
    assert events == [1, 2]


async def test_the_second_welcome_is_not_the_first(
    server: ScriptedServer, session: Session
) -> None:
    server.play(ExpectHello(), DROP)
    server.play(ExpectHello())
    assert (await until(session, Connected)).is_first
    assert not (await until(session, Connected)).is_first


async def test_no_turn_is_asked_twice_and_none_played_differently(
    server: ScriptedServer, session: Session
) -> None:
    server.play(ExpectHello(), shown(), ExpectSubmission("t", "1", Bid(18)), DROP)
    server.play(
        ExpectHello(),
        SendFrames(asked("1")),
        ExpectSubmission("t", "1", Bid(18)),
        SendFrames(AFTERWARDS, asked_later("2")),
    )
    await answer(session, Bid(18))
    item = await until(session, DecisionAsked)
    assert item.decision.turn_id == "2"


def asked_later(turn_id: str) -> table_pb2.TableFrame:
    return new_frame("u", view=new_view("u"), decision=bidding_decision(turn_id, [18]))


async def test_an_answer_that_settled_the_turn_is_not_sent_again(
    server: ScriptedServer, session: Session
) -> None:
    server.play(ExpectHello(), shown(), ExpectSubmission("t", "1", Bid(18)), DROP)
    server.play(ExpectHello(), SendFrames(AFTERWARDS))
    await answer(session, Bid(18))
    assert (await until(session, EventSeen)).event.sequence == 2


async def test_an_answer_made_while_it_was_down_is_sent_when_asked(
    server: ScriptedServer, session: Session
) -> None:
    server.play(ExpectHello(), shown(), DROP)
    server.play(ExpectHello(), SendFrames(asked()), ExpectSubmission("t", "1", Pass()))
    item = await until(session, DecisionAsked)
    await until(session, Connected)
    assert session.submit(item.decision, Pass())


async def test_a_server_that_was_restarted_is_found_again(
    server: ScriptedServer, session: Session
) -> None:
    server.play(ExpectHello(), shown(None), Silence())
    server.play(ExpectHello(positions={"t": 1}), SendFrames(AFTERWARDS))
    await until(session, EventSeen)
    await server.restart()
    assert (await until(session, EventSeen)).event.sequence == 2


async def test_missing_events_are_asked_for_with_a_view(
    server: ScriptedServer, session: Session
) -> None:
    server.play(ExpectHello(), shown(None), SendFrames(new_frame("t", new_events(9, PASSED))))
    server.play(ExpectHello(positions={}), shown(None), SendFrames(AFTERWARDS))
    await until(session, TableShown)
    await until(session, TableShown)
    assert [(await until(session, EventSeen)).event.sequence for _ in range(2)] == [1, 2]


async def test_a_silent_server_counts_as_lost(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    server.play(Silence())
    hasty = replace(options, welcome_timeout=0.01, max_downtime=0.0)
    async with client.open_session(hasty) as session:
        with pytest.raises(GaveUpError, match="no welcome within"):
            await anext(session)


async def test_a_view_again_is_taken(server: ScriptedServer, session: Session) -> None:
    server.play(ExpectHello(), shown("1"), ExpectSubmission("t", "1", Pass()), DROP)
    server.play(
        ExpectHello(), shown("1"), ExpectSubmission("t", "1", Pass()), SendFrames(AFTERWARDS)
    )
    await answer(session, Pass())
    await until(session, TableShown)
    assert [(await until(session, EventSeen)).event.sequence for _ in range(2)] == [1, 2]


# ---------------------------------------------------------------------------------------- refusals


async def test_a_refused_answer_can_be_mended(server: ScriptedServer, session: Session) -> None:
    server.play(
        ExpectHello(),
        shown(),
        ExpectSubmission("t", "1", Bid(17)),
        Refuse("t", "1", ErrorReason.ILLEGAL_BID, asked()),
        ExpectSubmission("t", "1", Bid(18)),
    )
    await answer(session, Bid(17))
    refusal: SubmissionRefused = await until(session, SubmissionRefused)
    await answer(session, Bid(18))
    assert (refusal.reason, refusal.action) == (ErrorReason.ILLEGAL_BID, Bid(17))


async def test_storage_that_is_down_is_waited_for(
    server: ScriptedServer, session: Session, waits: Any
) -> None:
    down = Refuse("t", "1", ErrorReason.STORE_UNAVAILABLE, asked())
    submission = ExpectSubmission("t", "1", Pass())
    server.play(
        ExpectHello(), shown(), submission, down, submission, down, submission, SendFrames(LAST)
    )
    await answer(session, Pass())
    await until(session, EventSeen)
    assert waits.seconds == pytest.approx([0.2, 0.4])


async def test_a_proposal_goes_without_a_turn(server: ScriptedServer, session: Session) -> None:
    server.play(ExpectHello(), shown(None), ExpectSubmission("t", "", GiveUp()))
    await until(session, EventSeen)
    session.propose("t", GiveUp())
    with pytest.raises(KeyError):
        session.propose("elsewhere", GiveUp())


# -------------------------------------------------------------------------------------- going away


def notice(endpoint: str = "") -> Send:
    resume_by = Timestamp(seconds=60)
    return Send(
        play.PlayResponse(going_away=play.GoingAway(resume_by=resume_by, endpoint=endpoint))
    )


GONE = End(Failure(grpc.StatusCode.UNAVAILABLE, ErrorReason.GOING_AWAY))


async def test_a_server_that_goes_away_says_so_and_is_found_again(
    server: ScriptedServer, session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    """R23: play goes on until the stream ends, and after the restart."""
    server.play(ExpectHello(), notice(), shown(), ExpectSubmission("t", "1", Pass()), GONE)
    server.play(ExpectHello(positions={"t": 1}), SendFrames(AFTERWARDS))
    going = await until(session, GoingAway)
    assert going == GoingAway(datetime(1970, 1, 1, 0, 1, tzinfo=UTC), None)
    assert "the server goes away by 00:01:00 UTC" in caplog.text
    await answer(session, Pass())
    assert (await until(session, EventSeen)).event.sequence == 2


async def test_a_notice_that_is_repeated_is_told_once(
    server: ScriptedServer, session: Session
) -> None:
    server.play(ExpectHello(), notice(), notice(), shown(None), notice(), GONE)
    server.play(ExpectHello(), SendFrames(AFTERWARDS))
    kinds = [type(await anext(session)) for _ in range(6)]
    assert kinds == [Connected, GoingAway, TableShown, EventSeen, Connected, EventSeen]


async def test_a_session_goes_where_it_is_sent_and_so_do_the_calls(
    server: ScriptedServer, client: AsyncClient, session: Session
) -> None:
    async with ScriptedServer() as other:
        server.play(ExpectHello(), shown(None), notice(other.address), GONE)
        other.play(ExpectHello(positions={"t": 1}), SendFrames(AFTERWARDS))
        other.reply("GetTable", GetTableResponse(table=new_table("t")))
        await until(session, EventSeen)
        assert (await until(session, EventSeen)).event.sequence == 2
        assert (await client.get_table("t")).table_id == "t"
        assert client.server == other.address
        await session.aclose()


async def test_who_is_sent_to_nobody_comes_home(
    server: ScriptedServer, client: AsyncClient, session: Session
) -> None:
    async with ScriptedServer() as other:
        nowhere = other.address
    server.play(ExpectHello(), shown(None), notice(nowhere), GONE)
    server.play(ExpectHello(positions={"t": 1}), SendFrames(AFTERWARDS))
    await until(session, EventSeen)
    assert (await until(session, EventSeen)).event.sequence == 2
    assert client.server == server.address


# -------------------------------------------------------------------------------------------- ends


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (
            Failure(grpc.StatusCode.ABORTED, ErrorReason.SESSION_SUPERSEDED),
            SessionSupersededError,
        ),
        (
            Failure(grpc.StatusCode.UNAUTHENTICATED, ErrorReason.UNAUTHENTICATED),
            UnauthenticatedError,
        ),
        (
            Failure(grpc.StatusCode.UNAUTHENTICATED, ErrorReason.TOKEN_REVOKED),
            UnauthenticatedError,
        ),
        (Failure(grpc.StatusCode.PERMISSION_DENIED, ErrorReason.BANNED), NotAllowedError),
        (Failure(grpc.StatusCode.PERMISSION_DENIED, ErrorReason.SCOPE_MISSING), NotAllowedError),
    ],
    ids=["superseded", "unauthenticated", "revoked", "banned", "scope"],
)
async def test_some_ends_are_final(
    failure: Failure, kind: type[Exception], server: ScriptedServer, session: Session, waits: Any
) -> None:
    server.play(ExpectHello(), End(failure))
    with pytest.raises(kind):
        await until(session, EventSeen)
    assert [item async for item in session] == []
    assert waits.seconds == []


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.UNAVAILABLE, ErrorReason.GOING_AWAY),
        (grpc.StatusCode.UNAVAILABLE, ErrorReason.DRAINING),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, ErrorReason.RATE_LIMITED),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, ErrorReason.SLOW_CONSUMER),
        (grpc.StatusCode.INTERNAL, ErrorReason.INTERNAL),
        (grpc.StatusCode.UNKNOWN, None),
    ],
    ids=str,
)
async def test_others_are_not(
    code: grpc.StatusCode,
    reason: ErrorReason | None,
    server: ScriptedServer,
    session: Session,
) -> None:
    server.play(ExpectHello(), End(Failure(code, reason)))
    server.play(ExpectHello(), shown(None))
    assert (await until(session, Connected)).is_first
    assert not (await until(session, Connected)).is_first
    assert (await until(session, EventSeen)).event.sequence == 1


async def test_waits_grow_until_a_connection_is_of_use(
    server: ScriptedServer, session: Session, waits: Any
) -> None:
    server.play(DROP)
    server.play(ExpectHello(), DROP)
    server.play(ExpectHello(), shown(None), DROP)
    server.play(ExpectHello())
    await until(session, EventSeen)
    await until(session, Connected)
    assert waits.seconds == pytest.approx([0.2, 0.4, 0.2])


async def test_a_hint_of_the_server_is_respected(
    server: ScriptedServer, session: Session, waits: Any
) -> None:
    busy = Failure(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        ErrorReason.QUOTA_EXCEEDED,
        retry_delay=timedelta(seconds=9),
    )
    server.play(End(busy))
    server.play(ExpectHello())
    await anext(session)
    assert waits.seconds == [9.0]


async def test_it_gives_up_after_the_downtime_allowed(
    server: ScriptedServer, client: AsyncClient, either: SessionOptions, waits: Any
) -> None:
    for _ in range(3):
        server.play(DROP)
    async with client.open_session(replace(either, max_downtime=1.0)) as session:
        with pytest.raises(GaveUpError, match="no connection for 1 s"):
            await anext(session)
    assert waits.seconds == pytest.approx([0.2, 0.4])


async def test_a_server_that_dies_of_every_greeting_is_given_up(
    server: ScriptedServer, client: AsyncClient, either: SessionOptions, waits: Any
) -> None:
    for _ in range(3):
        server.play(ExpectHello(), DROP)
    async with client.open_session(replace(either, max_downtime=1.0)) as session:
        with pytest.raises(GaveUpError, match="no connection for 1 s"):
            await until(session, EventSeen)
    assert waits.seconds == pytest.approx([0.2, 0.4])


async def test_so_is_one_that_dies_of_every_answer(
    server: ScriptedServer, client: AsyncClient, either: SessionOptions
) -> None:
    """It shows the same once more each time, which is no progress."""
    for _ in range(3):
        server.play(ExpectHello(), shown("1"), ExpectSubmission("t", "1", Pass()), DROP)
    async with client.open_session(replace(either, max_downtime=1.0)) as session:
        await answer(session, Pass())
        with pytest.raises(GaveUpError, match="no connection for 1 s"):
            await until(session, DecisionAsked)


async def test_time_with_a_connection_is_no_downtime(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions, waits: Any
) -> None:
    for _ in range(2):
        server.play(ExpectHello(), DROP)
    server.play(ExpectHello())
    async with client.open_session(replace(options, max_downtime=1.0)) as session:
        for _ in range(3):
            await until(session, Connected)
            waits.time += 100.0


class Garbage:
    """Bytes that are no message."""

    def SerializeToString(self) -> bytes:
        return b"\xff\xff"


async def test_bytes_that_are_no_message_are_told_as_such(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    server.play(ExpectHello(), Send(cast(play.PlayResponse, Garbage())))
    async with client.open_session(options) as session:
        with pytest.raises(ProtocolError, match="cannot be read"):
            await until(session, EventSeen)


async def test_what_cannot_be_ends_the_session(server: ScriptedServer, session: Session) -> None:
    impossible = new_frame("t", new_events(2, event_pb2.BidPassed(seat=9)))
    server.play(ExpectHello(), shown(None), SendFrames(impossible))
    await until(session, EventSeen)
    with pytest.raises(ProtocolError, match="seat 9 of 3"):
        await until(session, EventSeen)
    assert [item async for item in session] == []


async def test_a_greeting_without_welcome_is_no_greeting(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    server.play(Send(play.PlayResponse()), Silence())
    async with client.open_session(options) as session:
        with pytest.raises(ProtocolError, match="no welcome"):
            await anext(session)


async def test_a_cancelled_wait_costs_nothing(server: ScriptedServer, session: Session) -> None:
    server.play(ExpectHello(), shown(), ExpectSubmission("t", "1", Pass()), SendFrames(AFTERWARDS))
    item = await until(session, DecisionAsked)
    waiting = asyncio.create_task(anext(session))
    await asyncio.wait({waiting}, timeout=0.01)
    waiting.cancel()
    await asyncio.wait({waiting})
    assert session.submit(item.decision, Pass())
    assert (await until(session, EventSeen)).event.sequence == 2
