"""Short ways to write down what a scripted server says."""

from collections.abc import Iterable

from google.protobuf.message import Message

from skat.v1 import (
    deal_pb2,
    decision_pb2,
    event_pb2,
    rule_set_pb2,
    table_pb2,
)
from skat_client._actions import Pass, PlayCard
from skat_client._cards import Card
from skat_client._convert import action_to_proto, cards_to_proto


def new_table(
    table_id: str, *, state: int = table_pb2.TABLE_STATE_PLAYING, deals: int = 1, seats: int = 3
) -> table_pb2.Table:
    """A table where everybody sits."""
    return table_pb2.Table(
        table_id=table_id,
        state=table_pb2.TableState.ValueType(state),
        rule_set=rule_set_pb2.RuleSet(preset="isko"),
        visibility=table_pb2.VISIBILITY_PUBLIC,
        seats=[
            table_pb2.SeatInfo(seat=seat, taken=True, player_name=f"player {seat}", connected=True)
            for seat in range(seats)
        ],
        deals=deals,
        totals=[0] * seats,
    )


def new_view(
    table_id: str, *, seat: int | None = 0, sequence: int = 0, table: table_pb2.Table | None = None
) -> table_pb2.TableView:
    """A view of a table, for a seat or, with None, for a spectator."""
    return table_pb2.TableView(table=table or new_table(table_id), seat=seat, sequence=sequence)


def new_events(first: int, *events: Message) -> list[event_pb2.TableEvent]:
    """Events with rising sequences, each made from the message of its case."""
    made = []
    for sequence, message in enumerate(events, first):
        event = event_pb2.TableEvent(sequence=sequence)
        getattr(event, _case_of(message)).CopyFrom(message)
        made.append(event)
    return made


def _case_of(message: Message) -> str:
    cases = event_pb2.TableEvent.DESCRIPTOR.oneofs_by_name["event"].fields
    return next(case.name for case in cases if case.message_type is message.DESCRIPTOR)


def new_frame(
    table_id: str,
    events: Iterable[event_pb2.TableEvent] = (),
    *,
    view: table_pb2.TableView | None = None,
    decision: decision_pb2.Decision | None = None,
) -> table_pb2.TableFrame:
    """All that is ready at one table."""
    return table_pb2.TableFrame(
        table_id=table_id, view=view, events=list(events), decision=decision
    )


def bidding_decision(turn_id: str, bids: Iterable[int], *, seat: int = 0) -> decision_pb2.Decision:
    """A question in the auction, with numbers to name."""
    return decision_pb2.Decision(
        turn_id=turn_id,
        seat=seat,
        phase=deal_pb2.PHASE_BIDDING,
        first_option=action_to_proto(Pass()),
        bidding=decision_pb2.BiddingOptions(bids=bids),
    )


def card_decision(turn_id: str, cards: Iterable[Card], *, seat: int = 0) -> decision_pb2.Decision:
    """A question for a card."""
    playable = sorted(cards)
    return decision_pb2.Decision(
        turn_id=turn_id,
        seat=seat,
        phase=deal_pb2.PHASE_PLAY,
        first_option=action_to_proto(PlayCard(playable[0])),
        cards=decision_pb2.CardOptions(cards=cards_to_proto(playable)),
    )


def deal_start(hand: Iterable[Card], *, dealer: int = 2) -> event_pb2.DealStarted:
    """The first deal of three seats; with the default dealer, seat 0 is forehand."""
    return event_pb2.DealStarted(
        deal_number=1,
        dealer=dealer,
        active_seats=[(dealer + step) % 3 for step in (1, 2, 3)],
        hand=cards_to_proto(hand),
    )


def passed_in() -> event_pb2.DealEnded:
    """The end of a deal in which nobody bid."""
    return event_pb2.DealEnded(
        result=deal_pb2.DealResult(
            ending=deal_pb2.ENDING_PASSED_IN, scores=[0, 0, 0], tricks=[0, 0, 0]
        ),
        changes=[0, 0, 0],
        totals=[0, 0, 0],
    )


def series_end() -> event_pb2.SeriesEnded:
    """The end of a series without a winner."""
    return event_pb2.SeriesEnded(totals=[0, 0, 0], places=[1, 1, 1])
