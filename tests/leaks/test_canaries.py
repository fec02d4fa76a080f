"""T5, T6: whatever fails inside, its text is neither told to anybody nor logged.

Everything that can fail is made to raise an exception whose text is a canary, one after the
other, while somebody walks through all methods.
"""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from hypothesis import given, settings
from hypothesis import strategies as st

from skat_engine import deal_from_seed
from skat_server.app import App
from skat_server.config import AdminSettings, Settings
from skat_server.rpc.interceptors.errors import ErrorInterceptor
from skat_server.rpc.services import ADMIN_SERVICES, PLAYER_SERVICES
from tests.leaks.eavesdropping import is_in, said_by, server_log
from tests.leaks.oracle import questions
from tests.leaks.running import run
from tests.leaks.tours import Tour, metadata_of
from tests.leaks.voices import Voice, voices
from tests.rpc.game import listed
from tests.rpc.rights import MATRIX, Scene

CANARY = "hand of seat 2: CJ SJ HA and the seed"
DEALS = listed([deal_from_seed(bytes(32)), deal_from_seed(b"1" * 32)])
QUESTIONS = questions()
METHODS = [m for service in (*PLAYER_SERVICES, *ADMIN_SERVICES) for m in service.methods]


class CanaryError(Exception):
    """What is raised everywhere."""


def sing(*_: object, **__: object) -> Any:
    """Fail, with a text that must not be heard."""
    raise CanaryError(CANARY)


async def sing_later(*_: object, **__: object) -> Any:
    """The same as a coroutine."""
    raise CanaryError(CANARY)


@asynccontextmanager
async def both_ports() -> AsyncIterator[tuple[grpc.aio.Channel, grpc.aio.Channel]]:
    """A server with an operator's port, and a connection to each of the two."""
    settings = Settings(port=0, grace=0.0, admin=AdminSettings())
    async with App(settings) as app:
        assert app.admin_address is not None
        async with (
            grpc.aio.insecure_channel(app.address) as players,
            grpc.aio.insecure_channel(app.admin_address) as operator,
        ):
            yield players, operator


# ------------------------------------------------------------------------------------ handlers


def servicer_of(method: MethodDescriptor) -> type:
    """The class that serves a method."""
    service = method.containing_service
    module = service.file.name.removesuffix(".proto").replace("/", ".")
    stubs = importlib.import_module(f"{module}_pb2_grpc")
    servicers: list[type] = getattr(stubs, f"{service.name}Servicer").__subclasses__()
    return servicers[0]


@pytest.mark.asyncio
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
async def test_what_a_handler_raises_is_a_fixed_sentence(
    method: MethodDescriptor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servicer_of(method), method.name, sing_later)
    _, ask = MATRIX[method.full_name]
    with server_log() as log:
        async with both_ports() as (players, operator):
            is_admin = method.containing_service in ADMIN_SERVICES
            channel, metadata = (operator, ()) if is_admin else (players, metadata_of("ann"))
            request = ask(Scene("table", "1.0", 0, "bot", "token"))
            heard = await said_by(channel, method.full_name, [request], metadata)
    assert b"internal error" in b"".join(heard)
    assert "CanaryError" in log.getvalue()
    assert not is_in(CANARY.encode(), [*heard, log.getvalue().encode()])


# ----------------------------------------------------------------------------- everything inside

CONVERTERS = voices("skat_server.rpc.convert")
THE_GUARD = {"intercept_service", "_abort"}
"""What stands between the rest and the caller; nothing stands behind it."""
INSIDE = [
    voice
    for package in ("skat_server.rpc", "skat_server.players", "skat_server.tables")
    for voice in voices(package)
    if not (voice.owner is ErrorInterceptor or voice.name in THE_GUARD)
]


Stops = Mapping[Voice, set[str] | None]
"""Where to listen for each of them; None listens everywhere."""


async def heard_while_singing(stops: Stops) -> dict[Voice, list[bytes]]:
    """What is said and logged while each of them fails in turn."""
    found = {}
    async with both_ports() as (players, operator):
        for voice, where in stops.items():
            tour = Tour(players, operator)
            with server_log() as log, voice.replaced(sing_later if voice.is_coroutine else sing):
                await tour.walk(DEALS, QUESTIONS, where)
            found[voice] = [*tour.heard, log.getvalue().encode()]
    return found


async def places_of(candidates: Sequence[Voice]) -> dict[Voice, set[str]]:
    """Where on a walk each of them is called, for those that are."""
    places: dict[Voice, set[str]] = {}

    def noting(voice: Voice, tour: Tour) -> Callable[..., Any]:
        def call(*args: object, **options: object) -> Any:
            places.setdefault(voice, set()).add(tour.stop)
            return voice.function(*args, **options)

        return call

    async with both_ports() as (players, operator):
        tour = Tour(players, operator)
        with ExitStack() as stack:
            for voice in candidates:
                stack.enter_context(voice.replaced(noting(voice, tour)))
            await tour.walk(DEALS, QUESTIONS)
    return places


def assert_unheard(found: Mapping[Voice, list[bytes]]) -> None:
    """Nobody has heard the canary of any of them."""
    for voice, heard in found.items():
        assert not is_in(CANARY.encode(), heard), str(voice)


@pytest.mark.asyncio
async def test_no_converter_is_heard() -> None:
    """Every function between the wire and the tables fails in turn, if it is called at all."""
    places = await places_of(CONVERTERS)
    assert len(places) > len(CONVERTERS) / 2
    assert_unheard(await heard_while_singing(places))


@pytest.mark.asyncio
async def test_no_guard_is_heard() -> None:
    """What stands before the handlers, and the catalogue of errors itself."""
    guards = [voice for voice in INSIDE if ".rpc.interceptors." in str(voice)]
    guards += [voice for voice in INSIDE if ".rpc.errors." in str(voice)]
    where = {"skat.v1.TableService.GetTable", "skat.v1.SpectateService.WatchTable"}
    assert_unheard(await heard_while_singing(dict.fromkeys(guards, where)))


@settings(max_examples=4, deadline=None)
@given(st.lists(st.sampled_from(INSIDE), min_size=3, max_size=3))
def test_nothing_inside_is_heard(some: list[Voice]) -> None:
    """Some others, drawn anew each time: all of them would take a minute."""
    assert_unheard(run(heard_while_singing(dict.fromkeys(some))))


def test_the_search_finds_what_is_there() -> None:
    secret = bytes(range(200, 232))
    for disguise in (secret, secret.hex().encode(), f"seed={secret!r}".encode()):
        assert is_in(secret, [b"nothing", b"before " + disguise + b" after"])
    assert not is_in(secret, [secret[1:]])
