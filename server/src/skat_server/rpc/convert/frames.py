"""Frames of tables as bytes, put together from parts that viewers share (ADR 0030).

An event is serialised once for all viewers who are told the same under the same number.
"""

from functools import cache, lru_cache
from typing import Final

from skat.v1 import event_pb2, table_pb2
from skat_engine.events import CardPlayed
from skat_engine.seats import Seating
from skat_server.rpc.convert.decision_parts import decision_part
from skat_server.rpc.convert.facts import event_of, hundredths, timestamp_of
from skat_server.rpc.convert.parts import framed, tag, varint
from skat_server.rpc.convert.tables import IsConnected, view_to_proto
from skat_server.rpc.convert.values import CARDS_TO_PROTO
from skat_server.tables.facts import Fact, ShownFact
from skat_server.tables.outbox import TableUpdate

_VIEW: Final = tag(table_pb2.TableFrame, "view")
_EVENTS: Final = tag(table_pb2.TableFrame, "events")
_DECISION: Final = tag(table_pb2.TableFrame, "decision")
_SEQUENCE: Final = tag(event_pb2.TableEvent, "sequence")
_AT: Final = tag(event_pb2.TableEvent, "at")

_KNOWN_TABLES: Final = 16_384
_KNOWN_MOMENTS: Final = 256


def frame_part(update: TableUpdate, is_connected: IsConnected) -> bytes:
    """All that is ready for one viewer at one table: the bytes of a `TableFrame`."""
    parts = [_table_part(update.table.table_id)]
    if update.is_view:
        parts.append(framed(_VIEW, view_to_proto(update, is_connected).SerializeToString()))
    parts += [shown.written or event_part(shown) for shown in update.facts]
    if update.decision is not None:
        left = update.table.time_left(update.decision.seat)
        parts.append(framed(_DECISION, decision_part(update.decision, left)))
    return b"".join(parts)


@lru_cache(maxsize=_KNOWN_TABLES)
def _table_part(table_id: str) -> bytes:
    return table_pb2.TableFrame(table_id=table_id).SerializeToString()


def event_part(shown: ShownFact) -> bytes:
    """An event as a part of a frame; whoever is told the same finds it written."""
    sequence = _SEQUENCE + varint(shown.sequence)
    event = sequence + _moment_part(hundredths(shown.at)) + _payload(shown.fact, shown.seating)
    shown.written = written = framed(_EVENTS, event)
    return written


@lru_cache(maxsize=_KNOWN_MOMENTS)
def _moment_part(number: int) -> bytes:
    return framed(_AT, timestamp_of(number).SerializeToString())


def _payload(fact: Fact, seating: Seating) -> bytes:
    """What has happened: the one of an event's fields that says it."""
    if type(fact) is CardPlayed:
        return _card_part(seating.active[fact.position], fact.card)
    return event_of(fact, seating).SerializeToString()


@cache
def _card_part(seat: int, card: int) -> bytes:
    played = event_pb2.CardPlayed(seat=seat, card=CARDS_TO_PROTO[card])
    return event_pb2.TableEvent(card_played=played).SerializeToString()
