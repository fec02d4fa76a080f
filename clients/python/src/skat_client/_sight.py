"""What one viewer knows of a table, folded from its events."""

from dataclasses import dataclass, field, replace
from typing import assert_never

from skat_client._deal_sight import DealSight, SeatCard, Trick
from skat_client._models import (
    AuctionWon,
    BidHeld,
    BidMade,
    BidPassed,
    Card,
    CardPlayed,
    CardsPutDown,
    ConcessionOffered,
    ConcessionRefused,
    ContractAnnounced,
    DealEnded,
    DealResult,
    DealStarted,
    DealVoided,
    DecisionDefaulted,
    DefendersCompared,
    Ending,
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
    RamschStarted,
    ReAnswered,
    SeatInfo,
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
    Table,
    TableClosed,
    TableEvent,
    TableState,
    TableView,
    TrickTaken,
    UnknownEvent,
    VoteCast,
)

__all__ = ["DealSight", "SeatCard", "TableSight", "Trick"]


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
    end_requested: bool = False
    """Somebody has asked for the end of a series that has no other; noticed since the view."""

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
        case BidMade() | BidHeld() | BidPassed() | AuctionWon() | GrandHandAccepted():
            _apply_auction(sight.deal, event)
        case SkatTaken() | HandChosen() | ContractAnnounced():
            _apply_announcing(sight, event)
        case (
            ShorteningProposed()
            | VoteCast()
            | ProposalDeclined()
            | ConcessionOffered()
            | ConcessionRefused()
        ):
            _apply_shortening(sight.deal, event)
        case DealStarted() | DealEnded():
            _apply_deal(sight, event)
        case SeatTaken() | SeatLeft() | SeatTakenOver() | SeatReturned():
            _apply_seating(sight, event)
        case SeriesEnded() | TableClosed() | EndRequested():
            _apply_table(sight, event)
        case DecisionDefaulted() | DealVoided():
            _apply_fault(sight.deal, event)
        case _:
            _apply_special(sight, event)


_Special = (
    RamschStarted
    | SkatPickedUp
    | SkatPassedOn
    | CardsPutDown
    | Knocked
    | KontraAnswered
    | ReAnswered
    | SpitzeRevealed
    | DefendersCompared
    | HandsRearranged
    | GrandHandDeclined
    | UnknownEvent
)
"""What only some rules have, and what changes nothing."""


def _apply_special(sight: TableSight, event: _Special) -> None:
    match event:
        case RamschStarted() | SkatPickedUp() | SkatPassedOn() | CardsPutDown() | Knocked():
            _apply_ramsch(sight, event)
        case KontraAnswered() | ReAnswered() | SpitzeRevealed():
            _apply_doubling(sight.deal, event)
        case DefendersCompared() | HandsRearranged():
            _apply_revolution(sight, event)
        case GrandHandDeclined() | UnknownEvent():
            pass
        case _:
            assert_never(event)


def _apply_ramsch(
    sight: TableSight, event: RamschStarted | SkatPickedUp | SkatPassedOn | CardsPutDown | Knocked
) -> None:
    deal = sight.deal
    match event:
        case RamschStarted():
            deal.is_ramsch = True
        case SkatPickedUp(seat, skat):
            if seat == sight.seat:
                deal.picked_up = skat
                deal.hand = tuple(sorted(deal.hand + skat))
            if not deal.looked:
                deal.skat = skat
            deal.looked.append(seat)
        case SkatPassedOn(seat):
            deal.passed_on.append(seat)
        case CardsPutDown(seat, cards):
            if seat == sight.seat:
                deal.put_down = cards
                deal.hand = _without(deal.hand, cards)
        case Knocked(seat, knock):
            if knock:
                deal.knocked = seat


def _apply_doubling(deal: DealSight, event: KontraAnswered | ReAnswered | SpitzeRevealed) -> None:
    match event:
        case KontraAnswered(seat, kontra):
            if kontra:
                deal.kontra = seat
        case ReAnswered(_, re):
            deal.re = re
        case SpitzeRevealed(_, card):
            deal.spitze_card = card


def _apply_revolution(sight: TableSight, event: DefendersCompared | HandsRearranged) -> None:
    deal = sight.deal
    if sight.seat == event.seat:
        deal.hand, deal.partner_hand = event.cards, event.partner_cards
    elif sight.seat == event.partner:
        deal.hand, deal.partner_hand = event.partner_cards, event.cards


