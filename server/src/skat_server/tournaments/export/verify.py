"""Does an exported event hold? Everything in it is computed anew and held against the files.

The sums of the files, the seed and what bound it, the schedule that the results give, the cards of
every board, who sat there, every action of every game, every score, the chain of every table's
records, and the standings.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError, NotationError
from skat_engine.notation import dealt_text
from skat_engine.records import own
from skat_engine.records.model import OwnOrigin, Record
from skat_engine.records.moves import HouseMove
from skat_engine.series import Series
from skat_engine.shuffling import board_seed, deal_from_seed
from skat_server.storage.protocols import SealedDeal
from skat_server.storage.sealing import seal_of
from skat_server.tournaments.boards import tournament_commitment
from skat_server.tournaments.event import (
    Event,
    PlayedMatch,
    board_count,
    boards_root,
    event_nonces,
)
from skat_server.tournaments.export import files
from skat_server.tournaments.export.reading import (
    Exported,
    UnreadableError,
    fault_of,
    read_event,
)
from skat_server.tournaments.matches import Lineup

Progress = Callable[[int, int], None]
"""Told how many games of how many are checked."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of a check."""

    games: int
    differences: tuple[str, ...]
    """Where the files are wrong, for people; empty when all is well."""

    @property
    def is_ok(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def verify_event(folder: Path, progress: Progress = lambda done, of: None) -> Verification:
    """Check an exported event.

    Args:
        folder: as `export_event` has written it.
        progress: told after each game.

    Raises:
        UnreadableError: a file is missing or cannot be read.
    """
    exported = read_event(folder)
    event = exported.event
    differences = [
        *_sums(folder),
        *exported.differences,
        *_seed(exported),
        *_games(event, progress),
        *_schedule(event, exported.end),
        *_standings(folder, event, exported.end),
    ]
    games = sum(len(table.records) for match in event.matches.values() for table in match.tables)
    return Verification(games, tuple(differences))


def _sums(folder: Path) -> Iterator[str]:
    try:
        manifest = json.loads((folder / files.MANIFEST).read_text(encoding="ascii"))
        for name, expected in manifest["sha256"].items():
            if hashlib.sha256((folder / Path(name).name).read_bytes()).hexdigest() != expected:
                yield f"{name}: its SHA-256 is not that of {files.MANIFEST}"
    except OSError as error:
        raise UnreadableError(f"{error.filename}: {error.strerror}") from error
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise UnreadableError(f"{files.MANIFEST}: no manifest ({fault_of(error)})") from error


def _seed(exported: Exported) -> Iterator[str]:
    event, row = exported.event, exported.row
    bound = tournament_commitment(event.fixed.tournament_id, event.fixed.seed).hex()
    if row["seed_commitment"] != bound:
        yield f"{files.TOURNAMENT}: the commitment is not that of the seed"
    boards = board_count(event)
    if (row["boards"], row["boards_root"]) != (boards, boards_root(event, boards).hex()):
        yield f"{files.TOURNAMENT}: the root is not that of the boards"


def _games(event: Event, progress: Progress) -> Iterator[str]:
    total = sum(len(table.records) for match in event.matches.values() for table in match.tables)
    done = 0
    for match in event.matches.values():
        for number, table in enumerate(match.tables):
            for difference in _table(event, match, number):
                yield f"{match.result.match.key}, table {number}, {difference}"
            done += len(table.records)
            progress(done, total)


def _table(event: Event, match: PlayedMatch, number: int) -> Iterator[str]:
    """Replay one table, board by board."""
    table, result = match.tables[number], match.result.tables[number]
    series: Series | None = None
    for place, (deal, points) in enumerate(zip(table.records, result.points, strict=True)):
        board = match.result.match.first_board + place
        yield from _record(deal, board, is_faulty=place in result.faulty)
        try:
            record = own.from_json_line(deal.json)
        except NotationError as error:
            yield f"board {board}: the record cannot be read: {error}"
            return
        yield from _names(event, match.result.match.lineups[number], record, board)
        seed = board_seed(event.fixed.seed, event_nonces(event.entrants), board)
        if record.dealt != (cards := deal_from_seed(seed)):
            yield f"board {board}: its cards are not {dealt_text(cards)}"
        series = series or Series(record.rules)
        changes = _booked(series, record)
        if isinstance(changes, str):
            yield f"board {board}: {changes}"
            return
        if changes != points:
            yield f"board {board}: it brought {changes}, not {points}"


def _record(deal: SealedDeal, board: int, *, is_faulty: bool) -> Iterator[str]:
    """Is a record the one that was sealed, and does the game say the same of faults?"""
    if seal_of(deal.json, deal.previous_sha256) != deal.sha256:
        yield f"board {board}: the record is not the one that was sealed"
    if is_faulty != bool(json.loads(deal.json).get("faults")):
        yield f"board {board}: its record says something else of faults"


def _names(event: Event, lineup: Lineup, record: Record, board: int) -> Iterator[str]:
    """Did those who are ranked for it sit there? House bots have names of their own at a table."""
    for seat, (entry, found) in enumerate(zip(lineup, record.seats, strict=True)):
        entrant = event.entrants[entry]
        if entrant.house is None and entrant.name != found:
            yield f"board {board}: {found!r} sat on seat {seat}, not {entrant.name!r}"


def _booked(series: Series, record: Record) -> tuple[int, ...] | str:
    """What a record's actions add to the totals; a sentence when they cannot be played."""
    assert isinstance(record.origin, OwnOrigin)
    deal = Deal(record.rules, record.dealt, record.origin.occasion)
    for position, action in record.moves:
        assert not isinstance(action, HouseMove)
        try:
            deal.apply(position, action)
        except IllegalActionError as error:
            return f"{position} {action} is illegal: {error}"
    if deal.result is None:
        return "the deal is not over"
    return series.book(deal.result).changes


def _schedule(event: Event, end: str) -> Iterator[str]:
    plan = event.plan()
    planned = {match.key: match for match in plan.matches}
    for key, match in event.matches.items():
        if key not in planned:
            yield f"{key}: it is not in the schedule"
        elif planned[key] != match.result.match:
            yield f"{key}: the schedule has other lineups or boards"
    has_ended = plan.end is not None and not plan.to_play(event.results)
    if end not in ("cancelled", plan.end.value if plan.end and has_ended else ""):
        yield f"{files.TOURNAMENT}: the schedule does not end with {end}"


def _standings(folder: Path, event: Event, end: str) -> Iterator[str]:
    try:
        found = (folder / files.STANDINGS).read_text(encoding="ascii")
    except (OSError, ValueError) as error:
        raise UnreadableError(f"{files.STANDINGS} cannot be read: {error}") from error
    if found != files.event_standings(event, end):
        yield f"{files.STANDINGS}: the games give other standings"
