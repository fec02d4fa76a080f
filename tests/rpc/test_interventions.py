"""Proposals to end a deal: out of turn, voted on, declined, and cards that lie open (R44)."""

from __future__ import annotations

import grpc
import pytest

from skat.v1 import contract_pb2, deal_pb2, error_pb2, event_pb2
from skat_engine import parse_action
from skat_server.rpc.convert.values import action_to_proto, cards_to_proto
from tests.rpc.deals import CLUBS_BY_FOREHAND, MIXED, TRUMPS
from tests.rpc.game import Game, new_game
from tests.rpc.player import WITH_DECISIONS, proposal, submission
from tests.rpc.spectator import Spectator

pytestmark = pytest.mark.asyncio

TRUMPS_BY_FOREHAND = "18 hold pass pass take C.C7.D7"


async def propose(game: Game, position: int, text: str) -> None:
    """Let a position propose something without being asked."""
    await game.settle()
    sequence = game.story(game.deal.to_act or 0).last
    player = game.at(position)
    await player.until(lambda: game.story(position).last == sequence)
    game.story(game.deal.to_act or 0).decision = None
    action = action_to_proto(parse_action(text))
    await player.submit(proposal(game.table_id, sequence, action))
    game.apply(text, position)


async def test_a_defender_concedes_out_of_turn_and_the_declarer_accepts(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    await game.play(CLUBS_BY_FOREHAND)
    await propose(game, 2, "give-up")
    decision = await game.at(0).decision(game.table_id)
    assert decision.phase == deal_pb2.PHASE_SHORTENING_VOTE
    assert decision.vote.kind == event_pb2.PROPOSAL_KIND_DEFENDERS_GIVE_UP
    assert decision.vote.seat == game.active[2]
    await game.play("accept")
    await game.at(0).end_of(game.table_id)
    (ended,) = (e.deal_ended for e in game.story(0).events if e.HasField("deal_ended"))
    assert ended.result.ending == deal_pb2.ENDING_DEFENDERS_GAVE_UP
    assert ended.result.game.value.won


async def test_the_declarer_plays_on_after_a_concession(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    await game.play(CLUBS_BY_FOREHAND)
    before = await game.at(0).decision(game.table_id)
    await propose(game, 1, "give-up")
    await game.play("reject")
    after = await game.at(0).decision(game.table_id)
    assert after.phase == deal_pb2.PHASE_PLAY
    assert after.turn_id != before.turn_id
    assert game.story(0).cases[-3:] == ["shortening_proposed", "vote_cast", "proposal_declined"]
    await game.play_out()


async def test_the_question_that_a_proposal_interrupted_is_stale(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    await game.play(CLUBS_BY_FOREHAND)
    before = await game.at(0).decision(game.table_id)
    await propose(game, 1, "give-up")
    answer = submission(game.table_id, before.turn_id, before.first_option)
    await game.at(0).submit(answer)
    assert (await game.at(0).result()).refused.reason == error_pb2.ERROR_REASON_STALE_TURN


async def test_open_cards_are_seen_by_defenders_and_spectators(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [TRUMPS])
    await game.play(f"{TRUMPS_BY_FOREHAND} open:schwarz")
    await game.at(1).decision(game.table_id)
    hand = cards_to_proto(TRUMPS.hands[0])
    async with Spectator(channel, game.table_id) as spectator:
        await spectator.until(lambda: "hand_exposed" in spectator.story.cases)
    for story in (game.story(1), spectator.story):
        (exposed,) = (e.hand_exposed for e in story.events if e.HasField("hand_exposed"))
        assert list(exposed.cards) == hand
        assert exposed.seat == game.active[0]


async def test_a_claim_that_both_defenders_accept_ends_the_deal(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [TRUMPS])
    await game.play(f"{TRUMPS_BY_FOREHAND} open:schwarz")
    decision = await game.at(1).decision(game.table_id)
    assert decision.vote.level == contract_pb2.LEVEL_SCHWARZ
    await game.play("accept accept")
    await game.at(0).end_of(game.table_id)
    result = game.story(0).events[-2].deal_ended.result
    assert result.ending == deal_pb2.ENDING_CLAIM_ACCEPTED
    assert result.game.value.level == contract_pb2.LEVEL_SCHWARZ


async def test_a_claim_that_a_defender_refuses_is_played_on_with_open_cards(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [TRUMPS])
    await game.play(f"{TRUMPS_BY_FOREHAND} open:schwarz accept reject")
    await game.settle()
    assert game.story(0).latest == "proposal_declined"
    await game.play_out()
    await game.at(0).end_of(game.table_id)
    assert game.story(0).events[-2].deal_ended.result.ending == deal_pb2.ENDING_PLAYED_OUT


async def test_the_declarer_gives_up_at_once_with_nine_cards_or_more(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    await game.play(f"{CLUBS_BY_FOREHAND} give-up")
    await game.at(0).end_of(game.table_id)
    result = game.story(0).events[-2].deal_ended.result
    assert result.ending == deal_pb2.ENDING_DECLARER_GAVE_UP
    assert result.game.value.score < 0


async def test_ouvert_cards_lie_open_before_the_first_lead(channel: grpc.aio.Channel) -> None:
    """R44: the hand of an ouvert game is shown to the defenders."""
    game = await new_game(channel, [TRUMPS])
    await game.play("18 hold pass pass hand CHSZO")
    await game.settle()
    await game.at(2).until(lambda: game.story(2).latest == "hand_exposed")
    assert len(game.story(2).events[-1].hand_exposed.cards) == 10


async def test_proposals_are_options_of_the_own_decision(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [TRUMPS])
    await game.play(TRUMPS_BY_FOREHAND)
    decision = await game.at(0).decision(game.table_id)
    cases = [action.WhichOneof("action") for action in decision.interventions]
    assert cases == ["give_up", "lay_open", "lay_open", "lay_open"]


async def test_rules_without_proposals_offer_none(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [TRUMPS], declarer_give_up="off", lay_open="off")
    await game.play(TRUMPS_BY_FOREHAND)
    assert not (await game.at(0).decision(game.table_id)).interventions


async def test_a_stale_proposal_is_answered_with_what_the_client_lacks(
    channel: grpc.aio.Channel,
) -> None:
    """Events that wait for a decision leave with the refusal, so that the client can decide."""
    game = await new_game(channel, [MIXED], delivery=WITH_DECISIONS)
    await game.play(CLUBS_BY_FOREHAND)
    await game.settle()
    defender, last = game.at(2), game.story(0).last
    give_up = action_to_proto(parse_action("give-up"))
    await defender.submit(proposal(game.table_id, 1, give_up))
    refused = (await defender.result()).refused
    assert refused.reason == error_pb2.ERROR_REASON_STALE_SEQUENCE
    assert game.story(2).last == last
    await defender.submit(proposal(game.table_id, last, give_up))
    game.story(0).decision = None
    decision = await game.at(0).decision(game.table_id)
    assert decision.phase == deal_pb2.PHASE_SHORTENING_VOTE
