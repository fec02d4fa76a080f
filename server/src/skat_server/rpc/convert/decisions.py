"""The open decision with everything that may be answered."""

from skat.v1 import decision_pb2
from skat_engine.actions import (
    DECLINE,
    PICK_UP,
    Bid,
    GiveUp,
    Hold,
    LayOpen,
    PlayCard,
    PutDown,
    SayKontra,
)
from skat_engine.announcements import DISCARDS, Announcements
from skat_engine.arrangements import Arrangements
from skat_engine.phases import Phase
from skat_server.rpc.convert.deal_facts import PROPOSALS_TO_PROTO
from skat_server.rpc.convert.deals import PHASES_TO_PROTO
from skat_server.rpc.convert.values import (
    CARDS_TO_PROTO,
    action_to_proto,
    cards_to_proto,
    contract_to_proto,
    level_to_proto,
)
from skat_server.tables.state import OpenDecision


def decision_to_proto(decision: OpenDecision) -> decision_pb2.Decision:
    """The decision with its options typed by phase."""
    message = decision_pb2.Decision(
        turn_id=decision.turn_id,
        seat=decision.seat,
        phase=PHASES_TO_PROTO[decision.phase],
        first_option=action_to_proto(decision.options[0]),
    )
    _write_options(message, decision)
    return message


def _write_options(message: decision_pb2.Decision, decision: OpenDecision) -> None:
    match decision.phase:
        case Phase.PLAY:
            _write_play(message, decision)
        case Phase.BIDDING:
            _write_bidding(message.bidding, decision)
        case Phase.FOREHAND_OPTION:
            message.forehand.bids.extend(_bids(decision))
        case Phase.SKAT_DECISION:
            message.skat.bid = decision.bid
        case Phase.ANNOUNCE:
            _write_announcements(message.announce, decision)
        case Phase.SHORTENING_VOTE:
            _write_vote(message.vote, decision)
        case _:
            _write_special(message, decision)


def _write_special(message: decision_pb2.Decision, decision: OpenDecision) -> None:
    """Options of phases that only some rule systems know."""
    match decision.phase:
        case Phase.GRAND_HAND_OFFER | Phase.KNOCKING | Phase.KONTRA:
            _write_offer(message.offer, decision)
        case Phase.RAMSCH_EXCHANGE:
            _write_exchange(message.exchange, decision)
        case Phase.REARRANGEMENT:
            _write_rearrangement(message.rearrange, decision)
        case _:
            raise AssertionError(f"no decision has special options in {decision.phase}")


def _bids(decision: OpenDecision) -> list[int]:
    return [option.value for option in decision.options if isinstance(option, Bid)]


def _write_bidding(options: decision_pb2.BiddingOptions, decision: OpenDecision) -> None:
    options.may_hold = any(isinstance(option, Hold) for option in decision.options)
    options.last_bid = decision.bid
    options.bids.extend(_bids(decision))


def _write_announcements(options: decision_pb2.AnnounceOptions, decision: OpenDecision) -> None:
    announcements = decision.options
    assert isinstance(announcements, Announcements)
    options.contracts.extend(contract_to_proto(contract) for contract in announcements.contracts)
    options.discardable.extend(cards_to_proto(announcements.hand))
    options.discard_count = DISCARDS if announcements.hand else 0


def _write_play(message: decision_pb2.Decision, decision: OpenDecision) -> None:
    message.cards.cards.extend(
        CARDS_TO_PROTO[option.card] for option in decision.options if isinstance(option, PlayCard)
    )
    message.interventions.extend(
        action_to_proto(option)
        for option in decision.options
        if isinstance(option, GiveUp | LayOpen | SayKontra)
    )


def _write_vote(options: decision_pb2.VoteOptions, decision: OpenDecision) -> None:
    assert decision.proposal is not None
    kind, seat, level = decision.proposal
    options.kind = PROPOSALS_TO_PROTO[kind]
    options.seat = seat
    options.level = level_to_proto(level)


def _write_offer(options: decision_pb2.OfferOptions, decision: OpenDecision) -> None:
    accepting = (option for option in decision.options if option != DECLINE)
    options.accepting.extend(action_to_proto(option) for option in accepting)


def _write_exchange(options: decision_pb2.ExchangeOptions, decision: OpenDecision) -> None:
    options.may_pick_up = PICK_UP in decision.options
    if options.may_pick_up:
        return
    options.put_down_count = DISCARDS
    cards = {
        card for option in decision.options if isinstance(option, PutDown) for card in option.cards
    }
    options.cards.extend(CARDS_TO_PROTO[card] for card in sorted(cards))


def _write_rearrangement(options: decision_pb2.RearrangeOptions, decision: OpenDecision) -> None:
    arrangements = decision.options
    assert isinstance(arrangements, Arrangements)
    options.cards.extend(cards_to_proto(arrangements.cards))
