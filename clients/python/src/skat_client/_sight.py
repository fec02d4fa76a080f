"""What one viewer knows of a table, folded from its events."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from skat_client._models import (
    AuctionWon,
    BidHeld,
    BidMade,
    BidPassed,
    Card,
    CardPlayed,
    Contract,
    ContractAnnounced,
    DealEnded,
    DealResult,
    DealStarted,
    Event,
    HandChosen,
    HandExposed,
    ProposalDeclined,
    SeatInfo,
    SeatLeft,
    SeatTaken,
    SeriesEnded,
    ShorteningProposed,
    SkatTaken,
    Table,
    TableClosed,
    TableEvent,
    TableState,
    TableView,
    TrickTaken,
    UnknownEvent,
    VoteCast,
)


class SeatCard(NamedTuple):
    """A card and the seat that played it."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Trick:
    """A completed trick."""

    leader: int
    cards: tuple[SeatCard, ...]
    """In the order played."""
    winner: int
    points: int
    """Card points of its cards."""


@dataclass(slots=True)
class DealSight:
    """What one viewer knows of the current deal."""

    number: int
    """Counted from 1; 0 before the first deal."""
    dealer: int
    active_seats: tuple[int, ...]
    """Forehand, middlehand, rearhand; empty before the first deal."""
    sitting_out: tuple[int, ...]
    dealt_hand: tuple[Card, ...]
    """The viewer's ten cards as dealt; empty for spectators and for whoever sits out."""
    hand: tuple[Card, ...]
    """The viewer's cards now, in rising order; twelve with the skat taken."""
    auction: list[BidMade | BidHeld | BidPassed] = field(default_factory=list)
    declarer: int | None = None
    """Seat of the declarer, from the end of the auction."""
    bid: int = 0
    """The highest number named or held so far; from the end of the auction the one to reach."""
    is_hand: bool | None = None
    """Whether the declarer left the skat; None before the decision."""
    contract: Contract | None = None
    skat: tuple[Card, ...] = ()
    """The skat as dealt, where known: to the declarer who took it, to all after the deal."""
    discards: tuple[Card, ...] = ()
    """The cards put down, where known: to the declarer, to all after the deal."""
    tricks: list[Trick] = field(default_factory=list)
    current_trick: list[SeatCard] = field(default_factory=list)
    """The cards on the table in the order played; empty between tricks."""
    exposed: tuple[Card, ...] = ()
    """The declarer's cards now, once they lie open."""
    proposal: ShorteningProposed | None = None
    """The open proposal to end the deal."""
    votes: list[VoteCast] = field(default_factory=list)
    """Answers to the open proposal."""
    declarer_points: int = 0
    """Card points of the declarer's completed tricks, without skat or discards."""
    defender_points: int = 0
    """Card points of the defenders' completed tricks."""
    result: DealResult | None = None
    """Present once the deal is over."""

    @property
    def forehand(self) -> int:
        """Seat of forehand, who leads to the first trick."""
        return self.active_seats[0]

    @property
    def middlehand(self) -> int:
        """Seat of middlehand."""
        return self.active_seats[1]

    @property
    def rearhand(self) -> int:
        """Seat of rearhand."""
        return self.active_seats[2]

    @property
    def defenders(self) -> tuple[int, ...]:
        """Seats of the defenders; empty while there is no declarer."""
        if self.declarer is None:
            return ()
        return tuple(seat for seat in self.active_seats if seat != self.declarer)

    @property
    def known_discard_points(self) -> int:
        """Card points of the discards as far as the viewer knows them."""
        return sum(card.points for card in self.discards)

    @property
    def played(self) -> tuple[SeatCard, ...]:
        """Every card played in this deal, in order."""
        past = tuple(played for trick in self.tricks for played in trick.cards)
        return past + tuple(self.current_trick)

    def is_declarer(self, seat: int | None) -> bool:
        """Whether this seat is the declarer."""
        return seat is not None and seat == self.declarer


def _no_deal() -> DealSight:
    return DealSight(0, 0, (), (), (), ())


@dataclass(slots=True)
class TableSight:
    """What a seat or a spectator knows of a table.

    Made from a view; every event is applied once, in the order of its sequence. It is changed
    in place: copy what has to stay.
    """

    table_id: str
    seat: int | None
    """The viewer's seat; None for spectators."""
    sequence: int
    """Sequence of the last event applied."""
    table: Table
    """The table; its seats, totals, state and deals done follow the events.

    Who is connected is as it was at the view; whoever sits down later counts as connected.
    """
    deal: DealSight = field(default_factory=_no_deal)
    """The current deal; the last one between deals."""
    last_result: DealResult | None = None
    """Result of the last deal that ended."""
    last_changes: tuple[int, ...] = ()
    """What that deal added to each seat's total."""
    places: tuple[int, ...] = ()
    """Places by seat once the series is over, 1 is first."""

    @classmethod
    def from_view(cls, view: TableView) -> "TableSight":
        """The sight before the events that follow the view."""
        return cls(view.table.table_id, view.seat, view.sequence, view.table)

    @property
    def totals(self) -> tuple[int, ...]:
        """Each seat's total so far."""
        return self.table.totals

    @property
    def is_over(self) -> bool:
        """Whether the series has ended or the table was closed."""
        return self.table.is_over

    @property
    def is_declarer(self) -> bool:
        """Whether the viewer is the declarer of the current deal."""
        return self.deal.is_declarer(self.seat)

    @property
    def partner(self) -> int | None:
        """The other defender; None unless the viewer is a defender."""
        defenders = self.deal.defenders
        if self.seat not in defenders:
            return None
        return next(seat for seat in defenders if seat != self.seat)

    def apply(self, event: TableEvent) -> None:
        """Take one event in. The caller sees to order and gaps."""
        self.sequence = event.sequence
        _apply(self, event.event)


