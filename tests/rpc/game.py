"""A listed deal on the real server, driven by notation.

The same deal runs in the engine beside it, only to know who is next.
"""

from __future__ import annotations

from collections.abc import Sequence

import grpc

from skat.v1 import play_service_pb2, table_service_pb2
from skat_engine import (
    Deal,
    Dealt,
    Position,
    RuleSet,
    Seat,
    parse_action,
    parse_option,
    preset,
    seating,
)
from skat_server.rpc.convert.deals import dealt_to_proto
from skat_server.rpc.convert.values import action_to_proto
from tests.rpc.player import LIVE, Player, Story

NAMES = ("ann", "ben", "cem", "dia", "eva")


def listed(
    deals: Sequence[Dealt], *, name: str = "isko", **overrides: str
) -> table_service_pb2.CreateTableRequest:
    """A request for a table with these deals."""
    request = table_service_pb2.CreateTableRequest()
    request.rule_set.preset = name
    request.rule_set.overrides.update(overrides)
    request.deal_source.listed.deals.extend(map(dealt_to_proto, deals))
    return request


class Game:
    """A full table, every player with an open session.

    Attributes:
        channel: the connection.
        players: by seat.
        table_id: the table.
        deal: the current deal in the engine.
    """

    def __init__(
        self, channel: grpc.aio.Channel, players: list[Player], table_id: str, rules: RuleSet
    ) -> None:
        """Begin with the first deal that `start` gives."""
        self.channel = channel
        self.players = players
        self.table_id = table_id
        self.rules = rules

    def start(self, deals: Sequence[Dealt]) -> None:
        """Follow these deals in the engine."""
        self._deals = tuple(deals)
        self._number = 0
        self.deal = Deal(self.rules, self._deals[0])

    @property
    def active(self) -> tuple[Seat, Seat, Seat]:
        """Seats of forehand, middlehand and rearhand."""
        return seating(self._number % len(self.players), len(self.players)).active

    def at(self, position: Position) -> Player:
        """Who plays a position in the current deal."""
        return self.players[self.active[position]]

    def story(self, position: Position) -> Story:
        """What the player of a position was told."""
        return self.at(position).story(self.table_id)

    @property
    def next_player(self) -> Player:
        """Who has the open decision."""
        assert self.deal.to_act is not None
        return self.at(self.deal.to_act)

    async def play(self, moves: str) -> None:
        """Let whoever is next do this, move by move, all of it accepted."""
        for text in moves.split():
            await self.next_player.answer(self.table_id, action_to_proto(parse_action(text)))
            self.apply(text)

    def apply(self, text: str, position: Position | None = None) -> None:
        """Let the engine follow an accepted action."""
        who = self.deal.to_act if position is None else position
        assert who is not None
        self.deal.apply(who, parse_action(text))
        if self.deal.is_over and self._number + 1 < len(self._deals):
            self._number += 1
            self.deal = Deal(self.rules, self._deals[self._number])

    async def play_out(self) -> None:
        """Play first cards to the end of the deal."""
        number = self._number
        while number == self._number and not self.deal.is_over:
            await self.play(str(self.deal.legal(self.deal.to_act or 0)[0]))

    async def settle(self) -> None:
        """Wait until the open decision has reached its player, so that nothing is under way."""
        await self.next_player.decision(self.table_id)


async def new_game(
    channel: grpc.aio.Channel,
    deals: Sequence[Dealt],
    *,
    name: str = "isko",
    delivery: play_service_pb2.Delivery.ValueType = LIVE,
    **overrides: str,
) -> Game:
    """Make a table with these deals, seat its players and open their sessions."""
    count = int(overrides.get("seats", "3"))
    players = [Player(channel, name) for name in NAMES[:count]]
    return await seated_game(channel, players, deals, name, delivery, **overrides)


async def seated_game(
    channel: grpc.aio.Channel,
    players: list[Player],
    deals: Sequence[Dealt],
    preset_name: str = "isko",
    delivery: play_service_pb2.Delivery.ValueType = LIVE,
    **overrides: str,
) -> Game:
    """Make a table with these deals, seat these players and open their sessions."""
    table = await players[0].create_table(listed(deals, name=preset_name, **overrides))
    for player in players:
        await player.open(delivery)
        await player.take_seat(table.table_id)
    options = {option: parse_option(option, text) for option, text in overrides.items()}
    game = Game(channel, players, table.table_id, preset(preset_name, options))
    game.start(deals)
    return game
