"""What the server writes, read back: tests see the bytes of the wire and no shortcut."""

from __future__ import annotations

from skat.v1 import decision_pb2, event_pb2, table_pb2
from skat_server.rpc.convert.decision_parts import decision_part
from skat_server.rpc.convert.frames import event_part
from skat_server.tables.clocks import TimeLeft
from skat_server.tables.facts import ShownFact
from skat_server.tables.state import OpenDecision


def written_event(shown: ShownFact) -> event_pb2.TableEvent:
    """The event that a viewer is sent of a fact."""
    (event,) = table_pb2.TableFrame.FromString(event_part(shown)).events
    return event


def written_decision(decision: OpenDecision) -> decision_pb2.Decision:
    """The decision that its seat is sent, without its clock."""
    message = decision_pb2.Decision.FromString(decision_part(decision, TimeLeft(1, 2, 3)))
    message.ClearField("clock")
    return message
