"""T4: before a deal ends, a viewer is named no card but those that he may know, in any message."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from google.protobuf.message import Message

from skat.v1 import card_pb2, play_service_pb2, spectate_service_pb2
from skat_engine import Phase, card_text, cards_in, preset
from tests.leaks.recording import recorded
from tests.leaks.scenes import scene
from tests.leaks.twins import Viewer, known_cards

CARD = card_pb2.DESCRIPTOR.enum_types_by_name["Card"]
NAMES = ("proskat_pub", "bga_skat", "xskat_extras")


def cards_named(message: Message) -> Iterator[str]:
    """The cards in all fields of a message that hold cards, however deep they lie."""
    for field, value in message.ListFields():
        values = [value] if not field.is_repeated else value
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            continue
        for one in values:
            if isinstance(one, Message):
                yield from cards_named(one)
            elif field.enum_type is CARD:
                yield CARD.values_by_number[one].name.removeprefix("CARD_")


@pytest.mark.asyncio
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
@pytest.mark.parametrize("name", NAMES)
async def test_a_viewer_is_named_what_he_may_know(name: str, viewer: Viewer) -> None:
    play = scene(preset(name), viewer, "shown", Phase.PLAY).one
    stream = (await recorded([play], curious=None)).stream_of(viewer)
    kind = play_service_pb2.PlayResponse
    response = spectate_service_pb2.WatchTableResponse if viewer is None else kind
    named = {card for data in stream for card in cards_named(response.FromString(data))}
    known = {card_text(card) for card in cards_in(known_cards(play, viewer))}
    assert named <= known
    assert viewer is None or len(named) >= 10


@pytest.mark.asyncio
async def test_who_sits_out_is_shown_what_a_spectator_is_shown() -> None:
    """With four seats the dealer has no cards (R-TAB-5)."""
    play = scene(preset("isko", {"seats": 4}), None, "sits out", Phase.PLAY).one
    recording = await recorded([play], curious=None)
    (idle,) = set(range(4)) - set(recording.seats)
    told = [
        play_service_pb2.PlayResponse.FromString(data) for data in recording.heard[f"seat {idle}"]
    ]
    known = {card_text(card) for card in cards_in(known_cards(play, None))}
    assert {card for message in told for card in cards_named(message)} == known
    assert not any(frame.HasField("decision") for message in told for frame in message.tables)
