"""The report: complete, escaped, readable without a network, the same for the same games."""

from __future__ import annotations

import re

import pytest

from skat_server.tournaments.report.page import EventReport, page
from skat_server.tournaments.summary import summary
from tests.tournaments.events import NAMES, report


@pytest.fixture(scope="module")
def event() -> EventReport:
    return report()


@pytest.fixture(scope="module")
def text(event: EventReport) -> str:
    return page(event)


def test_names_are_escaped(text: str) -> None:
    """T20: a name cannot become part of the page."""
    assert "<b>ben</b>" not in text
    assert "&lt;b&gt;ben&lt;/b&gt;" in text
    assert "Cup &amp; co" in text


def test_nothing_is_fetched(text: str) -> None:
    fetched = re.findall(r'(?:src|href)="(?!#)([^"]*)"', text)
    assert not fetched
    assert "<script" not in text


def test_all_plots_are_there(text: str) -> None:
    assert text.count("<svg") == 4


def test_every_play_of_a_board_is_shown(event: EventReport, text: str) -> None:
    assert text.count(" · ") >= len(event.plays)


def test_the_same_games_give_the_same_page(event: EventReport, text: str) -> None:
    assert page(event) == text


def test_an_event_without_games_has_a_page() -> None:
    nothing = EventReport("Cup", "", "cancelled", NAMES, (), (), summary((), (), 3))
    assert "Crosstable" in page(nothing)
