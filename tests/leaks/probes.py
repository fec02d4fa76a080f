"""What a curious player tries: everything that must be refused, and nothing that would count."""

from __future__ import annotations

from typing import Final

from skat.v1 import play_service_pb2
from skat_engine import (
    DECK,
    Action,
    Announce,
    Deal,
    LayOpen,
    Level,
    PlayCard,
    Position,
    PutDown,
    Seat,
    cards_in,
    parse_action,
    parse_contract,
)
from skat_engine.errors import IllegalActionError
from skat_server.rpc.convert.values import action_from_proto, action_to_proto
from skat_server.tables.state import TableState
from skat_server.tables.table import Table


def _as_sent(action: Action) -> Action:
    """What arrives: without discards every announcement is one of a Hand game."""
    return action_from_proto(action_to_proto(action))


_WORDS: Final = (
    "18 20 23 264 hold pass take hand accept reject decline give-up "
    "down:C7.D7 down:CJ.HJ keep:CA.CT.CK.CQ.C9.C8.C7.SA.ST.SK "
    "G G.C7.D7 G.CJ.SJ C.H8.D7 CH NO.S7.S8 N.H7.H8 NHO CP.DA.DT NOR.CA.CT"
)
CATALOGUE: Final[tuple[Action, ...]] = (
    *map(PlayCard, DECK),
    *(_as_sent(parse_action(word)) for word in _WORDS.split()),
    *map(LayOpen, Level),
)
"""Every card, also those of others, and the rest of the language."""


def _is_refused(deal: Deal, position: Position, action: Action) -> bool:
    """Whether an action changes nothing, for all that the position knows (R-END-5)."""
    try:
        deal.known_to(position).copy().apply(position, action)
    except IllegalActionError:
        return True
    return False


def everything_illegal(table: Table, seat: Seat) -> list[play_service_pb2.Submission]:
    """Half of the catalogue under the seat's present turn, without what would be taken."""
    state = table.state
    position = state.seating.position_of(seat)
    if state.deal is None or position is None:
        return _from_outside(table)
    half = CATALOGUE[state.turns[position] % 2 :: 2]  # the other half comes with the next action
    tried = (*half, *_with_own_cards(state.deal, position))
    actions = [action for action in tried if _is_refused(state.deal, position, action)]
    turn_id = state.turn_id(position)
    submissions = [_submission(table, action, turn_id=turn_id) for action in actions]
    return submissions + _out_of_step(table, state, seat)


def _with_own_cards(deal: Deal, position: Position) -> list[Action]:
    """The same card put down twice, or one alone."""
    if not deal.hands[position]:
        return []
    own = cards_in(deal.hands[position])[0]
    grand = parse_contract("G")
    return [Announce(grand, (own, own)), Announce(grand, (own,)), PutDown((own, own))]


def _out_of_step(table: Table, state: TableState, seat: Seat) -> list[play_service_pb2.Submission]:
    """Old and invented turns, proposals from the past, another table."""
    last = table.log.last(seat)
    card, give_up = CATALOGUE[0], parse_action("give-up")
    return [
        _submission(table, card, turn_id=f"{state.dealt}.999"),
        _submission(table, card, turn_id="0.0"),
        _submission(table, card, last_sequence=last),
        _submission(table, give_up, last_sequence=last + 1),
        _submission(table, give_up, last_sequence=0),
        play_service_pb2.Submission(table_id="table-elsewhere", action=action_to_proto(card)),
        play_service_pb2.Submission(table_id=table.table_id, turn_id=f"{state.dealt}.0"),
    ]


def _from_outside(table: Table) -> list[play_service_pb2.Submission]:
    """What somebody without cards may try."""
    return [_submission(table, action, turn_id="1.0") for action in CATALOGUE[::8]]


def _submission(
    table: Table, action: Action, *, turn_id: str = "", last_sequence: int = 0
) -> play_service_pb2.Submission:
    return play_service_pb2.Submission(
        table_id=table.table_id,
        turn_id=turn_id,
        last_sequence=last_sequence,
        action=action_to_proto(action),
    )
