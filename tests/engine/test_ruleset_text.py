"""Options and rule sets as text, both ways."""

import pytest
from hypothesis import given

from skat_engine import (
    PRESETS,
    RuleSet,
    RuleSetError,
    option_table,
    option_text,
    parse_option,
    parse_rule_set,
    preset,
    rule_set_options,
)
from skat_engine.options import BockTrigger
from tests.strategies import any_rules


def fault(name: str, text: str) -> str:
    with pytest.raises(RuleSetError) as refused:
        parse_option(name, text)
    return str(refused.value)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_read_back_from_its_options(name: str) -> None:
    assert parse_rule_set(rule_set_options(preset(name))) == preset(name)


@given(any_rules)
def test_a_rule_set_is_read_back_from_its_options(rules: RuleSet) -> None:
    assert parse_rule_set(rule_set_options(rules)) == rules


def test_only_what_differs_from_the_defaults_is_written() -> None:
    assert rule_set_options(preset("isko", {"seats": 4})) == {
        "seats": "4",
        "scoring": "seeger_fabian",
    }


@pytest.mark.parametrize("name", [row.name for row in option_table()])
def test_a_default_is_read_back_from_the_table(name: str) -> None:
    row = next(row for row in option_table() if row.name == name)
    assert option_text(parse_option(name, row.default)) == row.default


def test_every_option_has_a_meaning_and_a_source() -> None:
    assert all(row.meaning and row.source and row.values for row in option_table())


def test_triggers_are_joined_by_commas() -> None:
    triggers = frozenset({BockTrigger.VALUE_96, BockTrigger.KONTRA_LOST})
    assert option_text(triggers) == "kontra_lost,value_96"


def test_no_trigger_at_all_can_be_written() -> None:
    assert parse_option("bock_triggers", "") == frozenset()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("jump_bids", "True"),
        ("seats", "three"),
        ("seats", " 3"),
        ("seats", "٣"),
        ("session_deals", "9" * 5000),
        ("session_deals", ""),
        ("lay_open", "on"),
        ("bock_triggers", "kontra_lost,nothing"),
    ],
)
def test_a_text_that_is_no_value_is_refused_with_the_values(name: str, text: str) -> None:
    assert "is not one of" in fault(name, text)


def test_an_unknown_option_is_refused() -> None:
    assert "not an option" in fault("no_such_option", "1")
