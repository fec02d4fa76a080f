"""Tournaments on the terminal: a line of state, their tables, and all of it live."""

from collections.abc import Iterable, Sequence
from typing import Final

import typer

from skat.v1 import spectate_service_pb2, tournament_pb2, tournament_service_pb2
from skat_server.cli.reading import printable
from skat_server.cli.render import live_lines, print_table
from skat_server.clock import Clock

_COLUMNS: Final = (
    "place",
    "entry",
    "points a game",
    "interval",
    "left open",
    "for 36",
    "games",
    "faults",
)
_BAR: Final = 25
"""Characters of an interval."""
_TENTHS: Final = 10
_SAID_BY_THE_STATE: Final = (
    tournament_pb2.TOURNAMENT_END_UNSPECIFIED,
    tournament_pb2.TOURNAMENT_END_CANCELLED,
)


def status_line(tournament: tournament_pb2.Tournament) -> str:
    """State and progress in one line."""
    state = tournament_pb2.TournamentState.Name(tournament.state)
    text = state.removeprefix("TOURNAMENT_STATE_").lower()
    if tournament.end not in _SAID_BY_THE_STATE:
        winner = f" by {printable(tournament.winner)}" if tournament.winner else ""
        text += f" ({_end_text(tournament.end)}{winner})"
    if tournament.reason:
        text += f": {printable(tournament.reason)}"
    if tournament.games_planned:
        text += f", {tournament.games_done} of {tournament.games_planned} games"
    return text


def _end_text(end: tournament_pb2.TournamentEnd.ValueType) -> str:
    name = tournament_pb2.TournamentEnd.Name(end)
    return name.removeprefix("TOURNAMENT_END_").lower().replace("_", " ")


def print_standings(table: tournament_pb2.Standings) -> None:
    """The table; a sentence while there is none."""
    if not table.rows:
        typer.echo(
            "too few games connect the entries to compare them; report and export have their points"
        )
        return
    print_table(_COLUMNS, list(map(_row, table.rows)))
    percent = table.confidence * 100
    typer.echo(
        f"points a game against the average of the field; all intervals hold together with "
        f"{percent:.0f} per cent; {table.blocks} boards"
    )


def print_cross_table(rows: Sequence[tournament_service_pb2.CrossTableRow]) -> None:
    """Everybody against everybody, a row for each entry."""
    cells = [
        (printable(row.name), *[_cell(row, number) for number in range(len(row.cells))])
        for row in rows
    ]
    print_table(("", *[printable(row.name) for row in rows]), cells)


def _cell(row: tournament_service_pb2.CrossTableRow, column: int) -> str:
    cell = row.cells[column]
    if not cell.blocks:
        return "-"
    return f"{cell.difference:+.2f} ({cell.superiority * 100:.0f})"


def print_test(test: tournament_pb2.TestStatus) -> None:
    """Where a sequential test stands."""
    rows = [
        ("verdict", _end_text(test.end) if test.end else "none yet"),
        ("boards looked at", f"{test.blocks}"),
        ("log likelihood ratio", f"{test.llr:+.3f}, between {test.lower:.3f} and {test.upper:.3f}"),
        ("hypotheses, points a game", f"{test.delta0:+.2f} against {test.delta1:+.2f}"),
        (
            "the same in standard deviations of a board",
            f"{test.normalised_delta0:+.3f} against {test.normalised_delta1:+.3f}",
        ),
        ("mean difference, points a game", f"{test.mean:+.2f}"),
        ("the same in standard deviations of a board", f"{test.normalised:+.3f}"),
    ]
    if test.HasField("median_unbiased"):
        rows.append(("corrected for the stop, points a game", f"{test.median_unbiased:+.2f}"))
    print_table(("what", "value"), rows)


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
        print_standings(last.standings)


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


def _row(row: tournament_pb2.StandingRow) -> tuple[str, ...]:
    return (
        f"{row.place}",
        printable(row.name),
        f"{row.strength:+.2f}",
        f"{row.low:+.2f} to {row.high:+.2f}",
        f"{row.best_place}-{row.worst_place}",
        f"{row.points_per_36:.0f}",
        f"{row.games}",
        f"{row.faults}",
    )


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


def duration_text(seconds: float) -> str:
    """A time as people say it.

    >>> duration_text(75), duration_text(3_700), duration_text(0.2)
    ('1 min 15 s', '1 h 01 min', 'less than a second')
    """
    if 0 < seconds < 1:
        return "less than a second"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


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
