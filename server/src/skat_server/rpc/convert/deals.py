"""Whole deals and their results."""

from typing import Final

from skat.v1 import deal_pb2
from skat_engine.phases import Phase
from skat_engine.results import DealResult, Dealt, DeclarerGame, Ending, RamschGame
from skat_engine.seats import Seating
from skat_engine.valuation import GameValue
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.convert.values import (
    CARDS_TO_PROTO,
    cards_to_proto,
    contract_to_proto,
    distinct_cards,
    level_to_proto,
)

PHASES_TO_PROTO: Final = {phase: deal_pb2.Phase.Value(f"PHASE_{phase.name}") for phase in Phase}
_ENDINGS_TO_PROTO: Final = {
    ending: deal_pb2.Ending.Value(f"ENDING_{ending.name}") for ending in Ending
}


def dealt_to_proto(dealt: Dealt) -> deal_pb2.DealtCards:
    """All cards of a deal."""
    forehand, middlehand, rearhand = dealt.hands
    return deal_pb2.DealtCards(
        forehand=cards_to_proto(forehand),
        middlehand=cards_to_proto(middlehand),
        rearhand=cards_to_proto(rearhand),
        skat=cards_to_proto(dealt.skat),
    )


def dealt_from_proto(message: deal_pb2.DealtCards, field: str) -> Dealt:
    """A deal given card by card.

    Args:
        message: the cards.
        field: where they stand in the request, for the error.

    Raises:
        RefusedError: INVALID_FIELD when they are not the 32 cards, ten each and two.
    """
    try:
        return Dealt(
            (
                distinct_cards(message.forehand),
                distinct_cards(message.middlehand),
                distinct_cards(message.rearhand),
            ),
            distinct_cards(message.skat),
        )
    except (RefusedError, ValueError) as error:
        raise RefusedError(Reason.INVALID_FIELD, str(error), field=field) from error


def value_to_proto(value: GameValue) -> deal_pb2.GameValue:
    """The value of a declarer game with its parts."""
    return deal_pb2.GameValue(
        base=value.base,
        matadors=value.matadors,
        level=level_to_proto(value.level),
        multiplier=value.multiplier,
        raw=value.raw,
        overbid=value.overbid,
        won=value.won,
        value=value.value,
        score=value.score,
    )


def _game_to_proto(game: DeclarerGame, seating: Seating) -> deal_pb2.DeclarerGame:
    return deal_pb2.DeclarerGame(
        seat=seating.active[game.declarer],
        bid=game.bid,
        contract=contract_to_proto(game.contract),
        discards=[CARDS_TO_PROTO[card] for card in game.discards],
        declarer_points=game.declarer_points,
        defender_points=game.defender_points,
        value=value_to_proto(game.value),
        kontra=game.doubling.kontra,
        re=game.doubling.re,
        bock=game.doubling.bock,
        replaces_ramsch=game.replaces_ramsch,
    )


def _ramsch_to_proto(ramsch: RamschGame, seating: Seating) -> deal_pb2.RamschGame:
    taker = ramsch.durchmarsch
    return deal_pb2.RamschGame(
        points=ramsch.points,
        looked=[seating.active[position] for position in ramsch.looked],
        untouched=ramsch.untouched,
        knocked=ramsch.knocked,
        durchmarsch=None if taker is None else seating.active[taker],
        skat=[CARDS_TO_PROTO[card] for card in ramsch.skat],
    )


def result_to_proto(result: DealResult, seating: Seating, seats: int) -> deal_pb2.DealResult:
    """The result of a deal.

    Args:
        result: in positions.
        seating: maps them to seats.
        seats: how many the table has; who sits out scores 0.
    """
    scores = [0] * seats
    for position, score in enumerate(result.scores):
        scores[seating.active[position]] = score
    return deal_pb2.DealResult(
        ending=_ENDINGS_TO_PROTO[result.ending],
        game=_game_to_proto(result.game, seating) if result.game else None,
        scores=scores,
        tricks=result.tricks,
        dealt=dealt_to_proto(result.dealt),
        ramsch=_ramsch_to_proto(result.ramsch, seating) if result.ramsch else None,
    )
