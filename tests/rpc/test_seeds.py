"""T10: nothing that is sent about a deal has anything of the seed its cards come from."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator

import grpc
import pytest

from skat_engine import deal_from_seed, parse_dealt
from tests.rpc.choices import Chance
from tests.rpc.player import LIVE, Player
from tests.rpc.spectator import Spectator
from tests.rpc.test_first_option import seeded
from tests.rpc.test_records import records_of

pytestmark = pytest.mark.asyncio


def forms_of(seed: bytes) -> Iterator[bytes]:
    """How a seed could be written."""
    yield from (seed, seed[:8], seed.hex().encode(), seed.hex().upper().encode())
    yield base64.b64encode(seed)


@pytest.mark.parametrize("is_fresh", [True, False], ids=["fresh", "seeded"])
async def test_no_frame_has_the_seed(channel: grpc.aio.Channel, is_fresh: bool) -> None:
    request = seeded(77, 2)
    if is_fresh:
        request.ClearField("deal_source")
    players = [Player(channel, name) for name in ("ann", "ben", "cem")]
    table_id = (await players[0].create_table(request)).table_id
    async with Spectator(channel, table_id) as spectator:
        for player in players:
            await player.open(LIVE)
            await player.take_seat(table_id)
        async with asyncio.TaskGroup() as group:
            for number, player in enumerate(players):
                group.create_task(player.play(Chance(number), [table_id]))
        await spectator.until(lambda: spectator.story.is_over)
    sent = [response.SerializeToString() for player in players for response in player.responses]
    story = spectator.story
    sent += [message.SerializeToString() for message in (*story.views, *story.events)]
    rows = [json.loads(record.json) for record in await records_of(players[0], table_id)]
    seeds = [bytes.fromhex(row["seed"]) for row in rows]
    assert [deal_from_seed(seed) for seed in seeds] == [parse_dealt(row["dealt"]) for row in rows]
    assert len(seeds) == 2
    assert sent
    for form in (form for seed in (*seeds, bytes([77]) * 32) for form in forms_of(seed)):
        assert not any(form in frame for frame in sent)
