"""Clocks, faults and house bots as they are typed."""

import pytest

from skat_client import ClockPolicy, ConfigurationError, FaultConsequence, FaultPolicy, HouseBot
from skat_client._table_options import clock_of, faults_of, house_bots_of


def test_what_is_not_named_keeps_its_default() -> None:
    assert clock_of("decision=5") == ClockPolicy(5_000, 120_000, 0, 30_000)
    assert faults_of("safe=0") == FaultPolicy(3, 0, FaultConsequence.HOUSE_PLAYS)


def test_nothing_said_is_left_to_the_server() -> None:
    assert (clock_of(None), faults_of(None), house_bots_of("")) == (None, None, ())


def test_everything_can_be_named() -> None:
    clock = clock_of("decision=0.5, bank=60,increment=1,grace=0")
    assert clock == ClockPolicy(500, 60_000, 1_000, 0)
    faults = faults_of("illegal=0,safe=1000,then=forfeit")
    assert faults == FaultPolicy(0, 1000, FaultConsequence.FORFEIT)
    assert house_bots_of("random, first-option") == (HouseBot.RANDOM, HouseBot.FIRST_OPTION)


@pytest.mark.parametrize(
    "text", ["decision", "decision=", "think=3", "bank=much", "bank=-1", "grace=3601", "bank=nan"]
)
def test_what_is_no_clock_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"NAME=VALUE|0 to 3600 seconds"):
        clock_of(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("illegal=101", "0 to 100"),
        ("safe=-1", "0 to 1000"),
        ("then=shout", "choose one of house, forfeit, none"),
        ("sometimes=1", "NAME=VALUE"),
    ],
)
def test_what_is_no_fault_policy_is_said_to_be_none(text: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=says):
        faults_of(text)


def test_an_unknown_house_bot_names_those_that_are_there() -> None:
    with pytest.raises(ConfigurationError, match="choose one of first-option, random"):
        house_bots_of("rules")
