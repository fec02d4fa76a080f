"""Facts of a table, as a viewer may know them, as events of the wire."""

from typing import Final, assert_never

from google.protobuf.timestamp_pb2 import Timestamp

from skat.v1 import event_pb2
from skat_engine import events
from skat_engine.cards import EMPTY
from skat_engine.occasions import Occasion
from skat_engine.seats import Seating
from skat_server.rpc.convert.deal_facts import deal_fact_to_proto
from skat_server.rpc.convert.deals import result_to_proto
from skat_server.rpc.convert.policies import CAUSES_TO_PROTO
from skat_server.rpc.convert.values import cards_to_proto
from skat_server.tables import facts
from skat_server.tables.facts import Fact

_HUNDREDTHS: Final = 100
_NANOS_PER_HUNDREDTH: Final = 10_000_000


def timestamp(at: float) -> Timestamp:
    """A moment, rounded to 10 ms so that think times make no fine signal.

    Args:
        at: seconds since 1970.
    """
    return timestamp_of(hundredths(at))


def hundredths(at: float) -> int:
    """A moment in hundredths of a second since 1970."""
    return round(at * _HUNDREDTHS)


def timestamp_of(number: int) -> Timestamp:
    """A moment of so many hundredths of a second since 1970."""
    seconds, rest = divmod(number, _HUNDREDTHS)
    return Timestamp(seconds=seconds, nanos=rest * _NANOS_PER_HUNDREDTH)


def event_of(fact: Fact, seating: Seating) -> event_pb2.TableEvent:
    """A fact as one viewer may know it, without its number and time."""
    if facts.is_of_the_deal(fact):
        return deal_fact_to_proto(fact, seating)
    match fact:
        case facts.SeatTaken(seat, player_name):
            taken = event_pb2.SeatTaken(seat=seat, player_name=player_name)
            return event_pb2.TableEvent(seat_taken=taken)
        case facts.SeatLeft(seat):
            return event_pb2.TableEvent(seat_left=event_pb2.SeatLeft(seat=seat))
        case facts.HandReceived():
            return event_pb2.TableEvent(deal_started=_hand_received(fact, seating))
        case facts.DealStarted():
            raise AssertionError("nobody is shown a whole deal")
        case facts.DealBooked() | facts.SeriesEnded() | facts.EndRequested() | facts.TableClosed():
            return _of_the_series(fact, seating)
        case (
            facts.DecisionDefaulted()
            | facts.SeatTakenOver()
            | facts.SeatReturned()
            | facts.DealVoided()
        ):
            return _of_faults(fact)
        case _:
            raise AssertionError(f"{fact} is no fact of the table")


def _of_the_series(
    fact: facts.DealBooked | facts.SeriesEnded | facts.EndRequested | facts.TableClosed,
    seating: Seating,
) -> event_pb2.TableEvent:
    match fact:
        case facts.DealBooked(booking, seed):
            ended = event_pb2.DealEnded(
                result=result_to_proto(booking.result, seating, len(booking.totals)),
                changes=booking.changes,
                totals=booking.totals,
                seed=seed,
            )
            return event_pb2.TableEvent(deal_ended=ended)
        case facts.SeriesEnded(totals, places):
            series_ended = event_pb2.SeriesEnded(totals=totals, places=places)
            return event_pb2.TableEvent(series_ended=series_ended)
        case facts.EndRequested(seat):
            return event_pb2.TableEvent(end_requested=event_pb2.EndRequested(seat=seat))
        case facts.TableClosed(reason, cause, seat):
            closed = event_pb2.TableClosed(reason=reason, seat=seat)
            if cause is not None:
                closed.cause = CAUSES_TO_PROTO[cause]
            return event_pb2.TableEvent(table_closed=closed)
        case _:
            assert_never(fact)


def _of_faults(
    fact: facts.DecisionDefaulted | facts.SeatTakenOver | facts.SeatReturned | facts.DealVoided,
) -> event_pb2.TableEvent:
    match fact:
        case facts.DecisionDefaulted(seat, cause):
            defaulted = event_pb2.DecisionDefaulted(seat=seat, cause=CAUSES_TO_PROTO[cause])
            return event_pb2.TableEvent(decision_defaulted=defaulted)
        case facts.SeatTakenOver(seat, cause):
            taken = event_pb2.SeatTakenOver(seat=seat, cause=CAUSES_TO_PROTO[cause])
            return event_pb2.TableEvent(seat_taken_over=taken)
        case facts.SeatReturned(seat):
            return event_pb2.TableEvent(seat_returned=event_pb2.SeatReturned(seat=seat))
        case facts.DealVoided(reason):
            return event_pb2.TableEvent(deal_voided=event_pb2.DealVoided(reason=reason))
        case _:
            assert_never(fact)


def _hand_received(fact: facts.HandReceived, seating: Seating) -> event_pb2.DealStarted:
    started = _started(seating, fact.occasion)
    started.deal_number = fact.deal_number
    started.deal_id = fact.deal_id
    started.commitment = fact.commitment
    started.hand.extend(cards_to_proto(fact.hand or EMPTY))
    return started


def _started(seating: Seating, occasion: Occasion) -> event_pb2.DealStarted:
    return event_pb2.DealStarted(
        dealer=seating.dealer,
        active_seats=seating.active,
        sitting_out=seating.sitting_out,
        bock=occasion.bock,
        ramsch_round=occasion.ramsch_round,
        grand_hand_offered=occasion.ramsch_round and occasion.grand_hand_offered,
    )


def whole_event_to_proto(
    sequence: int, event: events.Event, seating: Seating
) -> event_pb2.TableEvent:
    """An event of a deal with nothing hidden, for the oracle; it has no time."""
    match event:
        case events.CardsDealt(_, occasion):
            message = event_pb2.TableEvent(deal_started=_started(seating, occasion))
        case events.DealEnded(result):
            result_message = result_to_proto(result, seating, len(seating.active))
            message = event_pb2.TableEvent(deal_ended=event_pb2.DealEnded(result=result_message))
        case events.HandDealt() | events.Unseen():
            raise AssertionError("a deal yields whole events only")
        case _:
            message = deal_fact_to_proto(event, seating)
    message.sequence = sequence
    return message
