"""Score sheets: what a deal adds to each seat's column, and how a series is ranked.

Section 19. A sheet is a fold over the results of a series.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from skat_engine import ramsch
from skat_engine.bock import triggers
from skat_engine.options import BockTrigger, Scoring
from skat_engine.results import DealResult, Ending
from skat_engine.ruleset import RuleSet
from skat_engine.seats import POSITIONS, Position, Seat, Seating


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The column of one seat."""

    game_points: int = 0
    """Sum of what deals brought the seat, without the bonuses of a list.

    Under `bierlachs` that includes games others have won (R-BIER-1).
    """
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
    """Counted from 1; passed deals count (R-TAB-4), void ones do not (R-TAB-2)."""
    seating: Seating
    declarer: Seat | None
    """The declaring seat, None in a Ramsch and when nobody played."""
    result: DealResult
    changes: tuple[int, ...]
    """What the deal adds to each seat's total, bonuses included."""
    totals: tuple[int, ...]
    """Each seat's total after this deal."""
    events: frozenset[BockTrigger]
    """What in this deal starts Bock blocks (R-BOCK-2)."""
    winners: tuple[Seat, ...]
    """Who wins this deal as a single one: all of a side; nobody when passed (R-BOOK-4)."""

    @property
    def counts(self) -> bool:
        """Whether the deal is a line of the sheet; a void one is dealt again (R-TAB-2)."""
        return self.result.ending is not Ending.REDEALT


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The columns and lines of a series so far; `book` gives the next sheet."""

    rules: RuleSet
    columns: tuple[SeatScore, ...]
    bookings: tuple[Booking, ...] = field(default=())
    before: int = 0
    """Deals that were booked before `bookings` begins: a resumed sheet has no old lines."""

    @classmethod
    def empty(cls, rules: RuleSet) -> "ScoreSheet":
        """The sheet before the first deal."""
        return cls(rules, (SeatScore(),) * rules.seats)

    @property
    def deals(self) -> int:
        """Number of deals booked."""
        return self.before + len(self.bookings)

    @property
    def totals(self) -> tuple[int, ...]:
        """Each seat's total, bonuses included (R-BOOK-1, R-BOOK-2)."""
        return tuple(_total(column, self.rules) for column in self.columns)

    def book(self, seating: Seating, result: DealResult) -> tuple["ScoreSheet", Booking]:
        """The sheet with one more deal, and the line of that deal.

        A deal that is dealt again gets a line, but leaves the sheet as it is.
        """
        columns = _booked(self.columns, seating, result, self.rules)
        before = self.bookings[-1].totals if self.bookings else self.totals
        totals = tuple([_total(column, self.rules) for column in columns])
        changes = tuple(new - old for new, old in zip(totals, before, strict=True))
        booking = Booking(
            deal_number=self.deals + 1,
            seating=seating,
            declarer=seating.active[result.game.declarer] if result.game else None,
            result=result,
            changes=changes,
            totals=totals,
            events=triggers(result, self.rules, _where(totals, changes)),
            winners=tuple(seating.active[place] for place in deal_winners(result, self.rules)),
        )
        if not booking.counts:
            return self, booking
        bookings = self.bookings + (booking,)  # noqa: RUF005  # unpacked they are copied twice
        return ScoreSheet(self.rules, columns, bookings, self.before), booking

    def ranking(self) -> tuple[tuple[Seat, ...], ...]:
        """Seats from first to last; seats that only the lot can part share a group (R-BOOK-2).

        Under `bierlachs` only totals count, and the last group has lost (R-BIER-4).
        """
        keys = {
            seat: (total, *_tie_break(column, self.rules))
            for seat, (total, column) in enumerate(zip(self.totals, self.columns, strict=True))
        }
        return tuple(
            tuple(seat for seat in keys if keys[seat] == key)
            for key in sorted(set(keys.values()), reverse=True)
        )


def deal_winners(result: DealResult, rules: RuleSet) -> tuple[Position, ...]:
    """Who wins this deal as a single one (R-BOOK-4, R-RAM-10).

    The declarer, or both defenders; in a Ramsch the Durchmarsch or the fewest card points;
    nobody when there was no game.
    """
    if result.ramsch is not None:
        return ramsch.winners(result.ramsch.points, result.tricks, rules)
    if result.game is None:
        return ()
    declarer, won = result.game.declarer, result.game.value.won
    return tuple(position for position in POSITIONS if (position == declarer) == won)


def _where(totals: tuple[int, ...], changes: tuple[int, ...]) -> tuple[int, ...]:
    """The totals that changed."""
    return tuple(total for total, change in zip(totals, changes, strict=True) if change)


def _tie_break(column: SeatScore, rules: RuleSet) -> tuple[int, ...]:
    if rules.scoring is Scoring.BIERLACHS:
        return ()
    return (column.won, -column.lost)


def _booked(
    columns: tuple[SeatScore, ...], seating: Seating, result: DealResult, rules: RuleSet
) -> tuple[SeatScore, ...]:
    bierlachs = rules.scoring is Scoring.BIERLACHS
    shares = _charged(seating, result, rules) if bierlachs else _own(seating, result)
    points = dict(shares)
    game = result.game
    declarer = None if game is None else seating.active[game.declarer]
    won = game is not None and game.value.won
    lost = game is not None and not won
    return tuple(
        [
            SeatScore(
                column.game_points + points.get(seat, 0),
                column.won + (won and seat == declarer),
                column.lost + (lost and seat == declarer),
                column.others_lost + (lost and seat != declarer),
            )
            for seat, column in enumerate(columns)
        ]
    )


def _own(seating: Seating, result: DealResult) -> Iterator[tuple[Seat, int]]:
    """Each player gets what he scored (R-BOOK-1, R-BOOK-3)."""
    yield from zip(seating.active, result.scores, strict=True)


def _charged(seating: Seating, result: DealResult, rules: RuleSet) -> Iterator[tuple[Seat, int]]:
    """Minus points stay, and plus points are charged to the others (R-BIER-1 to R-BIER-3)."""
    gain = max(0, *result.scores)
    for seat, score in zip(seating.active, result.scores, strict=True):
        yield seat, min(0, score) if score else -gain
    if rules.bierlachs_charge_sitters and result.game is not None:
        for seat in seating.sitting_out:
            yield seat, -gain


def _total(column: SeatScore, rules: RuleSet) -> int:
    """The points, with the bonuses of a list where it is one (R-BOOK-1, R-BOOK-2)."""
    if rules.scoring is not Scoring.SEEGER_FABIAN:
        return column.game_points
    own = rules.seeger_own_bonus * (column.won - column.lost)
    return column.game_points + own + rules.other_bonus * column.others_lost
