"""Score sheets: what a deal adds to each seat's column, and how a series is ranked.

Section 19. A sheet is a fold over the results of a series.
"""

from dataclasses import dataclass, field, replace

from skat_engine.options import Scoring
from skat_engine.results import DealResult
from skat_engine.ruleset import RuleSet
from skat_engine.seats import Seat, Seating


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The column of one seat."""

    game_points: int = 0
    """Sum of the signed values of the seat's own games."""
    won: int = 0
    """Own games won."""
    lost: int = 0
    """Own games lost."""
    others_lost: int = 0
    """Games that other declarers of the table lost."""


@dataclass(frozen=True, slots=True)
class Booking:
    """One line of the sheet."""

    deal_number: int
    """Counted from 1; passed deals count (R-TAB-4)."""
    seating: Seating
    declarer: Seat | None
    """The declaring seat, None when the deal was passed in."""
    result: DealResult
    changes: tuple[int, ...]
    """What the deal adds to each seat's total, bonuses included."""
    totals: tuple[int, ...]
    """Each seat's total after this deal."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The columns and lines of a series so far; `book` gives the next sheet."""

    rules: RuleSet
    columns: tuple[SeatScore, ...]
    bookings: tuple[Booking, ...] = field(default=())

    @classmethod
    def empty(cls, rules: RuleSet) -> "ScoreSheet":
        """The sheet before the first deal."""
        return cls(rules, (SeatScore(),) * rules.seats)

    @property
    def totals(self) -> tuple[int, ...]:
        """Each seat's total, bonuses included (R-BOOK-1, R-BOOK-2)."""
        return tuple(_total(column, self.rules) for column in self.columns)

    def book(self, seating: Seating, result: DealResult) -> "ScoreSheet":
        """The sheet with one more deal."""
        columns = _booked(self.columns, seating, result)
        totals = tuple(_total(column, self.rules) for column in columns)
        declarer = seating.active[result.game.declarer] if result.game else None
        booking = Booking(
            len(self.bookings) + 1,
            seating,
            declarer,
            result,
            tuple(after - before for after, before in zip(totals, self.totals, strict=True)),
            totals,
        )
        return replace(self, columns=columns, bookings=(*self.bookings, booking))

    def ranking(self) -> tuple[tuple[Seat, ...], ...]:
        """Seats from first to last; seats that only the lot can part share a group (R-BOOK-2)."""
        keys = {
            seat: (total, column.won, -column.lost)
            for seat, (total, column) in enumerate(zip(self.totals, self.columns, strict=True))
        }
        return tuple(
            tuple(seat for seat in keys if keys[seat] == key)
            for key in sorted(set(keys.values()), reverse=True)
        )


def _booked(
    columns: tuple[SeatScore, ...], seating: Seating, result: DealResult
) -> tuple[SeatScore, ...]:
    if result.game is None:
        return columns
    declarer = seating.active[result.game.declarer]
    won, score = result.game.value.won, result.game.value.score
    return tuple(
        _own_game(column, won=won, score=score)
        if seat == declarer
        else replace(column, others_lost=column.others_lost + (not won))
        for seat, column in enumerate(columns)
    )


def _own_game(column: SeatScore, *, won: bool, score: int) -> SeatScore:
    return replace(
        column,
        game_points=column.game_points + score,
        won=column.won + won,
        lost=column.lost + (not won),
    )


def _total(column: SeatScore, rules: RuleSet) -> int:
    if rules.scoring is not Scoring.SEEGER_FABIAN:
        return column.game_points
    own = rules.seeger_own_bonus * (column.won - column.lost)
    return column.game_points + own + rules.other_bonus * column.others_lost
