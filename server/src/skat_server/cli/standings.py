"""Tournaments on the terminal: a line of state, the table, and the two of them live."""

from collections.abc import Iterable

import typer

from skat.v1 import spectate_service_pb2, tournament_pb2
from skat_server.cli.render import live_lines, print_table

_COLUMNS = ("place", "entry", "points a game", "interval", "left open", "for 36", "games", "faults")
_BAR = 25


def status_line(tournament: tournament_pb2.Tournament) -> str:
    """State and progress in one line."""
    state = tournament_pb2.TournamentState.Name(tournament.state)
    text = state.removeprefix("TOURNAMENT_STATE_").lower()
    if tournament.end:
        end = tournament_pb2.TournamentEnd.Name(tournament.end)
        text += f" ({end.removeprefix('TOURNAMENT_END_').lower().replace('_', ' ')})"
    if tournament.games_planned:
        text += f", {tournament.games_done} of {tournament.games_planned} games"
    return text


def print_standings(table: tournament_pb2.Standings) -> None:
    """The table; a sentence while there is none."""
    if not table.rows:
        typer.echo("the games do not connect all entries yet")
        return
    print_table(_COLUMNS, list(map(_row, table.rows)))
    percent = table.confidence * 100
    typer.echo(
        f"points a game against the average of the field; all intervals hold together with "
        f"{percent:.0f} per cent; {table.blocks} boards"
    )


def show_standings(seen: Iterable[spectate_service_pb2.WatchStandingsResponse]) -> None:
    """Follow a tournament: on a terminal the picture changes in place."""
    last: spectate_service_pb2.WatchStandingsResponse | None = None
    with live_lines() as show:
        for last in seen:
            show(_picture(last))
    if last is not None:
        typer.echo(status_line(last.tournament))
        print_standings(last.standings)


def _row(row: tournament_pb2.StandingRow) -> tuple[str, ...]:
    return (
        f"{row.place}",
        row.name,
        f"{row.strength:+.2f}",
        f"{row.low:+.2f} to {row.high:+.2f}",
        f"{row.best_place}-{row.worst_place}",
        f"{row.points_per_36:.0f}",
        f"{row.games}",
        f"{row.faults}",
    )


def _picture(seen: spectate_service_pb2.WatchStandingsResponse) -> list[str]:
    lines = [f"{seen.tournament.name}: {status_line(seen.tournament)}"]
    rows = seen.standings.rows
    if not rows:
        return lines
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    width = max(len(row.name) for row in rows)
    for row in rows:
        bar = _interval(row, low, high)
        lines.append(f"{row.place:>3} {row.name:<{width}} {bar} {row.strength:+7.2f}")
    return lines


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
