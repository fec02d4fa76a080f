"""Cards, contracts and actions, both ways."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from skat.v1 import action_pb2, card_pb2, contract_pb2
from skat_engine.actions import (
    ACCEPT,
    ACCEPT_GRAND_HAND,
    BIDS,
    DECLINE,
    GIVE_UP,
    HOLD,
    KNOCK,
    LAY_OPENS,
    PASS,
    PASS_ON,
    PICK_UP,
    PLAY_CARDS,
    PLAY_HAND,
    REJECT,
    SAY_KONTRA,
    SAY_RE,
    TAKE_SKAT,
    Action,
    Announce,
    Bid,
    LayOpen,
    PlayCard,
    PutDown,
    Rearrange,
)
from skat_engine.cards import Card, CardSet, card_set, cards_in
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
        spitze=contract.spitze,
        revolution=contract.revolution,
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
            kind,
            hand=message.hand or hand or implied,
            announced=announced,
            ouvert=ouvert,
            spitze=message.spitze,
            revolution=message.revolution,
        )
    except IllegalActionError as error:
        raise refused_action(error) from error


def action_to_proto(action: Action) -> action_pb2.Action:
    """Any action."""
    match action:
        case PlayCard(card):
            return action_pb2.Action(play_card=action_pb2.PlayCard(card=CARDS_TO_PROTO[card]))
        case Bid(value):
            return action_pb2.Action(bid=action_pb2.Bid(value=value))
        case LayOpen(level):
            return action_pb2.Action(lay_open=action_pb2.LayOpen(level=level_to_proto(level)))
        case Announce(contract, discards):
            announce = action_pb2.Announce(
                contract=contract_to_proto(contract),
                discards=[CARDS_TO_PROTO[card] for card in discards],
            )
            return action_pb2.Action(announce=announce)
        case PutDown(cards):
            put_down = action_pb2.PutDown(cards=[CARDS_TO_PROTO[card] for card in cards])
            return action_pb2.Action(put_down=put_down)
        case Rearrange(kept):
            return action_pb2.Action(rearrange=action_pb2.Rearrange(cards=cards_to_proto(kept)))
        case _:
            return _WORDS_TO_PROTO[action]


_WORDS_TO_PROTO: Final[Mapping[Action, action_pb2.Action]] = {
    HOLD: action_pb2.Action(hold=action_pb2.Hold()),
    PASS: action_pb2.Action(pass_auction=action_pb2.Pass()),
    TAKE_SKAT: action_pb2.Action(take_skat=action_pb2.TakeSkat()),
    PLAY_HAND: action_pb2.Action(play_hand=action_pb2.PlayHand()),
    GIVE_UP: action_pb2.Action(give_up=action_pb2.GiveUp()),
    ACCEPT: action_pb2.Action(vote=action_pb2.Vote(accept=True)),
    REJECT: action_pb2.Action(vote=action_pb2.Vote(accept=False)),
    DECLINE: action_pb2.Action(decline=action_pb2.Decline()),
    ACCEPT_GRAND_HAND: action_pb2.Action(accept_grand_hand=action_pb2.AcceptGrandHand()),
    PICK_UP: action_pb2.Action(pick_up=action_pb2.PickUp()),
    PASS_ON: action_pb2.Action(pass_on=action_pb2.PassOn()),
    KNOCK: action_pb2.Action(knock=action_pb2.Knock()),
    SAY_KONTRA: action_pb2.Action(say_kontra=action_pb2.SayKontra()),
    SAY_RE: action_pb2.Action(say_re=action_pb2.SayRe()),
}
"""Actions that say everything by their type; the messages are shared and never changed."""


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
    "vote": lambda message: ACCEPT if message.vote.accept else REJECT,
    "decline": lambda _: DECLINE,
    "accept_grand_hand": lambda _: ACCEPT_GRAND_HAND,
    "pick_up": lambda _: PICK_UP,
    "pass_on": lambda _: PASS_ON,
    "put_down": lambda message: PutDown(tuple(cards_from_proto(message.put_down.cards))),
    "knock": lambda _: KNOCK,
    "say_kontra": lambda _: SAY_KONTRA,
    "say_re": lambda _: SAY_RE,
    "rearrange": lambda message: Rearrange(distinct_cards(message.rearrange.cards)),
}


def cards_from_proto(numbers: Iterable[int]) -> list[Card]:
    """Cards in the order given.

    Raises:
        RefusedError: UNREADABLE_ACTION for a number that is no card.
    """
    return [card_from_proto(number) for number in numbers]


def distinct_cards(numbers: Iterable[int]) -> CardSet:
    """A set of cards.

    Raises:
        RefusedError: UNREADABLE_ACTION for a number that is no card, or one named twice.
    """
    cards = cards_from_proto(numbers)
    distinct = card_set(cards)
    if distinct.bit_count() != len(cards):
        raise _unreadable("a card is named twice")
    return distinct


def _unreadable(message: str) -> RefusedError:
    return RefusedError(Reason.UNREADABLE_ACTION, message)
