"""R-TAB-3: who deals first is drawn with the server's entropy, from a deck of its own."""

from __future__ import annotations

import json

import grpc
import pytest

from skat_engine import (
    Dealt,
    cards_text,
    deal_from_seed,
    parse_dealt,
    parse_option,
    preset,
    shuffled_deck,
    table_deal_seed,
)
from skat_engine.series import first_dealer
from skat_server.app import App
from skat_server.config import Settings
from tests.rpc.player import Player

pytestmark = pytest.mark.asyncio


class Entropy:
    """Bytes that a test knows: the first request is all ones, the second all twos."""

    def __init__(self, first: int = 1) -> None:
        """Begin with this number."""
        self.given: list[bytes] = []
        self._next = first

    def __call__(self, count: int) -> bytes:
        """So many bytes."""
        self.given.append(bytes([self._next]) * count)
        self._next += 1
        return self.given[-1]


async def opened(entropy: Entropy, found_by: str, seats: int) -> tuple[int, str, Dealt]:
    """First dealer, drawn deck and first cards of a table with fresh deals."""
    async with (
        App(Settings(port=0, grace=0.0), entropy=entropy) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        players = [Player(channel, f"number-{seat}") for seat in range(seats)]
        table = await players[0].create_table(first_dealer=found_by, seats=str(seats))
        for player in players:
            await player.take_seat(table.table_id)
        await players[0].open()
        story = players[0].story(table.table_id)
        await players[0].until(lambda: bool(story.events))
        log = await app.store.log(table.table_id)
        assert log is not None
        rows = [line.entry.payload for line in log.lines]
        draw, dealt = json.loads(rows[0])["draw"], json.loads(rows[-1])["dealt"]
        return story.events[0].deal_started.dealer, draw, parse_dealt(dealt)


def first_deal(table_seed: bytes, seats: int) -> Dealt:
    """The first cards of a table whose players brought no nonces."""
    return deal_from_seed(table_deal_seed(table_seed, 1, [b""] * seats))


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("first", [1, 50, 99])
@pytest.mark.parametrize("found_by", ["first_jack", "random"])
async def test_the_first_dealer_is_the_one_of_the_drawn_deck(
    found_by: str, first: int, seats: int
) -> None:
    entropy = Entropy(first)
    dealer, draw, dealt = await opened(entropy, found_by, seats)
    table_seed, draw_seed = entropy.given
    deck = shuffled_deck(draw_seed)
    rules = preset("isko", {"first_dealer": parse_option("first_dealer", found_by), "seats": seats})
    assert draw == cards_text(deck)
    assert dealer == first_dealer(rules, deck)
    assert dealt == first_deal(table_seed, seats) != deal_from_seed(draw_seed)


async def test_every_seat_can_be_drawn() -> None:
    dealers = {(await opened(Entropy(first), "random", 3))[0] for first in range(1, 13)}
    assert dealers == {0, 1, 2}


async def test_nothing_is_drawn_where_seat_0_deals() -> None:
    entropy = Entropy()
    dealer, draw, dealt = await opened(entropy, "seat_0", 3)
    assert (dealer, draw) == (0, "")
    assert dealt == first_deal(entropy.given[0], 3)
