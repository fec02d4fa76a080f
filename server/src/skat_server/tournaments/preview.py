"""What an event costs and what it can find out, before a card is dealt."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from skat_server.statistics.power import SPREAD_OF_A_BLOCK, smallest_difference
from skat_server.tournaments.config import AbTestFormat, TournamentConfig
from skat_server.tournaments.formats.ab_test import AbTest
from skat_server.tournaments.formats.build import format_of, house_entries
from skat_server.tournaments.formats.plan import Format
from skat_server.tournaments.matches import Match, MatchResult, TableResult

DEALS_A_SECOND: Final = 20.0
"""Deals of one table a second where bots answer at once; slower bots decide, not the server."""
DECISIONS_A_DEAL: Final = 45
_SPREAD_AT_ONE_SEAT: Final = 75.0
"""Standard deviation of a player's points in one game (competition guide, section 3.2)."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Figures of the event at hand."""

    entries: int
    house_bots: int
    matches: int
    """Where results decide who meets, as many as there would be if whoever comes first played
    better; of a test those that it begins with."""
    boards: int
    games: int
    blocks_of_a_pair: int
    """Boards on which the two entries that meet least often both play."""
    smallest_difference: float | None
    """Points a game that it finds with probability 95 per cent at 5 per cent error; None where no
    two entries meet."""
    seconds: float
    """Expected, with bots that answer at once."""
    seconds_of_slow_bots: float
    """Expected, with bots that use their whole time for every decision."""


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
    matches = _supposed_matches(format_of(config), count + house)
    games = sum(match.games for match in matches)
    blocks, spread = _blocks(config, matches, count)
    at_once = min(config.tables_at_once, sum(len(match.lineups) for match in matches)) or 1
    slow = DECISIONS_A_DEAL * config.clock.decision_ms / 1_000
    return Preview(
        entries=count,
        house_bots=house,
        matches=len(matches),
        boards=len({board for match in matches for board in _boards(match)}),
        games=games,
        blocks_of_a_pair=blocks,
        smallest_difference=smallest_difference(blocks, spread) if blocks else None,
        seconds=games / (DEALS_A_SECOND * min(at_once, 8)),
        seconds_of_slow_bots=games * slow / at_once,
    )


def _supposed_matches(event: Format, entries: int) -> Sequence[Match]:
    """The matches of an event in which whoever comes first plays better.

    A sequential test is not played out: it has the matches that it begins with.
    """
    results: dict[str, MatchResult] = {}
    while True:
        plan = event.plan(entries, results)
        waiting = [] if isinstance(event, AbTest) else plan.to_play(results)
        if not waiting:
            return plan.matches
        results |= {match.key: _supposed(match) for match in waiting}


def _supposed(match: Match) -> MatchResult:
    """One board at each table says as much as all of them."""
    return MatchResult(
        match,
        tuple(TableResult((tuple(-entry for entry in lineup),)) for lineup in match.lineups),
    )


def _blocks(config: TournamentConfig, matches: Iterable[Match], entries: int) -> tuple[int, float]:
    """Boards that compare the worst-connected pair, and the spread of one comparison."""
    if isinstance(config.format, AbTestFormat):
        most = config.stop.most_blocks
        return (most or 0, SPREAD_OF_A_BLOCK)
    together: dict[frozenset[int], set[int]] = {
        frozenset(pair): set() for pair in combinations(range(entries), 2)
    }
    is_single = True
    for match in matches:
        is_single = is_single and len(match.lineups) == 1
        for pair in combinations(sorted(match.entries), 2):
            if pair[1] < entries:
                together[frozenset(pair)].update(_boards(match))
    if is_single:
        boards = {entry: set[int]() for entry in range(entries)}
        for match in matches:
            for entry in match.entries:
                boards.setdefault(entry, set()).update(_boards(match))
        fewest = min((len(found) for found in boards.values()), default=0)
        return fewest, _SPREAD_AT_ONE_SEAT * 2**0.5
    fewest = min((len(found) for found in together.values()), default=0)
    return fewest, SPREAD_OF_A_BLOCK


def _boards(match: Match) -> range:
    return range(match.first_board, match.first_board + match.boards)
