"""T4 for the other rule systems: Ramsch exchange, Revolution, Spitze that is not shown.

As in `test_hidden_information`: two deals that differ only in cards hidden from the viewer are
played with the same public actions, and the viewer's streams must be the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import grpc
import pytest

from skat_engine import (
    Action,
    Announce,
    Card,
    CardSet,
    Deal,
    Dealt,
    GiveUp,
    IllegalActionError,
    LayOpen,
    Phase,
    PickUp,
    PlayCard,
    Position,
    PutDown,
    Rearrange,
    RuleSet,
    TakeSkat,
    card_set,
    cards_in,
    deal_from_seed,
    parse_action,
    parse_option,
    preset,
)
from tests.rpc.game import new_game
from tests.rpc.player import LIVE
from tests.rpc.test_hidden_information import Move, cards_named, swapped, swapped_card, told

pytestmark = pytest.mark.asyncio

Pair = tuple[Card, Card]


@dataclass(frozen=True)
class System:
    """A rule system and how a deal of it begins."""

    name: str
    opening: str
    """What is said before chance takes over."""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def rules(self) -> RuleSet:
        """The engine's rules."""
        return preset(self.name, {name: parse_option(name, text) for name, text in self.options})


RAMSCH = System("bga_skat", "pass pass pass decline decline decline")
REVOLUTION = System("xskat_extras", "18 hold pass pass take NOR", (("kontra", "off"),))
SPITZE = System(
    "proskat_pub",
    "18 hold pass pass take P",
    (("spitze_card_revealed", "false"), ("kontra", "off")),
)


def choice(deal: Deal, text: str) -> Action | None:
    """The action of this text; of an announcement the first one with these discards."""
    assert deal.to_act is not None
    if deal.phase is not Phase.ANNOUNCE:
        return parse_action(text)
    for option in deal.legal(deal.to_act):
        assert isinstance(option, Announce)
        wanted = option.contract.spitze if text == "P" else str(option.contract) == text
        if wanted:
            return option
    return None


def moves_of(system: System, dealt: Dealt, chance: random.Random, cards: int) -> list[Move]:
    """The opening and then chance, up to so many cards played; empty if it cannot be said."""
    deal = Deal(system.rules, dealt)
    moves: list[Move] = []

    def take(action: Action) -> None:
        assert deal.to_act is not None
        moves.append((deal.to_act, action))
        deal.apply(*moves[-1])

    for text in system.opening.split():
        action = choice(deal, text)
        if action is None:
            return []
        take(action)
    while deal.to_act is not None and _cards_played(moves) < cards:
        options = deal.legal(deal.to_act)
        action = options[chance.randrange(len(options))]
        if not isinstance(action, GiveUp | LayOpen):
            take(action)
    return [] if deal.is_over else moves


def _cards_played(moves: list[Move]) -> int:
    return sum(isinstance(action, PlayCard) for _, action in moves)


def hidden_from(system: System, dealt: Dealt, moves: list[Move], viewer: Position) -> set[Card]:
    """The cards whose place a viewer was never shown; not for the defenders of a Revolution."""
    deal = Deal(system.rules, dealt)
    known = dealt.hands[viewer]
    for position, action in moves:
        if position == viewer and isinstance(action, TakeSkat | PickUp):
            known = CardSet(known | deal.skat)
        if isinstance(action, PlayCard):
            known = CardSet(known | 1 << action.card)
        deal.apply(position, action)
    return {card for card in map(Card, range(32)) if not known >> card & 1}


