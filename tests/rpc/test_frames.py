"""Frames that are put together are those that protobuf would have written."""

from __future__ import annotations

import random

import pytest

from skat.v1 import table_pb2
from skat_server.clock import ManualClock
from skat_server.rpc.convert.frames import frame_part
from skat_server.rpc.convert.parts import framed, tag, varint
from skat_server.tables.outbox import Delivery, Outbox
from tests.server.playing import answer, full_table, open_question


def frames_of_a_deal(delivery: Delivery) -> list[bytes]:
    """Everything that three seats and a spectator are sent while a table plays."""
    table, clock, frames = full_table(None), ManualClock(), list[bytes]()
    outboxes = [Outbox(delivery, clock, lambda: None) for _ in range(4)]
    for seat, outbox in zip((0, 1, 2, None), outboxes, strict=True):
        outbox.attach(table, seat, None)
    chance = random.Random(1)
    for _ in range(120):
        for outbox in outboxes:
            frames += [frame_part(update, lambda _: True) for update in outbox.drain()]
        answer(table, chance.choice(open_question(table).options[:10]))
    return frames


@pytest.mark.parametrize("delivery", Delivery)
def test_a_frame_has_the_bytes_of_its_message(delivery: Delivery) -> None:
    frames = frames_of_a_deal(delivery)
    messages = [table_pb2.TableFrame.FromString(frame) for frame in frames]
    assert [message.SerializeToString() for message in messages] == frames
    assert any(message.HasField("decision") for message in messages)
    assert any(message.events for message in messages)


@pytest.mark.parametrize("number", [0, 1, 127, 128, 16_383, 16_384, 2**32 + 5])
def test_a_number_is_written_as_the_wire_has_it(number: int) -> None:
    written = tag(table_pb2.TableView, "sequence") + varint(number)
    assert table_pb2.TableView.FromString(written).sequence == number


def test_a_part_may_be_long() -> None:
    name = "x" * 5_000
    written = framed(tag(table_pb2.Table, "display_name"), name.encode())
    assert table_pb2.Table.FromString(written).display_name == name


def test_numbers_in_a_row_that_are_not_packed_have_no_tag() -> None:
    with pytest.raises(KeyError):
        tag(table_pb2.Table, "nothing")
