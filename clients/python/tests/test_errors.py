"""Every reason has its exception, and every failed call becomes one."""

import inspect
import re
from datetime import timedelta
from typing import cast

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import status_pb2
from google.rpc.error_details_pb2 import RetryInfo
from grpc.aio import AioRpcError, Metadata

from skat.v1 import error_pb2
from skat_client import AsyncClient, errors
from skat_client._failures import error_from_rpc, is_passing, new_server_error
from skat_client.errors import (
    ERROR_OF_REASON,
    BadRuleSetError,
    ErrorDetails,
    ErrorReason,
    InvalidRequestError,
    NotFoundError,
    ProtocolError,
    QuotaExceededError,
    ServerError,
    SkatError,
    UnavailableError,
)
from skat_client.testing import Failure, ScriptedServer

FIELD = "rule_set.preset"


def exceptions() -> set[type[SkatError]]:
    kinds = {kind for _, kind in inspect.getmembers(errors, inspect.isclass)}
    return {kind for kind in kinds if issubclass(kind, SkatError)}


def test_every_reason_of_the_contract_has_an_exception() -> None:
    sent = {
        value.name.removeprefix("ERROR_REASON_")
        for value in error_pb2.ErrorReason.DESCRIPTOR.values
    }
    assert {reason.name for reason in ERROR_OF_REASON} == sent - {"UNSPECIFIED"}


def test_every_exception_of_the_server_is_used() -> None:
    leaves = {kind for kind in exceptions() if not kind.__subclasses__()}
    used = set(ERROR_OF_REASON.values())
    assert {kind for kind in leaves if issubclass(kind, ServerError)} <= used


def test_the_tree_at_the_top_is_the_real_one() -> None:
    lines = re.findall(r"^([ │├└─]*)(\w+Error)\b", errors.__doc__ or "", re.MULTILINE)
    path: list[str] = []
    for indent, name in lines:
        depth = len(indent) // 4
        path[depth:] = [name]
        parent = path[depth - 1] if depth else "Exception"
        assert getattr(errors, name).__base__.__name__ == parent
    assert {name for _, name in lines} == {kind.__name__ for kind in exceptions()}


@pytest.mark.parametrize("reason", ErrorReason, ids=lambda reason: reason.name)
@pytest.mark.asyncio
async def test_every_reason_arrives(
    reason: ErrorReason, server: ScriptedServer, client: AsyncClient
) -> None:
    server.reply("GetTable", Failure(grpc.StatusCode.FAILED_PRECONDITION, reason, "no such luck"))
    with pytest.raises(ERROR_OF_REASON[reason], match="no such luck") as caught:
        await client.get_table("t")
    assert caught.value.reason is reason


@pytest.mark.asyncio
async def test_details_arrive(server: ScriptedServer, client: AsyncClient) -> None:
    failure = Failure(
        grpc.StatusCode.INVALID_ARGUMENT,
        ErrorReason.BAD_RULE_SET,
        "unknown preset",
        metadata={"option": "preset"},
        violations={FIELD: "unknown"},
        retry_delay=timedelta(seconds=1.5),
    )
    server.reply("CreateTable", failure)
    with pytest.raises(BadRuleSetError) as caught:
        await client.create_table("nope")
    error = caught.value
    assert error.metadata == {"option": "preset"}
    assert error.retry_delay == timedelta(seconds=1.5)
    assert str(error) == f"unknown preset; {FIELD}: unknown (BAD_RULE_SET)"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (grpc.StatusCode.NOT_FOUND, NotFoundError),
        (grpc.StatusCode.INVALID_ARGUMENT, InvalidRequestError),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, QuotaExceededError),
        (grpc.StatusCode.DEADLINE_EXCEEDED, UnavailableError),
        (grpc.StatusCode.DATA_LOSS, ServerError),
    ],
)
@pytest.mark.asyncio
async def test_without_a_reason_the_status_decides(
    code: grpc.StatusCode,
    kind: type[ServerError],
    server: ScriptedServer,
    client: AsyncClient,
) -> None:
    server.reply("GetTable", Failure(code))
    with pytest.raises(kind) as caught:
        await client.get_table("t")
    assert type(caught.value) is kind
    assert caught.value.details.code == code.name