def _apply(sight: TableSight, event: Event) -> None:
    match event:
        case CardPlayed() | TrickTaken() | HandExposed():
            _apply_play(sight, event)
        case BidMade() | BidHeld() | BidPassed() | AuctionWon():
            _apply_auction(sight.deal, event)
        case SkatTaken() | HandChosen() | ContractAnnounced():
            _apply_announcing(sight, event)
        case ShorteningProposed() | VoteCast() | ProposalDeclined():
            _apply_shortening(sight.deal, event)
        case DealStarted() | DealEnded():
            _apply_deal(sight, event)
        case SeatTaken() | SeatLeft() | SeriesEnded() | TableClosed():
            _apply_table(sight, event)
        case UnknownEvent():
            pass


def _apply_play(sight: TableSight, event: CardPlayed | TrickTaken | HandExposed) -> None:
    deal = sight.deal
    match event:
        case CardPlayed(seat, card):
            deal.current_trick.append(SeatCard(seat, card))
            if seat == sight.seat:
                deal.hand = _without(deal.hand, (card,))
            if seat == deal.declarer:
                deal.exposed = _without(deal.exposed, (card,))
        case TrickTaken(seat, _, points):
            cards = tuple(deal.current_trick)
            deal.tricks.append(Trick(cards[0].seat, cards, seat, points))
            deal.current_trick.clear()
            if seat == deal.declarer:
                deal.declarer_points += points
            else:
                deal.defender_points += points
        case HandExposed(_, cards):
            deal.exposed = cards


def _apply_auction(deal: DealSight, event: BidMade | BidHeld | BidPassed | AuctionWon) -> None:
    match event:
        case BidMade(_, value) | BidHeld(_, value):
            deal.auction.append(event)
            deal.bid = value
        case BidPassed():
            deal.auction.append(event)
        case AuctionWon(seat, bid):
            deal.declarer, deal.bid = seat, bid


def _apply_announcing(sight: TableSight, event: SkatTaken | HandChosen | ContractAnnounced) -> None:
    deal = sight.deal
    match event:
        case SkatTaken(seat, skat):
            deal.is_hand, deal.skat = False, skat
            if seat == sight.seat:
                deal.hand = tuple(sorted(deal.hand + skat))
        case HandChosen():
            deal.is_hand = True
        case ContractAnnounced(seat, contract, discards):
            deal.contract, deal.discards = contract, discards
            if seat == sight.seat:
                deal.hand = _without(deal.hand, discards)


def _apply_shortening(
    deal: DealSight, event: ShorteningProposed | VoteCast | ProposalDeclined
) -> None:
    match event:
        case ShorteningProposed():
            deal.proposal = event
            deal.votes = []
        case VoteCast():
            deal.votes.append(event)
        case ProposalDeclined():
            deal.proposal = None


def _apply_deal(sight: TableSight, event: DealStarted | DealEnded) -> None:
    match event:
        case DealStarted(number, dealer, active, sitting_out, hand):
            sight.deal = DealSight(number, dealer, active, sitting_out, hand, hand)
            sight.table = replace(sight.table, state=TableState.PLAYING, deals_done=number - 1)
        case DealEnded(result, changes, totals):
            deal = sight.deal
            deal.result, deal.proposal = result, None
            deal.skat = result.dealt.skat
            deal.discards = result.game.discards if result.game else ()
            sight.last_result, sight.last_changes = result, changes
            sight.table = replace(sight.table, totals=totals, deals_done=deal.number)


def _apply_table(
    sight: TableSight, event: SeatTaken | SeatLeft | SeriesEnded | TableClosed
) -> None:
    table = sight.table
    match event:
        case SeatTaken(seat, name):
            sight.table = replace(table, seats=_seated(table, SeatInfo(seat, True, name, True)))
        case SeatLeft(seat):
            sight.table = replace(table, seats=_seated(table, SeatInfo(seat, False, "", False)))
        case SeriesEnded(totals, places):
            sight.table = replace(table, totals=totals, state=TableState.FINISHED)
            sight.places = places
        case TableClosed():
            if table.state is not TableState.FINISHED:
                sight.table = replace(table, state=TableState.CLOSED)


def _seated(table: Table, info: SeatInfo) -> tuple[SeatInfo, ...]:
    return tuple(info if old.seat == info.seat else old for old in table.seats)


def _without(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card not in gone)
