"""What clients send, read and checked."""

from collections.abc import Iterable, Sequence
from typing import Final

from skat.v1 import play_service_pb2 as pb
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.convert.values import action_from_proto
from skat_server.rpc.texts import check_length, fits
from skat_server.tables.outbox import Delivery
from skat_server.tables.sessions import Submission

MAX_SUBMISSIONS: Final = 1_024

_LONGEST_ID: Final = 64
_LONGEST_NAME: Final = 80
_LONGEST_VERSION: Final = 40

_DELIVERIES: Final = {
    pb.DELIVERY_UNSPECIFIED: Delivery.WITH_DECISIONS,
    pb.DELIVERY_WITH_DECISIONS: Delivery.WITH_DECISIONS,
    pb.DELIVERY_LIVE: Delivery.LIVE,
}


def check_hello(hello: pb.Hello) -> None:
    """Refuse what is too long.

    Raises:
        RefusedError: INVALID_FIELD.
    """
    check_length("hello.client_name", hello.client_name, _LONGEST_NAME)
    check_length("hello.client_version", hello.client_version, _LONGEST_VERSION)


def delivery_from_proto(delivery: pb.Delivery.ValueType, field: str) -> Delivery:
    """When to send.

    Raises:
        RefusedError: INVALID_FIELD for a number that is none.
    """
    known = _DELIVERIES.get(delivery)
    if known is None:
        raise RefusedError(Reason.INVALID_FIELD, f"{delivery} is no delivery", field=field)
    return known


def sequences(positions: Iterable[pb.ResumePosition]) -> dict[str, int]:
    """The last events seen, by table id."""
    return {position.table_id: position.sequence for position in positions}


def turns(positions: Iterable[pb.ResumePosition]) -> dict[str, str]:
    """The decisions that the client has, by table id."""
    return {position.table_id: position.turn_id for position in positions if position.turn_id}


def check_submissions(submissions: Sequence[pb.Submission]) -> None:
    """Refuse too many submissions in a message, or ids that are no ids.

    Raises:
        RefusedError: INVALID_FIELD.
    """
    if len(submissions) > MAX_SUBMISSIONS:
        raise RefusedError(
            Reason.INVALID_FIELD,
            f"a message holds at most {MAX_SUBMISSIONS} submissions",
            field="submissions",
        )
    for submission in submissions:
        check_ids("submissions", submission)


def check_ids(field: str, submission: pb.Submission) -> None:
    """Refuse ids that are no ids.

    Raises:
        RefusedError: INVALID_FIELD.
    """
    table_id, turn_id = submission.table_id, submission.turn_id
    if fits(table_id, _LONGEST_ID) and fits(turn_id, _LONGEST_ID):
        return  # nearly all: what follows says what is wrong
    check_length(f"{field}.table_id", table_id, _LONGEST_ID)
    check_length(f"{field}.turn_id", turn_id, _LONGEST_ID)


def submission_from_proto(submission: pb.Submission) -> Submission:
    """One action at one table.

    Raises:
        RefusedError: for an action that cannot be read.
    """
    action = action_from_proto(submission.action)
    return Submission(submission.table_id, submission.turn_id, submission.last_sequence, action)
