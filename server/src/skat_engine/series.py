"""Deals in a row at one table: who deals next, the score sheet, and when it ends."""

from skat_engine.results import DealResult
from skat_engine.ruleset import RuleSet, require_playable
from skat_engine.scoring import Booking, ScoreSheet
from skat_engine.seats import Seat, Seating, seating


class Series:
    """The deals of one table, from the first dealer to the last booking (R-TAB-2, R-TAB-4).

    Attributes:
        rules: the rule set, frozen.
        dealer: the seat that deals next.
        sheet: the score sheet so far.
    """

    __slots__ = ("dealer", "rules", "sheet")

    def __init__(self, rules: RuleSet) -> None:
        """Open a series; seat 0 deals first (R-TAB-3).

        Raises:
            RuleSetError: the rule set asks for something the engine cannot play.
        """
        require_playable(rules)
        self.rules = rules
        self.dealer: Seat = 0
        self.sheet = ScoreSheet.empty(rules)

    @property
    def deals_done(self) -> int:
        """Number of deals booked, passed ones included (R-TAB-4)."""
        return len(self.sheet.bookings)

    @property
    def is_over(self) -> bool:
        """Whether the last deal of the series is booked."""
        return self.deals_done >= self.rules.deals

    def next_seating(self) -> Seating:
        """Who deals, plays and sits out in the next deal (R-TAB-1)."""
        return seating(self.dealer, self.rules.seats)

    def book(self, result: DealResult) -> Booking:
        """Write the result of the deal down and move the dealer on (R-TAB-2).

        Raises:
            ValueError: the series is over.
        """
        if self.is_over:
            raise ValueError(f"the series is over after {self.deals_done} deals")
        self.sheet = self.sheet.book(self.next_seating(), result)
        self.dealer = (self.dealer + 1) % self.rules.seats
        return self.sheet.bookings[-1]

    def copy(self) -> "Series":
        """An independent series in the same state."""
        twin = Series.__new__(Series)
        twin.rules, twin.dealer, twin.sheet = self.rules, self.dealer, self.sheet
        return twin
