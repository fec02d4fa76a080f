"""What happens at a table, and what of it a viewer may know.

Facts of the deal are the engine's events. `project` builds the viewer's version of a fact;
like the engine's views it names what is shown, never what is hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeGuard, get_args

from skat_engine import events, views
from skat_engine.cards import CardSet
from skat_engine.occasions import Occasion
from skat_engine.records import FaultCause
from skat_engine.results import Dealt
from skat_engine.scoring import Booking
from skat_engine.seats import Position, Seat, Seating
from skat_server.values import value


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down."""

    seat: Seat
    player_name: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """Somebody got up; the seat's clock runs on."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealStarted:
    """Cards were dealt: the whole deal, never shown to anybody."""

    deal_number: int
    dealt: Dealt = field(repr=False)
    occasion: Occasion
    deal_id: str = ""
    """Names the deal as its record does."""
    commitment: bytes = b""
    """Binds the deal to its seed; empty for cards that were given."""


@dataclass(frozen=True, slots=True)
class HandReceived:
    """What a viewer sees of the dealing."""

    deal_number: int
    hand: CardSet | None
    """The viewer's ten cards; None for spectators and for whoever sits out."""
    occasion: Occasion
    deal_id: str = ""
    commitment: bytes = b""
    """Binds the deal to its seed; empty for cards that were given."""


@dataclass(frozen=True, slots=True)
class DealBooked:
    """The deal has its result, and the score sheet a new line."""

    booking: Booking
    seed: bytes = field(default=b"", repr=False)
    """What the commitment bound; empty for cards that were given."""


@dataclass(frozen=True, slots=True)
class EndRequested:
    """Somebody asked for the end of a series that has no other (R-TAB-4)."""

    seat: Seat | None
    """None when the table's owner asked, who sits elsewhere."""


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
    cause: FaultCause | None = None
    """Why, where a fault closed it."""
    seat: Seat | None = None
    """The seat at fault, where there is one."""


@dataclass(frozen=True, slots=True)
class DecisionDefaulted:
    """A decision got its safe answer instead of the seat's own; what follows from it comes next."""

    seat: Seat
    cause: FaultCause
    among: tuple[Position, ...] | None = None
    """The only positions that may know of the decision; None when everybody may (R-END-5)."""


@dataclass(frozen=True, slots=True)
class SeatTakenOver:
    """From now on a house bot plays for a seat."""

    seat: Seat
    cause: FaultCause


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """The player of a seat plays again himself."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealVoided:
    """The deal under way is dropped, and its number is dealt anew."""

    reason: str


DealFact = (
    events.BidMade
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
    | events.ConcessionOffered
    | events.ConcessionRefused
    | events.GrandHandDeclined
    | events.GrandHandAccepted
    | events.RamschStarted
    | events.SkatPickedUp
    | events.SkatPassedOn
    | events.CardsPutDown
    | events.Knocked
    | events.KontraAnswered
    | events.ReAnswered
    | events.SpitzeRevealed
    | events.DefendersCompared
    | events.HandsRearranged
)
"""The engine's events that are facts of the table as they are. `CardsDealt` and `DealEnded`
appear as `DealStarted` and `DealBooked`, which say more."""

Fact = (
    SeatTaken
    | SeatLeft
    | DealStarted
    | HandReceived
    | DealBooked
    | EndRequested
    | SeriesEnded
    | TableClosed
    | DecisionDefaulted
    | SeatTakenOver
    | SeatReturned
    | DealVoided
    | DealFact
)
"""Everything that can happen at a table."""

_OF_THE_TABLE: Final = frozenset(get_args(Fact)) - frozenset(get_args(DealFact))
"""All others, which are far more, are the engine's."""

PRIVATE: Final[frozenset[type[Fact]]] = frozenset(
    {events.ConcessionOffered, events.ConcessionRefused, DecisionDefaulted}
)
"""Facts of which somebody may be told nothing at all; every other fact is told to everybody, in
one form or another (R-END-5)."""

URGENT: Final[frozenset[type[Fact]]] = frozenset({DealBooked, DealVoided, SeriesEnded, TableClosed})
"""Facts that wait for no decision of their viewers."""

OPEN: Final[frozenset[type[Fact]]] = frozenset(
    {
        *(views.OPEN & frozenset(get_args(DealFact))),
        SeatTaken,
        SeatLeft,
        DealBooked,
        EndRequested,
        SeriesEnded,
        TableClosed,
        SeatTakenOver,
        SeatReturned,
        DealVoided,
    }
)
"""Facts that everybody is told as they are: an allow-list, and all others are projected."""

