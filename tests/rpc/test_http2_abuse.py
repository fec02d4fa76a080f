"""T14, T17, F16: who abuses HTTP/2 or the socket below it is cut, and nobody else notices."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
from h2.errors import ErrorCodes
from h2.events import ConnectionTerminated
from hyperframe.frame import ContinuationFrame, HeadersFrame, SettingsFrame

from skat.v1 import play_service_pb2 as play
from skat.v1 import table_service_pb2
from skat_server.app import App
from skat_server.config import Settings, TlsFiles
from skat_server.rpc.listener import MAX_CONCURRENT_STREAMS
from tests.certificates import Authority
from tests.rpc.player import Player
from tests.rpc.raw_http2 import RawConnection

pytestmark = pytest.mark.asyncio

FLOOD = 2_000
LAST = b"the last"
TOKEN = "token-of-player-rude"


@asynccontextmanager
async def others_notice_nothing(app: App) -> AsyncIterator[None]:
    """Somebody plays on while something else happens, and nothing of that is left behind."""
    async with grpc.aio.insecure_channel(app.address) as channel:
        polite = Player(channel, "polite")
        await polite.open()
        tasks = len(asyncio.all_tasks())
        try:
            yield
            await polite.create_table()
        finally:
            await until_flat(polite, tasks)


async def until_flat(polite: Player, tasks: int) -> None:
    """Wait until no more tasks run than before."""
    while len(asyncio.all_tasks()) > tasks:
        await polite.create_table()


async def answered(raw: RawConnection) -> None:
    """Read until the server has answered everything, or has had enough."""
    raw.h2.ping(LAST)
    raw.flush()
    while not raw.is_closed and not any(e.ping_data == LAST for e in raw.pings):
        await raw.read()


async def test_streams_that_are_opened_and_reset_cost_nothing_for_long(app: App) -> None:
    """Rapid reset: the server forgets each of them."""
    async with others_notice_nothing(app), await RawConnection.open(app.address) as raw:
        for _ in range(FLOOD):
            stream = raw.call("PlayService/Play", TOKEN, play.PlayRequest(hello=play.Hello()))
            raw.h2.reset_stream(stream, ErrorCodes.CANCEL)
        raw.flush()
        await answered(raw)


async def test_a_flood_of_pings_is_cut(app: App) -> None:
    async with others_notice_nothing(app), await RawConnection.open(app.address) as raw:
        for number in range(FLOOD):
            raw.h2.ping(number.to_bytes(8, "big"))
        raw.flush()
        await raw.until_closed()
        (farewell,) = raw.of_kind(ConnectionTerminated)
        assert farewell.error_code == ErrorCodes.ENHANCE_YOUR_CALM


async def test_a_flood_of_settings_is_borne_or_cut(app: App) -> None:
    async with others_notice_nothing(app), await RawConnection.open(app.address) as raw:
        frame = SettingsFrame(settings={SettingsFrame.MAX_FRAME_SIZE: 16_384})
        raw.send_bytes(frame.serialize() * FLOOD)
        await answered(raw)


async def test_headers_without_end_are_cut(app: App) -> None:
    """A header block in continuation frames that never stops."""
    async with others_notice_nothing(app), await RawConnection.open(app.address) as raw:
        block = raw.h2.encoder.encode([(b"x-large", b"x" * 8_000)])
        first = HeadersFrame(1, data=block)
        raw.send_bytes(first.serialize())
        for _ in range(200):
            raw.send_bytes(ContinuationFrame(1, data=block).serialize())
        await raw.until(lambda: raw.is_closed or raw.is_over(1))


async def test_headers_over_the_limit_are_refused(app: App) -> None:
    async with others_notice_nothing(app), await RawConnection.open(app.address) as raw:
        await raw.agree()
        request = table_service_pb2.ListTablesRequest()
        stream = raw.call("TableService/ListTables", "x" * 20_000, request)
        await raw.until(lambda: raw.is_over(stream))
        assert "metadata size" in str(raw.events)


async def test_calls_without_a_message_find_an_end(app: App) -> None:
    """The library forgets them and leaves them open, so a connection has only so many."""
    async with others_notice_nothing(app), await RawConnection.open(app.address) as raw:
        await raw.agree()
        most = raw.h2.remote_settings.max_concurrent_streams
        assert most == MAX_CONCURRENT_STREAMS


async def test_what_nobody_has_read_is_bounded(app: App) -> None:
    """T16: a sender is told to stop long before he fills the server's memory."""
    async with await RawConnection.open(app.address) as raw:
        await raw.agree()
        stream = raw.call("PlayService/Play", TOKEN)
        assert raw.h2.remote_settings.initial_window_size < 2**16
        assert raw.h2.local_flow_control_window(stream) < 2**16


@pytest.mark.parametrize(
    "garbage",
    [b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 64, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 64],
    ids=["HTTP/1", "zeros", "frames of noise"],
)
async def test_noise_ends_its_connection_only(app: App, garbage: bytes) -> None:
    """F17."""
    host, _, port = app.address.rpartition(":")
    async with others_notice_nothing(app):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(garbage)
        while await reader.read(65_536):
            pass
        writer.close()


SLOW = [
    pytest.param(b"", id="silent"),
    pytest.param(b"PRI * HTTP/2.0\r\n", id="half a preface"),
    pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", id="preface without settings"),
]


@pytest.mark.parametrize("beginning", SLOW)
async def test_connections_that_do_not_speak_are_closed(beginning: bytes) -> None:
    """T17, F16: within the time for the handshake, 200 of them at once."""
    settings = Settings(port=0, grace=0.0, handshake=0.3)
    async with App(settings) as app, others_notice_nothing(app):
        host, _, port = app.address.rpartition(":")
        sockets = [await asyncio.open_connection(host, int(port)) for _ in range(200)]
        for _, writer in sockets:
            writer.write(beginning)
        for reader, writer in sockets:
            while await reader.read(65_536):
                pass
            writer.close()


async def test_tls_connections_that_do_not_speak_are_closed(tmp_path: Path) -> None:
    """T17: a handshake that does not come to its end is one, too."""
    tls = TlsFiles(*Authority.new("root").server().write(tmp_path, "server"))
    async with App(Settings(port=0, grace=0.0, handshake=0.3, tls=tls)) as app:
        host, _, port = app.address.rpartition(":")
        sockets = [await asyncio.open_connection(host, int(port)) for _ in range(20)]
        for reader, writer in sockets:
            writer.write(b"\x16\x03\x01")
            while await reader.read(65_536):
                pass
            writer.close()


async def test_a_connection_that_speaks_a_byte_at_a_time_is_closed() -> None:
    """F16: what dribbles in does not put the end off."""
    settings = Settings(port=0, grace=0.0, handshake=0.3)
    async with App(settings) as app, others_notice_nothing(app):
        host, _, port = app.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        reading = asyncio.create_task(reader.read())
        async with grpc.aio.insecure_channel(app.address) as channel:
            for byte in b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[:-1]:
                writer.write(bytes([byte]))
                await Player(channel, "clock").create_table()
        await reading
        writer.close()
