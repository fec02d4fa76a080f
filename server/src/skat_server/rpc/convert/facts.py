"""Facts of a table, as a viewer may know them, as events of the wire."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from google.protobuf.timestamp_pb2 import Timestamp

from skat.v1 import event_pb2
from skat_engine import events
from skat_engine.cards import EMPTY
from skat_engine.seats import Seating
from skat_server.rpc.convert.deals import result_to_proto
from skat_server.rpc.convert.values import (
    CARDS_TO_PROTO,
    cards_to_proto,
    contract_to_proto,
    level_to_proto,
)
from skat_server.tables import facts
from skat_server.tables.facts import Fact, LoggedFact

_HUNDREDTHS: Final = 100
_NANOS_PER_HUNDREDTH: Final = 10_000_000

PROPOSALS_TO_PROTO: Final = {
    kind: event_pb2.ProposalKind.Value(f"PROPOSAL_KIND_{kind.name}") for kind in events.ProposalKind
}


def timestamp(at: float) -> Timestamp:
    """A moment, rounded to 10 ms so that think times make no fine signal.

    Args:
        at: seconds since 1970.
    """
    seconds, hundredths = divmod(round(at * _HUNDREDTHS), _HUNDREDTHS)
    return Timestamp(seconds=seconds, nanos=hundredths * _NANOS_PER_HUNDREDTH)


def fact_to_proto(logged: LoggedFact) -> event_pb2.TableEvent:
    """A projected fact with its number and time."""
    event = _WRITERS[type(logged.fact)](logged.fact, logged.seating)
    event.sequence = logged.sequence
    event.at.CopyFrom(timestamp(logged.at))
    return event


def whole_event_to_proto(
    sequence: int, event: events.Event, seating: Seating
) -> event_pb2.TableEvent:
    """An event of a deal with nothing hidden, for the oracle; it has no time."""
    match event:
        case events.CardsDealt():
            message = event_pb2.TableEvent(
                deal_started=event_pb2.DealStarted(
                    dealer=seating.dealer, active_seats=seating.active
                )
            )
        case events.DealEnded(result):
            result_message = result_to_proto(result, seating, len(seating.active))
            message = event_pb2.TableEvent(deal_ended=event_pb2.DealEnded(result=result_message))
        case events.HandDealt():
            raise AssertionError("a deal yields whole events only")
        case _:
            message = _WRITERS[type(event)](event, seating)
    message.sequence = sequence
    return message


def _seat_taken(fact: facts.SeatTaken, _: Seating) -> event_pb2.TableEvent:
    taken = event_pb2.SeatTaken(seat=fact.seat, player_name=fact.player_name)
    return event_pb2.TableEvent(seat_taken=taken)


def _seat_left(fact: facts.SeatLeft, _: Seating) -> event_pb2.TableEvent:
    return event_pb2.TableEvent(seat_left=event_pb2.SeatLeft(seat=fact.seat))


def _hand_received(fact: facts.HandReceived, seating: Seating) -> event_pb2.TableEvent:
    return event_pb2.TableEvent(
        deal_started=event_pb2.DealStarted(
            deal_number=fact.deal_number,
            dealer=seating.dealer,
            active_seats=seating.active,
            sitting_out=seating.sitting_out,
            hand=cards_to_proto(fact.hand or EMPTY),
        )
    )


def _bid_made(fact: events.BidMade, seating: Seating) -> event_pb2.TableEvent:
    bid = event_pb2.BidMade(seat=seating.active[fact.position], value=fact.value)
    return event_pb2.TableEvent(bid_made=bid)


def _bid_held(fact: events.BidHeld, seating: Seating) -> event_pb2.TableEvent:
    held = event_pb2.BidHeld(seat=seating.active[fact.position], value=fact.value)
    return event_pb2.TableEvent(bid_held=held)


def _passed(fact: events.Passed, seating: Seating) -> event_pb2.TableEvent:
    return event_pb2.TableEvent(bid_passed=event_pb2.BidPassed(seat=seating.active[fact.position]))


def _auction_won(fact: events.AuctionWon, seating: Seating) -> event_pb2.TableEvent:
    won = event_pb2.AuctionWon(seat=seating.active[fact.declarer], bid=fact.bid)
    return event_pb2.TableEvent(auction_won=won)


def _skat_taken(fact: events.SkatTaken, seating: Seating) -> event_pb2.TableEvent:
    skat = [CARDS_TO_PROTO[card] for card in fact.skat or ()]
    taken = event_pb2.SkatTaken(seat=seating.active[fact.declarer], skat=skat)
    return event_pb2.TableEvent(skat_taken=taken)


def _hand_chosen(fact: events.HandChosen, seating: Seating) -> event_pb2.TableEvent:
    chosen = event_pb2.HandChosen(seat=seating.active[fact.declarer])
    return event_pb2.TableEvent(hand_chosen=chosen)


def _announced(fact: events.ContractAnnounced, seating: Seating) -> event_pb2.TableEvent:
    return event_pb2.TableEvent(
        contract_announced=event_pb2.ContractAnnounced(
            seat=seating.active[fact.declarer],
            contract=contract_to_proto(fact.contract),
            discards=[CARDS_TO_PROTO[card] for card in fact.discards or ()],
        )
    )


def _exposed(fact: events.HandExposed, seating: Seating) -> event_pb2.TableEvent:
    exposed = event_pb2.HandExposed(
        seat=seating.active[fact.declarer], cards=cards_to_proto(fact.cards)
    )
    return event_pb2.TableEvent(hand_exposed=exposed)


def _card_played(fact: events.CardPlayed, seating: Seating) -> event_pb2.TableEvent:
    played = event_pb2.CardPlayed(
        seat=seating.active[fact.position], card=CARDS_TO_PROTO[fact.card]
    )
    return event_pb2.TableEvent(card_played=played)


def _trick_taken(fact: events.TrickTaken, seating: Seating) -> event_pb2.TableEvent:
    trick = fact.trick
    taken = event_pb2.TrickTaken(
        seat=seating.active[trick.winner],
        cards=[CARDS_TO_PROTO[card] for card in trick.cards],
        points=trick.points,
    )
    return event_pb2.TableEvent(trick_taken=taken)


def _proposed(fact: events.ShorteningProposed, seating: Seating) -> event_pb2.TableEvent:
    proposed = event_pb2.ShorteningProposed(
        seat=seating.active[fact.position],
        kind=PROPOSALS_TO_PROTO[fact.kind],
        level=level_to_proto(fact.level),
    )
    return event_pb2.TableEvent(shortening_proposed=proposed)


def _vote_cast(fact: events.VoteCast, seating: Seating) -> event_pb2.TableEvent:
    vote = event_pb2.VoteCast(seat=seating.active[fact.position], accept=fact.accept)
    return event_pb2.TableEvent(vote_cast=vote)


def _declined(fact: events.ProposalDeclined, _: Seating) -> event_pb2.TableEvent:
    declined = event_pb2.ProposalDeclined(kind=PROPOSALS_TO_PROTO[fact.kind])
    return event_pb2.TableEvent(proposal_declined=declined)


def _booked(fact: facts.DealBooked, seating: Seating) -> event_pb2.TableEvent:
    booking = fact.booking
    return event_pb2.TableEvent(
        deal_ended=event_pb2.DealEnded(
            result=result_to_proto(booking.result, seating, len(booking.totals)),
            changes=booking.changes,
            totals=booking.totals,
        )
    )


def _series_ended(fact: facts.SeriesEnded, _: Seating) -> event_pb2.TableEvent:
    ended = event_pb2.SeriesEnded(totals=fact.totals, places=fact.places)
    return event_pb2.TableEvent(series_ended=ended)


def _closed(fact: facts.TableClosed, _: Seating) -> event_pb2.TableEvent:
    return event_pb2.TableEvent(table_closed=event_pb2.TableClosed(reason=fact.reason))


# A writer takes its own type of fact; the table is what guarantees that it gets it, and
# tests/rpc holds that every type of fact but the unprojected one has a writer.
_WRITERS: Final[Mapping[type[Fact], Callable[[Any, Seating], event_pb2.TableEvent]]] = {
    facts.SeatTaken: _seat_taken,
    facts.SeatLeft: _seat_left,
    facts.HandReceived: _hand_received,
    events.BidMade: _bid_made,
    events.BidHeld: _bid_held,
    events.Passed: _passed,
    events.AuctionWon: _auction_won,
    events.SkatTaken: _skat_taken,
    events.HandChosen: _hand_chosen,
    events.ContractAnnounced: _announced,
    events.HandExposed: _exposed,
    events.CardPlayed: _card_played,
    events.TrickTaken: _trick_taken,
    events.ShorteningProposed: _proposed,
    events.VoteCast: _vote_cast,
    events.ProposalDeclined: _declined,
    facts.DealBooked: _booked,
    facts.SeriesEnded: _series_ended,
    facts.TableClosed: _closed,
}
