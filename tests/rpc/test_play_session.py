"""Sessions: how a stream begins and ends, and how a bot comes back (R1, R18, R19)."""

import asyncio

import grpc
import pytest

from skat.v1 import card_pb2, play_service_pb2, table_pb2, table_service_pb2
from skat_engine import cards_in
from skat_server.app import App
from skat_server.config import Settings
from skat_server.rpc.play.stream import HELLO_WITHIN
from tests.rpc.deals import CLUBS_BY_FOREHAND, MIXED
from tests.rpc.failures import failure
from tests.rpc.game import Game, listed, new_game
from tests.rpc.manual import house
from tests.rpc.player import WITH_DECISIONS, Player, untimed

pytestmark = pytest.mark.asyncio


async def test_the_welcome_names_the_player_but_not_the_token(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    await player.open()
    assert player.welcome.player_id.startswith("player-")
    assert "token" not in str(player.welcome)
    assert player.welcome.session_id
    assert player.welcome.server_time.seconds > 0


async def test_the_welcome_says_how_large_a_message_may_be(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    await player.open()
    assert player.welcome.max_message_bytes == 256 * 1024


@pytest.mark.parametrize(
    "submissions",
    [[], [play_service_pb2.Submission()]],
    ids=["empty", "submission"],
)
async def test_a_stream_begins_with_hello(
    channel: grpc.aio.Channel, submissions: list[play_service_pb2.Submission]
) -> None:
    player = Player(channel, "ann")
    player.start()
    await player.send(play_service_pb2.PlayRequest(submissions=submissions))
    ended = await player.end()
    assert ended.code is grpc.StatusCode.INVALID_ARGUMENT
    assert ended.reason == "HELLO_EXPECTED"


async def test_a_stream_that_closes_without_hello_is_refused(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    await player.start().done_writing()
    assert (await player.end()).reason == "HELLO_EXPECTED"


async def test_a_second_hello_ends_the_stream(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    await player.open()
    await player.send(play_service_pb2.PlayRequest(hello=play_service_pb2.Hello()))
    ended = await player.end()
    assert ended.code is grpc.StatusCode.INVALID_ARGUMENT
    assert ended.reason == "HELLO_EXPECTED"


async def test_a_stream_without_a_first_message_is_ended() -> None:
    """T17: nobody holds a stream open without speaking."""
    async with house() as running:
        player = Player(running.channel, "ann")
        player.start()
        while not running.app._rpc._calls.endings._ends:
            await player.tables.ListTables(table_service_pb2.ListTablesRequest())
        running.clock.advance(HELLO_WITHIN)
        ended = await player.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "HELLO_EXPECTED")


def stream_tasks() -> list[str]:
    """What runs for play streams."""
    names = (getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks())
    return [name for name in names if name.startswith("PlayStream.")]


async def test_no_task_is_left_of_a_lost_stream() -> None:
    async with house() as running:
        player = Player(running.channel, "ann")
        await player.open()
        assert sorted(stream_tasks()) == ["PlayStream._read", "PlayStream._write"]
        player.drop()
        while stream_tasks():
            await player.tables.ListTables(table_service_pb2.ListTablesRequest())
        assert not running.app.sessions.live


@pytest.mark.parametrize(
    "hello",
    [
        play_service_pb2.Hello(client_name="n" * 81),
        play_service_pb2.Hello(client_version="v" * 41),
        play_service_pb2.Hello(client_name="line\nbreak"),
        play_service_pb2.Hello(delivery=9),  # type: ignore[arg-type]
    ],
    ids=["long name", "long version", "unprintable name", "unknown delivery"],
)
async def test_a_bad_hello_names_its_field(
    channel: grpc.aio.Channel, hello: play_service_pb2.Hello
) -> None:
    player = Player(channel, "ann")
    player.start()
    await player.send(play_service_pb2.PlayRequest(hello=hello))
    ended = await player.end()
    assert ended.code is grpc.StatusCode.INVALID_ARGUMENT
    assert ended.reason == "INVALID_FIELD"
    assert ended.fields[0].startswith("hello.")


@pytest.mark.parametrize(
    "authorization", ["token-without-scheme", "Bearer short", "Bearer " + "x" * 201]
)
async def test_a_stream_needs_a_usable_token(channel: grpc.aio.Channel, authorization: str) -> None:
    player = Player(channel, "nobody")
    player.metadata = (("authorization", authorization),)
    player.start()
    ended = await player.end()
    assert ended.code is grpc.StatusCode.UNAUTHENTICATED
    assert ended.reason == "UNAUTHENTICATED"


async def test_the_stream_ends_with_ok_after_the_client_closed_its_side(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    await game.at(0).finish()
    assert (await game.at(0).get_table(game.table_id)).seats[game.active[0]].taken


async def test_an_answer_sent_right_before_closing_counts(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED], delivery=WITH_DECISIONS)
    bidder = game.at(1)
    await game.play("18")
    await bidder.finish()
    assert bidder.story(game.table_id).latest == "bid_made"


async def test_a_second_session_ends_the_first(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    first, second = game.at(0), Player(channel, game.at(0).name)
    await second.open()
    ended = await first.end()
    assert ended.code is grpc.StatusCode.ABORTED
    assert ended.reason == "SESSION_SUPERSEDED"


async def test_the_seat_stays_connected_when_a_session_replaces_another(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    first, second = game.at(0), Player(channel, game.at(0).name)
    await second.open()
    await first.end()
    table = await second.get_table(game.table_id)
    assert [seat.connected for seat in table.seats] == [True, True, True]


async def test_a_closed_session_is_no_longer_connected(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    await game.at(0).finish()
    table = await game.at(0).get_table(game.table_id)
    assert [table.seats[seat].connected for seat in game.active] == [False, True, True]


async def resumed(game: Game, position: int, positions: dict[str, int] | None = None) -> Player:
    """The player of a position after he lost his connection and came back."""
    game.at(position).drop()
    back = Player(game.channel, game.at(position).name)
    await back.open(positions=positions)
    game.players[game.active[position]] = back
    return back


async def test_a_new_session_is_told_the_deal_from_its_start(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    await game.play(f"{CLUBS_BY_FOREHAND} S7 S9")
    await game.settle()
    before = list(game.story(2).events)
    back = await resumed(game, 2)
    story = back.story(game.table_id)
    await back.until(lambda: bool(story.views))
    start = next(i for i, event in enumerate(before) if event.HasField("deal_started"))
    assert story.views[0].seat == game.active[2]
    assert story.events == before[start:]
    hand = [card_pb2.Card.Name(card) for card in story.events[0].deal_started.hand]
    assert len(hand) == len(cards_in(MIXED.hands[2]))
    assert "CARD_DJ" in hand


async def test_the_open_decision_is_repeated_with_its_turn_id(channel: grpc.aio.Channel) -> None:
    """R18, R19: the question comes again as it was, after the view."""
    game = await new_game(channel, [MIXED])
    await game.play(CLUBS_BY_FOREHAND)
    asked = await game.at(0).decision(game.table_id)
    back = await resumed(game, 0)
    assert untimed(await back.decision(game.table_id)) == untimed(asked)
    await game.play_out()
    await back.end_of(game.table_id)


async def test_a_position_gets_exactly_what_followed(channel: grpc.aio.Channel) -> None:
    """H2: what a seat receives is one history, also across a reconnect."""
    game = await new_game(channel, [MIXED])
    await game.play("18 hold")
    await game.settle()
    absent = game.at(2)
    await absent.until(lambda: absent.story(game.table_id).latest == "bid_held")
    seen = game.story(2).last
    absent.drop()
    await game.play("pass")
    back = await resumed(game, 2, {game.table_id: seen})
    await back.decision(game.table_id)
    story = back.story(game.table_id)
    assert not story.views
    assert [event.sequence for event in story.events] == [seen + 1]
    assert story.cases == ["bid_passed"]


async def test_what_was_missed_comes_with_the_welcome(channel: grpc.aio.Channel) -> None:
    """It has waited long enough, whatever the delivery, and costs no message of its own."""
    game = await new_game(channel, [MIXED])
    absent = game.at(2)
    await absent.until(lambda: absent.story(game.table_id).latest == "deal_started")
    seen = game.story(2).last
    absent.drop()
    await game.play("18")
    await game.settle()
    back = Player(channel, absent.name)
    await back.open(WITH_DECISIONS, positions={game.table_id: seen})
    assert back.story(game.table_id).cases == ["bid_made"]


async def test_a_position_at_the_end_gets_the_decision_only(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    asked = await game.at(1).decision(game.table_id)
    seen = game.story(1).last
    back = await resumed(game, 1, {game.table_id: seen})
    assert untimed(await back.decision(game.table_id)) == untimed(asked)
    assert not back.story(game.table_id).events


async def test_a_position_of_the_deal_before_is_continued(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED, MIXED])
    await game.play("pass")
    await game.settle()
    name, table_id = game.players[0].name, game.table_id
    seen = game.players[0].story(table_id).last
    await game.play("pass pass")
    await game.settle()
    game.players[0].drop()
    back = Player(channel, name)
    await back.open(positions={table_id: seen})
    await back.until(lambda: "deal_started" in back.story(table_id).cases)
    assert not back.story(table_id).views
    assert back.story(table_id).events[0].sequence == seen + 1


@pytest.mark.parametrize("seen", [0, 10_000], ids=["long ago", "of the future"])
async def test_a_position_that_cannot_be_continued_gets_a_view(
    channel: grpc.aio.Channel, seen: int
) -> None:
    game = await new_game(channel, [MIXED] * 4)
    for _ in range(3):
        await game.play("pass pass pass")
    await game.settle()
    back = Player(channel, game.players[0].name)
    await back.open(positions={game.table_id: seen})
    story = back.story(game.table_id)
    await back.until(lambda: bool(story.views))
    assert story.events[0].deal_started.deal_number == 4


async def test_the_end_of_a_table_is_told_to_who_was_away(channel: grpc.aio.Channel) -> None:
    """R18: events after n can be asked for, also when the series ended meanwhile."""
    game = await new_game(channel, [MIXED])
    await game.play("pass")
    away = game.at(1)
    await away.until(lambda: away.story(game.table_id).latest == "bid_passed")
    seen = game.story(1).last
    away.drop()
    await game.play("pass pass")
    last = game.at(0)
    await last.end_of(game.table_id)
    back = Player(channel, away.name)
    await back.open(positions={game.table_id: seen})
    story = back.story(game.table_id)
    await back.until(lambda: story.is_over)
    assert story.cases == ["bid_passed", "bid_passed", "deal_ended", "series_ended"]


async def test_a_table_that_is_over_is_not_shown_to_a_new_session(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    await game.play("pass pass pass")
    last = game.at(0)
    await last.end_of(game.table_id)
    back = Player(channel, last.name)
    await back.open()
    await back.finish()
    assert not back.story(game.table_id).views


async def test_a_seat_taken_while_connected_is_told_at_once(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    await player.open()
    table = await player.create_table()
    await player.take_seat(table.table_id)
    story = player.story(table.table_id)
    await player.until(lambda: bool(story.views))
    assert story.views[0].seat == 0
    assert story.cases == ["seat_taken"]


async def test_another_player_takes_a_seat_over_and_finishes_the_deal(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    await game.play(f"{CLUBS_BY_FOREHAND} S7")
    asked = await game.at(1).decision(game.table_id)
    seat = game.active[1]
    await game.at(1).leave_seat(game.table_id)
    heir = Player(channel, "heir")
    await heir.open()
    assert await heir.take_seat(game.table_id) == seat
    game.players[seat] = heir
    assert untimed(await heir.decision(game.table_id)) == untimed(asked)
    assert len(heir.story(game.table_id).events[0].deal_started.hand) == 10
    await game.play_out()
    await heir.end_of(game.table_id)


async def test_whoever_left_is_told_nothing_more(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    leaver = game.at(2)
    await leaver.leave_seat(game.table_id)
    await game.play("18 hold")
    await game.settle()
    await leaver.finish()
    assert "bid_made" not in leaver.story(game.table_id).cases


async def test_play_waits_at_a_seat_that_was_left(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    await game.settle()
    table = await game.at(1).leave_seat(game.table_id)
    assert table.state == table_pb2.TABLE_STATE_PLAYING
    assert not table.seats[game.active[1]].taken
    others = game.at(0)
    await others.until(lambda: others.story(game.table_id).latest == "seat_left")


async def test_closing_a_table_is_told_to_its_players(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    await game.play("18")
    table = await game.players[0].close_table(game.table_id)
    assert table.state == table_pb2.TABLE_STATE_CLOSED
    for player in game.players:
        await player.end_of(game.table_id)
        assert player.story(game.table_id).events[-1].table_closed.reason


async def test_a_stopping_server_ends_streams_with_going_away() -> None:
    """F18: no stream is cut without its reason, and nothing waits for the grace."""
    async with App(Settings(port=0, grace=60.0)) as app:
        channel = grpc.aio.insecure_channel(app.address)
        player = Player(channel, "ann")
        await player.open()
    ended = await player.end()
    await channel.close()
    assert ended.code is grpc.StatusCode.UNAVAILABLE
    assert ended.reason == "GOING_AWAY"


async def test_a_session_that_opens_while_the_server_stops_is_ended(app: App) -> None:
    async with grpc.aio.insecure_channel(app.address) as channel:
        app.sessions.end_all()
        player = Player(channel, "late")
        await player.open()
        assert (await player.end()).reason == "GOING_AWAY"


async def test_tables_of_one_player_share_a_frame(channel: grpc.aio.Channel) -> None:
    """R33: one bot at many tables is asked for several of them in one message."""
    players = [Player(channel, name) for name in ("ann", "ben", "cem")]
    requests = [listed([MIXED]) for _ in range(8)]
    table_ids = [(await players[0].create_table(request)).table_id for request in requests]
    for player in players:
        for table_id in table_ids:
            await player.take_seat(table_id)
    for player in players:
        await player.open(WITH_DECISIONS)
    bidder = players[2]
    await bidder.decision(table_ids[0])
    assert [frame.table_id for frame in bidder.responses[0].tables] == table_ids
    assert all(frame.HasField("decision") for frame in bidder.responses[0].tables)


async def test_one_message_answers_at_many_tables(channel: grpc.aio.Channel) -> None:
    players = [Player(channel, name) for name in ("ann", "ben", "cem")]
    table_ids = [(await players[0].create_table(listed([MIXED]))).table_id for _ in range(8)]
    for player in players:
        for table_id in table_ids:
            await player.take_seat(table_id)
        await player.open(WITH_DECISIONS)
    async with asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play(lambda decision: decision.first_option, table_ids))
    tables = [await players[0].get_table(table_id) for table_id in table_ids]
    assert {table.state for table in tables} == {table_pb2.TABLE_STATE_FINISHED}


async def test_calls_need_a_usable_token_too(channel: grpc.aio.Channel) -> None:
    nobody = Player(channel, "nobody")
    nobody.metadata = (("authorization", "Bearer short"),)
    refused = await failure(nobody.create_table())
    assert refused.code is grpc.StatusCode.UNAUTHENTICATED
