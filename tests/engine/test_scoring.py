"""Score sheets: R-BOOK-1, R-BOOK-2, R-BOOK-4; section 22.7."""

import pytest

from skat_engine import (
    DealResult,
    Ending,
    RuleSet,
    ScoreSheet,
    Series,
    parse_contract,
    preset,
)
from skat_engine.contracts import Level
from skat_engine.results import DeclarerGame
from skat_engine.seats import seating
from skat_engine.valuation import GameValue
from tests.builders import dealt

CARDS = dealt()
PASSED = DealResult(Ending.PASSED_IN, None, (0, 0, 0), (0, 0, 0), CARDS)


def result(position: int, score: int) -> DealResult:
    """A deal that brings this position this score."""
    won = score > 0
    value = GameValue(abs(score), 1, Level.SIMPLE, 1, abs(score), False, won, abs(score), score)
    game = DeclarerGame(position, 18, parse_contract("C"), (), 0, 0, value)
    scores = [0, 0, 0]
    scores[position] = score
    return DealResult(Ending.PLAYED_OUT, game, (scores[0], scores[1], scores[2]), (0, 0, 0), CARDS)


def booked(rules: RuleSet, *deals: tuple[str, int] | None) -> ScoreSheet:
    """The sheet after these deals: the seat as a letter and its score, None for a passed deal."""
    series = Series(rules)
    for deal in deals:
        if deal is None:
            series.book(PASSED)
            continue
        position = series.next_seating().position_of("ABCD".index(deal[0]))
        assert position is not None
        series.book(result(position, deal[1]))
    return series.sheet


ISKO = preset("isko")
LST1 = booked(ISKO, ("A", 144), ("A", -54), ("C", 46), None, ("B", -48), ("B", 33))


def test_game_points_of_a_list() -> None:
    """R-BOOK-1; LST1."""
    assert [column.game_points for column in LST1.columns] == [90, -15, 46]


def test_totals_of_a_list() -> None:
    """R-BOOK-2; LST1."""
    assert LST1.totals == (130, 25, 176)


def test_a_lost_game_pays_the_others() -> None:
    """R-BOOK-2; LST4."""
    assert booked(ISKO, ("B", -92)).totals == (40, -142, 40)


def test_at_four_seats_the_others_get_30_and_the_dealer_as_well() -> None:
    """R-BOOK-2: the dealer, seat 0, sits out."""
    assert booked(preset("isko", {"seats": 4}), ("B", -48)).totals == (30, -98, 30, 30)


def test_a_passed_deal_changes_nothing() -> None:
    """LST11, section 5."""
    sheet = booked(RuleSet(), None)
    assert (sheet.totals, sheet.bookings[0].changes, sheet.bookings[0].declarer) == (
        (0, 0, 0),
        (0, 0, 0),
        None,
    )


def test_classic_books_the_declarer_only() -> None:
    """R-BOOK-1."""
    assert booked(RuleSet(), ("B", -92), ("A", 24)).totals == (24, -92, 0)


def test_a_booking_names_what_it_changed() -> None:
    booking = booked(ISKO, ("A", 144), ("B", -48)).bookings[1]
    assert (booking.deal_number, booking.declarer) == (2, 1)
    assert (booking.changes, booking.totals) == ((40, -98, 40), (234, -98, 40))


def test_the_bonus_can_be_set() -> None:
    """R-BOOK-2."""
    rules = preset("isko", {"seeger_own_bonus": 10, "seeger_other_bonus": 1})
    assert booked(rules, ("B", -92)).totals == (1, -102, 1)


@pytest.mark.parametrize(
    ("deals", "ranking"),
    [
        ([("A", 24), ("B", 48)], ((1,), (0,), (2,))),
        ([("A", 24)], ((0,), (1, 2))),
        ([("A", 24), ("B", 12), ("B", 12)], ((1,), (0,), (2,))),
        ([("A", 24), ("A", -24), ("B", 24), ("B", 24), ("B", -48)], ((1,), (0,), (2,))),
        ([("A", 48), ("A", -24), ("A", -24), ("B", 48), ("B", -48)], ((1,), (0,), (2,))),
    ],
    ids=["total", "only-the-lot-parts", "more-wins", "more-wins-with-losses", "fewer-losses"],
)
def test_ranking(deals: list[tuple[str, int]], ranking: tuple[tuple[int, ...], ...]) -> None:
    """R-BOOK-2: total, then own wins, then fewer own losses; here without bonuses."""
    assert booked(RuleSet(), *deals).ranking() == ranking


def test_an_empty_sheet_has_a_column_for_every_seat() -> None:
    assert ScoreSheet.empty(preset("isko", {"seats": 4})).totals == (0, 0, 0, 0)


def test_the_seating_is_kept() -> None:
    assert LST1.bookings[1].seating == seating(1, 3)