PLAIN: Final = OPEN - URGENT
"""Facts of which everybody is told the same and nobody at once: most of them, by far."""

Viewer = Seat | None
"""Who looks: a seat of the table, or None for a spectator."""

Numbers = tuple[int, ...]
"""How many facts each seat, and last a spectator, has been told."""


@dataclass(slots=True)  # made for every fact: a frozen one takes three times as long
class ShownFact:
    """A fact as one viewer may know it, or as all do; nobody changes it."""

    sequence: int
    """The viewer's own number: 1 for the first, then without gaps."""
    at: float
    fact: Fact
    seating: Seating
    written: bytes | None = field(default=None, repr=False, compare=False)
    """What its first reader has made of it for the others; nothing here looks at it."""


@value
class LoggedFact:
    """A fact of which viewers are told apart, with its place in the table's history."""

    numbers: Numbers
    """What everybody has been told up to this one: the number of the fact where it is shown.
    Facts that a viewer may not know take no number of his."""
    at: float
    """When it was given to the store, in seconds since 1970."""
    fact: Fact
    seating: Seating
    """Maps the positions in the fact to seats."""


def number_for(viewer: Viewer, numbers: Numbers) -> int:
    """The viewer's own number among the numbers of all viewers."""
    return numbers[-1 if viewer is None else viewer]


def has_private(facts: Sequence[Fact]) -> bool:
    """Whether there is one among these of which somebody is told nothing at all."""
    for fact in facts:  # noqa: SIM110  # this is asked for every action
        if type(fact) in PRIVATE:
            return True
    return False


def numbers_after(numbers: Numbers, facts: Sequence[Fact], seating: Seating) -> Numbers:
    """What everybody has been told after these facts as well."""
    if not has_private(facts):
        return all_told(numbers, len(facts))
    viewers: tuple[Viewer, ...] = (*range(len(numbers) - 1), None)
    return tuple(
        told + sum(shown_to(fact, seating, viewer) is not None for fact in facts)
        for told, viewer in zip(numbers, viewers, strict=True)
    )


def all_told(numbers: Numbers, count: int) -> Numbers:
    """What everybody has been told after so many facts of which everybody is told."""
    first = numbers[0]
    if numbers.count(first) == len(numbers):  # as everybody mostly has: a look costs less
        return (first + count,) * len(numbers)
    return tuple([told + count for told in numbers])


def project(logged: LoggedFact, viewer: Viewer) -> ShownFact | None:
    """The fact as a viewer may know it; None when he may not even know that it happened."""
    shown = shown_to(logged.fact, logged.seating, viewer)
    if shown is None:
        return None
    return ShownFact(number_for(viewer, logged.numbers), logged.at, shown, logged.seating)


def is_of_the_deal(fact: Fact) -> TypeGuard[DealFact]:
    """Whether a fact is the engine's, told by one look: this is asked for every fact and viewer."""
    return type(fact) not in _OF_THE_TABLE


def shown_to(fact: Fact, seating: Seating, viewer: Viewer) -> Fact | None:
    """What a viewer is told of a fact, None for nothing at all."""
    position = None if viewer is None else seating.position_of(viewer)
    if is_of_the_deal(fact):
        shown = views.project(fact, position)
        return None if isinstance(shown, events.Unseen) else fact_of(shown)
    match fact:
        case DealStarted(deal_number, dealt, occasion, deal_id, commitment):
            hand = None if position is None else dealt.hands[position]
            return HandReceived(deal_number, hand, occasion, deal_id, commitment)
        case SeatTaken() | SeatLeft() | SeatTakenOver() | SeatReturned():
            return fact
        case DealBooked() | DealVoided() | EndRequested() | SeriesEnded() | TableClosed():
            return fact
        case DecisionDefaulted(_, _, among):
            return fact if among is None or position in among else None
        case HandReceived():
            raise AssertionError("a view is not projected again")
        case _:
            raise AssertionError(f"{fact} is no fact of the table")


def facts_of(happened: Sequence[events.Event]) -> Sequence[DealFact]:
    """What follows from an action, as facts of the table.

    The end of the deal comes last and is replaced; no action brings about another event that is.
    """
    is_over = bool(happened) and type(happened[-1]) is events.DealEnded
    return happened[:-1] if is_over else happened  # type: ignore[return-value]  # only the end is none


def fact_of(event: events.Event) -> DealFact | None:
    """The engine's event as a fact; None for those that a fact of the table replaces."""
    match event:
        case events.CardsDealt() | events.DealEnded():
            return None
        case events.HandDealt() | events.Unseen():
            raise AssertionError("a deal yields whole events only")
        case _:
            return event
