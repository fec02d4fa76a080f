"""R-SPI-3: that a game is one with Spitze is public, its card only where the rules show it."""

from __future__ import annotations

import grpc
import pytest

from skat.v1 import card_pb2
from tests.rpc.deals import TRUMPS
from tests.rpc.game import Game, new_game

pytestmark = pytest.mark.asyncio

ANNOUNCED = "18 hold pass pass take CP.C8.D7"
POSITIONS = (0, 1, 2)


async def announced(channel: grpc.aio.Channel, *, revealed: bool) -> Game:
    """Clubs with Spitze; the defenders are told up to the announcement."""
    shown = str(revealed).lower()
    game = await new_game(
        channel, [TRUMPS], name="proskat_pub", kontra="off", spitze_card_revealed=shown
    )
    await game.play(ANNOUNCED)
    await game.settle()
    for position in POSITIONS:
        story = game.story(position)
        while story.last < game.story(0).last:
            await game.at(position).read()
    return game


async def test_a_spitze_that_is_not_shown_is_not_named(channel: grpc.aio.Channel) -> None:
    game = await announced(channel, revealed=False)
    for position in POSITIONS:
        story = game.story(position)
        assert "spitze_revealed" not in story.cases
        (event,) = (e for e in story.events if e.HasField("contract_announced"))
        assert event.contract_announced.contract.spitze


async def test_a_spitze_that_is_shown_is_named_to_everybody(channel: grpc.aio.Channel) -> None:
    game = await announced(channel, revealed=True)
    for position in POSITIONS:
        (event,) = (e for e in game.story(position).events if e.HasField("spitze_revealed"))
        assert event.spitze_revealed.card == card_pb2.CARD_C7
