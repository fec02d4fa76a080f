"""The named rule sets."""

import pytest

from skat_engine import PRESETS, OptionValue, RuleSetError, preset, require_playable
from skat_engine.options import AllPass, Kontra, Scoring, Switch


def fault(name: str, **options: OptionValue) -> str:
    with pytest.raises(RuleSetError) as refused:
        preset(name, options)
    return refused.value.option


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_valid(name: str) -> None:
    assert preset(name).seats == 3


def test_isko_can_be_played() -> None:
    require_playable(preset("isko"))


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
