"""Refusals in the stream: nothing changes, the question comes again, and play goes on.

R20: a wrong answer costs nothing but its refusal. F14: duplicate, late and foreign answers.
"""

import grpc
import pytest

from skat.v1 import action_pb2, card_pb2, error_pb2, play_service_pb2
from skat_engine import parse_action
from skat_server.rpc.convert.values import action_to_proto
from tests.rpc.deals import CLUBS_BY_FOREHAND, MIXED
from tests.rpc.game import Game, new_game
from tests.rpc.player import Player, proposal, submission

pytestmark = pytest.mark.asyncio

PASS = action_to_proto(parse_action("pass"))

ILLEGAL = [
    pytest.param("", "hold", "ILLEGAL_BID", id="hold before any number"),
    pytest.param("", "17", "ILLEGAL_BID", id="no game value"),
    pytest.param("20 hold", "20", "ILLEGAL_BID", id="not above the last"),
    pytest.param("", "C7", "WRONG_PHASE", id="card in the auction"),
    pytest.param("18 hold pass pass", "C.H8.D7", "WRONG_PHASE", id="announced too early"),
    pytest.param("18 hold pass pass take", "C.H8", "BAD_DISCARD", id="one discard"),
    pytest.param("18 hold pass pass take", "C.H8.H8", "BAD_DISCARD", id="same card twice"),
    pytest.param("18 hold pass pass hand", "CH.H7.S7", "BAD_DISCARD", id="discards in hand"),
    pytest.param("18 hold pass pass take", "C.SA.H8", "CARD_NOT_HELD", id="foreign discard"),
    pytest.param(
        "18 hold pass pass take", "CH.H8.D7", "CONTRADICTORY_ANNOUNCEMENT", id="hand after taking"
    ),
    pytest.param("24 hold pass pass take", "N.H8.D7", "NULL_BELOW_BID", id="null below the bid"),
    pytest.param(CLUBS_BY_FOREHAND, "SA", "CARD_NOT_HELD", id="foreign card"),
    pytest.param(f"{CLUBS_BY_FOREHAND} S7", "HA", "MUST_FOLLOW", id="suit not followed"),
    pytest.param(f"{CLUBS_BY_FOREHAND} S7", "open:simple", "NOT_OFFERED", id="defender lays open"),
    pytest.param(f"{CLUBS_BY_FOREHAND} S7", "accept", "WRONG_PHASE", id="vote on nothing"),
]


async def assert_untouched_and_open(game: Game, player: Player, turn_id: str) -> None:
    """The same question is open, and the deal can be played to its end."""
    assert (await player.decision(game.table_id)).turn_id == turn_id
    assert (await player.get_table(game.table_id)).deals_done == 0
    await game.play_out()
    await player.end_of(game.table_id)
    assert (await player.get_table(game.table_id)).deals_done == 1


@pytest.mark.parametrize(("moves", "wrong", "reason"), ILLEGAL)
async def test_an_illegal_answer_changes_nothing(
    channel: grpc.aio.Channel, moves: str, wrong: str, reason: str
) -> None:
    game = await new_game(channel, [MIXED])
    await game.play(moves)
    player = game.next_player
    turn_id = (await player.decision(game.table_id)).turn_id
    refused = await player.refusal(game.table_id, action_to_proto(parse_action(wrong)))
    assert error_pb2.ErrorReason.Name(refused.reason) == f"ERROR_REASON_{reason}"
    assert refused.message
    await assert_untouched_and_open(game, player, turn_id)


UNREADABLE = [
    pytest.param(action_pb2.Action(), "UNREADABLE_ACTION", id="no action"),
    pytest.param(
        action_pb2.Action(play_card=action_pb2.PlayCard()), "UNREADABLE_ACTION", id="no card"
    ),
    pytest.param(
        action_pb2.Action(play_card=action_pb2.PlayCard(card=99)),  # type: ignore[arg-type]
        "UNREADABLE_ACTION",
        id="unknown card",
    ),
    pytest.param(
        action_pb2.Action(announce=action_pb2.Announce()), "UNREADABLE_ACTION", id="no contract"
    ),
    pytest.param(
        action_pb2.Action(lay_open=action_pb2.LayOpen(level=9)),  # type: ignore[arg-type]
        "UNREADABLE_ACTION",
        id="unknown level",
    ),
    pytest.param(action_pb2.Action(bid=action_pb2.Bid()), "ILLEGAL_BID", id="no number"),
    pytest.param(
        action_pb2.Action(bid=action_pb2.Bid(value=2**32 - 1)), "ILLEGAL_BID", id="huge number"
    ),
]


@pytest.mark.parametrize(("action", "reason"), UNREADABLE)
async def test_an_unreadable_answer_changes_nothing(
    channel: grpc.aio.Channel, action: action_pb2.Action, reason: str
) -> None:
    game = await new_game(channel, [MIXED])
    player = game.next_player
    turn_id = (await player.decision(game.table_id)).turn_id
    refused = await player.refusal(game.table_id, action)
    assert error_pb2.ErrorReason.Name(refused.reason) == f"ERROR_REASON_{reason}"
    await assert_untouched_and_open(game, player, turn_id)


async def reason_of(player: Player, sent: play_service_pb2.Submission) -> str:
    """Why a submission is refused; the result names its table and turn."""
    await player.submit(sent)
    result = await player.result()
    assert (result.table_id, result.turn_id) == (sent.table_id, sent.turn_id)
    assert result.WhichOneof("outcome") == "refused"
    return error_pb2.ErrorReason.Name(result.refused.reason).removeprefix("ERROR_REASON_")


