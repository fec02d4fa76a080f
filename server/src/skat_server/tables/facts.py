"""What happens at a table, and what of it a viewer may know.

Facts of the deal are the engine's events. `project` builds the viewer's version of a fact;
like the engine's views it names what is shown, never what is hidden.
"""

from dataclasses import dataclass
from typing import assert_never

from skat_engine import events, views
from skat_engine.cards import CardSet
from skat_engine.results import Dealt
from skat_engine.scoring import Booking
from skat_engine.seats import Seat, Seating


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down."""

    seat: Seat
    player_name: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """Somebody got up; play waits at this seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealStarted:
    """Cards were dealt: the whole deal, never shown to anybody."""

    deal_number: int
    dealt: Dealt


@dataclass(frozen=True, slots=True)
class HandReceived:
    """What a viewer sees of the dealing."""

    deal_number: int
    hand: CardSet | None
    """The viewer's ten cards; None for spectators and for whoever sits out."""


@dataclass(frozen=True, slots=True)
class DealBooked:
    """The deal has its result, and the score sheet a new line."""

    booking: Booking


@dataclass(frozen=True, slots=True)
class SeriesEnded:
    """The last deal is booked."""

    totals: tuple[int, ...]
    places: tuple[int, ...]
    """Place of each seat, 1 is first; equal places can be parted only by lot."""


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table is gone."""

    reason: str


Fact = (
    SeatTaken
    | SeatLeft
    | DealStarted
    | HandReceived
    | DealBooked
    | SeriesEnded
    | TableClosed
    | events.BidMade
    | events.BidHeld
    | events.Passed
    | events.AuctionWon
    | events.SkatTaken
    | events.HandChosen
    | events.ContractAnnounced
    | events.HandExposed
    | events.CardPlayed
    | events.TrickTaken
    | events.ShorteningProposed
    | events.VoteCast
    | events.ProposalDeclined
)
"""Everything that can happen at a table. The engine's `CardsDealt` and `DealEnded` appear as
`DealStarted` and `DealBooked`, which say more."""


@dataclass(frozen=True, slots=True)
class LoggedFact:
    """A fact with its place in the table's history."""

    sequence: int
    """1 for the first, then without gaps; every fact is shown to every viewer in some form,
    so this is also each viewer's own dense number."""
    at: float
    """When it became durable, in seconds since 1970."""
    fact: Fact
    seating: Seating
    """Maps the positions in the fact to seats."""


def project(logged: LoggedFact, viewer: Seat | None) -> LoggedFact:
    """The fact as a seat, or a spectator (None), may know it."""
    position = None if viewer is None else logged.seating.position_of(viewer)
    shown = _shown(logged.fact, position)
    if shown is logged.fact:
        return logged
    return LoggedFact(logged.sequence, logged.at, shown, logged.seating)


def _shown(fact: Fact, position: views.Viewer) -> Fact:
    match fact:
        case DealStarted(deal_number, dealt):
            return HandReceived(deal_number, None if position is None else dealt.hands[position])
        case SeatTaken() | SeatLeft() | DealBooked() | SeriesEnded() | TableClosed():
            return fact
        case HandReceived():
            raise AssertionError("a view is not projected again")
        case _:
            return _shown_event(fact, position)


def _shown_event(event: events.Event, position: views.Viewer) -> Fact:
    shown = views.project(event, position)
    match shown:
        case events.CardsDealt() | events.HandDealt() | events.DealEnded():
            raise AssertionError(f"{type(shown).__name__} is told by a fact of the table")
        case _:
            return shown


def fact_of(event: events.Event) -> Fact | None:
    """The engine's event as a fact; None for those that a fact of the table replaces."""
    match event:
        case events.CardsDealt() | events.DealEnded():
            return None
        case events.HandDealt():
            raise AssertionError("a deal yields whole events only")
        case (
            events.BidMade()
            | events.BidHeld()
            | events.Passed()
            | events.AuctionWon()
            | events.SkatTaken()
            | events.HandChosen()
            | events.ContractAnnounced()
            | events.HandExposed()
            | events.CardPlayed()
            | events.TrickTaken()
            | events.ShorteningProposed()
            | events.VoteCast()
            | events.ProposalDeclined()
        ):
            return event
        case _:
            assert_never(event)
