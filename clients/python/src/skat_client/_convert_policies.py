"""Clocks, faults and times: messages to values and back, one function a type."""

from datetime import UTC, datetime
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from skat.v1 import decision_pb2, fault_pb2
from skat_client._convert_enums import enum_from_proto
from skat_client._policies import (
    ClockPolicy,
    DecisionClock,
    FaultCause,
    FaultConsequence,
    FaultPolicy,
)
from skat_client.errors import ProtocolError

_CAUSES: Final = {cause.value: cause for cause in FaultCause}
_DEFAULTS: Final = FaultPolicy()


def time_from_proto(message: Timestamp) -> datetime:
    """A moment in UTC; one that is not set is the beginning of 1970.

    Raises:
        ProtocolError: there is no such moment.
    """
    try:
        return message.ToDatetime(UTC)
    except (ValueError, OverflowError) as error:
        raise ProtocolError(
            f"the server sent a time that is none: {message.seconds} s, {message.nanos} ns"
        ) from error


def cause_from_proto(number: int) -> FaultCause | None:
    """A cause; None where it is not set, or where this version does not have it.

    It only explains what happened, and nobody should stop playing for not knowing why.
    """
    return _CAUSES.get(number)


def clock_policy_from_proto(message: fault_pb2.ClockPolicy) -> ClockPolicy:
    """How long the seats of a table may think."""
    return ClockPolicy(
        decision_ms=message.decision_ms,
        bank_ms=message.bank_ms,
        increment_ms=message.increment_ms,
        grace_ms=message.grace_ms,
    )


def clock_policy_to_proto(clock: ClockPolicy) -> fault_pb2.ClockPolicy:
    """How long the seats of a table may think."""
    return fault_pb2.ClockPolicy(
        decision_ms=clock.decision_ms,
        bank_ms=clock.bank_ms,
        increment_ms=clock.increment_ms,
        grace_ms=clock.grace_ms,
    )


def fault_policy_from_proto(message: fault_pb2.FaultPolicy) -> FaultPolicy:
    """What happens to seats that do not play; what is not set has its default."""
    illegal, safe = _DEFAULTS.illegal_actions, _DEFAULTS.safe_answers
    consequence = message.consequence or _DEFAULTS.consequence.value
    return FaultPolicy(
        illegal_actions=message.illegal_actions if message.HasField("illegal_actions") else illegal,
        safe_answers=message.safe_answers if message.HasField("safe_answers") else safe,
        consequence=enum_from_proto(FaultConsequence, consequence),
    )


def fault_policy_to_proto(faults: FaultPolicy) -> fault_pb2.FaultPolicy:
    """What happens to seats that do not play."""
    return fault_pb2.FaultPolicy(
        illegal_actions=faults.illegal_actions,
        safe_answers=faults.safe_answers,
        consequence=fault_pb2.FaultConsequence.ValueType(faults.consequence.value),
    )


def decision_clock_from_proto(message: decision_pb2.DecisionClock) -> DecisionClock:
    """How long a seat may still think."""
    return DecisionClock(message.decision_ms, message.bank_ms, message.grace_ms)
