"""A tournament while it is played: a picture that changes on a terminal, lines elsewhere."""

from collections.abc import Iterable
from typing import Final

import typer

from skat.v1 import spectate_service_pb2, tournament_pb2
from skat_server.cli.reading import printable
from skat_server.cli.render import live_lines
from skat_server.cli.tournament.tables import duration_text, print_standings, status_line
from skat_server.clock import Clock

_BAR: Final = 25
"""Characters of an interval."""
_TENTHS: Final = 10


def show_standings(
    seen: Iterable[spectate_service_pb2.WatchStandingsResponse], clock: Clock
) -> None:
    """Follow a tournament: on a terminal the picture changes in place."""
    last: spectate_service_pb2.WatchStandingsResponse | None = None
    pace, steps = _Pace(clock), _Steps()
    with live_lines() as show:
        for last in seen:
            pace.note(last.tournament.games_done)
            if show is not None:
                show(_picture(last, pace))
            elif steps.is_new(last.tournament):
                typer.echo(status_line(last.tournament))
    if last is not None:
        if show is not None:
            typer.echo(status_line(last.tournament))
        if last.tournament.games_done:
            print_standings(last.standings)
        else:
            typer.echo(f"{_entered(last.tournament)}; no game has been played yet")


def _entered(tournament: tournament_pb2.Tournament) -> str:
    count = len(tournament.entries)
    return "1 entry" if count == 1 else f"{count} entries"


class _Steps:
    """Which changes are worth a line where lines stay."""

    def __init__(self) -> None:
        self._last: tuple[int, int] | None = None

    def is_new(self, tournament: tournament_pb2.Tournament) -> bool:
        """Whether state or tenth of the games has changed."""
        planned = max(1, tournament.games_planned)
        step = (tournament.state, _TENTHS * tournament.games_done // planned)
        is_new, self._last = step != self._last, step
        return is_new


class _Pace:
    """How fast games are played, since somebody looks."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._first: tuple[float, int] | None = None
        self._last = (0.0, 0)

    def note(self, games: int) -> None:
        """So many are done now."""
        self._last = (self._clock.monotonic(), games)
        self._first = self._first or self._last

    def seconds(self, games: int) -> float | None:
        """How long so many more take; None while nobody can say."""
        if self._first is None or self._last[1] <= self._first[1]:
            return None
        return games * (self._last[0] - self._first[0]) / (self._last[1] - self._first[1])


def _picture(seen: spectate_service_pb2.WatchStandingsResponse, pace: _Pace) -> list[str]:
    tournament, rows = seen.tournament, seen.standings.rows
    lines = [
        f"{printable(tournament.name)}: {status_line(tournament)}",
        _progress(tournament, pace),
    ]
    if not rows:
        return lines
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    width = max(len(row.name) for row in rows)
    for row in rows:
        bar = _interval(row, low, high)
        faults = f"  {row.faults} games with faults" if row.faults else ""
        name = printable(row.name)
        lines.append(f"{row.place:>3} {name:<{width}} {bar} {row.strength:+7.2f}{faults}")
    return lines


def _progress(tournament: tournament_pb2.Tournament, pace: _Pace) -> str:
    """A bar over the games planned, and the time left."""
    planned = max(1, tournament.games_planned)
    done = min(tournament.games_done, planned)
    filled = round(_BAR * done / planned)
    text = f"{'━' * filled}{'╌' * (_BAR - filled)} {100 * done // planned:>3} %"
    seconds = pace.seconds(planned - done)
    return text if seconds is None else f"{text}, about {duration_text(seconds)} left"


def _interval(row: tournament_pb2.StandingRow, low: float, high: float) -> str:
    """An interval as a bar in the range of all intervals."""
    span = (high - low) or 1.0

    def place(value: float) -> int:
        return round((value - low) / span * (_BAR - 1))

    cells = [" "] * _BAR
    for cell in range(place(row.low), place(row.high) + 1):
        cells[cell] = "─"
    cells[place(row.strength)] = "●"
    return "".join(cells)
