"""The rule set as a value: defaults, checks, and what the engine can play."""

import pytest

from skat_engine import RuleSet, RuleSetError
from skat_engine.options import (
    AllPass,
    BockTrigger,
    Kontra,
    RamschScoring,
    RamschSkatExchange,
    Scoring,
    SessionEnd,
)


def fault(**options: object) -> str:
    with pytest.raises(RuleSetError) as refused:
        RuleSet(**options)  # type: ignore[arg-type]
    return refused.value.option


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("seats", 2),
        ("seats", 6),
        ("seats", True),
        ("spitze_factor", 3),
        ("session_deals", 0),
        ("ramsch_fixed_amount", 0),
        ("bierlachs_limit", 0),
        ("forced_ramsch_after_grand_hands", -1),
        ("lay_open", "off"),
        ("jump_bids", 1),
        ("session_deals", "36"),
        ("bock_triggers", frozenset({"kontra_lost"})),
        ("bock_triggers", {BockTrigger.KONTRA_LOST}),
        ("ramsch_untouched_doubles", True),
        ("ramsch_looker_doubles", True),
        ("ramsch_jacks_may_be_passed", True),
    ],
)
def test_an_impossible_value_is_refused(option: str, value: object) -> None:
    assert fault(**{option: value}) == option


def test_a_mix_is_possible_with_what_it_needs() -> None:
    rules = RuleSet(ramsch_skat_exchange=RamschSkatExchange.PASS_ALONG, ramsch_looker_doubles=True)
    assert rules.ramsch_looker_doubles


def test_bierlachs_is_ended_by_its_limit() -> None:
    """R-BIER-4."""
    assert fault(scoring=Scoring.BIERLACHS) == "session_end"


def test_the_limit_of_bierlachs_ends_nothing_else() -> None:
    """R-BIER-4."""
    assert fault(session_end=SessionEnd.BIERLACHS) == "session_end"


def test_options_of_a_ramsch_that_cannot_occur_do_no_harm() -> None:
    """Section 21: they matter only where a Ramsch can be played."""
    assert RuleSet(ramsch_scoring=RamschScoring.ALL_POINTS).all_pass is AllPass.PASS_IN


def test_re_without_kontra_does_no_harm() -> None:
    """R-KON-1: there is nothing to answer."""
    assert RuleSet(re=True).kontra is Kontra.OFF


def test_seeger_fabian_at_five_seats_needs_a_number() -> None:
    """R-BOOK-2."""
    assert fault(seats=5, scoring=Scoring.SEEGER_FABIAN) == "seeger_other_bonus"


def test_seeger_fabian_at_five_seats_with_a_number() -> None:
    """R-BOOK-2."""
    rules = RuleSet(seats=5, scoring=Scoring.SEEGER_FABIAN, seeger_other_bonus=20)
    assert rules.other_bonus == 20


@pytest.mark.parametrize(("seats", "deals"), [(3, 36), (4, 48), (5, 60)])
def test_a_list_has_twelve_rounds(seats: int, deals: int) -> None:
    """R-TAB-4."""
    assert RuleSet(seats=seats).deals == deals


def test_the_length_of_a_list_can_be_set() -> None:
    """R-TAB-4."""
    assert RuleSet(session_deals=9).deals == 9