def _apply_play(sight: TableSight, event: CardPlayed | TrickTaken | HandExposed) -> None:
    deal = sight.deal
    match event:
        case CardPlayed(seat, card):
            deal.current_trick.append(SeatCard(seat, card))
            if seat == sight.seat:
                deal.hand = _without(deal.hand, (card,))
            else:
                deal.partner_hand = _without(deal.partner_hand, (card,))
            if seat == deal.declarer:
                deal.exposed = _without(deal.exposed, (card,))
        case TrickTaken(seat, _, points):
            cards = tuple(deal.current_trick)
            deal.tricks.append(Trick(cards[0].seat, cards, seat, points))
            deal.current_trick.clear()
            deal.points[seat] = deal.points.get(seat, 0) + points
            if seat == deal.declarer:
                deal.declarer_points += points
            elif deal.declarer is not None:
                deal.defender_points += points
        case HandExposed(_, cards):
            deal.exposed = cards


def _apply_auction(
    deal: DealSight, event: BidMade | BidHeld | BidPassed | AuctionWon | GrandHandAccepted
) -> None:
    match event:
        case BidMade(_, value) | BidHeld(_, value):
            deal.auction.append(event)
            deal.bid = value
        case BidPassed():
            deal.auction.append(event)
        case AuctionWon(seat, bid):
            deal.declarer, deal.bid = seat, bid
        case GrandHandAccepted(seat):
            deal.declarer, deal.bid = seat, 0
            deal.is_hand = deal.replaces_ramsch = True


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
    deal: DealSight,
    event: ShorteningProposed | VoteCast | ProposalDeclined | ConcessionOffered | ConcessionRefused,
) -> None:
    match event:
        case ShorteningProposed():
            deal.proposal, deal.concession = event, None
            deal.votes = []
        case ConcessionOffered():
            deal.concession = event
        case ConcessionRefused():
            deal.concession = None
        case VoteCast():
            deal.votes.append(event)
        case ProposalDeclined():
            deal.proposal = None


def _apply_deal(sight: TableSight, event: DealStarted | DealEnded) -> None:
    match event:
        case DealStarted(number, dealer, active, sitting_out, hand, bock, ramsch_round, offered):
            sight.deal = DealSight(number, dealer, active, sitting_out, hand, hand)
            sight.deal.is_bock, sight.deal.is_ramsch_round = bock, ramsch_round
            # Where nothing is offered first, the deal is a Ramsch from its start.
            sight.deal.is_ramsch = ramsch_round and not offered
            sight.deal.points = dict.fromkeys(active, 0)
            sight.table = replace(sight.table, state=TableState.PLAYING, deals_done=number - 1)
        case DealEnded(result, changes, totals):
            deal = sight.deal
            deal.result, deal.proposal, deal.concession = result, None, None
            deal.skat = result.dealt.skat
            deal.discards = result.game.discards if result.game else ()
            sight.last_result, sight.last_changes = result, changes
            # A deal that is dealt again does not count, and the next one has its number.
            done = deal.number - (result.ending is Ending.REDEALT)
            sight.table = replace(sight.table, totals=totals, deals_done=done)


def _apply_fault(deal: DealSight, event: DecisionDefaulted | DealVoided) -> None:
    match event:
        case DecisionDefaulted():
            deal.defaulted.append(event)
        case DealVoided():
            deal.is_voided, deal.proposal, deal.concession = True, None, None


def _apply_seating(
    sight: TableSight, event: SeatTaken | SeatLeft | SeatTakenOver | SeatReturned
) -> None:
    old = new = sight.table.seats[event.seat]
    match event:
        case SeatTaken(seat, name):
            # A view tells who sits there now; the events after it may tell it once more.
            house_bot = old.house_bot if old.taken and old.player_name == name else None
            new = SeatInfo(seat, True, name, True, house_bot)
        case SeatLeft(seat):
            new = SeatInfo(seat, False, "", False)
        case SeatTakenOver():
            new = replace(old, taken_over=True)
        case SeatReturned():
            new = replace(old, taken_over=False)
    seats = tuple(new if seat.seat == event.seat else seat for seat in sight.table.seats)
    sight.table = replace(sight.table, seats=seats)


def _apply_table(sight: TableSight, event: SeriesEnded | TableClosed | EndRequested) -> None:
    table = sight.table
    match event:
        case SeriesEnded(totals, places):
            sight.table = replace(table, totals=totals, state=TableState.FINISHED)
            sight.places = places
        case TableClosed():
            if table.state is not TableState.FINISHED:
                sight.table = replace(table, state=TableState.CLOSED)
        case EndRequested():
            sight.end_requested = True


def _without(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card not in gone)
