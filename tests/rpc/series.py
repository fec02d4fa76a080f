"""Whole series that scripted players play by chance."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import grpc

from tests.rpc.choices import Chance
from tests.rpc.player import Player

NAMES = ("ann", "ben", "cem")


async def play_series(
    channel: grpc.aio.Channel,
    deals: int,
    tables: int = 1,
    names: Sequence[str] = NAMES,
    seed: int = 0,
) -> tuple[list[Player], list[str]]:
    """Three players play so many tables to their end; they, and the ids of the tables."""
    players = [Player(channel, name) for name in names]
    made = [await players[0].create_table(session_deals=str(deals)) for _ in range(tables)]
    table_ids = [table.table_id for table in made]
    for player in players:
        await player.open()
        for table_id in table_ids:
            await player.take_seat(table_id)
    async with asyncio.TaskGroup() as group:
        for number, player in enumerate(players):
            group.create_task(player.play(Chance(seed + number), table_ids))
    return players, table_ids
