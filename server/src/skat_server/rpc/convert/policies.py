"""Clocks, faults and house bots, as a table is made with them and as it shows them."""

from collections.abc import Sequence
from typing import Final

from skat.v1 import decision_pb2, fault_pb2, table_pb2
from skat_server.errors import Reason, RefusedError
from skat_server.tables.clocks import DEFAULT_CLOCK, ClockPolicy, TimeLeft
from skat_server.tables.faults import DEFAULT_FAULTS, FaultCause, FaultConsequence, FaultPolicy
from skat_server.tables.house import HouseBot
from skat_server.tables.state import Occupant, house_on_top

AN_HOUR_MS: Final = 3_600_000
"""What a decision has where neither it nor a bank was given any time."""

CAUSES_TO_PROTO: Final = {
    cause: fault_pb2.FaultCause.Value(f"FAULT_CAUSE_{cause.name}") for cause in FaultCause
}
_CONSEQUENCES_TO_PROTO: Final = {
    consequence: fault_pb2.FaultConsequence.Value(f"FAULT_CONSEQUENCE_{consequence.name}")
    for consequence in FaultConsequence
}
_CONSEQUENCES: Final = {
    fault_pb2.FAULT_CONSEQUENCE_UNSPECIFIED: DEFAULT_FAULTS.consequence,
    **{number: consequence for consequence, number in _CONSEQUENCES_TO_PROTO.items()},
}
HOUSE_BOTS_TO_PROTO: Final = {
    bot: table_pb2.HouseBot.Value(f"HOUSE_BOT_{bot.name}") for bot in HouseBot
}
_HOUSE_BOTS: Final = {number: bot for bot, number in HOUSE_BOTS_TO_PROTO.items()}


def clock_to_proto(policy: ClockPolicy) -> fault_pb2.ClockPolicy:
    """How long the seats may think."""
    return fault_pb2.ClockPolicy(
        decision_ms=policy.decision_ms,
        bank_ms=policy.bank_ms,
        increment_ms=policy.increment_ms,
        grace_ms=policy.grace_ms,
    )


def faults_to_proto(policy: FaultPolicy) -> fault_pb2.FaultPolicy:
    """What happens to those that do not."""
    return fault_pb2.FaultPolicy(
        illegal_actions=policy.illegal_actions,
        safe_answers=policy.safe_answers,
        consequence=_CONSEQUENCES_TO_PROTO[policy.consequence],
    )


def time_left_to_proto(left: TimeLeft) -> decision_pb2.DecisionClock:
    """A seat's clock at its open decision."""
    return decision_pb2.DecisionClock(
        decision_ms=left.own_ms, bank_ms=left.bank_ms, grace_ms=left.grace_ms
    )


def clock_from_proto(message: fault_pb2.ClockPolicy | None) -> ClockPolicy:
    """The clock that was asked for; the usual one when absent (None).

    Raises:
        RefusedError: INVALID_FIELD for a time out of range.
    """
    if message is None:
        return DEFAULT_CLOCK
    has_time = message.decision_ms or message.bank_ms
    try:
        return ClockPolicy(
            message.decision_ms if has_time else AN_HOUR_MS,
            message.bank_ms,
            message.increment_ms,
            message.grace_ms,
        )
    except ValueError as error:
        raise RefusedError(Reason.INVALID_FIELD, str(error), field="clock") from error


def faults_from_proto(message: fault_pb2.FaultPolicy) -> FaultPolicy:
    """The policy that was asked for; what is absent has its default.

    Raises:
        RefusedError: INVALID_FIELD for a number out of range or an unknown consequence.
    """
    consequence = _CONSEQUENCES.get(message.consequence)
    if consequence is None:
        text = f"{message.consequence} is no consequence"
        raise RefusedError(Reason.INVALID_FIELD, text, field="faults.consequence")
    illegal, safe = DEFAULT_FAULTS.illegal_actions, DEFAULT_FAULTS.safe_answers
    try:
        return FaultPolicy(
            message.illegal_actions if message.HasField("illegal_actions") else illegal,
            message.safe_answers if message.HasField("safe_answers") else safe,
            consequence,
        )
    except ValueError as error:
        raise RefusedError(Reason.INVALID_FIELD, str(error), field="faults") from error


def seated_from_proto(
    numbers: Sequence[table_pb2.HouseBot.ValueType], seats: int
) -> tuple[Occupant | None, ...]:
    """Who sits there from the start: house bots on the highest seats, nobody on the others.

    Args:
        numbers: of the bots.
        seats: places at the table.

    Raises:
        RefusedError: INVALID_FIELD for an unknown one, or where no seat would be left.
    """
    if len(numbers) >= seats:
        text = f"{len(numbers)} house bots leave no seat of {seats} to a player"
        raise RefusedError(Reason.INVALID_FIELD, text, field="house_bots")
    unknown = [number for number in numbers if number not in _HOUSE_BOTS]
    if unknown:
        text = f"{unknown[0]} is no house bot"
        raise RefusedError(Reason.INVALID_FIELD, text, field="house_bots")
    return house_on_top([_HOUSE_BOTS[number] for number in numbers], seats)
