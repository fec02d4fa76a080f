"""The report: complete, escaped, readable without a network, the same for the same games."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from skat_server.tournaments.formats.all_play_all import Lists
from skat_server.tournaments.plays import plays_of
from skat_server.tournaments.report.page import EventReport, page
from skat_server.tournaments.summary import games_by_kind, summary
from tests.tournaments.events import NAMES, deeds, report
from tests.tournaments.results import by_strength, play_out


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


def test_every_entry_has_its_contracts(event: EventReport, text: str) -> None:
    counts = games_by_kind(0, event.plays)
    cells = "".join(f"<td>{won} of {games}</td>" for games, won in counts.values())
    assert f"<tr><td>ann</td>{cells}</tr>" in text


def test_who_never_sat_somewhere_has_no_points_there(event: EventReport) -> None:
    plays = [play for play in event.plays if play.entries[0] == 0]
    few = page(replace(event, plays=plays))
    assert "nan" not in few.partition("<h2>Seats</h2>")[2].partition("</table>")[0]


def test_entries_that_cannot_be_compared_are_shown_with_what_they_wrote_down() -> None:
    """Lists at tables that never mixed have points, and no standings."""
    event = Lists(3, 1, 4)
    plan, found = play_out(event, 6, by_strength([40, 20, 0, 0, 0, 0]), random.Random(1))
    results = [found[match.key] for match in plan.matches]
    plays = [
        play for result in results for play in plays_of(result, deeds(result, random.Random(2)))
    ]
    figures = summary(results, plays, 6, draws=10)
    names = tuple("abcdef")
    text = page(EventReport("Lists", "", "schedule done", names, results, plays, figures))
    assert figures.standings is None
    assert "<tr><td>a</td><td>1440</td><td>160</td>" in text


def test_the_same_games_give_the_same_page(event: EventReport, text: str) -> None:
    assert page(event) == text


def test_an_event_without_games_has_a_page() -> None:
    nothing = EventReport("Cup", "", "cancelled", NAMES, (), (), summary((), (), 3))
    assert "Crosstable" in page(nothing)
