"""Deals in a row: R-TAB-2 to R-TAB-4, R-BIER-4, and R-BOCK where it is about the table."""

import pytest

from skat_engine import (
    DECK,
    DealResult,
    Ending,
    RuleSet,
    Series,
    parse_cards,
    preset,
    shuffled_deck,
)
from skat_engine.occasions import Occasion
from skat_engine.options import BockTrigger, FirstDealer, Scoring, SessionEnd
from skat_engine.series import first_dealer
from skat_engine.valuation import Doubling
from tests.builders import dealt
from tests.engine.booking import declared, ramsch

PASSED = DealResult(Ending.PASSED_IN, None, (0, 0, 0), (0, 0, 0), dealt())
REDEALT = DealResult(Ending.REDEALT, None, (0, 0, 0), (0, 0, 0), dealt())


def test_seat_0_deals_first() -> None:
    """R-TAB-3."""
    assert Series(preset("isko")).next_seating().dealer == 0


def test_the_dealer_moves_on_after_a_passed_deal() -> None:
    """R-TAB-2; LST11."""
    series = Series(preset("isko"))
    series.book(PASSED)
    assert series.next_seating().dealer == 1


def test_everybody_deals_in_turn() -> None:
    """R-TAB-2."""
    series = Series(preset("isko", {"seats": 4}))
    dealers = [series.book(PASSED).seating.dealer for _ in range(5)]
    assert dealers == [0, 1, 2, 3, 0]


@pytest.mark.parametrize(("seats", "deals"), [(3, 36), (4, 48)])
def test_a_series_ends_although_every_deal_was_passed(seats: int, deals: int) -> None:
    """R-TAB-4; fault 21."""
    series = Series(preset("isko", {"seats": seats}))
    while not series.is_over:
        series.book(PASSED)
    assert series.deals_done == deals


def test_nothing_is_booked_after_the_end() -> None:
    """Fault 21."""
    series = Series(preset("isko", {"session_deals": 1}))
    series.book(PASSED)
    with pytest.raises(ValueError, match="over after 1"):
        series.book(PASSED)


def test_a_copy_of_a_series_goes_its_own_way() -> None:
    series = Series(preset("isko"))
    twin = series.copy()
    twin.book(PASSED)
    assert (series.deals_done, series.dealer, twin.deals_done, twin.dealer) == (0, 0, 1, 1)


def test_a_void_deal_is_dealt_again_by_the_same_dealer() -> None:
    """R-TAB-2, X1: nothing counts."""
    series = Series(preset("terse_english"), DECK)
    first = series.dealer
    booking = series.book(REDEALT)
    assert not booking.counts
    assert (series.dealer, series.deals_done, booking.changes) == (first, 0, (0, 0, 0))


@pytest.mark.parametrize(
    ("seats", "cards", "dealer"),
    [(3, "CJ", 0), (3, "C7 S7 DJ CJ", 2), (4, "C7 S7 H7 D7 HJ", 0), (5, "C7 S7 H7 D7 SJ CJ", 4)],
)
def test_the_first_jack_deals(seats: int, cards: str, dealer: int) -> None:
    """R-TAB-3: seat 0 gets the first card (Q21)."""
    rules = RuleSet(seats=seats, first_dealer=FirstDealer.FIRST_JACK)
    assert Series(rules, parse_cards(cards)).first_dealer == dealer


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_seat_may_be_drawn_as_first_dealer(seats: int) -> None:
    """R-TAB-3."""
    rules = RuleSet(seats=seats, first_dealer=FirstDealer.RANDOM)
    drawn = {first_dealer(rules, shuffled_deck(number.to_bytes(32, "big"))) for number in range(40)}
    assert drawn == set(range(seats))


@pytest.mark.parametrize(
    ("found_by", "cards"), [(FirstDealer.FIRST_JACK, "CA C7 SA"), (FirstDealer.RANDOM, "CA C7")]
)
def test_a_deck_that_is_too_short_finds_no_dealer(found_by: FirstDealer, cards: str) -> None:
    """R-TAB-3."""
    with pytest.raises(ValueError, match="a deck"):
        Series(RuleSet(first_dealer=found_by), parse_cards(cards))


CIRCUITS = RuleSet(session_end=SessionEnd.FULL_CIRCUITS, seats=4)


def test_an_end_in_the_middle_of_a_circuit_waits() -> None:
    """R-TAB-4: everybody deals equally often."""
    series = Series(CIRCUITS)
    series.book(PASSED)
    assert not series.request_end()
    over = []
    while not series.is_over:
        over.append(series.book(PASSED).seating.dealer)
    assert over == [1, 2, 3]


def test_an_end_between_circuits_is_an_end() -> None:
    """R-TAB-4."""
    series = Series(CIRCUITS)
    for _ in range(4):
        series.book(PASSED)
    assert not series.is_over
    assert series.request_end()


def test_a_copy_remembers_the_request() -> None:
    series = Series(CIRCUITS)
    series.book(PASSED)
    series.request_end()
    assert series.copy().end_requested


def test_the_right_neighbour_of_the_first_dealer_deals_last() -> None:
    """R-TAB-4."""
    rules = RuleSet(session_end=SessionEnd.FULL_CIRCUITS, first_dealer=FirstDealer.FIRST_JACK)
    series = Series(rules, parse_cards("C7 CJ"))
    dealers = [series.book(PASSED).seating.dealer]
    series.request_end()
    while not series.is_over:
        dealers.append(series.book(PASSED).seating.dealer)
    assert dealers == [1, 2, 0]


def test_an_open_series_ends_at_once() -> None:
    """R-TAB-4."""
    series = Series(RuleSet(session_end=SessionEnd.OPEN))
    for _ in range(100):
        series.book(PASSED)
    assert not series.is_over
    assert series.request_end()


