"""T4, non-interference: what a viewer is sent depends on nothing that the viewer may not know.

Two deals that differ only in cards hidden from the viewer are played with the same public
actions; the viewer's complete stream must be the same but for ids and times.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

import grpc
import pytest
from google.protobuf.message import Message

from skat.v1 import spectate_service_pb2
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
    PlayCard,
    Position,
    TakeSkat,
    card_text,
    cards_in,
    deal_from_seed,
    parse_action,
)
from skat_server.rpc.convert.values import action_to_proto
from tests.builders import isko
from tests.rpc.game import Game, new_game
from tests.rpc.player import Player

pytestmark = pytest.mark.asyncio

Move = tuple[Position, Action]
SPECTATOR = None


def swapped_card(card: Card, pair: tuple[Card, Card]) -> Card:
    """The card, or its partner."""
    first, second = pair
    return {first: second, second: first}.get(card, card)


def swapped(dealt: Dealt, pair: tuple[Card, Card]) -> Dealt:
    """The deal with two cards in each other's place."""

    def part(cards: CardSet) -> CardSet:
        return CardSet(sum(1 << swapped_card(card, pair) for card in cards_in(cards)))

    forehand, middlehand, rearhand = map(part, dealt.hands)
    return Dealt((forehand, middlehand, rearhand), part(dealt.skat))


def swapped_move(move: Move, pair: tuple[Card, Card]) -> Move:
    """The same public action: hidden discards go with their cards."""
    position, action = move
    if isinstance(action, Announce):
        discards = tuple(swapped_card(card, pair) for card in action.discards)
        return position, Announce(action.contract, discards)
    return move


def moves_of(dealt: Dealt, chance: random.Random, tricks: int) -> list[Move]:
    """A deal played by chance with a low bid, up to so many tricks; empty when passed in."""
    deal = Deal(isko(), dealt)
    moves: list[Move] = []
    while deal.to_act is not None and len(deal.tricks) < tricks:
        options = list(deal.legal(deal.to_act))
        plain = [option for option in options[:60] if is_plain(option)]
        action = plain[chance.randrange(min(len(plain), 3) if not deal.bid else len(plain))]
        moves.append((deal.to_act, action))
        deal.apply(*moves[-1])
    return [] if deal.is_over else moves


def is_plain(action: Action) -> bool:
    """Whether an action neither lays cards open nor proposes to."""
    if isinstance(action, Announce):
        return not action.contract.ouvert
    return not isinstance(action, GiveUp | LayOpen)


def twin_of(dealt: Dealt, moves: list[Move], viewer: Position | None) -> tuple[Card, Card] | None:
    """Two cards hidden from the viewer that can be swapped without a public difference."""
    played = {action.card for _, action in moves if isinstance(action, PlayCard)}
    own = 0 if viewer is None else dealt.hands[viewer]
    if (viewer, TakeSkat()) in moves:
        own |= dealt.skat
    hidden = [card for card in map(Card, range(32)) if card not in played and not own >> card & 1]
    for first in hidden:
        for second in hidden:
            if first < second and _is_twin(dealt, moves, (first, second)):
                return first, second
    return None


def _is_twin(dealt: Dealt, moves: Iterable[Move], pair: tuple[Card, Card]) -> bool:
    other = swapped(dealt, pair)
    if other == dealt:
        return False
    deal = Deal(isko(), other)
    try:
        for move in moves:
            deal.apply(*swapped_move(move, pair))
    except IllegalActionError:
        return False
    return not deal.is_over


def scenarios(
    viewer: Position | None, count: int
) -> list[tuple[Dealt, list[Move], tuple[Card, Card]]]:
    """Deals, moves and pairs to swap, found by chance."""
    chance = random.Random(0 if viewer is None else viewer + 1)
    found: list[tuple[Dealt, list[Move], tuple[Card, Card]]] = []
    while len(found) < count:
        dealt = deal_from_seed(chance.randbytes(32))
        moves = moves_of(dealt, chance, tricks=chance.randrange(1, 7))
        pair = twin_of(dealt, moves, viewer) if moves else None
        if pair is not None:
            found.append((dealt, moves, pair))
    return found


async def run(game: Game, moves: list[Move], viewer: Position | None) -> None:
    """Play the moves; the viewer also tries something that must be refused, at every turn."""
    for position, action in moves:
        player = game.at(position)
        await player.decision(game.table_id)
        if position == viewer:
            await player.refusal(game.table_id, action_to_proto(parse_action("accept")))
            await player.refusal(game.table_id, action_to_proto(parse_action("17")))
        await player.answer(game.table_id, action_to_proto(action))
        game.apply(str(action))
    await game.settle()


TIMES = ("seconds:", "nanos:", "decision_ms:")
"""Fields that tell a moment, new in every run; what a bank has left is none of them."""


def cleaned(messages: Iterable[Message], table_id: str) -> list[str]:
    """The messages as text without ids and times, which are new in every run."""
    texts = []
    for message in messages:
        text = str(message).replace(table_id, "TABLE")
        lines = [line for line in text.splitlines() if not any(time in line for time in TIMES)]
        texts.append("\n".join(lines))
    return texts


