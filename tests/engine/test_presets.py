"""The named rule sets, and the table of options in section 21."""

import pytest

from skat_engine import (
    PRESETS,
    OptionValue,
    RuleSet,
    RuleSetError,
    option_text,
    parse_option,
    preset,
)
from skat_engine.options import AllPass, Kontra, Scoring, SessionEnd, Switch
from skat_engine.presets import PRESET_MEANINGS, preset_seats
from skat_engine.ruleset_text import option_table
from tests.builders import table

OPTIONS = table("options")
COLUMNS = [name for name in OPTIONS[0] if name not in ("option", "default")]


def fault(name: str, **options: OptionValue) -> str:
    with pytest.raises(RuleSetError) as refused:
        preset(name, options)
    return refused.value.option


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_valid(name: str) -> None:
    assert preset(name).seats == 3


def test_isko_is_scored_by_seeger_fabian() -> None:
    assert preset("isko").scoring is Scoring.SEEGER_FABIAN


def test_an_option_can_be_overridden() -> None:
    assert preset("isko", {"seats": 4}).seats == 4


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("all_pass", AllPass.RAMSCH),
        ("kontra", Kontra.SAID_18),
        ("bock", True),
        ("spitze", Switch.ON),
        ("schenken_first_trick", True),
    ],
)
def test_isko_is_sealed(option: str, value: OptionValue) -> None:
    """Fault 11: a forced Ramsch under tournament rules is refused."""
    assert fault("isko", **{option: value}) == option


def test_a_sealed_option_may_be_named_with_its_own_value() -> None:
    assert not preset("isko", {"bock": False}).bock


@pytest.mark.parametrize(("name", "seats"), [("isko", 5), ("bga_skat", 4)])
def test_a_preset_is_for_its_table_sizes(name: str, seats: int) -> None:
    assert fault(name, seats=seats, seeger_other_bonus=20) == "seats"


def test_an_unknown_preset_is_refused() -> None:
    assert fault("no_such_preset") == "preset"


def test_an_unknown_option_is_refused() -> None:
    assert fault("isko", no_such_option=True) == "no_such_option"


def test_the_table_of_options_is_whole() -> None:
    """Section 21: every option, in the same order."""
    assert [row["option"] for row in OPTIONS] == [option.name for option in option_table()]


@pytest.mark.parametrize("row", OPTIONS, ids=[row["option"] for row in OPTIONS])
def test_a_default_of_the_table(row: dict[str, str]) -> None:
    """Section 21."""
    assert option_text(getattr(RuleSet(), row["option"])) == row["default"]


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("row", OPTIONS, ids=[row["option"] for row in OPTIONS])
def test_a_preset_of_the_table(row: dict[str, str], name: str) -> None:
    """Section 21; where an option means nothing, the preset leaves it alone."""
    wanted = row["default"] if row[name] in ("=", "n/a") else row[name]
    assert getattr(preset(name), row["option"]) == parse_option(row["option"], wanted)


def changes(name: str, like: str) -> dict[str, OptionValue]:
    """What a preset sets differently from another one."""
    ours, theirs = preset(name), preset(like)
    return {
        option.name: getattr(ours, option.name)
        for option in option_table()
        if getattr(ours, option.name) != getattr(theirs, option.name)
    }


@pytest.mark.parametrize(
    ("name", "like", "different"),
    [
        ("swedish_standard", "swedish_ramsch", {"all_pass": AllPass.FOREHAND_MUST_PLAY}),
        ("terse_english_ramsch", "terse_english", {"all_pass": AllPass.RAMSCH}),
    ],
)
def test_a_further_preset(name: str, like: str, different: dict[str, OptionValue]) -> None:
    """Section 21: the named presets beside the table."""
    assert changes(name, like) == different


def test_the_simple_ramsch_of_bga() -> None:
    """Section 21."""
    assert set(changes("bga_simple", "bga_skat")) == {
        "ramsch_skat_exchange",
        "ramsch_untouched_doubles",
        "ramsch_durchmarsch_times_untouched",
        "ramsch_grand_hand",
    }


def test_every_preset_says_what_it_is() -> None:
    assert list(PRESET_MEANINGS) == list(PRESETS)


def test_bierlachs_is_selectable_in_the_terse_rules() -> None:
    """Section 21, R-BIER-4."""
    options: dict[str, OptionValue] = {
        "scoring": Scoring.BIERLACHS,
        "session_end": SessionEnd.BIERLACHS,
    }
    assert preset("terse_english", options).scoring is Scoring.BIERLACHS


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_for_at_least_three_seats(name: str) -> None:
    """X20."""
    assert [preset(name, {"seats": seats}).seats for seats in preset_seats(name)]
