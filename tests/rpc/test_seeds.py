"""T9, T10: of the seed of a deal nothing is sent but its commitment, until the deal is over."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterable, Iterator, Mapping

import grpc
import pytest

from skat.v1 import event_pb2, table_pb2
from skat_engine import (
    commitment,
    deal_from_seed,
    deal_seed,
    parse_dealt,
    table_commitment,
    table_deal_seed,
)
from skat_server.rpc import spectate_servicer
from tests.rpc.choices import Chance
from tests.rpc.failures import failure
from tests.rpc.player import LIVE, Player
from tests.rpc.spectator import Spectator
from tests.rpc.test_first_option import seeded
from tests.rpc.test_records import records_of

pytestmark = pytest.mark.asyncio


def forms_of(seed: bytes) -> Iterator[bytes]:
    """How a seed could be written."""
    yield from (seed, seed[:8], seed.hex().encode(), seed.hex().upper().encode())
    yield base64.b64encode(seed)


Frames = Iterable[tuple[bytes, Iterable[event_pb2.TableEvent]]]
"""What was sent, message by message, and the events in it."""


def shown_too_early(frames: Frames, seeds: Mapping[int, bytes]) -> list[int]:
    """The deals whose seeds were sent before their ends, whatever the field."""
    hidden, early = dict(seeds), list[int]()
    for sent, events in frames:
        for event in events:
            if event.HasField("deal_ended"):
                assert event.deal_ended.seed == hidden.pop(len(seeds) - len(hidden) + 1)
        early += [n for n, seed in hidden.items() if any(f in sent for f in forms_of(seed))]
    return early


@pytest.mark.parametrize("is_fresh", [True, False], ids=["fresh", "seeded"])
async def test_no_frame_has_the_seed_before_its_time(
    channel: grpc.aio.Channel, is_fresh: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Quick players play two deals while events are gathered, and older ones are told no more.
    monkeypatch.setattr(spectate_servicer, "TICK", 0.0)
    request = seeded(77, 2)
    if is_fresh:
        request.ClearField("deal_source")
    players = [Player(channel, name) for name in ("ann", "ben", "cem")]
    table = await players[0].create_table(request)
    table_id = table.table_id
    assert table.chance.seed == b""
    async with Spectator(channel, table_id) as spectator:
        await spectator.until(lambda: bool(spectator.story.views))  # and so misses no event
        for player in players:
            await player.open(LIVE)
            await player.take_seat(table_id)
        async with asyncio.TaskGroup() as group:
            for number, player in enumerate(players):
                group.create_task(player.play(Chance(number), [table_id]))
        await spectator.until(lambda: spectator.story.is_over)
    rows = [json.loads(record.json) for record in await records_of(players[0], table_id)]
    seeds = {row["deal_number"]: bytes.fromhex(row["seed"]) for row in rows}
    assert [deal_from_seed(s) for s in seeds.values()] == [parse_dealt(r["dealt"]) for r in rows]
    assert list(seeds) == [1, 2]
    for player in players:
        assert not shown_too_early(
            [
                (response.SerializeToString(), [e for t in response.tables for e in t.events])
                for response in player.responses
            ],
            seeds,
        )
    story = spectator.story
    assert not shown_too_early(((e.SerializeToString(), [e]) for e in story.events), seeds)
    for number, event in enumerate((e for e in story.events if e.HasField("deal_started")), 1):
        assert event.deal_started.deal_id == f"{table_id}/{number}"
        assert event.deal_started.commitment == commitment(seeds[number], f"{table_id}/{number}")
    over = (await players[0].get_table(table_id)).chance
    assert over.commitment == table.chance.commitment
    if is_fresh:
        assert over.commitment == table_commitment(over.seed, table_id)
        assert seeds[2] == table_deal_seed(over.seed, 2, [b"", b"", b""])
        for form in forms_of(over.seed):
            assert not any(form in r.SerializeToString() for p in players for r in p.responses)
    else:
        assert over == table_pb2.TableChance()
        assert seeds[2] == deal_seed(bytes([77]) * 32, 2)


async def test_a_nonce_goes_into_every_deal(channel: grpc.aio.Channel) -> None:
    """T9: the operator bound himself before the nonces were known."""
    players = [Player(channel, name) for name in ("ann", "ben", "cem")]
    table_id = (await players[0].create_table()).table_id
    nonces = (b"of ann", b"", bytes(32))
    for player, nonce in zip(players, nonces, strict=True):
        await player.take_seat(table_id, nonce=nonce)
    async with Spectator(channel, table_id) as spectator:
        await spectator.until(lambda: bool(spectator.story.events))
        started = spectator.story.events[0].deal_started
    await players[0].close_table(table_id)
    chance = (await players[0].get_table(table_id)).chance
    seed = table_deal_seed(chance.seed, 1, nonces)
    assert started.commitment == commitment(seed, f"{table_id}/1")


async def test_a_nonce_that_is_too_long_is_refused(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    table_id = (await player.create_table()).table_id
    refused = await failure(player.take_seat(table_id, nonce=bytes(33)))
    assert (refused.reason, refused.fields) == ("INVALID_FIELD", ["client_nonce"])
