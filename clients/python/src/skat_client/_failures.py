"""From a failed call to the exception that says so."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from skat_client.errors import (
    ERROR_OF_REASON,
    ErrorDetails,
    ErrorReason,
    InvalidRequestError,
    NotAllowedError,
    NotFoundError,
    QuotaExceededError,
    ServerBugError,
    ServerError,
    SlowConsumerError,
    UnauthenticatedError,
    UnavailableError,
)

DOMAIN: Final = "skat.v1"
"""Domain of the error details that the server attaches."""

_ERROR_OF_CODE: Final[Mapping[str, type[ServerError]]] = {
    "UNAVAILABLE": UnavailableError,
    "DEADLINE_EXCEEDED": UnavailableError,
    "UNAUTHENTICATED": UnauthenticatedError,
    "PERMISSION_DENIED": NotAllowedError,
    "NOT_FOUND": NotFoundError,
    "INVALID_ARGUMENT": InvalidRequestError,
    "RESOURCE_EXHAUSTED": QuotaExceededError,
    "INTERNAL": ServerBugError,
}

# What a lost connection looks like when no server of ours gave a reason for it.
_PASSING_CODES: Final = frozenset(
    {"UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "INTERNAL", "UNKNOWN", "CANCELLED"}
)

_PLAIN_SERVER: Final = "if the server speaks plain text, use plaintext=True"


def new_server_error(message: str, details: ErrorDetails) -> ServerError:
    """The exception that fits the reason, or the status where no reason is known."""
    if details.reason is not None:
        return ERROR_OF_REASON[details.reason](message, details)
    return _ERROR_OF_CODE.get(details.code or "", ServerError)(message, details)


def error_from_rpc(error: grpc.aio.AioRpcError) -> ServerError:
    """The exception for a failed call or an ended stream."""
    code = error.code().name
    try:
        details = _read_details(code, rpc_status.from_call(error))  # type: ignore[arg-type]
    except (ValueError, OverflowError, DecodeError):
        # A damaged trailer must not hide the error itself.
        details = ErrorDetails(code)
    text = error.details() or code
    if "handshake failed" in text.lower() and "CERTIFICATE_VERIFY_FAILED" not in text:
        text = f"{text}; {_PLAIN_SERVER}"
    return new_server_error(text, details)


def is_passing(error: ServerError) -> bool:
    """Whether a lost session may be opened again: the fault is the network's, or will pass."""
    if isinstance(error, UnavailableError | SlowConsumerError | ServerBugError):
        return True
    if error.reason is None:
        return error.details.code in _PASSING_CODES
    if error.reason is ErrorReason.RATE_LIMITED:
        return True
    return error.reason is ErrorReason.QUOTA_EXCEEDED and error.retry_delay is not None


def _read_details(code: str, status: status_pb2.Status | None) -> ErrorDetails:
    if status is None:
        return ErrorDetails(code)
    info = error_details_pb2.ErrorInfo()
    request = error_details_pb2.BadRequest()
    retry = error_details_pb2.RetryInfo()
    quota = error_details_pb2.QuotaFailure()
    delay: timedelta | None = None
    for detail in status.details:
        if detail.Unpack(retry):
            delay = retry.retry_delay.ToTimedelta()
        elif not (detail.Unpack(info) or detail.Unpack(request)):
            detail.Unpack(quota)
    known = ErrorReason.__members__ if info.domain == DOMAIN else {}
    return ErrorDetails(
        code=code,
        reason=known.get(info.reason),
        metadata=dict(info.metadata),
        violations={v.field: v.description for v in request.field_violations},
        quotas={v.subject: v.description for v in quota.violations},
        retry_delay=delay,
    )
