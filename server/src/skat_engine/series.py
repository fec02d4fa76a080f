"""Deals in a row at one table: who deals next, the score sheet, and when it ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from skat_engine.bock import NOTHING_OWED, BockQueue, blocks
from skat_engine.cards import JACKS, Card
from skat_engine.occasions import Occasion
from skat_engine.options import FirstDealer, SessionEnd
from skat_engine.results import DealResult
from skat_engine.ruleset import RuleSet
from skat_engine.scoring import Booking, ScoreSheet, SeatScore
from skat_engine.seats import Seat, Seating, seating

ENDS_ON_REQUEST: Final = frozenset({SessionEnd.FULL_CIRCUITS, SessionEnd.OPEN})
"""Series that go on until somebody asks for their end (R-TAB-4)."""


def first_dealer(rules: RuleSet, deck: Sequence[Card] = ()) -> Seat:
    """The seat that deals first (R-TAB-3).

    Args:
        rules: how it is found and how many seats there are.
        deck: a shuffled deck of its own, which the first deal does not use; not looked at
            when seat 0 deals. It is dealt face up from seat 0 on until the first jack falls,
            or each seat draws a card and the highest by its number deals.

    Raises:
        ValueError: there is no jack, or no card for every seat, in the deck.
    """
    if rules.first_dealer is FirstDealer.SEAT_0:
        return 0
    if rules.first_dealer is FirstDealer.RANDOM:
        drawn = deck[: rules.seats]
        if len(drawn) < rules.seats:
            raise ValueError("a deck is needed to draw the first dealer")
        return drawn.index(max(drawn))
    for place, card in enumerate(deck):
        if JACKS >> card & 1:
            return place % rules.seats
    raise ValueError("a deck with a jack is needed to find the first dealer")


@dataclass(frozen=True, slots=True)
class Standing:
    """All that a series goes on from, without the lines of its deals."""

    columns: tuple[SeatScore, ...]
    deals: int
    """Deals booked."""
    dealer: Seat
    """Who deals next."""
    last_dealer: Seat | None
    """Who dealt the deal booked last; None before the first."""
    queue: BockQueue
    end_requested: bool


class Series:
    """The deals of one table, from the first dealer to the last booking (R-TAB-2, R-TAB-4).

    Attributes:
        rules: the rule set, frozen.
        first_dealer: the seat that dealt first.
        dealer: the seat that deals next.
        sheet: the score sheet so far.
        queue: the Bock and Ramsch deals that are owed; what is left at the end is dropped
            (R-BOCK-10).
        end_requested: somebody has asked for the end.
        last_dealer: the seat that dealt the deal booked last; None before the first.
    """

    __slots__ = (
        "dealer",
        "end_requested",
        "first_dealer",
        "last_dealer",
        "queue",
        "rules",
        "sheet",
    )

    def __init__(self, rules: RuleSet, deck: Sequence[Card] = ()) -> None:
        """Open a series.

        Args:
            rules: the rule set.
            deck: finds the first dealer where chance decides; see `first_dealer`.

        Raises:
            ValueError: chance decides who deals first, and the deck is too short for that.
        """
        self.rules = rules
        self.first_dealer = self.dealer = first_dealer(rules, deck)
        self.sheet = ScoreSheet.empty(rules)
        self.queue = NOTHING_OWED
        self.end_requested = False
        self.last_dealer: Seat | None = None

    @classmethod
    def resumed(cls, rules: RuleSet, deck: Sequence[Card], standing: Standing) -> "Series":
        """The series that stood so, with an empty list of lines.

        Args:
            rules: the rule set.
            deck: as at its opening.
            standing: what `Series.standing` gave.

        Raises:
            ValueError: see `Series`.
        """
        series = cls(rules, deck)
        series.sheet = ScoreSheet(rules, standing.columns, (), standing.deals)
        series.dealer, series.last_dealer = standing.dealer, standing.last_dealer
        series.queue, series.end_requested = standing.queue, standing.end_requested
        return series

    @property
    def standing(self) -> Standing:
        """What it goes on from."""
        return Standing(
            self.sheet.columns,
            self.deals_done,
            self.dealer,
            self.last_dealer,
            self.queue,
            self.end_requested,
        )

    @property
    def deals_done(self) -> int:
        """Number of deals booked, passed ones included (R-TAB-4)."""
        return self.sheet.deals

    @property
    def is_over(self) -> bool:
        """Whether the last deal of the series is booked (R-TAB-4, R-BIER-4)."""
        match self.rules.session_end:
            case SessionEnd.FIXED_DEALS:
                return self.deals_done >= self.rules.deals
            case SessionEnd.FULL_CIRCUITS:
                return self.end_requested and self._circuit_is_full
            case SessionEnd.BIERLACHS:
                below = min(self.sheet.totals) < -self.rules.bierlachs_limit
                return below and self._circuit_is_full
            case SessionEnd.OPEN:
                return self.end_requested
            case _:
                assert_never(self.rules.session_end)

    @property
    def _circuit_is_full(self) -> bool:
        """Whether everybody has dealt equally often; a Grand Hand may keep the dealer."""
        return self.dealer == self.first_dealer and self.last_dealer != self.dealer

    def request_end(self) -> bool:
        """Ask for the end of a series that has no other.

        Returns:
            Whether it is over now; if not, it ends with the running circuit (R-TAB-4).

        Raises:
            ValueError: the series ends by itself.
        """
        if self.rules.session_end not in ENDS_ON_REQUEST:
            raise ValueError(f"a series that ends by {self.rules.session_end} is not ended")
        self.end_requested = True
        return self.is_over

    def next_seating(self) -> Seating:
        """Who deals, plays and sits out in the next deal (R-TAB-1)."""
        return seating(self.dealer, self.rules.seats)

    def next_occasion(self) -> Occasion:
        """What the next deal owes to the ones before it (R-BOCK-9)."""
        return self.queue.occasion(self.rules)

    def book(self, result: DealResult) -> Booking:
        """Write the result of the deal down and move the dealer on (R-TAB-2).

        A deal that is dealt again changes nothing; its booking says so (`Booking.counts`).

        Raises:
            ValueError: the series is over.
        """
        if self.is_over:
            raise ValueError(f"the series is over after {self.deals_done} deals")
        in_ramsch_round = self.next_occasion().ramsch_round
        self.sheet, booking = self.sheet.book(self.next_seating(), result)
        if booking.counts:
            self.last_dealer = self.dealer
            grand_hand = in_ramsch_round and booking.declarer is not None
            self.queue = self.queue.after(
                grand_hand=grand_hand,
                new_blocks=blocks(booking.events, self.rules),
                rules=self.rules,
            )
            if not (grand_hand and self.rules.grand_hand_keeps_dealer):
                self.dealer = (self.dealer + 1) % self.rules.seats
        return booking

    def copy(self) -> "Series":
        """An independent series in the same state."""
        twin = Series.__new__(Series)
        twin.rules, twin.sheet, twin.queue = self.rules, self.sheet, self.queue
        twin.first_dealer, twin.dealer = self.first_dealer, self.dealer
        twin.end_requested, twin.last_dealer = self.end_requested, self.last_dealer
        return twin
