"""T5: whatever a handler raises, no text of it and no card reaches the caller."""

from __future__ import annotations

import gc
import weakref
from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar

import grpc
import pytest
import pytest_asyncio
import structlog
from google.protobuf.empty_pb2 import Empty

from skat_server.errors import Reason, RefusedError
from skat_server.rpc.interceptors.errors import ErrorInterceptor
from tests.rpc.failures import Failure, failure_of

pytestmark = pytest.mark.asyncio

SECRET = "hand of seat 2: CJ SJ HA"
KINDS = ("Unary", "Stream", "Generator", "Late", "Gather", "Both")


async def unary(request: object, context: object) -> Empty:
    raise ValueError(SECRET)


async def stream(request: object, context: object) -> None:
    raise ValueError(SECRET)


async def generator(request: object, context: object) -> AsyncIterator[Empty]:
    if context is not None:
        raise ValueError(SECRET)
    yield Empty()


async def late(request: object, context: object) -> AsyncIterator[Empty]:
    yield Empty()
    raise ValueError(SECRET)


class Parcel:
    """A request that can be followed."""

    alive: ClassVar[weakref.WeakSet[Parcel]] = weakref.WeakSet()

    def __init__(self, data: bytes) -> None:
        """Read it."""
        self.data = data
        self.alive.add(self)


async def refuse(request: object, context: object) -> Empty:
    raise RefusedError(Reason.SEAT_TAKEN, "seat 1 is taken", seat="1")


async def chain(request: object, context: object) -> Empty:
    """Refuse because of another error."""
    try:
        return await unary(request, context)
    except ValueError as error:
        raise RefusedError(Reason.SEAT_TAKEN, "seat 1 is taken", seat="1") from error


async def give_up(request: object, context: Any) -> Empty:
    await context.abort(grpc.StatusCode.DATA_LOSS, "on purpose")
    raise AssertionError("abort does not return")


def handlers(read: Callable[[bytes], object]) -> dict[str, Any]:
    """One handler of every kind that raises, whose requests are read so."""
    codec: dict[str, Any] = {
        "request_deserializer": read,
        "response_serializer": Empty.SerializeToString,
    }
    return {
        "Unary": grpc.unary_unary_rpc_method_handler(unary, **codec),
        "Stream": grpc.unary_stream_rpc_method_handler(stream, **codec),
        "Generator": grpc.unary_stream_rpc_method_handler(generator, **codec),
        "Late": grpc.unary_stream_rpc_method_handler(late, **codec),
        "Gather": grpc.stream_unary_rpc_method_handler(unary, **codec),
        "Both": grpc.stream_stream_rpc_method_handler(stream, **codec),
        "Refuse": grpc.unary_unary_rpc_method_handler(refuse, **codec),
        "Chain": grpc.unary_unary_rpc_method_handler(chain, **codec),
        "Abort": grpc.unary_unary_rpc_method_handler(give_up, **codec),
    }


@pytest_asyncio.fixture
async def faulty() -> AsyncIterator[grpc.aio.Channel]:
    """A server all of whose handlers raise, behind the interceptor."""
    server = grpc.aio.server(interceptors=[ErrorInterceptor()])
    for service, read in (("test.Faulty", Empty.FromString), ("test.Followed", Parcel)):
        methods = handlers(read)
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, methods),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield channel
    await server.stop(None)


async def ending(channel: grpc.aio.Channel, kind: str, service: str = "Faulty") -> Failure:
    """How a call to the faulty server ends.

    Every kind of handler is called with one message and reads a stream of them: what goes out in
    one piece cannot come too late, of which the library would only say that it is broken.
    """
    call = channel.unary_stream(
        f"/test.{service}/{kind}",
        request_serializer=Empty.SerializeToString,
        response_deserializer=Empty.FromString,
    )(Empty())
    try:
        while await call.read() is not grpc.aio.EOF:
            pass
        await call.wait_for_connection()
    except grpc.aio.AioRpcError as error:
        return failure_of(error)
    raise AssertionError(f"{kind} ended with {await call.code()}")


@pytest.mark.parametrize("kind", KINDS)
async def test_an_exception_is_a_fixed_sentence_with_an_id(
    faulty: grpc.aio.Channel, kind: str
) -> None:
    with structlog.testing.capture_logs() as logged:
        ended = await ending(faulty, kind)
    assert ended.code is grpc.StatusCode.INTERNAL
    assert ended.reason == "INTERNAL"
    error_id = ended.info.metadata["error_id"]
    assert ended.text == f"internal error {error_id}; the server's log has more"
    assert [(line["event"], line["error_id"]) for line in logged] == [("rpc.failed", error_id)]


@pytest.mark.parametrize("kind", KINDS)
async def test_no_part_of_the_exception_is_sent(faulty: grpc.aio.Channel, kind: str) -> None:
    with structlog.testing.capture_logs():
        ended = await ending(faulty, kind)
    sent = ended.text + "".join(map(str, ended.details))
    assert not any(word in sent for word in ("CJ", "ValueError", "hand"))


async def test_a_refusal_is_its_status(faulty: grpc.aio.Channel) -> None:
    ended = await ending(faulty, "Refuse")
    assert (ended.code, ended.text) == (grpc.StatusCode.FAILED_PRECONDITION, "seat 1 is taken")
    assert dict(ended.info.metadata) == {"seat": "1"}


@pytest.mark.parametrize("kind", ["Chain", "Generator", "Refuse", "Stream", "Unary"])
async def test_a_request_is_let_go_with_its_call(faulty: grpc.aio.Channel, kind: str) -> None:
    """T15: whoever is refused again and again fills no memory until the collector looks."""
    gc.disable()
    try:
        for _ in range(5):
            with structlog.testing.capture_logs():
                await ending(faulty, kind, "Followed")
        assert len(Parcel.alive) <= 1, "only the last call may still be on its way out"
    finally:
        gc.enable()


async def test_an_abort_on_purpose_passes(faulty: grpc.aio.Channel) -> None:
    ended = await ending(faulty, "Abort")
    assert (ended.code, ended.text) == (grpc.StatusCode.DATA_LOSS, "on purpose")


async def test_an_unknown_method_is_unimplemented(faulty: grpc.aio.Channel) -> None:
    assert (await ending(faulty, "Nothing")).code is grpc.StatusCode.UNIMPLEMENTED
