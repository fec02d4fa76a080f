"""What an event costs and what it can find out, before a card is dealt."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from skat_server.statistics.games import Game
from skat_server.statistics.games import games_of as columns_of
from skat_server.statistics.power import (
    SPREAD_OF_A_TEST,
    blocks_needed,
    smallest_difference,
    worst_error,
)
from skat_server.statistics.sprt import FEWEST
from skat_server.tournaments.config import TournamentConfig
from skat_server.tournaments.event import luck_of
from skat_server.tournaments.formats.ab_test import AbTest
from skat_server.tournaments.formats.build import format_of, house_entries
from skat_server.tournaments.formats.plan import Format
from skat_server.tournaments.matches import Match, MatchResult, TableResult
from skat_server.tournaments.sections import Stop

DEALS_A_SECOND: Final = 20.0
"""Deals of one table a second where bots answer at once; slower bots decide, not the server."""
DECISIONS_A_DEAL: Final = 45


@dataclass(frozen=True, slots=True)
class Preview:
    """Figures of the event at hand."""

    entries: int
    house_bots: int
    matches: int
    """Where results decide who meets, as many as there would be if whoever comes first played
    better; of a sequential test as many as one of fixed length would take."""
    boards: int
    games: int
    blocks_of_a_pair: int
    """Boards on which the two entries that meet least often both play, at one table or at two."""
    smallest_difference: float | None
    """Points a game that it finds with probability 95 per cent at 5 per cent error; None where
    the games do not connect all entries."""
    seconds: float
    """Expected, with bots that answer at once."""
    seconds_of_slow_bots: float
    """Expected, with bots that use their whole time for every decision."""


@dataclass(frozen=True, slots=True)
class _Outlook:
    """What is played, and what that finds."""

    matches: Sequence[Match]
    blocks: int
    smallest: float | None


def preview(config: TournamentConfig, entries: int | None = None) -> Preview:
    """Look ahead.

    Args:
        config: the file.
        entries: how many will take part; those of the file when not given.

    Raises:
        ValueError: so few entries cannot play this.
    """
    count = len(config.entries) if entries is None else entries
    house = house_entries(config, count)
    event = format_of(config)
    first = event.plan(count + house, {}).matches
    if isinstance(event, AbTest):
        outlook = _of_a_test(event, config.stop)
    else:
        outlook = _of_a_schedule(config, _supposed_matches(event, count + house, first), count)
    matches = outlook.matches
    games = sum(match.games for match in matches)
    at_once = min(config.tables_at_once, sum(len(match.lineups) for match in matches)) or 1
    slow = DECISIONS_A_DEAL * config.clock.decision_ms / 1_000
    return Preview(
        entries=count,
        house_bots=house,
        matches=len(matches),
        boards=len({board for match in matches for board in _boards(match)}),
        games=games,
        blocks_of_a_pair=outlook.blocks,
        smallest_difference=outlook.smallest,
        seconds=games / (DEALS_A_SECOND * min(at_once, 8)),
        seconds_of_slow_bots=games * slow / at_once,
    )


def _of_a_test(event: AbTest, stop: Stop) -> _Outlook:
    """A test of fixed length, up to the cap."""
    # Both roles are two blocks on one board.
    spread = SPREAD_OF_A_TEST / math.sqrt(2) if event.both_roles else SPREAD_OF_A_TEST
    needed = blocks_needed(stop.delta1 - stop.delta0, spread, stop.alpha, stop.beta)
    most = event.most_matches * event.boards
    blocks = max(FEWEST, min(needed, stop.most_blocks or most, most))
    smallest = smallest_difference(spread / math.sqrt(blocks), stop.alpha, stop.beta)
    return _Outlook(event.matches(-(-blocks // event.boards)), blocks, smallest)


def _of_a_schedule(config: TournamentConfig, matches: Sequence[Match], entries: int) -> _Outlook:
    """The two entries that are compared worst, house bots not among them."""
    weights: dict[int, float] = {}
    games: list[Game] = []
    for match in matches:
        # At one table or two seats change with the dealer; three tables have every seat at once.
        seats = len(match.lineups[0])
        places = min(match.boards, seats) if len(match.lineups) < seats else 1
        for place in range(places):
            weights[match.first_board + place] = match.boards / places
            games += _seated(match, place)
    playing = sorted({entry for game in games for entry in game.bots})
    numbers = {entry: number for number, entry in enumerate(playing)}
    rows = [replace(game, bots=tuple(numbers[entry] for entry in game.bots)) for game in games]
    boards = [weights[board] for board in sorted(weights)]
    error = worst_error(columns_of(rows, len(playing)), boards, entries, luck_of(config))
    smallest = None if error is None else smallest_difference(error)
    return _Outlook(matches, _fewest_blocks(matches, entries), smallest)


def _seated(match: Match, place: int) -> Iterator[Game]:
    """Who sits where at one of its boards; what they make of it is not known."""
    for lineup in match.lineups:
        nothing = (0,) * len(lineup)
        order = TableResult((nothing,) * (place + 1)).order(place)
        yield Game(match.first_board + place, tuple(lineup[seat] for seat in order), nothing)


def _supposed_matches(event: Format, entries: int, first: Sequence[Match]) -> Sequence[Match]:
    """The matches of an event in which whoever comes first plays better."""
    results: dict[str, MatchResult] = {}
    matches = first
    while waiting := [match for match in matches if match.key not in results]:
        results |= {match.key: _supposed(match) for match in waiting}
        matches = event.plan(entries, results).matches
    return matches


def _supposed(match: Match) -> MatchResult:
    """One board at each table says as much as all of them."""
    return MatchResult(
        match,
        tuple(TableResult((tuple(-entry for entry in lineup),)) for lineup in match.lineups),
    )


def _fewest_blocks(matches: Sequence[Match], entries: int) -> int:
    """Boards on which the two entries that meet least often both play."""
    boards = [set[int]() for _ in range(entries)]
    for match in matches:
        for entry in match.entries:
            if entry < entries:
                boards[entry].update(_boards(match))
    return min((len(one & other) for one, other in combinations(boards, 2)), default=0)


def _boards(match: Match) -> range:
    return range(match.first_board, match.first_board + match.boards)
