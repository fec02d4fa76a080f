"""Cards, contracts, actions and decisions: messages to values and back, one function a type.

Every case of this version of the contract is covered. A number or a case that it does not
have raises `ProtocolError`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, assert_never

from skat.v1 import action_pb2, card_pb2, contract_pb2, decision_pb2
from skat_client._actions import (
    AcceptGrandHand,
    Action,
    Announce,
    Bid,
    Decline,
    GiveUp,
    Hold,
    Knock,
    LayOpen,
    Pass,
    PassOn,
    PickUp,
    PlayCard,
    PlayHand,
    PutDown,
    Rearrange,
    SayKontra,
    SayRe,
    TakeSkat,
    Vote,
)
from skat_client._cards import Card
from skat_client._contracts import Contract, ContractKind, Level
from skat_client._convert_enums import enum_from_proto
from skat_client._convert_policies import decision_clock_from_proto
from skat_client._decisions import (
    AnnounceOptions,
    BiddingOptions,
    CardOptions,
    Decision,
    ExchangeOptions,
    ForehandOptions,
    OfferOptions,
    Options,
    Phase,
    RearrangeOptions,
    SkatOptions,
    VoteOptions,
)
from skat_client._events import ProposalKind
from skat_client.errors import ErrorReason, ProtocolError

_REASONS: Final = {reason.value: reason for reason in ErrorReason}


def reason_from_proto(number: int) -> ErrorReason | None:
    """A reason; None where this version does not have it, for a refusal is one all the same."""
    return _REASONS.get(number)


_CARDS: Final = {card.value: card for card in Card}


def card_from_proto(number: int) -> Card:
    """One card."""
    # Cards are most of what is sent, and a look-up costs a third of a call of the enum.
    return _CARDS.get(number) or enum_from_proto(Card, number)


def cards_from_proto(numbers: Iterable[int]) -> tuple[Card, ...]:
    """Cards in the order sent."""
    return tuple([card_from_proto(number) for number in numbers])


def cards_to_proto(cards: Iterable[Card]) -> list[card_pb2.Card.ValueType]:
    """Cards in the order given."""
    return [card_pb2.Card.ValueType(card.value) for card in cards]


def level_from_proto(number: int) -> Level:
    """A level; one that is not set is the simple one."""
    return enum_from_proto(Level, number) if number else Level.SIMPLE


def level_to_proto(level: Level) -> contract_pb2.Level.ValueType:
    """A level."""
    return contract_pb2.Level.ValueType(level.value)


def contract_from_proto(message: contract_pb2.Contract) -> Contract:
    """An announced game."""
    return Contract(
        kind=enum_from_proto(ContractKind, message.kind),
        hand=message.hand,
        announced=level_from_proto(message.announced),
        ouvert=message.ouvert,
        spitze=message.spitze,
        revolution=message.revolution,
    )


def contract_to_proto(contract: Contract) -> contract_pb2.Contract:
    """An announced game."""
    return contract_pb2.Contract(
        kind=contract_pb2.ContractKind.ValueType(contract.kind.value),
        hand=contract.hand,
        announced=level_to_proto(contract.announced),
        ouvert=contract.ouvert,
        spitze=contract.spitze,
        revolution=contract.revolution,
    )


# ------------------------------------------------------------------------------------------ actions


def _announce_from_proto(message: action_pb2.Announce) -> Announce:
    return Announce(contract_from_proto(message.contract), cards_from_proto(message.discards))


_ACTION_OF_CASE: Final[Mapping[str, Callable[[Any], Action]]] = {
    "bid": lambda message: Bid(message.value),
    "hold": lambda _: Hold(),
    "pass_auction": lambda _: Pass(),
    "take_skat": lambda _: TakeSkat(),
    "play_hand": lambda _: PlayHand(),
    "announce": _announce_from_proto,
    "play_card": lambda message: PlayCard(card_from_proto(message.card)),
    "give_up": lambda _: GiveUp(),
    "lay_open": lambda message: LayOpen(level_from_proto(message.level)),
    "vote": lambda message: Vote(message.accept),
    "decline": lambda _: Decline(),
    "accept_grand_hand": lambda _: AcceptGrandHand(),
    "pick_up": lambda _: PickUp(),
    "pass_on": lambda _: PassOn(),
    "put_down": lambda message: PutDown(cards_from_proto(message.cards)),
    "knock": lambda _: Knock(),
    "say_kontra": lambda _: SayKontra(),
    "say_re": lambda _: SayRe(),
    "rearrange": lambda message: Rearrange(cards_from_proto(message.cards)),
}


def action_from_proto(message: action_pb2.Action) -> Action:
    """An action.

    Raises:
        ProtocolError: no case is set, or one that this version does not have.
    """
    case = message.WhichOneof("action")
    if case is None:
        raise ProtocolError("the server sent an action which this client does not know: update it")
    return _ACTION_OF_CASE[case](getattr(message, case))


def action_to_proto(action: Action) -> action_pb2.Action:  # noqa: C901, PLR0911 - a case each
    """An action."""
    match action:
        case PlayCard(card):
            number = card_pb2.Card.ValueType(card.value)
            return action_pb2.Action(play_card=action_pb2.PlayCard(card=number))
        case Bid(value):
            return action_pb2.Action(bid=action_pb2.Bid(value=value))
        case Hold():
            return action_pb2.Action(hold=action_pb2.Hold())
        case Pass():
            # `pass` is a word of the language, so the field has no keyword.
            message = action_pb2.Action()
            message.pass_auction.SetInParent()
            return message
        case TakeSkat():
            return action_pb2.Action(take_skat=action_pb2.TakeSkat())
        case PlayHand():
            return action_pb2.Action(play_hand=action_pb2.PlayHand())
        case Announce(contract, discards):
            announce = action_pb2.Announce(
                contract=contract_to_proto(contract), discards=cards_to_proto(discards)
            )
            return action_pb2.Action(announce=announce)
        case GiveUp():
            return action_pb2.Action(give_up=action_pb2.GiveUp())
        case LayOpen(level):
            return action_pb2.Action(lay_open=action_pb2.LayOpen(level=level_to_proto(level)))
        case Vote(accept):
            return action_pb2.Action(vote=action_pb2.Vote(accept=accept))
        case _:
            return _special_to_proto(action)


_Special = (
    Decline | AcceptGrandHand | PickUp | PassOn | PutDown | Knock | SayKontra | SayRe | Rearrange
)
"""What only some rules have."""


def _special_to_proto(action: _Special) -> action_pb2.Action:
    match action:
        case Decline():
            return action_pb2.Action(decline=action_pb2.Decline())
        case AcceptGrandHand():
            return action_pb2.Action(accept_grand_hand=action_pb2.AcceptGrandHand())
        case PickUp():
            return action_pb2.Action(pick_up=action_pb2.PickUp())
        case PassOn():
            return action_pb2.Action(pass_on=action_pb2.PassOn())
        case PutDown(cards):
            down = action_pb2.PutDown(cards=cards_to_proto(cards))
            return action_pb2.Action(put_down=down)
        case Knock():
            return action_pb2.Action(knock=action_pb2.Knock())
        case SayKontra():
            return action_pb2.Action(say_kontra=action_pb2.SayKontra())
        case SayRe():
            return action_pb2.Action(say_re=action_pb2.SayRe())
        case Rearrange(cards):
            kept = action_pb2.Rearrange(cards=cards_to_proto(cards))
            return action_pb2.Action(rearrange=kept)
        case _:
            assert_never(action)


# ---------------------------------------------------------------------------------------- decisions


def _bidding_from_proto(message: decision_pb2.BiddingOptions) -> BiddingOptions:
    return BiddingOptions(message.may_hold, message.last_bid, tuple(message.bids))


def _announce_options_from_proto(message: decision_pb2.AnnounceOptions) -> AnnounceOptions:
    return AnnounceOptions(
        contracts=tuple([contract_from_proto(contract) for contract in message.contracts]),
        discard_count=message.discard_count,
        discardable=cards_from_proto(message.discardable),
    )


def _vote_from_proto(message: decision_pb2.VoteOptions) -> VoteOptions:
    kind = enum_from_proto(ProposalKind, message.kind)
    return VoteOptions(kind, message.seat, level_from_proto(message.level))


def _offer_from_proto(message: decision_pb2.OfferOptions) -> OfferOptions:
    return OfferOptions(tuple([action_from_proto(action) for action in message.accepting]))


def _exchange_from_proto(message: decision_pb2.ExchangeOptions) -> ExchangeOptions:
    cards = cards_from_proto(message.cards)
    return ExchangeOptions(message.may_pick_up, message.put_down_count, cards)


_OPTIONS_OF_CASE: Final[Mapping[str, Callable[[Any], Options]]] = {
    "bidding": _bidding_from_proto,
    "forehand": lambda message: ForehandOptions(tuple(message.bids)),
    "skat": lambda message: SkatOptions(message.bid),
    "announce": _announce_options_from_proto,
    "cards": lambda message: CardOptions(cards_from_proto(message.cards)),
    "vote": _vote_from_proto,
    "offer": _offer_from_proto,
    "exchange": _exchange_from_proto,
    "rearrange": lambda message: RearrangeOptions(cards_from_proto(message.cards)),
}


def decision_from_proto(table_id: str, message: decision_pb2.Decision) -> Decision:
    """The open question of a table's frame.

    Raises:
        ProtocolError: no options are set, or a case that this version does not have.
    """
    case = message.WhichOneof("options")
    if case is None:
        raise ProtocolError("the server asks something which this client does not know: update it")
    return Decision(
        table_id=table_id,
        turn_id=message.turn_id,
        seat=message.seat,
        phase=enum_from_proto(Phase, message.phase),
        first_option=action_from_proto(message.first_option),
        options=_OPTIONS_OF_CASE[case](getattr(message, case)),
        interventions=tuple([action_from_proto(action) for action in message.interventions]),
        clock=decision_clock_from_proto(message.clock) if message.HasField("clock") else None,
    )
