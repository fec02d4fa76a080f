"""Tournaments as text: a line of state, the table, who beat whom, a test, a time."""

from collections.abc import Sequence
from typing import Final

import typer

from skat.v1 import tournament_pb2, tournament_service_pb2
from skat_server.cli.reading import printable
from skat_server.cli.render import print_table

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
