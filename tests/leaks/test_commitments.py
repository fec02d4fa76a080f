"""T8, T9: of the seeds of a table nothing is told before their time but what binds to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from google.protobuf.message import Message

from skat.v1 import play_service_pb2, spectate_service_pb2
from skat_engine import Phase, preset
from skat_engine.shuffling import table_deal_seed
from skat_server.tables.sources import Dealing, FreshDeals
from tests.leaks.recording import LOG, SPECTATOR, Recording, recorded
from tests.leaks.scenes import scene
from tests.strategies import Playthrough


@contextmanager
def pretended(deals: Sequence[Playthrough]) -> Iterator[None]:
    """Fresh deals have these cards, whatever their seeds are."""

    def dealt(self: FreshDeals, count: int, nonces: Sequence[bytes]) -> Dealing:
        seed = table_deal_seed(self.table_seed, count, nonces)
        return Dealing(deals[count - 1].dealt, seed, tuple(nonces))

    with patch.object(FreshDeals, "dealt", dealt):
        yield


def without_commitments(message: Message) -> Message:
    """The message without what binds to a seed, however deep it lies."""
    if "commitment" in message.DESCRIPTOR.fields_by_name:
        message.ClearField("commitment")
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for one in value if field.is_repeated else [value]:
            without_commitments(one)
    return message


def streams(recording: Recording) -> dict[str, list[Message]]:
    """The messages of all streams without commitments."""
    told: dict[str, list[Message]] = {}
    for name, messages in recording.heard.items():
        kind: type[Message] = play_service_pb2.PlayResponse
        if name == SPECTATOR:
            kind = spectate_service_pb2.WatchTableResponse
        elif not (name.startswith("seat") and name.count(" ") == 1):
            continue
        told[name] = [without_commitments(kind.FromString(data)) for data in messages]
    return told


@pytest.mark.asyncio
async def test_the_same_cards_of_other_seeds_differ_in_commitments_only() -> None:
    play = scene(preset("isko"), 0, "commitment", Phase.PLAY).one
    with pretended([play]):
        one = await recorded([play], curious=0, seeds=1)
        other = await recorded([play], curious=0, seeds=2)
    assert one.heard[SPECTATOR] != other.heard[SPECTATOR], "commitments are told"
    assert streams(one) == streams(other)
    assert one.heard[LOG] == other.heard[LOG]
