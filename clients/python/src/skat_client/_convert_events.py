"""Results and events: messages to values, one function a type."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from skat.v1 import deal_pb2, event_pb2
from skat_client._convert import (
    card_from_proto,
    cards_from_proto,
    cards_to_proto,
    contract_from_proto,
    level_from_proto,
)
from skat_client._convert_enums import enum_from_proto
from skat_client._convert_policies import cause_from_proto, time_from_proto
from skat_client._events import (
    AuctionWon,
    BidHeld,
    BidMade,
    BidPassed,
    CardPlayed,
    CardsPutDown,
    ConcessionOffered,
    ConcessionRefused,
    ContractAnnounced,
    DealEnded,
    DealStarted,
    DealVoided,
    DecisionDefaulted,
    DefendersCompared,
    EndRequested,
    Event,
    GrandHandAccepted,
    GrandHandDeclined,
    HandChosen,
    HandExposed,
    HandsRearranged,
    Knocked,
    KontraAnswered,
    ProposalDeclined,
    ProposalKind,
    RamschStarted,
    ReAnswered,
    SeatLeft,
    SeatReturned,
    SeatTaken,
    SeatTakenOver,
    SeriesEnded,
    ShorteningProposed,
    SkatPassedOn,
    SkatPickedUp,
    SkatTaken,
    SpitzeRevealed,
    TableClosed,
    TableEvent,
    TrickTaken,
    UnknownEvent,
    VoteCast,
)
from skat_client._results import (
    DealResult,
    DealtCards,
    DeclarerGame,
    Ending,
    GameValue,
    RamschGame,
)


def dealt_from_proto(message: deal_pb2.DealtCards) -> DealtCards:
    """All cards of a deal."""
    return DealtCards(
        forehand=cards_from_proto(message.forehand),
        middlehand=cards_from_proto(message.middlehand),
        rearhand=cards_from_proto(message.rearhand),
        skat=cards_from_proto(message.skat),
    )


def dealt_to_proto(dealt: DealtCards) -> deal_pb2.DealtCards:
    """All cards of a deal."""
    return deal_pb2.DealtCards(
        forehand=cards_to_proto(dealt.forehand),
        middlehand=cards_to_proto(dealt.middlehand),
        rearhand=cards_to_proto(dealt.rearhand),
        skat=cards_to_proto(dealt.skat),
    )


def game_value_from_proto(message: deal_pb2.GameValue) -> GameValue:
    """What a declarer game is worth."""
    return GameValue(
        base=message.base,
        matadors=message.matadors,
        level=level_from_proto(message.level),
        multiplier=message.multiplier,
        raw=message.raw,
        overbid=message.overbid,
        won=message.won,
        value=message.value,
        score=message.score,
    )


def declarer_game_from_proto(message: deal_pb2.DeclarerGame) -> DeclarerGame:
    """What a deal with a declarer came to."""
    return DeclarerGame(
        seat=message.seat,
        bid=message.bid,
        contract=contract_from_proto(message.contract),
        discards=cards_from_proto(message.discards),
        declarer_points=message.declarer_points,
        defender_points=message.defender_points,
        value=game_value_from_proto(message.value),
        kontra=message.kontra,
        re=message.re,
        bock=message.bock,
        replaces_ramsch=message.replaces_ramsch,
    )


def ramsch_from_proto(message: deal_pb2.RamschGame) -> RamschGame:
    """What a Ramsch came to."""
    return RamschGame(
        points=tuple(message.points),
        looked=tuple(message.looked),
        untouched=message.untouched,
        knocked=message.knocked,
        durchmarsch=message.durchmarsch if message.HasField("durchmarsch") else None,
        skat=cards_from_proto(message.skat),
    )


def deal_result_from_proto(message: deal_pb2.DealResult) -> DealResult:
    """How a deal ended."""
    return DealResult(
        ending=enum_from_proto(Ending, message.ending),
        game=declarer_game_from_proto(message.game) if message.HasField("game") else None,
        scores=tuple(message.scores),
        tricks=tuple(message.tricks),
        dealt=dealt_from_proto(message.dealt),
        ramsch=ramsch_from_proto(message.ramsch) if message.HasField("ramsch") else None,
    )


def _deal_started_from_proto(message: event_pb2.DealStarted) -> DealStarted:
    return DealStarted(
        deal_number=message.deal_number,
        dealer=message.dealer,
        active_seats=tuple(message.active_seats),
        sitting_out=tuple(message.sitting_out),
        hand=cards_from_proto(message.hand),
        bock=message.bock,
        ramsch_round=message.ramsch_round,
        grand_hand_offered=message.grand_hand_offered,
        deal_id=message.deal_id,
        commitment=message.commitment,
    )


def _announced_from_proto(message: event_pb2.ContractAnnounced) -> ContractAnnounced:
    contract = contract_from_proto(message.contract)
    return ContractAnnounced(message.seat, contract, cards_from_proto(message.discards))


def _trick_from_proto(message: event_pb2.TrickTaken) -> TrickTaken:
    return TrickTaken(message.seat, cards_from_proto(message.cards), message.points)


def _proposed_from_proto(message: event_pb2.ShorteningProposed) -> ShorteningProposed:
    kind = enum_from_proto(ProposalKind, message.kind)
    return ShorteningProposed(message.seat, kind, level_from_proto(message.level))


def _compared_from_proto(message: event_pb2.DefendersCompared) -> DefendersCompared:
    cards, others = cards_from_proto(message.cards), cards_from_proto(message.partner_cards)
    return DefendersCompared(message.seat, message.partner, cards, others)


def _rearranged_from_proto(message: event_pb2.HandsRearranged) -> HandsRearranged:
    cards, others = cards_from_proto(message.cards), cards_from_proto(message.partner_cards)
    return HandsRearranged(message.seat, message.partner, cards, others)


def _end_requested_from_proto(message: event_pb2.EndRequested) -> EndRequested:
    return EndRequested(message.seat if message.HasField("seat") else None)


def _deal_ended_from_proto(message: event_pb2.DealEnded) -> DealEnded:
    result = deal_result_from_proto(message.result)
    return DealEnded(result, tuple(message.changes), tuple(message.totals), message.seed)


def _closed_from_proto(message: event_pb2.TableClosed) -> TableClosed:
    seat = message.seat if message.HasField("seat") else None
    return TableClosed(message.reason, cause_from_proto(message.cause), seat)


def _defaulted_from_proto(message: event_pb2.DecisionDefaulted) -> DecisionDefaulted:
    return DecisionDefaulted(message.seat, cause_from_proto(message.cause))


def _taken_over_from_proto(message: event_pb2.SeatTakenOver) -> SeatTakenOver:
    return SeatTakenOver(message.seat, cause_from_proto(message.cause))


_EVENT_OF_CASE: Final[Mapping[str, Callable[[Any], Event]]] = {
    "seat_taken": lambda message: SeatTaken(message.seat, message.player_name),
    "seat_left": lambda message: SeatLeft(message.seat),
    "deal_started": _deal_started_from_proto,
    "bid_made": lambda message: BidMade(message.seat, message.value),
    "bid_held": lambda message: BidHeld(message.seat, message.value),
    "bid_passed": lambda message: BidPassed(message.seat),
    "auction_won": lambda message: AuctionWon(message.seat, message.bid),
    "skat_taken": lambda message: SkatTaken(message.seat, cards_from_proto(message.skat)),
    "hand_chosen": lambda message: HandChosen(message.seat),
    "contract_announced": _announced_from_proto,
    "hand_exposed": lambda message: HandExposed(message.seat, cards_from_proto(message.cards)),
    "card_played": lambda message: CardPlayed(message.seat, card_from_proto(message.card)),
    "trick_taken": _trick_from_proto,
    "shortening_proposed": _proposed_from_proto,
    "vote_cast": lambda message: VoteCast(message.seat, message.accept),
    "proposal_declined": lambda message: ProposalDeclined(
        enum_from_proto(ProposalKind, message.kind)
    ),
    "deal_ended": _deal_ended_from_proto,
    "series_ended": lambda message: SeriesEnded(tuple(message.totals), tuple(message.places)),
    "table_closed": _closed_from_proto,
    "decision_defaulted": _defaulted_from_proto,
    "seat_taken_over": _taken_over_from_proto,
    "seat_returned": lambda message: SeatReturned(message.seat),
    "deal_voided": lambda message: DealVoided(message.reason),
    "concession_offered": lambda message: ConcessionOffered(message.seat, message.partner),
    "concession_refused": lambda message: ConcessionRefused(message.seat, message.partner),
    "grand_hand_declined": lambda message: GrandHandDeclined(message.seat),
    "grand_hand_accepted": lambda message: GrandHandAccepted(message.seat),
    "ramsch_started": lambda _: RamschStarted(),
    "skat_picked_up": lambda message: SkatPickedUp(message.seat, cards_from_proto(message.skat)),
    "skat_passed_on": lambda message: SkatPassedOn(message.seat),
    "cards_put_down": lambda message: CardsPutDown(message.seat, cards_from_proto(message.cards)),
    "knocked": lambda message: Knocked(message.seat, message.knock),
    "kontra_answered": lambda message: KontraAnswered(message.seat, message.kontra),
    "re_answered": lambda message: ReAnswered(message.seat, message.re),
    "spitze_revealed": lambda message: SpitzeRevealed(message.seat, card_from_proto(message.card)),
    "defenders_compared": _compared_from_proto,
    "hands_rearranged": _rearranged_from_proto,
    "end_requested": _end_requested_from_proto,
}


def event_from_proto(message: event_pb2.TableEvent) -> TableEvent:
    """One event; `UnknownEvent` where no case is set, which is how a newer case looks."""
    case = message.WhichOneof("event")
    event = UnknownEvent() if case is None else _EVENT_OF_CASE[case](getattr(message, case))
    return TableEvent(message.sequence, time_from_proto(message.at), event)
