"""A server process that is told to stop while deals are under way (F18), and its ports in TLS."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import grpc
import pytest

from tests.certificates import Authority
from tests.e2e.server_process import ServerProcess, serving
from tests.rpc.deals import MIXED
from tests.rpc.game import Game, new_game
from tests.rpc.player import Player

pytestmark = pytest.mark.asyncio


async def told(game: Game) -> None:
    """Wait until every player has been told that the server stops."""
    for player in game.players:
        while not player.responses[-1].HasField("going_away"):
            await player.read()


async def over(server: ServerProcess) -> tuple[int, str]:
    """Wait for the end of the process: its code, and what it wrote on standard error."""
    _, errors = await asyncio.to_thread(server.process.communicate)
    return server.process.returncode, errors


async def test_the_deal_under_way_is_played_to_its_end() -> None:
    """F18: everybody is told, nobody is cut, and the end is as good as any."""
    with serving("--port", "0", "--grace", "60") as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            game = await new_game(channel, [MIXED])
            await game.play("18 hold pass")
            server.process.send_signal(signal.SIGTERM)
            await told(game)
            await game.play("pass take C.H8.D7")
            await game.play_out()
            for player in game.players:
                await player.end_of(game.table_id)
            code, errors = await over(server)
    assert code == 0
    assert "1 deals under way get up to 60 s" in errors
    assert "Traceback" not in errors


async def test_a_signal_after_the_end_does_not_spoil_the_exit_code() -> None:
    """Whoever stops it sends the second one when he has waited for long enough."""
    with serving("--port", "0", variables={"SKAT_LOG_LEVEL": "info"}) as server:
        assert server.process.stderr is not None
        server.process.send_signal(signal.SIGTERM)
        while "server.stopped" not in server.process.stderr.readline():
            pass
        while server.process.poll() is None:
            server.process.send_signal(signal.SIGTERM)
        assert server.process.returncode == 0


async def test_the_second_signal_does_not_wait() -> None:
    with serving("--port", "0", "--grace", "60") as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            game = await new_game(channel, [MIXED])
            server.process.send_signal(signal.SIGTERM)
            await told(game)
            server.process.send_signal(signal.SIGTERM)
            assert (await game.players[0].end()).reason == "GOING_AWAY"
            code, errors = await over(server)
    assert code == 0
    assert "Traceback" not in errors


async def test_a_deal_that_does_not_end_in_time_goes_on_after_the_restart(tmp_path: Path) -> None:
    """F18: nothing is lost, and the same question is asked again."""
    data = ("--port", "0", "--data", str(tmp_path / "data"))
    with serving(*data, "--grace", "1") as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            game = await new_game(channel, [MIXED])
            await game.play("18 hold")
            asked = await game.next_player.decision(game.table_id)
            name = game.next_player.name
            code, _ = await asyncio.to_thread(server.stop)
    assert code == 0
    with serving(*data) as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            back = Player(channel, name)
            await back.open()
            again = await back.decision(game.table_id)
            assert again.turn_id == asked.turn_id
            assert again.first_option == asked.first_option


async def test_players_are_served_in_tls(tmp_path: Path) -> None:
    authority = Authority.new("root")
    certificate, key = authority.server().write(tmp_path, "server")
    files = ("--tls-cert", str(certificate), "--tls-key", str(key))
    credentials = grpc.ssl_channel_credentials(authority.pair.chain)
    with serving("--host", "0.0.0.0", "--port", "0", "--auth", "open", *files) as server:
        port = server.address.rpartition(":")[2]
        async with grpc.aio.secure_channel(f"localhost:{port}", credentials) as channel:
            assert (await Player(channel, "ann").create_table()).table_id
        _, errors = await asyncio.to_thread(server.stop)
    assert "WARNING" not in errors


async def test_plain_text_elsewhere_is_a_loud_warning_and_the_operators_port_is_named() -> None:
    """Section 10.1, T18: the one is asked for and said again, the other stays on the loopback."""
    options = ("--host", "0.0.0.0", "--auth", "open", "--insecure", "--admin-port", "0")
    with serving("--port", "0", *options) as server:
        assert server.process.stdout is not None
        lines = [server.process.stdout.readline() for _ in range(2)]
        code, errors = await asyncio.to_thread(server.stop)
    assert any(line.startswith("the operator's port is 127.0.0.1:") for line in lines), lines
    assert code == 0
    assert "WARNING" in errors
    assert '"event": "listen.insecure"' in errors
