"""Whole series played by chance: deals, occasions and the score sheet belong together."""

import random

import pytest

from skat_engine import (
    PRESETS,
    DealResult,
    Ending,
    Occasion,
    OptionValue,
    RuleSet,
    Series,
    deal_from_seed,
    preset,
    shuffled_deck,
)
from skat_engine.options import AllPass, Scoring, SessionEnd
from skat_engine.presets import preset_seats
from skat_engine.series import ENDS_ON_REQUEST
from tests.strategies import play_randomly

TABLES = [(name, seats) for name in PRESETS for seats in preset_seats(name)]
MANY = 60


def played(rules: RuleSet, seed: int) -> tuple[Series, list[tuple[Occasion, DealResult]]]:
    """A series to its end, with the occasion and the result of each deal, void ones too."""
    chance = random.Random(seed)
    series = Series(rules, shuffled_deck(chance.randbytes(32)))
    deals = []
    while not series.is_over:
        occasion = series.next_occasion()
        dealt = deal_from_seed(chance.randbytes(32))
        deal = play_randomly(rules, dealt, chance, interventions=True, occasion=occasion).final()
        assert deal.result is not None
        series.book(deal.result)
        deals.append((occasion, deal.result))
        if rules.session_end in ENDS_ON_REQUEST and series.deals_done == MANY - 1:
            series.request_end()
    return series, deals


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_series_of_every_preset(name: str, seats: int) -> None:
    """R-TAB-2, R-TAB-4, R-BOCK-8, R-RAM-3: what a deal is, its occasion allows."""
    rules = preset(name, {"seats": seats})
    series, deals = played(rules, seats)
    for occasion, result in deals:
        assert (result.ramsch is None) or rules.all_pass is AllPass.RAMSCH
        if occasion.ramsch_round:
            _check_ramsch_round(occasion, result)
        elif result.game is not None:
            assert result.game.doubling.bock is occasion.bock
    counted = [result for _, result in deals if result.ending is not Ending.REDEALT]
    assert [booking.result for booking in series.sheet.bookings] == counted


def _check_ramsch_round(occasion: Occasion, result: DealResult) -> None:
    """R-BOCK-6 to R-BOCK-8."""
    if result.game is None:
        assert result.ending is Ending.RAMSCH_PLAYED
        return
    assert occasion.grand_hand_offered
    assert result.game.replaces_ramsch
    assert not result.game.doubling.bock


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_sheet_is_the_sum_of_its_lines(name: str, seats: int) -> None:
    """R-BOOK-1, R-BOOK-2: and under the classic sheet those are the scores."""
    rules = preset(name, {"seats": seats})
    series, _ = played(rules, 100 + seats)
    lines = [booking.changes for booking in series.sheet.bookings]
    assert series.sheet.totals == tuple(map(sum, zip(*lines, strict=True)))
    for booking in series.sheet.bookings if rules.scoring is Scoring.CLASSIC else ():
        scores = tuple(booking.changes[seat] for seat in booking.seating.active)
        assert scores == booking.result.scores


@pytest.mark.parametrize(("seats", "sitters"), [(3, False), (4, False), (4, True), (5, True)])
def test_a_series_of_bierlachs(seats: int, sitters: bool) -> None:
    """R-BIER-1 to R-BIER-4: nothing is ever booked in anybody's favour."""
    options: dict[str, OptionValue] = {
        "seats": seats,
        "scoring": Scoring.BIERLACHS,
        "session_end": SessionEnd.BIERLACHS,
        "bierlachs_charge_sitters": sitters,
    }
    series, _ = played(preset("terse_english_ramsch", options), seats)
    assert all(change <= 0 for line in series.sheet.bookings for change in line.changes)
    assert series.deals_done % seats == 0
    assert min(series.sheet.totals) < -500
    before = series.sheet.bookings[: series.deals_done - seats]
    assert not before or min(before[-1].totals) >= -500


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_series_of_circuits_is_fair(seats: int) -> None:
    """R-TAB-4: everybody has dealt equally often."""
    series, _ = played(preset("terse_english", {"seats": seats}), seats)
    dealers = [booking.seating.dealer for booking in series.sheet.bookings]
    assert len({dealers.count(seat) for seat in range(seats)}) == 1
    assert series.deals_done == MANY