@pytest.mark.asyncio
async def test_a_limit_says_whose_it_is(server: ScriptedServer, client: AsyncClient) -> None:
    """R24: who is limited, by what, and for how long."""
    failure = Failure(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        ErrorReason.RATE_LIMITED,
        metadata={"limit": "tables_per_minute"},
        quotas={"player:p": "10 tables a minute"},
        retry_delay=timedelta(seconds=3),
    )
    server.reply("CreateTable", failure)
    with pytest.raises(QuotaExceededError) as caught:
        await client.create_table("isko")
    details = caught.value.details
    assert details.quotas == {"player:p": "10 tables a minute"}
    assert (details.metadata, details.retry_delay) == (failure.metadata, timedelta(seconds=3))


@pytest.mark.asyncio
async def test_an_answer_that_is_no_message_is_told_as_such(
    server: ScriptedServer, client: AsyncClient
) -> None:
    class Garbage:
        def SerializeToString(self) -> bytes:
            return b"\xff\xff"

    server.reply("GetTable", cast(Message, Garbage()))
    with pytest.raises(ProtocolError, match="answered what cannot be read"):
        await client.get_table("t")


def test_a_delay_beyond_all_calendars_hides_no_error() -> None:
    status = status_pb2.Status(code=8, message="gone")
    status.details.add().Pack(RetryInfo(retry_delay=Duration(seconds=1 << 60)))
    error = error_from_rpc(rpc_error(status.SerializeToString()))
    assert (error.message, error.retry_delay) == ("gone", None)


def rpc_error(trailer: bytes) -> AioRpcError:
    return AioRpcError(
        grpc.StatusCode.NOT_FOUND,
        Metadata(),
        Metadata(("grpc-status-details-bin", trailer)),
        details="gone",
    )


def test_a_damaged_trailer_does_not_hide_the_error() -> None:
    error = error_from_rpc(rpc_error(b"\xff\xff\xff"))
    assert (type(error), error.message) == (NotFoundError, "gone")


def test_a_reason_of_another_service_is_none_of_ours() -> None:
    failure = Failure(grpc.StatusCode.NOT_FOUND, ErrorReason.QUOTA_EXCEEDED, "gone")
    trailer = failure.status().SerializeToString().replace(b"skat.v1", b"othr.v1")
    assert error_from_rpc(rpc_error(trailer)).reason is None


def test_a_reason_of_a_newer_server_is_unknown() -> None:
    failure = Failure(grpc.StatusCode.NOT_FOUND, ErrorReason.DEAL_OVER, "gone")
    trailer = failure.status().SerializeToString().replace(b"DEAL_OVER", b"DEAL_LOST")
    assert type(error_from_rpc(rpc_error(trailer))) is NotFoundError


@pytest.mark.parametrize(
    ("details", "passing"),
    [
        (ErrorDetails("UNAVAILABLE"), True),
        (ErrorDetails("UNKNOWN"), True),
        (ErrorDetails("INTERNAL", ErrorReason.INTERNAL), True),
        (ErrorDetails("RESOURCE_EXHAUSTED", ErrorReason.SLOW_CONSUMER), True),
        (ErrorDetails("UNAVAILABLE", ErrorReason.GOING_AWAY), True),
        (ErrorDetails("UNAVAILABLE", ErrorReason.DRAINING), True),
        (ErrorDetails("UNAVAILABLE", ErrorReason.STORE_UNAVAILABLE), True),
        (ErrorDetails("RESOURCE_EXHAUSTED", ErrorReason.RATE_LIMITED), True),
        (ErrorDetails("UNAUTHENTICATED", ErrorReason.TOKEN_REVOKED), False),
        (ErrorDetails("PERMISSION_DENIED", ErrorReason.BANNED), False),
        (ErrorDetails("PERMISSION_DENIED", ErrorReason.SCOPE_MISSING), False),
        (ErrorDetails("RESOURCE_EXHAUSTED", ErrorReason.QUOTA_EXCEEDED), False),
        (ErrorDetails("ABORTED", ErrorReason.SESSION_SUPERSEDED), False),
        (ErrorDetails("UNAUTHENTICATED", ErrorReason.UNAUTHENTICATED), False),
        (ErrorDetails("UNIMPLEMENTED"), False),
    ],
    ids=str,
)
def test_only_what_will_pass_is_tried_again(details: ErrorDetails, passing: bool) -> None:
    assert is_passing(new_server_error("text", details)) is passing


def test_a_quota_that_names_a_time_is_waited_for() -> None:
    details = ErrorDetails(
        "RESOURCE_EXHAUSTED", ErrorReason.QUOTA_EXCEEDED, retry_delay=timedelta(seconds=1)
    )
    assert is_passing(new_server_error("text", details))