async def test_a_repeated_answer_is_acknowledged_and_counts_once(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    player = game.next_player
    turn_id = (await player.decision(game.table_id)).turn_id
    await game.play("18")
    bid = action_to_proto(parse_action("18"))
    await player.submit(submission(game.table_id, turn_id, bid))
    assert (await player.result()).WhichOneof("outcome") == "repeated"
    await game.play("hold")
    await player.decision(game.table_id)
    assert player.story(game.table_id).cases.count("bid_made") == 1


async def test_two_answers_to_one_turn_in_one_message_settle_it_once(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    player = game.next_player
    turn_id = (await player.decision(game.table_id)).turn_id
    bids = [action_to_proto(parse_action(text)) for text in ("18", "18", "20")]
    await player.submit(*(submission(game.table_id, turn_id, bid) for bid in bids))
    outcomes = [(await player.result()).WhichOneof("outcome") for _ in range(2)]
    assert outcomes == ["repeated", "refused"]


async def test_a_turn_settled_otherwise_is_stale(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    player = game.next_player
    turn_id = (await player.decision(game.table_id)).turn_id
    await game.play("18")
    assert await reason_of(player, submission(game.table_id, turn_id, PASS)) == "STALE_TURN"
    await game.play("hold pass pass")


async def test_a_turn_that_never_was_is_stale(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    player = game.next_player
    turn_id = (await player.decision(game.table_id)).turn_id
    assert await reason_of(player, submission(game.table_id, "no turn", PASS)) == "STALE_TURN"
    await assert_untouched_and_open(game, player, turn_id)


async def test_another_seats_turn_is_refused(channel: grpc.aio.Channel) -> None:
    """T3: the seat comes from the token, not from the message."""
    game = await new_game(channel, [MIXED])
    player, other = game.next_player, game.at(2)
    turn_id = (await player.decision(game.table_id)).turn_id
    assert await reason_of(other, submission(game.table_id, turn_id, PASS)) == "NOT_YOUR_TURN"
    assert not player.results
    await assert_untouched_and_open(game, player, turn_id)


async def test_the_turn_of_another_seat_that_is_settled_is_not_repeated(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    turn_id = (await game.next_player.decision(game.table_id)).turn_id
    await game.play("pass")
    assert await reason_of(game.at(2), submission(game.table_id, turn_id, PASS)) == "STALE_TURN"


async def test_a_table_of_others_is_refused(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    turn_id = (await game.next_player.decision(game.table_id)).turn_id
    stranger = Player(channel, "stranger")
    await stranger.open()
    assert await reason_of(stranger, submission(game.table_id, turn_id, PASS)) == "NOT_SEATED"


async def test_a_table_that_does_not_exist_is_refused(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    turn_id = (await game.next_player.decision(game.table_id)).turn_id
    assert await reason_of(game.at(1), submission("no-table", turn_id, PASS)) == "NOT_SEATED"


async def test_refusals_come_in_the_order_of_the_submissions(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    player = game.next_player
    await player.decision(game.table_id)
    turns = [f"made up {i}" for i in range(20)]
    await player.submit(*(submission(game.table_id, turn, PASS) for turn in turns))
    assert [(await player.result()).turn_id for _ in turns] == turns


async def test_the_last_card_of_a_deal_is_acknowledged_after_the_next_deal_began(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED, MIXED])
    await game.play("pass pass")
    player = game.next_player
    turn_id = (await player.decision(game.table_id)).turn_id
    await game.play("pass")
    await game.settle()
    await player.submit(submission(game.table_id, turn_id, PASS))
    assert (await player.result()).WhichOneof("outcome") == "repeated"


async def test_the_last_card_of_the_series_is_acknowledged_when_it_is_sent_again(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    await game.play("pass pass")
    player = game.next_player
    turn_id = (await player.decision(game.table_id)).turn_id
    await game.play("pass")
    await player.end_of(game.table_id)
    await player.submit(submission(game.table_id, turn_id, PASS))
    assert (await player.result()).WhichOneof("outcome") == "repeated"


GIVE_UP = action_to_proto(parse_action("give-up"))


async def test_a_proposal_with_an_old_sequence_is_refused(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    await game.play(CLUBS_BY_FOREHAND)
    await game.settle()
    defender = game.at(2)
    sequence = game.story(0).last
    assert await reason_of(defender, proposal(game.table_id, sequence - 1, GIVE_UP)) == (
        "STALE_SEQUENCE"
    )
    await game.play_out()


async def test_a_card_without_turn_id_is_refused(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    await game.play(CLUBS_BY_FOREHAND)
    await game.settle()
    card = action_pb2.Action(play_card=action_pb2.PlayCard(card=card_pb2.CARD_S7))
    sequence = game.story(0).last
    assert await reason_of(game.at(0), proposal(game.table_id, sequence, card)) == "STALE_TURN"
    await game.play_out()


async def test_a_proposal_in_the_auction_is_refused(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    await game.settle()
    sequence = game.story(1).last
    assert await reason_of(game.at(2), proposal(game.table_id, sequence, GIVE_UP)) == "WRONG_PHASE"


async def test_too_many_submissions_in_one_message_end_the_stream(
    channel: grpc.aio.Channel,
) -> None:
    """T12: at most 1,024 in one message, as `Welcome` says."""
    player = Player(channel, "rude")
    await player.open()
    assert player.welcome.max_submissions == 1_024
    await player.submit(*(submission("t", "1", PASS) for _ in range(1_025)))
    failure = await player.end()
    assert failure.code is grpc.StatusCode.INVALID_ARGUMENT
    assert failure.reason == "INVALID_FIELD"
    assert failure.fields == ["submissions"]
