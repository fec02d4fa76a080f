"""R-END-5 over the wire: what the defenders ask each other is on no other stream."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import grpc
import pytest

from skat.v1 import deal_pb2, decision_pb2, event_pb2, play_service_pb2
from skat_engine import Position, parse_action
from skat_server.app import App
from skat_server.rpc.convert.values import action_to_proto
from skat_server.tables.table import Table
from tests.rpc.deals import CLUBS_BY_FOREHAND, MIXED
from tests.rpc.game import Game, new_game
from tests.rpc.player import Player, proposal, untimed
from tests.rpc.spectator import Spectator
from tests.rpc.telling import cleaned, told

pytestmark = pytest.mark.asyncio

TO_PLAY = f"{CLUBS_BY_FOREHAND} decline"
DECLARER, OFFERS, ASKED = 0, 1, 2

Between = Callable[[App, Game], Awaitable[None]]


def table_of(app: App, game: Game) -> Table:
    """The table inside the server."""
    return app.tables.find(game.table_id)


async def up_to_date(app: App, game: Game, player: Player, seat: int) -> int:
    """Let a player read everything he is told; returns the sequence of the last event."""
    await game.settle()
    last = table_of(app, game).log.last(seat)
    story = player.story(game.table_id)
    await player.until(lambda: story.last == last)
    return last


async def offer(app: App, game: Game, position: Position = OFFERS) -> None:
    """Let a defender ask the other one, in turn or out of turn."""
    partner = 3 - position
    give_up = action_to_proto(parse_action("give-up"))
    if game.deal.to_act == position:
        await game.at(position).answer(game.table_id, give_up)
    else:
        last = await up_to_date(app, game, game.at(position), game.active[position])
        if game.deal.to_act == partner:
            game.story(partner).decision = None
        await game.at(position).submit(proposal(game.table_id, last, give_up))
    game.apply("give-up", position)


async def refused(app: App, game: Game) -> None:
    """A concession that is offered and refused."""
    await offer(app, game)
    decision = await game.at(ASKED).decision(game.table_id)
    assert decision.phase == deal_pb2.PHASE_SHORTENING_VOTE
    assert decision.vote.seat == game.active[OFFERS]
    await game.play("reject")


async def nothing(_app: App, _game: Game) -> None:
    """No concession."""


async def streams(
    app: App, channel: grpc.aio.Channel, cards: str, between: Between
) -> dict[str, list[str]]:
    """What others than the defenders are sent of two deals, with something in the first one."""
    game = await new_game(channel, [MIXED, MIXED], name="proskat_pub", seats="4")
    declarer, sits_out = game.at(DECLARER), game.players[0]
    async with Spectator(channel, game.table_id) as spectator:
        await spectator.read()
        await game.play(f"{TO_PLAY} {cards}")
        await between(app, game)
        await game.play_out()
        await game.play(TO_PLAY)
        await game.play_out()
        await declarer.end_of(game.table_id)
        await sits_out.end_of(game.table_id)
        await spectator.end()
    for player in game.players:
        player.drop()
    return {
        "declarer": told(declarer, game.table_id),
        "sits out": told(sits_out, game.table_id),
        "spectator": cleaned(spectator.story.events, game.table_id),
    }


@pytest.mark.parametrize("cards", ["", "S7", "S7 S9", "S7 S9 SK"])
async def test_streams_are_the_same_with_and_without_a_refused_concession(
    app: App, channel: grpc.aio.Channel, cards: str
) -> None:
    """Events, sequences, decisions and turn ids, whoever is to play when it is offered."""
    without = await streams(app, channel, cards, nothing)
    assert await streams(app, channel, cards, refused) == without


async def test_the_defenders_streams_differ(app: App, channel: grpc.aio.Channel) -> None:
    """The comparison above can fail: the defenders are told."""
    game = await new_game(channel, [MIXED], name="proskat_pub")
    await game.play(TO_PLAY)
    await refused(app, game)
    for position in (OFFERS, ASKED):
        while game.story(position).latest != "concession_refused":
            await game.at(position).read()
        assert game.story(position).cases[-2:] == ["concession_offered", "concession_refused"]
    assert game.story(OFFERS).last == game.story(DECLARER).last + 2


async def waits(app: App, game: Game, count: int = 1) -> None:
    """Read on until so many commands wait for the vote."""
    while len(table_of(app, game)._writer.interrupted) < count:
        await game.players[0].get_table(game.table_id)


def meanwhile(hidden: bool, *texts: str) -> Between:
    """Let the declarer do something, during a vote that he does not know of or without one."""

    async def between(app: App, game: Game) -> None:
        declarer = game.at(DECLARER)
        in_turn = game.deal.to_act == DECLARER
        last = await up_to_date(app, game, declarer, game.active[DECLARER])
        decision = await declarer.decision(game.table_id) if in_turn else None
        if hidden:
            await offer(app, game)
            await game.at(ASKED).decision(game.table_id)
        turn_id = decision.turn_id if decision else ""
        actions = [action_to_proto(parse_action(text)) for text in texts]
        game.story(DECLARER).decision = None
        await declarer.submit(
            *(
                play_service_pb2.Submission(
                    table_id=game.table_id, turn_id=turn_id, last_sequence=last, action=action
                )
                for action in actions
            )
        )
        if hidden:
            await waits(app, game)
            await game.play("reject")
        game.apply(texts[-1], DECLARER)

    return between


async def test_a_card_of_the_declarer_is_neither_refused_nor_lost(
    app: App, channel: grpc.aio.Channel
) -> None:
    without = await streams(app, channel, "", meanwhile(False, "S7"))
    assert await streams(app, channel, "", meanwhile(True, "S7")) == without


async def test_what_is_refused_is_refused_alike(app: App, channel: grpc.aio.Channel) -> None:
    """A card that is not held, and a proposal that may not be made, before a card that counts."""
    texts = ("SA", "kontra", "S7")
    without = await streams(app, channel, "", meanwhile(False, *texts))
    assert await streams(app, channel, "", meanwhile(True, *texts)) == without


async def test_a_proposal_of_the_declarer_out_of_turn_waits_as_well(
    app: App, channel: grpc.aio.Channel
) -> None:
    """The declarer lays open while a defender is to play."""

    def laid_open(hidden: bool) -> Between:
        opening = meanwhile(hidden, "open:simple")

        async def between(app: App, game: Game) -> None:
            await opening(app, game)
            story = game.story(OFFERS)
            await game.at(OFFERS).until(
                lambda: story.decision is not None and story.decision.HasField("vote")
            )
            await game.play("reject")

        return between

    without = await streams(app, channel, "S7", laid_open(False))
    assert await streams(app, channel, "S7", laid_open(True)) == without


async def test_every_position_is_continued_with_hidden_events_in_between(
    app: App, channel: grpc.aio.Channel
) -> None:
    """T6: whoever comes back is sent what he missed, in his own numbers."""
    game = await new_game(channel, [MIXED], name="proskat_pub")
    await game.play(TO_PLAY)
    await refused(app, game)
    await game.play("S7 S9")
    for position in (DECLARER, OFFERS):
        player, seat = game.at(position), game.active[position]
        last = await up_to_date(app, game, player, seat)
        whole = list(game.story(position).events)
        # Whoever sits down last is shown the deal that begins with it, and nothing before.
        sat_down = max((e.sequence for e in whole if _takes(e, seat)), default=whole[0].sequence)
        for seen in range(sat_down, last + 1):
            player.stories.clear()
            await player.open(positions={game.table_id: seen})
            story = player.story(game.table_id)
            missed = [event for event in whole if event.sequence > seen]
            while len(story.events) < len(missed):
                await player.read()
            assert story.events == missed
            assert not story.views


def _takes(event: event_pb2.TableEvent, seat: int) -> bool:
    """Whether the seat is taken here."""
    return event.HasField("seat_taken") and event.seat_taken.seat == seat


async def test_a_view_during_the_vote_is_the_view_before_it(
    app: App, channel: grpc.aio.Channel
) -> None:
    game = await new_game(channel, [MIXED], name="proskat_pub")
    await game.play(TO_PLAY)
    declarer = game.at(DECLARER)
    await up_to_date(app, game, declarer, game.active[DECLARER])
    before = list(game.story(DECLARER).events)[-len(TO_PLAY.split()) :]
    asked = await declarer.decision(game.table_id)
    await offer(app, game)
    await game.at(ASKED).decision(game.table_id)
    declarer.stories.clear()
    await declarer.open()
    story = declarer.story(game.table_id)
    await declarer.until(lambda: bool(story.views))
    assert story.events[-len(before) :] == before
    assert untimed(await declarer.decision(game.table_id)) == untimed(asked)
    await game.play("reject")


async def test_an_accepted_concession_is_proposed_to_the_declarer(
    app: App, channel: grpc.aio.Channel
) -> None:
    """END16's counterpart: only when both agree does the declarer learn of it."""
    game = await new_game(channel, [MIXED], name="proskat_pub")
    await game.play(TO_PLAY)
    asked = await game.at(DECLARER).decision(game.table_id)
    await offer(app, game)
    await game.play("accept")
    game.story(DECLARER).decision = None
    decision: decision_pb2.Decision = await game.at(DECLARER).decision(game.table_id)
    assert decision.vote.kind == event_pb2.PROPOSAL_KIND_DEFENDERS_GIVE_UP
    assert decision.turn_id != asked.turn_id
    await game.play("accept")
    await game.at(DECLARER).end_of(game.table_id)
    (ended,) = (e.deal_ended for e in game.story(DECLARER).events if e.HasField("deal_ended"))
    assert ended.result.ending == deal_pb2.ENDING_DEFENDERS_GAVE_UP