def told(player: Player, table_id: str) -> list[str]:
    """Everything that a player was sent about a table, frame borders aside."""
    messages: list[Message] = []
    story = player.story(table_id)
    messages += [*story.views, *story.events, *story.decisions]
    for response in player.responses:
        messages += response.results
    return cleaned(messages, table_id)


async def stream_of(
    channel: grpc.aio.Channel, dealt: Dealt, moves: list[Move], viewer: Position
) -> list[str]:
    """What one seat is sent in a deal."""
    game = await new_game(channel, [dealt])
    await run(game, moves, viewer)
    player = game.at(viewer)
    length = game.story(game.deal.to_act or 0).last
    await player.until(lambda: player.story(game.table_id).last == length)
    for other in game.players:
        other.drop()
    return told(player, game.table_id)


@pytest.mark.parametrize("viewer", [0, 1, 2])
async def test_a_seat_is_sent_nothing_that_depends_on_hidden_cards(
    channel: grpc.aio.Channel, viewer: Position
) -> None:
    for dealt, moves, pair in scenarios(viewer, 4):
        one = await stream_of(channel, dealt, moves, viewer)
        other_moves = [swapped_move(move, pair) for move in moves]
        other = await stream_of(channel, swapped(dealt, pair), other_moves, viewer)
        assert one == other


async def watched(channel: grpc.aio.Channel, dealt: Dealt, moves: list[Move]) -> list[str]:
    """What a spectator is sent in a deal."""
    game = await new_game(channel, [dealt])
    await run(game, moves, SPECTATOR)
    request = spectate_service_pb2.WatchTableRequest(table_id=game.table_id)
    call = game.players[0].spectate.WatchTable(request)
    response = await call.read()
    assert isinstance(response, spectate_service_pb2.WatchTableResponse)
    assert response.frame.events[-1].sequence == game.story(game.deal.to_act or 0).last
    call.cancel()
    for player in game.players:
        player.drop()
    frame = response.frame
    for seat in frame.view.table.seats:
        seat.ClearField("connected")
    return cleaned([frame], game.table_id)


async def test_a_spectator_is_sent_nothing_that_depends_on_hidden_cards(
    channel: grpc.aio.Channel,
) -> None:
    for dealt, moves, pair in scenarios(SPECTATOR, 4):
        one = await watched(channel, dealt, moves)
        other_moves = [swapped_move(move, pair) for move in moves]
        assert one == await watched(channel, swapped(dealt, pair), other_moves)


async def test_the_swap_is_seen_by_whoever_may_see_it(channel: grpc.aio.Channel) -> None:
    """The comparison above can fail: the holder of a swapped card is sent another stream."""
    dealt, moves, pair = scenarios(0, 1)[0]
    holder = next(p for p in (1, 2) if any(dealt.hands[p] >> card & 1 for card in pair))
    one = await stream_of(channel, dealt, moves, holder)
    other_moves = [swapped_move(move, pair) for move in moves]
    assert one != await stream_of(channel, swapped(dealt, pair), other_moves, holder)


def cards_named(events: Iterable[Message]) -> set[str]:
    """The cards that any of these events names."""
    words = " ".join(map(str, events)).split()
    return {word for word in words if word.startswith("CARD_")}


@pytest.mark.parametrize("viewer", [0, 1, 2])
async def test_a_seat_is_shown_its_hand_and_the_table_only(
    channel: grpc.aio.Channel, viewer: Position
) -> None:
    """Before the deal ends a seat is named no card but its own and those that were played."""
    dealt, moves, _ = scenarios(viewer, 1)[0]
    game = await new_game(channel, [dealt])
    await run(game, moves, viewer)
    story = game.story(viewer)
    await game.at(viewer).until(lambda: story.last == game.story(game.deal.to_act or 0).last)
    played = {action.card for _, action in moves if isinstance(action, PlayCard)}
    own = set(cards_in(dealt.hands[viewer]))
    skat = set(cards_in(dealt.skat)) if game.deal.declarer == viewer else set()
    shown = {f"CARD_{card_text(card)}" for card in played | own | skat}
    assert cards_named([*story.events, *story.decisions]) <= shown


async def test_who_sits_out_is_shown_no_hand(channel: grpc.aio.Channel) -> None:
    """With four seats the dealer sees what a spectator sees."""
    dealt, moves, _ = scenarios(SPECTATOR, 1)[0]
    game = await new_game(channel, [dealt], seats="4")
    await run(game, moves, SPECTATOR)
    dealer = game.players[0]
    story = dealer.story(game.table_id)
    await dealer.until(lambda: story.last == game.story(game.deal.to_act or 0).last)
    played = {action.card for _, action in moves if isinstance(action, PlayCard)}
    assert cards_named(story.events) == {f"CARD_{card_text(card)}" for card in played}
    assert not story.decisions
