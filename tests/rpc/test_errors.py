"""The error catalog is total, both ways, and every failure carries its reason as data."""

import grpc
import pytest
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


@pytest.mark.parametrize("reason", [Reason.QUOTA_EXCEEDED, Reason.STORE_UNAVAILABLE])
def test_what_passes_by_itself_says_when_to_try_again(reason: Reason) -> None:
    """R24: a limit comes with a delay."""
    status = status_of(RefusedError(reason, "later"))
    retry = error_details_pb2.RetryInfo()
    assert status.details[1].Unpack(retry)
    assert retry.retry_delay.seconds > 0


def test_no_reason_means_ok_or_unknown() -> None:
    assert not {grpc.StatusCode.OK, grpc.StatusCode.UNKNOWN} & set(STATUSES.values())
