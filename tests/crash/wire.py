"""How a history is read where a wire lies between: events and questions as bytes of messages."""

from __future__ import annotations

from skat.v1 import decision_pb2, event_pb2, table_pb2
from tests.histories.model import Content, Frame, Question, Reading
from tests.written import written_decision, written_event

ENDS = frozenset({"series_ended", "table_closed"})


def event_content(event: event_pb2.TableEvent) -> Content:
    """An event as a whole, its time included."""
    return event.SerializeToString(deterministic=True)


def question_content(decision: decision_pb2.Decision) -> Content:
    """A question without the time that is left."""
    timeless = decision_pb2.Decision()
    timeless.CopyFrom(decision)
    timeless.ClearField("clock")
    return timeless.SerializeToString(deterministic=True)


ON_THE_WIRE = Reading(
    event=lambda shown: event_content(written_event(shown)),
    question=lambda decision: question_content(written_decision(decision)),
)
"""Clients of another process, which keep what they were sent."""


def frame_as_read(frame: table_pb2.TableFrame) -> Frame:
    """A frame as a client notes it down."""
    question = None
    if frame.HasField("decision"):
        question = Question(frame.decision.turn_id, question_content(frame.decision))
    has_view = frame.HasField("view")
    return Frame(
        frame.table_id,
        frame.view.sequence if has_view else None,
        frame.view.seat if has_view and frame.view.HasField("seat") else None,
        tuple((event.sequence, event_content(event)) for event in frame.events),
        question,
    )


def is_end(frame: table_pb2.TableFrame) -> bool:
    """Whether nothing follows at the table."""
    return any(event.WhichOneof("event") in ENDS for event in frame.events)
