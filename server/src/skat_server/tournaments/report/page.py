"""The page: tables and plots of an event in one file."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from skat_server.tournaments.event import Event
from skat_server.tournaments.matches import MatchResult
from skat_server.tournaments.plays import Play
from skat_server.tournaments.report import plots
from skat_server.tournaments.summary import DECLARED, Summary, games_by_kind, points_by_seat

MOST_TRAVELLERS: Final = 200
"""Boards whose plays are shown side by side; the export has all of them."""


@dataclass(frozen=True, slots=True)
class EventReport:
    """Everything that the page tells."""

    name: str
    config: str
    """The organiser's file."""
    end: str
    """Why the event has ended, for people."""
    entries: tuple[str, ...]
    results: Sequence[MatchResult]
    plays: Sequence[Play]
    summary: Summary


def report_of(event: Event, end: str) -> EventReport:
    """What the page tells of an event.

    Args:
        event: with all its records.
        end: why it has ended, for people.
    """
    return EventReport(
        event.fixed.config.name,
        event.fixed.text,
        f"{end} by {event.winner}" if event.winner else end,
        tuple(entrant.name for entrant in event.entrants),
        [match.result for match in event.counting()],
        list(event.plays()),
        event.summary(),
    )


def write_event_report(event: Event, end: str, path: Path) -> None:
    """Write the page of an event; an older one is replaced.

    Args:
        event: with all its records.
        end: why it has ended, for people.
        path: of the file.
    """
    write_report(report_of(event, end), path)


def write_report(report: EventReport, path: Path) -> None:
    """Write the page; an older one is replaced."""
    path.write_text(page(report), encoding="utf-8")


def page(report: EventReport) -> str:
    """The page as text. Names and the file are escaped."""
    environment = Environment(
        loader=PackageLoader("skat_server.tournaments.report", "templates"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("report.html.jinja")
    shown = list(_travellers(report))
    return template.render(
        report=report,
        summary=report.summary,
        names=report.entries,
        figures={name: Markup(svg) for name, svg in _figures(report)},  # noqa: S704  # drawn here
        seats=[points_by_seat(entry, report.plays) for entry in range(len(report.entries))],
        kinds=DECLARED,
        contracts=[games_by_kind(entry, report.plays) for entry in range(len(report.entries))],
        travellers=shown[:MOST_TRAVELLERS],
        more_boards=max(0, len(shown) - MOST_TRAVELLERS),
    )


def _figures(report: EventReport) -> Iterator[tuple[str, str]]:
    table = report.summary.standings
    if table is not None:
        yield "standings", plots.standings_plot(table, report.entries)
        first, second = table.rows[0].bot, table.rows[1].bot
        yield "difference", plots.difference_plot(report.results, report.entries, first, second)
    if report.plays:
        yield "seats", plots.seats_plot(report.plays, report.entries)
        yield "contracts", plots.contracts_plot(report.plays, report.entries)


def _travellers(report: EventReport) -> Iterator[tuple[int, list[Play]]]:
    """The plays of every board side by side, the boards on which they differ most first."""
    boards: defaultdict[int, list[Play]] = defaultdict(list)
    for play in report.plays:
        boards[play.board].append(play)

    def spread(item: tuple[int, list[Play]]) -> tuple[int, int]:
        values = [play.deed.value for play in item[1]]
        return min(values) - max(values), item[0]

    yield from sorted(boards.items(), key=spread)
