"""Cards, contracts and actions, both ways."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, assert_never

from skat.v1 import action_pb2, card_pb2, contract_pb2
from skat_engine.actions import (
    BIDS,
    GIVE_UP,
    HOLD,
    LAY_OPENS,
    PASS,
    PLAY_CARDS,
    PLAY_HAND,
    TAKE_SKAT,
    Action,
    Announce,
    Bid,
    GiveUp,
    Hold,
    LayOpen,
    Pass,
    PlayCard,
    PlayHand,
    TakeSkat,
    Vote,
)
from skat_engine.cards import Card, CardSet, cards_in
from skat_engine.contracts import Contract, ContractKind, Level, new_contract
from skat_engine.errors import IllegalActionError
from skat_server.errors import Reason, RefusedError, refused_action

CARDS_TO_PROTO: Final = tuple(card_pb2.Card.Value(name) for name in card_pb2.Card.keys()[1:])
"""The wire's number of every card of the engine."""

_KINDS_TO_PROTO: Final = {
    kind: contract_pb2.ContractKind.Value(f"CONTRACT_KIND_{kind.name}") for kind in ContractKind
}
_KINDS: Final = {number: kind for kind, number in _KINDS_TO_PROTO.items()}
_LEVELS_TO_PROTO: Final = {
    level: contract_pb2.Level.Value(f"LEVEL_{level.name}") for level in Level
}
_LEVELS: Final = {
    contract_pb2.LEVEL_UNSPECIFIED: Level.SIMPLE,
    **{number: level for level, number in _LEVELS_TO_PROTO.items()},
}


def card_to_proto(card: Card) -> card_pb2.Card.ValueType:
    """A card's number on the wire."""
    return CARDS_TO_PROTO[card]


def cards_to_proto(cards: CardSet) -> list[card_pb2.Card.ValueType]:
    """A set of cards in rising order."""
    return [CARDS_TO_PROTO[card] for card in cards_in(cards)]


def card_from_proto(number: int) -> Card:
    """The card of a number.

    Raises:
        RefusedError: UNREADABLE_ACTION for no card or an unknown one.
    """
    if not 0 < number <= len(CARDS_TO_PROTO):
        raise _unreadable(f"{number} is no card; use the values of skat.v1.Card")
    return Card(number - 1)


def level_to_proto(level: Level) -> contract_pb2.Level.ValueType:
    """A level's number on the wire."""
    return _LEVELS_TO_PROTO[level]


def level_from_proto(number: int) -> Level:
    """The level of a number; not set means simple.

    Raises:
        RefusedError: UNREADABLE_ACTION for an unknown one.
    """
    level = _LEVELS.get(contract_pb2.Level.ValueType(number))
    if level is None:
        raise _unreadable(f"{number} is no level; use the values of skat.v1.Level")
    return level


def contract_to_proto(contract: Contract) -> contract_pb2.Contract:
    """A contract with every implied flag."""
    return contract_pb2.Contract(
        kind=_KINDS_TO_PROTO[contract.kind],
        hand=contract.hand,
        announced=_LEVELS_TO_PROTO[contract.announced],
        ouvert=contract.ouvert,
    )


def contract_from_proto(message: contract_pb2.Contract, *, hand: bool) -> Contract:
    """The contract of a message, implied flags added.

    Args:
        message: the announced game.
        hand: the game is a Hand game even if the message does not say so.

    Raises:
        RefusedError: UNREADABLE_ACTION without a kind, CONTRADICTORY_ANNOUNCEMENT for flags
            that exclude one another.
    """
    kind = _KINDS.get(message.kind)
    if kind is None:
        raise _unreadable(f"{message.kind} is no kind of game; use skat.v1.ContractKind")
    announced, ouvert = level_from_proto(message.announced), message.ouvert
    implied = kind is not ContractKind.NULL and (announced > Level.SIMPLE or ouvert)
    try:
        return new_contract(
            kind, hand=message.hand or hand or implied, announced=announced, ouvert=ouvert
        )
    except IllegalActionError as error:
        raise refused_action(error) from error


def action_to_proto(action: Action) -> action_pb2.Action:
    """Any action."""
    match action:
        case Bid(value):
            return action_pb2.Action(bid=action_pb2.Bid(value=value))
        case PlayCard(card):
            return action_pb2.Action(play_card=action_pb2.PlayCard(card=CARDS_TO_PROTO[card]))
        case LayOpen(level):
            return action_pb2.Action(lay_open=action_pb2.LayOpen(level=level_to_proto(level)))
        case Vote(accept):
            return action_pb2.Action(vote=action_pb2.Vote(accept=accept))
        case Announce(contract, discards):
            announce = action_pb2.Announce(
                contract=contract_to_proto(contract),
                discards=[CARDS_TO_PROTO[card] for card in discards],
            )
            return action_pb2.Action(announce=announce)
        case _:
            return _word_to_proto(action)


def _word_to_proto(action: Hold | Pass | TakeSkat | PlayHand | GiveUp) -> action_pb2.Action:
    """An action that says everything by its type."""
    match action:
        case Hold():
            return action_pb2.Action(hold=action_pb2.Hold())
        case Pass():
            return action_pb2.Action(pass_auction=action_pb2.Pass())
        case TakeSkat():
            return action_pb2.Action(take_skat=action_pb2.TakeSkat())
        case PlayHand():
            return action_pb2.Action(play_hand=action_pb2.PlayHand())
        case GiveUp():
            return action_pb2.Action(give_up=action_pb2.GiveUp())
        case _:
            assert_never(action)


def action_from_proto(message: action_pb2.Action) -> Action:
    """The action of a message; whether it is legal is the engine's business.

    Raises:
        RefusedError: UNREADABLE_ACTION when no case is set or a value is none of its enum,
            CONTRADICTORY_ANNOUNCEMENT for flags that exclude one another.
    """
    case = message.WhichOneof("action")
    if case is None:
        raise _unreadable("no action is set; fill one case of skat.v1.Action")
    return _READERS[case](message)


def _read_bid(message: action_pb2.Action) -> Action:
    return BIDS.get(message.bid.value) or Bid(message.bid.value)


def _read_announce(message: action_pb2.Action) -> Action:
    announce = message.announce
    discards = tuple(card_from_proto(number) for number in announce.discards)
    return Announce(contract_from_proto(announce.contract, hand=not discards), discards)


_READERS: Final[Mapping[str, Callable[[action_pb2.Action], Action]]] = {
    "bid": _read_bid,
    "hold": lambda _: HOLD,
    "pass_auction": lambda _: PASS,
    "take_skat": lambda _: TAKE_SKAT,
    "play_hand": lambda _: PLAY_HAND,
    "announce": _read_announce,
    "play_card": lambda message: PLAY_CARDS[card_from_proto(message.play_card.card)],
    "give_up": lambda _: GIVE_UP,
    "lay_open": lambda message: LAY_OPENS[level_from_proto(message.lay_open.level)],
    "vote": lambda message: Vote(message.vote.accept),
}


def cards_from_proto(numbers: Iterable[int]) -> list[Card]:
    """Cards in the order given.

    Raises:
        RefusedError: UNREADABLE_ACTION for a number that is no card.
    """
    return [card_from_proto(number) for number in numbers]


def _unreadable(message: str) -> RefusedError:
    return RefusedError(Reason.UNREADABLE_ACTION, message)
