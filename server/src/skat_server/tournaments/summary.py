"""The figures of an event: standings with and without faults, cross table, seats, contracts.

Everything is computed from the games that were played, so whoever has the exported records comes
to the same (R1, R2).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Final

import numpy as np

from skat_server.statistics.games import Game, block_differences
from skat_server.statistics.games import games_of as columns_of
from skat_server.statistics.model import Luck
from skat_server.statistics.sequences import RunningMean, margin
from skat_server.statistics.sprt import FEWEST
from skat_server.statistics.standings import CONFIDENCE, DRAWS, Standings, standings
from skat_server.tournaments.matches import SEATS, Entry, MatchResult, games_of
from skat_server.tournaments.plays import GameKind, Play

GAMES_OF_A_LIST: Final = 36
DECLARED: Final = (GameKind.SUIT, GameKind.GRAND, GameKind.NULL)
"""Kinds of games that somebody declares."""
_SEED: Final = 36
"""Seeds the draws of the bootstrap, so that the same games give the same table."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What one entry did, without any model."""

    games: int
    points: int
    """Points as they were written."""
    declared: int
    won: int
    """Games won as declarer."""
    faulty: int
    """Games in which a fault happened at its table."""

    @property
    def per_list(self) -> float:
        """Points for 36 games."""
        return self.points / self.games * GAMES_OF_A_LIST if self.games else 0.0


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry against another."""

    blocks: int
    difference: float
    """Points a game."""


@dataclass(frozen=True, slots=True)
class Summary:
    """An event in figures; entries by number."""

    totals: tuple[Totals, ...]
    standings: Standings | None
    """Of those who have whole blocks; None while too few games connect them."""
    without_faults: Standings | None
    cells: tuple[tuple[Cell, ...], ...]
    """Rows against columns."""
    watched_margin: float | None
    """Half width of the interval around the difference of the first two that may be watched all
    day, whoever they are; None before they have met on enough boards."""
    blocks: int
    games: int


def summary(
    results: Sequence[MatchResult],
    plays: Sequence[Play],
    entries: int,
    *,
    luck: Luck = Luck.BOARD,
    draws: int = DRAWS,
) -> Summary:
    """The figures of an event.

    Args:
        results: the finished matches that count, in schedule order.
        plays: all of their games.
        entries: how many there are, house bots included.
        luck: what games share: boards, or single seats of boards.
        draws: of the bootstrap.
    """
    games = [game for result in results for game in games_of(result)]
    clean = [game for result in results for game in games_of(result, with_faulty=False)]
    table = _standings(games, entries, luck, draws)
    return Summary(
        totals=tuple(_totals(entry, plays) for entry in range(entries)),
        standings=table,
        without_faults=_standings(clean, entries, luck, draws),
        cells=_cells(games, entries),
        watched_margin=_watched(games, entries, table),
        blocks=len({game.deal for game in games}),
        games=len(games),
    )


def _standings(games: Sequence[Game], entries: int, luck: Luck, draws: int) -> Standings | None:
    """The table of those who have whole blocks: nobody waits for an entry that never plays."""
    played = sorted({entry for game in games for entry in game.bots})
    numbers = {entry: number for number, entry in enumerate(played)}
    rows = [replace(game, bots=tuple(numbers[entry] for entry in game.bots)) for game in games]
    if not rows:
        return None
    columns, chance = columns_of(rows, len(played)), np.random.default_rng(_SEED)
    try:
        table = standings(columns, chance, luck=luck, draws=draws)
    except ValueError:  # they have not met often enough
        return None
    superiority = np.full((entries, entries), 0.5)
    superiority[np.ix_(played, played)] = table.superiority
    ranked = tuple(replace(row, bot=played[row.bot]) for row in table.rows)
    return replace(table, rows=ranked, superiority=superiority)


def _totals(entry: Entry, plays: Sequence[Play]) -> Totals:
    games = points = declared = won = faulty = 0
    for play in plays:
        for place, sitting in enumerate(play.entries):
            if sitting == entry:
                games += 1
                points += play.points[place]
                faulty += play.is_faulty
                if play.deed.declarer == place:
                    declared += 1
                    won += play.deed.won
    return Totals(games, points, declared, won, faulty)


def _cells(games: Sequence[Game], entries: int) -> tuple[tuple[Cell, ...], ...]:
    columns = columns_of(games, entries) if games else None
    empty = Cell(0, 0.0)
    rows = []
    for row in range(entries):
        cells = []
        for column in range(entries):
            if columns is None or row == column:
                cells.append(empty)
                continue
            differences = block_differences(columns, row, column)
            mean = float(differences.mean()) if len(differences) else 0.0
            cells.append(Cell(len(differences), mean))
        rows.append(tuple(cells))
    return tuple(rows)


def _watched(games: Sequence[Game], entries: int, table: Standings | None) -> float | None:
    if table is None or len(table.rows) < 2:  # noqa: PLR2004
        return None
    first, second = table.rows[0].bot, table.rows[1].bot
    seen = RunningMean()
    for difference in block_differences(columns_of(games, entries), first, second):
        seen = seen.with_value(float(difference))
    if seen.count < FEWEST:
        return None
    # Who is first and second depends on what was played: the margin holds for every pair.
    return margin(seen, alpha=(1 - CONFIDENCE) / comb(entries, 2))


def points_by_seat(entry: Entry, plays: Sequence[Play]) -> list[float]:
    """Mean points in forehand, middlehand and rearhand; NaN where it never sat."""
    found: list[list[int]] = [[], [], []]
    for play in plays:
        for place in range(SEATS):
            if play.entries[place] == entry:
                found[place].append(play.points[place])
    return [float(np.mean(points)) if points else float("nan") for points in found]


def games_by_kind(entry: Entry, plays: Sequence[Play]) -> dict[GameKind, tuple[int, int]]:
    """How many games of each kind an entry declared, and how many of them it won."""
    found = dict.fromkeys(DECLARED, (0, 0))
    for play in plays:
        if play.declarer == entry:
            games, won = found.get(play.deed.kind, (0, 0))
            found[play.deed.kind] = (games + 1, won + play.deed.won)
    return found
