"""A real server in the same loop, on a free port of the loopback."""

from collections.abc import AsyncIterator

import grpc
import pytest_asyncio

from skat_server.app import App
from skat_server.config import Settings


@pytest_asyncio.fixture
async def app() -> AsyncIterator[App]:
    """A running server that cuts what is left when the test is over."""
    async with App(Settings(port=0, grace=0.0)) as app:
        yield app


@pytest_asyncio.fixture
async def channel(app: App) -> AsyncIterator[grpc.aio.Channel]:
    """A connection to it."""
    async with grpc.aio.insecure_channel(app.address) as channel:
        yield channel
