"""From what is ready for a player to messages of a size that every client reads."""

from collections.abc import Iterable, Iterator
from typing import Final

from skat.v1 import play_service_pb2 as pb
from skat_server.rpc.convert.facts import timestamp
from skat_server.rpc.convert.frames import frame_part
from skat_server.rpc.convert.parts import framed, tag
from skat_server.rpc.convert.tables import IsConnected
from skat_server.tables.outbox import TableUpdate
from skat_server.tables.sessions import GoingAway

LARGEST_RESPONSE: Final = 1024 * 1024
"""Bytes after which a response is closed and another one begun: clients of any language read
four times that by default, and a single table's frame is far smaller."""

_TABLES: Final = tag(pb.PlayResponse, "tables")


def packed(
    head: bytes, updates: Iterable[TableUpdate], is_connected: IsConnected
) -> Iterator[bytes]:
    """The bytes of `PlayResponse`s that hold these updates.

    Nothing is made when there is nothing to send.

    Args:
        head: other fields, with which the first of them begins.
        updates: what is ready.
        is_connected: knows the players who have a session.
    """
    parts, size = [head], len(head)
    for update in updates:
        frame = frame_part(update, is_connected)
        size += len(frame)
        if size > LARGEST_RESPONSE and len(frame) < size:
            yield b"".join(parts)
            parts, size = [], len(frame)
        parts.append(framed(_TABLES, frame))
    if size:
        yield b"".join(parts)


def fitting(
    response: pb.PollDecisionsResponse, updates: Iterable[TableUpdate], is_connected: IsConnected
) -> pb.PollDecisionsResponse:
    """The answer to a poll with as many updates as fit; the next poll asks for the others."""
    size = 0
    for update in updates:
        frame = frame_part(update, is_connected)
        size += len(frame)
        if size > LARGEST_RESPONSE and response.tables:
            break
        response.tables.add().MergeFromString(frame)
    return response


def going_away_to_proto(notice: GoingAway) -> pb.GoingAway:
    """The notice that the server stops."""
    return pb.GoingAway(resume_by=timestamp(notice.resume_by), endpoint=notice.endpoint)
