"""The error catalog is total, both ways, and every failure carries its reason as data."""

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2

from skat.v1 import error_pb2
from skat_engine import IllegalActionError, Refusal
from skat_server.errors import Reason, RefusedError, refused_action
from skat_server.rpc.errors import DOMAIN, STATUSES, reason_to_proto, status_of

PREFIX = "ERROR_REASON_"
WIRE_NAMES = {name.removeprefix(PREFIX) for name in error_pb2.ErrorReason.keys()[1:]}


def test_every_reason_has_a_status() -> None:
    assert set(STATUSES) == set(Reason)


def test_the_reasons_are_those_of_the_wire() -> None:
    assert {reason.name for reason in Reason} == WIRE_NAMES


@pytest.mark.parametrize("reason", Reason)
def test_a_reason_goes_over_the_wire_by_its_name(reason: Reason) -> None:
    assert error_pb2.ErrorReason.Name(reason_to_proto(reason)) == PREFIX + reason.name


@pytest.mark.parametrize("refusal", Refusal)
def test_every_refusal_of_the_engine_is_a_reason(refusal: Refusal) -> None:
    error = refused_action(IllegalActionError(refusal, "because"))
    assert error.reason.name == refusal.name
    assert str(error) == "because"


@pytest.mark.parametrize("reason", Reason)
def test_a_status_carries_exactly_one_error_info(reason: Reason) -> None:
    status = status_of(RefusedError(reason, "sentence", option="seats"))
    infos = [d for d in status.details if d.TypeName() == "google.rpc.ErrorInfo"]
    info = error_details_pb2.ErrorInfo()
    (packed,) = infos
    packed.Unpack(info)
    assert (info.reason, info.domain) == (reason.name, DOMAIN)
    assert dict(info.metadata) == {"option": "seats"}
    assert status.code == STATUSES[reason].value[0]


def test_a_field_at_fault_is_a_violation() -> None:
    status = status_of(RefusedError(Reason.INVALID_FIELD, "too long", field="display_name"))
    bad = error_details_pb2.BadRequest()
    assert status.details[1].Unpack(bad)
    assert bad.field_violations[0].field == "display_name"
    assert bad.field_violations[0].description == "too long"


def unpacked(refusal: RefusedError, detail: Message) -> Message:
    """The one detail of its type in the status of a refusal."""
    (packed,) = (
        d for d in status_of(refusal).details if d.TypeName() == detail.DESCRIPTOR.full_name
    )
    assert packed.Unpack(detail)
    return detail


PASSING = [
    Reason.QUOTA_EXCEEDED,
    Reason.RATE_LIMITED,
    Reason.STORE_UNAVAILABLE,
    Reason.OVERLOADED,
]


@pytest.mark.parametrize("reason", PASSING)
def test_what_passes_by_itself_says_when_to_try_again(reason: Reason) -> None:
    """R24: a limit comes with a delay."""
    retry = error_details_pb2.RetryInfo()
    unpacked(RefusedError(reason, "later"), retry)
    assert retry.retry_delay.ToMilliseconds() > 0


def test_a_limit_can_say_itself_when_to_try_again() -> None:
    retry = error_details_pb2.RetryInfo()
    unpacked(RefusedError(Reason.RATE_LIMITED, "later", retry_ms="2500"), retry)
    assert retry.retry_delay.ToMilliseconds() == 2_500


@pytest.mark.parametrize("reason", [Reason.QUOTA_EXCEEDED, Reason.RATE_LIMITED])
def test_a_limit_says_whose_it_is(reason: Reason) -> None:
    """R24, T21: one `QuotaFailure` names whom the limit holds for, and what it is."""
    failure = error_details_pb2.QuotaFailure()
    unpacked(RefusedError(reason, "10 tables are yours", subject="bot-1"), failure)
    (violation,) = failure.violations
    assert (violation.subject, violation.description) == ("bot-1", "10 tables are yours")


def test_a_limit_of_nobody_is_the_servers() -> None:
    failure = error_details_pb2.QuotaFailure()
    unpacked(RefusedError(Reason.QUOTA_EXCEEDED, "full"), failure)
    assert failure.violations[0].subject == "server"


def test_no_reason_means_ok_or_unknown() -> None:
    assert not {grpc.StatusCode.OK, grpc.StatusCode.UNKNOWN} & set(STATUSES.values())
