"""The options of a decision are the engine's, whatever the rules; and Kontra out of turn."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from skat.v1 import action_pb2, deal_pb2, decision_pb2, error_pb2
from skat_engine import (
    Action,
    CardSet,
    Deal,
    Phase,
    PutDown,
    card_set,
    deal_from_seed,
    parse_action,
    parse_option,
    preset,
)
from skat_engine.seats import Seating
from skat_server.rpc.convert.values import action_from_proto, action_to_proto, cards_to_proto
from skat_server.tables.state import decision_of_deal
from tests.builders import play
from tests.rpc.deals import CLUBS_BY_FOREHAND, MIXED
from tests.rpc.game import new_game
from tests.rpc.player import proposal
from tests.written import written_decision

SEATING = Seating(dealer=2, active=(0, 1, 2), sitting_out=())


def deal(name: str, moves: str, **options: str) -> Deal:
    """A deal of `MIXED` after these moves."""
    made = Deal(preset(name, {o: parse_option(o, text) for o, text in options.items()}), MIXED)
    play(made, moves)
    return made


def decision_of(made: Deal) -> decision_pb2.Decision:
    """The open decision on the wire."""
    decision = decision_of_deal(made, SEATING, "1.0")
    assert decision is not None
    return written_decision(decision)


def options_of(made: Deal) -> list[Action]:
    """What the engine allows."""
    assert made.to_act is not None
    return list(made.legal(made.to_act))


OFFERS = [
    pytest.param("bga_skat", "pass pass pass", Phase.GRAND_HAND_OFFER, ["grand-hand"], id="grand"),
    pytest.param(
        "proskat_pub", "18 hold pass pass take C.H8.D7", Phase.KONTRA, ["kontra"], id="kontra"
    ),
    pytest.param(
        "proskat_pub", "18 hold pass pass take C.H8.D7 kontra", Phase.KONTRA, ["re"], id="re"
    ),
]


@pytest.mark.parametrize(("name", "moves", "phase", "accepting"), OFFERS)
def test_an_offer_names_what_else_may_be_said(
    name: str, moves: str, phase: Phase, accepting: list[str]
) -> None:
    made = deal(name, moves)
    assert made.phase is phase
    message = decision_of(made)
    assert message.WhichOneof("options") == "offer"
    assert [str(action_from_proto(action)) for action in message.offer.accepting] == accepting
    first = action_from_proto(message.first_option)
    assert [first, *map(parse_action, accepting)] == options_of(made)


def test_the_skat_of_a_ramsch_may_be_picked_up_or_passed_on() -> None:
    made = deal("bga_skat", "pass pass pass decline decline decline")
    assert made.phase is Phase.RAMSCH_EXCHANGE
    message = decision_of(made)
    assert message.exchange.may_pick_up
    assert (message.exchange.put_down_count, list(message.exchange.cards)) == (0, [])
    assert {str(option) for option in options_of(made)} == {"pass-on", "pick-up"}


@pytest.mark.parametrize("jacks", ["true", "false"])
def test_two_cards_are_put_down_after_picking_up(jacks: str) -> None:
    """R-RAM-5: jacks only where the rules let them be passed."""
    moves = "pass pass pass decline decline decline pick-up"
    made = deal("bga_skat", moves, ramsch_jacks_may_be_passed=jacks)
    exchange = decision_of(made).exchange
    assert not exchange.may_pick_up
    assert exchange.put_down_count == 2
    options = [option for option in options_of(made) if isinstance(option, PutDown)]
    named = list(exchange.cards)
    pairs = {(one, two) for i, one in enumerate(named) for two in named[i + 1 :]}
    assert {tuple(cards_to_proto(_mask(option))) for option in options} == pairs
    assert len(named) == (12 if jacks == "true" else 10)


def _mask(option: PutDown) -> CardSet:
    return card_set(option.cards)


def test_a_rearrangement_names_the_cards_of_both_defenders() -> None:
    made = deal("xskat_extras", "18 hold pass pass take NOR.H8.D7")
    while made.phase is Phase.KONTRA:
        play(made, "decline")
    assert made.phase is Phase.REARRANGEMENT
    message = decision_of(made)
    both = CardSet(made.hands[1] | made.hands[2])
    assert list(message.rearrange.cards) == cards_to_proto(both)
    assert action_from_proto(message.first_option) == parse_action("decline")
    chosen = message.rearrange.cards[:10]
    answer = action_pb2.Action(rearrange=action_pb2.Rearrange(cards=chosen))
    assert action_from_proto(answer) in made.legal(made.to_act or 0)


def every_decision() -> Iterator[tuple[Deal, decision_pb2.Decision]]:
    """Decisions of many deals under many rules, first options after a short auction."""
    for name in ("proskat_pub", "bga_skat", "xskat_extras", "terse_english_ramsch"):
        for seed in range(5):
            made = Deal(preset(name), deal_from_seed(bytes([seed]) * 32))
            while made.to_act is not None:
                yield made, decision_of(made)
                play(made, str(options_of(made)[0]))


def test_the_first_option_is_the_engines_first() -> None:
    for made, message in every_decision():
        assert made.to_act is not None
        assert action_from_proto(message.first_option) == made.legal(made.to_act)[0]


KONTRA = action_to_proto(parse_action("kontra"))


@pytest.mark.asyncio
async def test_kontra_is_said_out_of_turn_until_the_own_first_card(
    channel: grpc.aio.Channel,
) -> None:
    """R-KON-3: by the last sequence, while the declarer is to lead."""
    game = await new_game(
        channel, [MIXED], name="proskat_pub", kontra_timing="before_own_first_card"
    )
    await game.play(CLUBS_BY_FOREHAND)
    await game.settle()
    player, story = game.at(1), game.story(1)
    last = game.story(0).last
    await player.until(lambda: story.last == last)
    game.story(0).decision = None
    await player.submit(proposal(game.table_id, last, KONTRA))
    game.apply("kontra", 1)
    decision = await game.at(0).decision(game.table_id)
    assert decision.phase == deal_pb2.PHASE_KONTRA
    assert [action.WhichOneof("action") for action in decision.offer.accepting] == ["say_re"]
    await game.play("re")
    await game.play_out()
    await game.at(0).end_of(game.table_id)
    (answered,) = (e.kontra_answered for e in story.events if e.HasField("kontra_answered"))
    assert (answered.seat, answered.kontra) == (game.active[1], True)
    (ended,) = (e.deal_ended for e in game.story(0).events if e.HasField("deal_ended"))
    assert ended.result.game.kontra
    assert ended.result.game.re


@pytest.mark.asyncio
async def test_kontra_at_an_old_sequence_or_after_the_own_card_is_refused(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(
        channel, [MIXED], name="proskat_pub", kontra_timing="before_own_first_card"
    )
    await game.play(f"{CLUBS_BY_FOREHAND} S7 S9")
    await game.settle()
    player, story, last = game.at(1), game.story(1), game.story(2).last
    await player.until(lambda: story.last == last)
    for sequence, reason in ((last - 1, "STALE_SEQUENCE"), (last, "NOT_OFFERED")):
        await player.submit(proposal(game.table_id, sequence, KONTRA))
        refused = (await player.result()).refused
        assert refused.reason == error_pb2.ErrorReason.Value(f"ERROR_REASON_{reason}")
