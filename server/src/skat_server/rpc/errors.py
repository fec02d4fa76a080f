"""The error catalog: every reason with its status, and how it goes over the wire."""

from typing import Final

import grpc
from google.protobuf.any_pb2 import Any
from google.rpc import code_pb2, error_details_pb2, status_pb2

from skat.v1 import error_pb2
from skat_server.errors import Reason, RefusedError

DOMAIN: Final = "skat.v1"

STATUSES: Final[dict[Reason, grpc.StatusCode]] = {
    Reason.INTERNAL: grpc.StatusCode.INTERNAL,
    Reason.INVALID_FIELD: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.UNAUTHENTICATED: grpc.StatusCode.UNAUTHENTICATED,
    Reason.HELLO_EXPECTED: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.TABLE_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.SEAT_NOT_FOUND: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.SEAT_TAKEN: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.ALREADY_SEATED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.NOT_SEATED: grpc.StatusCode.PERMISSION_DENIED,
    Reason.TABLE_OVER: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.NOT_ALLOWED: grpc.StatusCode.PERMISSION_DENIED,
    Reason.BAD_RULE_SET: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.QUOTA_EXCEEDED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.SESSION_SUPERSEDED: grpc.StatusCode.ABORTED,
    Reason.SLOW_CONSUMER: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.GOING_AWAY: grpc.StatusCode.UNAVAILABLE,
    Reason.RECORD_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.STALE_TURN: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.NOT_YOUR_TURN: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.WRONG_PHASE: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.ILLEGAL_BID: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.CARD_NOT_HELD: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.MUST_FOLLOW: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.BAD_DISCARD: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.CONTRADICTORY_ANNOUNCEMENT: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.NULL_BELOW_BID: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.NOT_OFFERED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.DEAL_OVER: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.UNREADABLE_ACTION: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.STALE_SEQUENCE: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.STORE_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    Reason.BAD_SUMMARY: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.BID_OUT_OF_REACH: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.TOKEN_REVOKED: grpc.StatusCode.UNAUTHENTICATED,
    Reason.SCOPE_MISSING: grpc.StatusCode.PERMISSION_DENIED,
    Reason.BANNED: grpc.StatusCode.PERMISSION_DENIED,
    Reason.RATE_LIMITED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.TOO_MANY_ILLEGAL: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.DRAINING: grpc.StatusCode.UNAVAILABLE,
    Reason.ACCOUNT_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.TOKEN_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.NAME_TAKEN: grpc.StatusCode.ALREADY_EXISTS,
    Reason.NO_ACCOUNTS: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.TOURNAMENT_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.TOURNAMENT_STATE: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.BAD_TOURNAMENT: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.OVERLOADED: grpc.StatusCode.UNAVAILABLE,
}
"""The canonical status of every reason."""

_LIMITS: Final = frozenset({Reason.QUOTA_EXCEEDED, Reason.RATE_LIMITED})
"""Reasons that name a limit; their metadata may have `limit`, `subject` and `retry_ms`."""

_RETRY_AFTER_MS: Final = {
    Reason.QUOTA_EXCEEDED: 5_000,
    Reason.RATE_LIMITED: 1_000,
    Reason.STORE_UNAVAILABLE: 1_000,
    Reason.OVERLOADED: 1_000,
}
"""When to come back, where the refusal does not say it in its own `retry_ms`."""

_CODES: Final = {status: code_pb2.Code.Value(status.name) for status in grpc.StatusCode}


def reason_to_proto(reason: Reason) -> error_pb2.ErrorReason.ValueType:
    """A reason's number on the wire; the names are the same."""
    return error_pb2.ErrorReason.Value(f"ERROR_REASON_{reason.name}")


def status_of(refusal: RefusedError) -> status_pb2.Status:
    """Status, sentence and details: one `ErrorInfo`, and what fits beside it."""
    status = status_pb2.Status(code=_CODES[STATUSES[refusal.reason]], message=str(refusal))
    for detail in _details(refusal):
        packed = Any()
        packed.Pack(detail)
        status.details.append(packed)
    return status


_Detail = (
    error_details_pb2.ErrorInfo
    | error_details_pb2.BadRequest
    | error_details_pb2.QuotaFailure
    | error_details_pb2.RetryInfo
)


def _details(refusal: RefusedError) -> list[_Detail]:
    info = error_details_pb2.ErrorInfo(
        reason=refusal.reason.name, domain=DOMAIN, metadata=refusal.metadata
    )
    others = (_bad_request(refusal), _quota_failure(refusal), _retry_info(refusal))
    return [info, *(detail for detail in others if detail is not None)]


def _bad_request(refusal: RefusedError) -> error_details_pb2.BadRequest | None:
    field = refusal.metadata.get("field")
    if field is None:
        return None
    violation = error_details_pb2.BadRequest.FieldViolation(field=field, description=str(refusal))
    return error_details_pb2.BadRequest(field_violations=[violation])


def _quota_failure(refusal: RefusedError) -> error_details_pb2.QuotaFailure | None:
    if refusal.reason not in _LIMITS:
        return None
    violation = error_details_pb2.QuotaFailure.Violation(
        subject=refusal.metadata.get("subject", "server"), description=str(refusal)
    )
    return error_details_pb2.QuotaFailure(violations=[violation])


def _retry_info(refusal: RefusedError) -> error_details_pb2.RetryInfo | None:
    default = _RETRY_AFTER_MS.get(refusal.reason)
    if default is None:
        return None
    retry = error_details_pb2.RetryInfo()
    retry.retry_delay.FromMilliseconds(int(refusal.metadata.get("retry_ms", default)))
    return retry