@pytest.mark.parametrize(
    ("session_end", "scoring"),
    [
        (SessionEnd.FIXED_DEALS, Scoring.CLASSIC),
        (SessionEnd.BIERLACHS, Scoring.BIERLACHS),
    ],
)
def test_a_series_with_an_end_of_its_own_is_not_ended(
    session_end: SessionEnd, scoring: Scoring
) -> None:
    """R-TAB-4."""
    with pytest.raises(ValueError, match="ends by"):
        Series(RuleSet(session_end=session_end, scoring=scoring)).request_end()


def bierlachs(*losses: int, limit: int = 500) -> Series:
    """A series in which each dealer in turn loses this much as rearhand."""
    rules = RuleSet(
        session_end=SessionEnd.BIERLACHS, scoring=Scoring.BIERLACHS, bierlachs_limit=limit
    )
    series = Series(rules)
    for loss in losses:
        series.book(declared(2, loss))
    return series


@pytest.mark.parametrize(
    ("losses", "over"),
    [
        ((-505, -120, -300), True),
        ((-505, -120), False),
        ((-500, -120, -300), False),
        ((-505, -120, -300, -10), True),
        ((), False),
    ],
    ids=["after-a-circuit", "LST8-in-a-circuit", "exactly-500-goes-on", "second-circuit", "start"],
)
def test_bierlachs_ends_with_the_circuit(losses: tuple[int, ...], over: bool) -> None:
    """R-BIER-4; LST8."""
    if len(losses) > 3:
        with pytest.raises(ValueError, match="over after 3"):
            bierlachs(*losses)
        return
    assert bierlachs(*losses).is_over is over


def test_the_lowest_total_loses_at_bierlachs() -> None:
    """R-BIER-4; LST10."""
    assert bierlachs(-520, -501, -10).sheet.ranking() == ((2,), (1,), (0,))


def test_equal_lowest_totals_share_the_loss() -> None:
    """R-BIER-4: own wins do not part them."""
    series = bierlachs(-520, -420)
    series.book(declared(0, 100))
    assert series.sheet.totals == (-520, -520, -100)
    assert series.sheet.ranking() == ((2,), (0, 1))


PUB = preset("proskat_pub")
LOST_WITH_KONTRA = declared(0, -96, doubling=Doubling(kontra=True))
GRAND_HAND = declared(0, 72, replaces_ramsch=True)


def occasions(series: Series, *results: DealResult) -> list[Occasion]:
    """The occasion of each deal, and of the one after them."""
    seen = [series.next_occasion()]
    for result in results:
        series.book(result)
        seen.append(series.next_occasion())
    return seen


def test_a_lost_kontra_starts_a_block() -> None:
    """R-BOCK-1, R-BOCK-3; BOCK1."""
    deals = (LOST_WITH_KONTRA, PASSED, PASSED, PASSED, ramsch(), ramsch(), ramsch())
    modes = occasions(Series(PUB), *deals)
    bock, round_ = Occasion(bock=True), Occasion(ramsch_round=True)
    assert modes == [Occasion(), bock, bock, bock, round_, round_, round_, Occasion()]


def test_a_passed_deal_uses_up_a_bock_deal() -> None:
    """R-BOCK-10."""
    series = Series(PUB)
    occasions(series, LOST_WITH_KONTRA, PASSED)
    assert series.queue.bock_left == 2


def test_a_void_deal_does_not() -> None:
    """R-BOCK-10, R-TAB-2."""
    series = Series(PUB)
    occasions(series, LOST_WITH_KONTRA, REDEALT)
    assert series.queue.bock_left == 3


@pytest.mark.parametrize(("keeps", "dealers"), [(False, [1, 2]), (True, [1, 1])])
def test_who_deals_after_a_grand_hand_in_a_ramsch_round(keeps: bool, dealers: list[int]) -> None:
    """R-BOCK-6."""
    series = Series(preset("proskat_pub", {"grand_hand_keeps_dealer": keeps}))
    occasions(series, LOST_WITH_KONTRA, PASSED, PASSED, PASSED)
    assert [series.book(GRAND_HAND).seating.dealer, series.dealer] == dealers


def test_the_dealer_is_kept_in_a_ramsch_round_only() -> None:
    """R-BOCK-6."""
    series = Series(preset("proskat_pub", {"grand_hand_keeps_dealer": True}))
    series.book(GRAND_HAND)
    assert series.dealer == 1


def test_a_circuit_is_not_full_while_a_grand_hand_keeps_the_dealer() -> None:
    """R-TAB-4, R-BOCK-6: the first dealer has the cards once more."""
    options = {"grand_hand_keeps_dealer": True, "session_end": SessionEnd.FULL_CIRCUITS}
    series = Series(preset("proskat_pub", options))  # type: ignore[arg-type]  # options of two types
    occasions(series, PASSED, PASSED, LOST_WITH_KONTRA, PASSED, PASSED, PASSED)
    assert series.dealer == 0
    series.book(GRAND_HAND)
    assert not series.request_end()


def test_blocks_that_are_open_at_the_end_are_dropped() -> None:
    """R-BOCK-10."""
    series = Series(preset("proskat_pub", {"session_deals": 1}))
    series.book(LOST_WITH_KONTRA)
    assert series.is_over


def test_a_total_may_start_a_block() -> None:
    """R-BOCK-2: a total of 100."""
    hundred = frozenset({BockTrigger.SCORE_MULTIPLE_OF_100})
    series = Series(preset("xskat_extras", {"bock_triggers": hundred}))
    assert not series.book(declared(0, 40)).events
    assert series.book(declared(2, 60)).events == hundred
    assert series.next_occasion().bock
