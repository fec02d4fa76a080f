"""What is counted while a real server is played on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

import grpc
import pytest
import pytest_asyncio

from skat_engine import parse_action
from skat_server.app import App
from skat_server.config import Settings, WebSettings
from skat_server.rpc.convert.values import action_to_proto
from tests.observability.scraping import scrape
from tests.rpc.deals import MIXED
from tests.rpc.failures import failure
from tests.rpc.game import new_game
from tests.rpc.player import Player, submission
from tests.rpc.series import play_series

pytestmark = pytest.mark.asyncio

MOST_SERIES = 1_500
TABLES, DEALS = 12, 3
PASS = action_to_proto(parse_action("pass"))
JACK = action_to_proto(parse_action("CJ"))


def raw_call(
    channel: grpc.aio.Channel, path: str, message: bytes, metadata: tuple[tuple[str, str], ...]
) -> Awaitable[bytes]:
    """Call a method with bytes."""
    method: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
    return method(message, metadata=metadata)


def settings(data: Path | None = None) -> Settings:
    return Settings(port=0, grace=0.0, web=WebSettings(), data=data, migrates=True)


@pytest_asyncio.fixture
async def app() -> AsyncIterator[App]:
    async with App(settings()) as app:
        yield app


@pytest_asyncio.fixture
async def channel(app: App) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(app.address) as channel:
        yield channel


async def play(address: str) -> int:
    """Three players play at all tables to their end; how many messages they were sent."""
    async with grpc.aio.insecure_channel(address) as channel:
        players, _ = await play_series(channel, DEALS, TABLES)
        for player in players:
            await player.finish()
        return sum(len(player.responses) for player in players)


async def test_a_load_is_counted_and_makes_few_series(tmp_path: Path) -> None:
    """The bound of the operations guide: below 1,500 series, whatever is played."""
    async with App(settings(tmp_path)) as app:
        before = await scrape(app.web_address)
        messages = await play(app.address)
        found = await scrape(app.web_address)
    accepted = found.value("skat_actions_total", outcome="accepted")
    assert accepted > TABLES * DEALS
    assert found.sum("skat_deals_completed_total") == TABLES * DEALS
    assert found.value("skat_terminations_total", cause="normal") == TABLES * DEALS
    assert found.value("skat_action_duration_seconds_count") == accepted
    # What somebody says while another is asked takes no time of his own.
    assert accepted * 0.9 < found.sum("skat_bot_think_seconds_count") <= accepted
    assert found.value("skat_tables", state="ended") == TABLES
    assert found.value("skat_session_opens_total") == 3
    assert found.value("skat_stream_messages_total", kind="seat", direction="in") > TABLES
    assert found.value("skat_stream_messages_total", kind="seat", direction="out") == messages
    assert found.value("skat_store_commit_duration_seconds_count") > 0
    assert found.value("skat_store_batch_events_sum") >= accepted
    assert found.value("skat_data_bytes") > 0
    assert found.value("skat_data_free_bytes") > 0
    assert found.value("skat_replay_duration_seconds") > 0
    assert len(before.samples) <= len(found.samples) < MOST_SERIES


async def test_calls_are_counted_by_method_and_status(app: App, channel: grpc.aio.Channel) -> None:
    ann = Player(channel, "ann")
    await ann.create_table()
    await failure(ann.get_table("nowhere"))
    await failure(raw_call(channel, "/skat.v1.TableService/Deal", b"", ann.metadata))
    method = "skat.v1.TableService/GetTable"
    await failure(raw_call(channel, f"/{method}", b"\xff", ann.metadata))
    found = await scrape(app.web_address)
    name = "skat_rpc_handled_total"
    assert found.value(name, method="skat.v1.TableService/CreateTable", code="OK") == 1
    assert found.value(name, method=method, code="NOT_FOUND") == 1
    assert found.value(name, method=method, code="INVALID_ARGUMENT") == 1
    assert found.value(name, method="unknown", code="UNIMPLEMENTED") == 1
    assert found.value("skat_rpc_started_total", method=method) == 2


async def test_who_is_not_let_in_is_counted(app: App, channel: grpc.aio.Channel) -> None:
    short = (("authorization", "Bearer x"),)
    await failure(raw_call(channel, "/skat.v1.TableService/CreateTable", b"", short))
    found = await scrape(app.web_address)
    assert found.value("skat_auth_failures_total", cause="unauthenticated") == 1


async def test_open_streams_are_seen_until_they_end(app: App, channel: grpc.aio.Channel) -> None:
    ann = Player(channel, "ann")
    await ann.open()
    found = await scrape(app.web_address)
    assert found.value("skat_streams", kind="seat") == found.value("skat_sessions") == 1
    again = Player(channel, "ann")
    await again.open()
    await ann.end()
    found = await scrape(app.web_address)
    assert found.value("skat_streams", kind="seat") == 1
    assert found.value("skat_stream_disconnects_total", cause="superseded") == 1
    assert found.value("skat_session_supersedes_total") == 1


async def test_what_becomes_of_answers_is_counted(app: App, channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    player = game.next_player
    turn = (await player.decision(game.table_id)).turn_id
    await player.refusal(game.table_id, JACK)
    await player.answer(game.table_id, PASS)
    await player.submit(submission(game.table_id, turn, PASS))
    assert (await player.result()).HasField("repeated")
    found = await scrape(app.web_address)
    outcomes = {
        outcome: found.value("skat_actions_total", outcome=outcome)
        for outcome in ("accepted", "late", "illegal", "duplicate", "failed")
    }
    assert outcomes == {"accepted": 1, "late": 1, "illegal": 0, "duplicate": 1, "failed": 0}
