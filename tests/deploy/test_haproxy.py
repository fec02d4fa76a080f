"""A deal over TLS, through the proxy that the docs recommend, as it is configured there."""

import asyncio
import os
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from h2.connection import H2Connection
from h2.events import ResponseReceived

from skat_client import (
    AsyncClient,
    HouseBot,
    RuleSet,
    SessionOptions,
    TableState,
    Tls,
    Transport,
    UnavailableError,
    run,
)
from skat_client.bots import BOTS
from skat_server.app import App
from skat_server.config import Settings, WebSettings
from tests.certificates import Authority
from tests.programs import program

CONFIGURATION: Final = Path(__file__).parents[2] / "deploy" / "haproxy" / "haproxy.cfg"

pytestmark = pytest.mark.asyncio


@dataclass(frozen=True, slots=True)
class Front:
    """A proxy with a server behind it, as bots see them."""

    app: App
    address: str
    tls: Tls

    def client(self) -> AsyncClient:
        """A bot that trusts the proxy's authority."""
        return AsyncClient(self.address, tls=self.tls, token="a-token-behind-the-proxy")


@contextmanager
def proxying(folder: Path, authority: Authority, app: App) -> Iterator[str]:
    """HAProxy with the configuration of the repository, on a port that is bound for it."""
    pair = authority.server()
    (folder / "skat.pem").write_bytes(pair.chain + pair.key_bytes())
    assert app.web_address is not None
    with socket.create_server(("127.0.0.1", 0)) as listening:
        variables = {
            "SKAT_LISTEN": f"fd@{listening.fileno()}",
            "SKAT_PEM": str(folder / "skat.pem"),
            "SKAT_BACKEND": app.address,
            "SKAT_READY_PORT": app.web_address.rpartition(":")[2],
        }
        with subprocess.Popen(
            [program("haproxy"), "-db", "-f", CONFIGURATION],
            env={**os.environ, **variables},
            pass_fds=[listening.fileno()],
            stdout=subprocess.DEVNULL,
        ) as process:
            try:
                yield f"127.0.0.1:{listening.getsockname()[1]}"
            finally:
                process.terminate()


@pytest_asyncio.fixture
async def front(tmp_path: Path) -> AsyncIterator[Front]:
    authority = Authority.new("Proxy")
    tls = Tls(root_certificates=authority.pair.chain)
    async with App(Settings(port=0, grace=0, web=WebSettings())) as app:
        with proxying(tmp_path, authority, app) as address:
            yield Front(app, address, tls)


@pytest.mark.parametrize("transport", Transport, ids=lambda transport: transport.name)
async def test_a_series_is_played_through_the_proxy(front: Front, transport: Transport) -> None:
    async with front.client() as client:
        rules = RuleSet("isko", {"session_deals": "2"})
        table = await client.create_table(rules, house_bots=[HouseBot.RANDOM, HouseBot.RANDOM])
        options = SessionOptions(transport=transport)
        sights = await run(BOTS["rules"](1), client, [table.table_id], options=options)
    sight = sights[table.table_id]
    assert (sight.table.state, sight.deal.number) == (TableState.FINISHED, 2)


async def test_whoever_distrusts_the_certificate_does_not_get_in(front: Front) -> None:
    stranger = Tls(root_certificates=Authority.new("Somebody else").pair.chain)
    async with AsyncClient(front.address, tls=stranger) as client:
        with pytest.raises(UnavailableError):
            await client.list_rule_sets()


async def test_what_is_not_grpc_is_turned_away(front: Front) -> None:
    assert await asyncio.to_thread(status_of_a_browser, front) == b"415"


def status_of_a_browser(front: Front) -> bytes:
    """What somebody is told who asks for a page."""
    roots = front.tls.root_certificates
    assert roots is not None
    context = ssl.create_default_context(cadata=roots.decode())
    context.set_alpn_protocols(["h2"])
    host, _, port = front.address.rpartition(":")
    asked = [(":method", "GET"), (":path", "/"), (":scheme", "https"), (":authority", host)]
    with (
        socket.create_connection((host, int(port)), timeout=30) as plain,
        context.wrap_socket(plain, server_hostname=host) as channel,
    ):
        connection = H2Connection()
        connection.initiate_connection()
        connection.send_headers(1, asked, end_stream=True)
        channel.sendall(connection.data_to_send())
        while data := channel.recv(65_536):
            for event in connection.receive_data(data):
                if isinstance(event, ResponseReceived):
                    return dict(event.headers)[b":status"]
    raise AssertionError("the proxy said nothing")
