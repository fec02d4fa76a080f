"""Score sheets: R-BOOK, R-BIER, R-RAM-10; section 22.7."""

import pytest

from skat_engine import DealResult, Ending, RuleSet, ScoreSheet, Series, preset
from skat_engine.options import Scoring, SessionEnd
from skat_engine.seats import seating
from skat_engine.valuation import Doubling
from tests.builders import dealt
from tests.engine.booking import declared, ramsch

PASSED = DealResult(Ending.PASSED_IN, None, (0, 0, 0), (0, 0, 0), dealt())


def booked(rules: RuleSet, *deals: tuple[str, int] | DealResult) -> ScoreSheet:
    """The sheet after these deals: the seat as a letter and its score, or a whole result."""
    series = Series(rules)
    for deal in deals:
        if isinstance(deal, DealResult):
            series.book(deal)
            continue
        position = series.next_seating().position_of("ABCDE".index(deal[0]))
        assert position is not None
        series.book(declared(position, deal[1]))
    return series.sheet


ISKO = preset("isko")
LST1 = booked(ISKO, ("A", 144), ("A", -54), ("C", 46), PASSED, ("B", -48), ("B", 33))


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
    sheet = booked(RuleSet(), PASSED)
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


def test_at_five_seats_the_bonus_is_set_and_sitters_get_it() -> None:
    """R-BOOK-2: seats 0 and 3 sit out."""
    rules = RuleSet(seats=5, scoring=Scoring.SEEGER_FABIAN, seeger_other_bonus=25)
    assert booked(rules, ("B", -48)).totals == (25, -98, 25, 25, 25)


def test_a_ramsch_gets_no_bonus() -> None:
    """R-BOOK-3; LST3, RAM30: A is middlehand in the second deal."""
    rules = preset("swedish_ramsch", {"scoring": Scoring.SEEGER_FABIAN})
    lost_by_a = ramsch((0, -55, 0))
    assert booked(rules, ("A", 48), lost_by_a).totals == (43, 0, 0)


def test_a_grand_hand_instead_of_a_ramsch_gets_the_bonus() -> None:
    """R-BOOK-3."""
    rules = preset("swedish_ramsch", {"scoring": Scoring.SEEGER_FABIAN})
    assert booked(rules, declared(0, -144, replaces_ramsch=True)).totals == (40, -194, 40)


def test_kontra_and_bock_leave_the_bonus_alone() -> None:
    """R-BOOK-3, R-BOCK-1."""
    rules = preset("swedish_ramsch", {"scoring": Scoring.SEEGER_FABIAN})
    doubled = declared(0, -384, doubling=Doubling(kontra=True, re=True, bock=True))
    assert booked(rules, doubled).totals == (40, -434, 40)


def test_a_ramsch_in_the_classic_sheet() -> None:
    """R-BOOK-1, fault 8: the loser's total changes, and nobody else's."""
    sheet = booked(RuleSet(), ramsch((0, -55, 0)))
    assert (sheet.totals, sheet.bookings[0].declarer) == ((0, 0, -55), None)


def bierlachs(seats: int = 3, *, sitters: bool = False) -> RuleSet:
    return RuleSet(
        seats=seats,
        session_end=SessionEnd.BIERLACHS,
        scoring=Scoring.BIERLACHS,
        bierlachs_charge_sitters=sitters,
    )


def test_bierlachs() -> None:
    """R-BIER-1; LST6: C deals the third deal and is rearhand."""
    lost_by_c = ramsch((0, 0, -55))
    sheet = booked(bierlachs(), ("A", 40), ("B", -96), lost_by_c)
    assert sheet.totals == (0, -136, -95)


@pytest.mark.parametrize(
    ("sitters", "totals"), [(False, (0, 0, -40, -40)), (True, (-40, 0, -40, -40))]
)
def test_whether_sitters_pay_at_bierlachs(sitters: bool, totals: tuple[int, ...]) -> None:
    """R-BIER-2; LST7."""
    assert booked(bierlachs(4, sitters=sitters), ("B", 40)).totals == totals


def test_sitters_do_not_pay_for_a_lost_game() -> None:
    """R-BIER-2."""
    assert booked(bierlachs(4, sitters=True), ("B", -80)).totals == (0, -80, 0, 0)


@pytest.mark.parametrize("sitters", [False, True])
def test_a_durchmarsch_costs_the_other_two_at_bierlachs(sitters: bool) -> None:
    """R-BIER-3."""
    marched = ramsch((240, 0, 0), (120, 0, 0), (10, 0, 0))
    assert booked(bierlachs(4, sitters=sitters), marched).totals == (0, 0, -240, -240)


def test_a_ramsch_that_all_pay_at_bierlachs() -> None:
    """R-BIER-1."""
    assert booked(bierlachs(), ramsch((-55, -40, -25))).totals == (-25, -55, -40)


@pytest.mark.parametrize(
    ("result", "winners"),
    [
        (declared(0, 48), (1,)),
        (declared(0, -96), (2, 3)),
        (PASSED, ()),
        (ramsch(), (3,)),
        (ramsch((0, 120, 0), (0, 120, 0), (0, 10, 0)), (2,)),
        (ramsch((-60, 0, 0), (60, 30, 30)), (2, 3)),
    ],
    ids=["won", "lost", "passed", "RAM1", "Durchmarsch", "tied-for-fewest"],
)
def test_winners_of_a_single_deal(result: DealResult, winners: tuple[int, ...]) -> None:
    """R-BOOK-4, R-RAM-10: by seat; at four seats forehand is seat 1."""
    booking = Series(preset("swedish_ramsch", {"seats": 4})).book(result)
    assert booking.winners == winners