def swapped_move(move: Move, pair: Pair) -> Move:
    """The same public action: hidden cards that are put down or kept go with their pair."""
    position, action = move

    def other(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(swapped_card(card, pair) for card in cards)

    match action:
        case Announce(contract, discards):
            return position, Announce(contract, other(discards))
        case PutDown(cards):
            return position, PutDown(other(cards))
        case Rearrange(cards):
            return position, Rearrange(card_set(other(tuple(cards_in(cards)))))
        case _:
            return move


def twin_of(
    system: System, dealt: Dealt, moves: list[Move], viewer: Position, chance: random.Random
) -> Pair | None:
    """Two hidden cards of different hands whose swap is legal and makes no public difference."""
    hidden = sorted(hidden_from(system, dealt, moves, viewer))
    pairs = [(one, two) for one in hidden for two in hidden if one < two]
    chance.shuffle(pairs)
    for pair in pairs:
        other = swapped(dealt, pair)
        if other == dealt:
            continue
        deal = Deal(system.rules, other)
        try:
            for move in moves:
                deal.apply(*swapped_move(move, pair))
        except IllegalActionError:
            continue
        if not deal.is_over:
            return pair
    return None


def scenario(system: System, viewer: Position, seed: int) -> tuple[Dealt, list[Move], Pair]:
    """A deal, moves and a pair to swap, found by chance."""
    chance = random.Random(100 * viewer + seed)
    while True:
        dealt = deal_from_seed(chance.randbytes(32))
        moves = moves_of(system, dealt, chance, chance.randrange(7))
        pair = twin_of(system, dealt, moves, viewer, chance) if moves else None
        if pair is not None:
            return dealt, moves, pair


async def stream_of(
    channel: grpc.aio.Channel, system: System, dealt: Dealt, moves: list[Move], viewer: Position
) -> list[str]:
    """What one seat is sent in a deal."""
    game = await new_game(channel, [dealt], name=system.name, delivery=LIVE, **dict(system.options))
    for _, action in moves:
        await game.play(str(action))
    await game.settle()
    player, last = game.at(viewer), game.story(game.deal.to_act or 0).last
    await player.until(lambda: player.story(game.table_id).last == last)
    for other in game.players:
        other.drop()
    return told(player, game.table_id)


SYSTEMS = [
    *(pytest.param(RAMSCH, viewer, id=f"ramsch {viewer}") for viewer in range(3)),
    *(pytest.param(SPITZE, viewer, id=f"spitze {viewer}") for viewer in (1, 2)),
    pytest.param(REVOLUTION, 0, id="revolution, declarer"),
]


@pytest.mark.parametrize(("system", "viewer"), SYSTEMS)
async def test_a_seat_is_sent_nothing_that_depends_on_hidden_cards(
    channel: grpc.aio.Channel, system: System, viewer: Position
) -> None:
    for seed in range(3):
        dealt, moves, pair = scenario(system, viewer, seed)
        one = await stream_of(channel, system, dealt, moves, viewer)
        other_moves = [swapped_move(move, pair) for move in moves]
        other = await stream_of(channel, system, swapped(dealt, pair), other_moves, viewer)
        assert one == other


async def test_the_defenders_of_a_revolution_see_each_other(channel: grpc.aio.Channel) -> None:
    """The comparison above can fail, and the defenders are shown what the declarer is not."""
    dealt, moves, pair = scenario(REVOLUTION, 0, 0)
    other_moves = [swapped_move(move, pair) for move in moves]
    for viewer in (1, 2):
        one = await stream_of(channel, REVOLUTION, dealt, moves, viewer)
        other = await stream_of(channel, REVOLUTION, swapped(dealt, pair), other_moves, viewer)
        assert one != other


async def test_a_spitze_that_is_not_shown_is_not_named(channel: grpc.aio.Channel) -> None:
    """R-SPI-3: no event names the card; that the game is one with Spitze is public."""
    dealt, moves, _ = scenario(SPITZE, 1, 0)
    moves = [move for move in moves if not isinstance(move[1], PlayCard)]
    game = await new_game(channel, [dealt], name=SPITZE.name, delivery=LIVE, **dict(SPITZE.options))
    for _, action in moves:
        await game.play(str(action))
    await game.settle()
    player, last = game.at(1), game.story(0).last
    story = game.story(1)
    await player.until(lambda: story.last == last)
    assert "spitze_revealed" not in story.cases
    (announced,) = (e.contract_announced for e in story.events if e.HasField("contract_announced"))
    assert announced.contract.spitze
    assert len(cards_named(story.events)) == 10


async def test_a_spitze_that_is_shown_is_named_to_everybody(channel: grpc.aio.Channel) -> None:
    dealt, moves, _ = scenario(SPITZE, 1, 0)
    moves = [move for move in moves if not isinstance(move[1], PlayCard)]
    game = await new_game(channel, [dealt], name="proskat_pub", kontra="off")
    for _, action in moves:
        await game.play(str(action))
    await game.settle()
    for position in (0, 1, 2):
        player = game.at(position)
        story = game.story(position)
        while "spitze_revealed" not in story.cases:
            await player.read()
