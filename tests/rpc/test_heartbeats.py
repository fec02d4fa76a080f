"""Signs of life: the server gives one when it has nothing to say, the client answers (R1)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from skat.v1 import play_service_pb2 as play
from skat_server.clock import ManualClock
from skat_server.rpc.play.pulse import Pulse
from tests.rpc.deals import MIXED
from tests.rpc.game import new_game
from tests.rpc.manual import house, next_beat
from tests.rpc.player import Player


def beats(player: Player) -> list[play.Heartbeat]:
    """The heartbeats that a player was sent."""
    return [r.heartbeat for r in player.responses if r.HasField("heartbeat")]


@pytest.mark.asyncio
async def test_the_welcome_names_the_limits_of_a_stream() -> None:
    async with house() as running:
        player = Player(running.channel, "ann")
        await player.open()
        limits = player.welcome
        assert limits.heartbeat_ms == 5_000
        assert (limits.unasked_per_second, limits.unasked_burst) == (50, 100)


@pytest.mark.asyncio
async def test_a_quiet_stream_gives_signs_of_life() -> None:
    async with house() as running:
        player = Player(running.channel, "ann")
        await player.open()
        moments = [(await next_beat(running, player)).server_time.seconds for _ in range(3)]
        assert all(5 <= later - earlier <= 10 for earlier, later in pairwise(moments))


@pytest.mark.asyncio
async def test_a_stream_with_news_gives_none() -> None:
    async with house() as running:
        game = await new_game(running.channel, [MIXED])
        await game.settle()
        running.clock.advance(4.9)
        await game.play("18 hold")
        await game.settle()
        witness = game.at(2)
        await witness.until(lambda: witness.story(game.table_id).latest == "bid_held")
        running.clock.advance(4.9)
        await game.play("20")
        await game.settle()
        await witness.until(lambda: witness.story(game.table_id).latest == "bid_made")
        assert not beats(witness)
        await next_beat(running, witness)


@pytest.mark.asyncio
async def test_whatever_a_client_sends_is_a_sign_of_life() -> None:
    async with house() as running:
        player = Player(running.channel, "ann")
        await player.open()
        heartbeat = await next_beat(running, player)
        running.clock.advance(2.0)
        await player.send(play.PlayRequest(heartbeat=heartbeat))
        await player.send(play.PlayRequest(submissions=[play.Submission(table_id="none")]))
        await player.result()
        heard_at = running.app.sessions.heard_at(player.welcome.player_id)
        assert heard_at == running.clock.monotonic()


class Watched:
    """A pulse and what it has called."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.called: list[tuple[str, float]] = []
        self.pulse = Pulse(
            self.clock,
            heartbeat=5.0,
            write_within=10.0,
            on_quiet=lambda: self.called.append(("quiet", self.clock.monotonic())),
            on_stuck=lambda: self.called.append(("stuck", self.clock.monotonic())),
        )


def test_a_message_puts_the_next_beat_off() -> None:
    watched = Watched()
    watched.clock.advance(3.0)
    watched.pulse.writing()
    watched.pulse.wrote()
    watched.clock.advance(7.0)
    assert watched.called == [("quiet", 8.0)]


def test_nothing_beats_while_a_message_is_under_way() -> None:
    watched = Watched()
    watched.pulse.writing()
    watched.clock.advance(9.9)
    watched.pulse.wrote()
    watched.clock.advance(4.9)
    assert watched.called == []
    watched.clock.advance(0.1)
    assert [name for name, _ in watched.called] == ["quiet"]


@pytest.mark.parametrize("began", [0.0, 0.1, 4.9, 5.0, 7.3])
def test_a_message_that_is_stuck_is_told_once_and_on_time(began: float) -> None:
    watched = Watched()
    watched.clock.advance(began)
    watched.called.clear()
    watched.pulse.writing()
    watched.clock.advance(100.0)
    ((name, at),) = watched.called
    assert name == "stuck"
    assert at == pytest.approx(began + 10.0)


def test_one_timer_serves_any_number_of_messages() -> None:
    watched = Watched()
    for _ in range(1_000):
        watched.pulse.writing()
        watched.pulse.wrote()
    assert len(watched.clock._timers) == 1


def test_a_pulse_that_was_stopped_is_silent() -> None:
    watched = Watched()
    watched.pulse.stop()
    watched.clock.advance(100.0)
    assert watched.called == []
