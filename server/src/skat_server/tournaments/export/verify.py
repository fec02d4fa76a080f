"""Does an exported event hold? Everything in it is computed anew and held against the files.

The sums of the files, the seed and what bound it, the schedule that the results give, the cards of
every board, every action of every game, every score, the chain of every table's records, and the
standings.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError, NotationError
from skat_engine.notation import dealt_text
from skat_engine.records import own
from skat_engine.records.model import OwnOrigin, Record
from skat_engine.records.moves import HouseMove
from skat_engine.series import Series
from skat_engine.shuffling import board_seed, deal_from_seed
from skat_server.storage.protocols import SealedDeal
from skat_server.storage.sealing import FIRST, seal_of
from skat_server.tables.house import HouseBot
from skat_server.tournaments.boards import tournament_commitment
from skat_server.tournaments.config import ConfigError, parse_config
from skat_server.tournaments.event import Event, PlayedMatch, PlayedTable, event_nonces
from skat_server.tournaments.export import files
from skat_server.tournaments.matches import Match, MatchResult, TableResult
from skat_server.tournaments.standings_text import standings_text
from skat_server.tournaments.state import Entrant, Fixed

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


class UnreadableError(Exception):
    """The folder is no export, or a file of it cannot be read; the text names it."""


def verify_event(folder: Path, progress: Progress = lambda done, of: None) -> Verification:
    """Check an exported event.

    Args:
        folder: as `export_event` has written it.
        progress: told after each game.

    Raises:
        UnreadableError: a file is missing or cannot be read.
    """
    try:
        differences = list(_sums(folder))
        event, end = _read(folder)
        differences += _seed(folder, event)
        differences += _games(event, progress)
        differences += _schedule(event, end)
        differences += _standings(folder, event, end)
    except OSError as error:
        raise UnreadableError(f"{error.filename}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, IndexError, ConfigError) as error:
        raise UnreadableError(f"{folder} is no export that can be read: {error!r}") from error
    games = sum(len(t.records) for m in event.matches.values() for t in m.tables)
    return Verification(games, tuple(differences))


def _sums(folder: Path) -> Iterator[str]:
    manifest = json.loads((folder / files.MANIFEST).read_text(encoding="ascii"))
    for name, expected in manifest["sha256"].items():
        if hashlib.sha256((folder / Path(name).name).read_bytes()).hexdigest() != expected:
            yield f"{name}: its SHA-256 is not that of {files.MANIFEST}"


def _read(folder: Path) -> tuple[Event, str]:
    """The event as the files tell it, and why it has ended."""
    row = json.loads((folder / files.TOURNAMENT).read_text(encoding="ascii"))
    fixed = Fixed(
        tournament_id=row["tournament"],
        organiser_id="",
        text=row["config"],
        config=parse_config(row["config"]),
        seed=bytes.fromhex(row["seed"]),
        created_at=0.0,
    )
    entrants = tuple(_entrant(entry) for entry in row["entries"])
    games: defaultdict[str, dict[int, list[dict[str, Any]]]] = defaultdict(dict)
    with (folder / files.GAMES).open(encoding="ascii") as lines:
        for line in lines:
            game = json.loads(line)
            games[game["match"]].setdefault(game["table"], []).append(game)
    return Event(fixed, entrants, {key: _match(key, tables) for key, tables in games.items()}), row[
        "end"
    ]


def _entrant(row: Mapping[str, Any]) -> Entrant:
    house = HouseBot(row["house"]) if row["house"] else None
    nonce = bytes.fromhex(row["nonce"])
    return Entrant(row["name"], tuple(row["players"]), row["owner"], house, nonce)


def _match(key: str, tables: Mapping[int, list[dict[str, Any]]]) -> PlayedMatch:
    ordered = [tables[number] for number in sorted(tables)]
    first, boards = ordered[0][0]["board"], max(len(games) for games in ordered)
    lineups = tuple(tuple(games[0]["lineup"]) for games in ordered)
    results = tuple(
        TableResult(
            tuple(tuple(game["points"]) for game in games),
            frozenset(place for place, game in enumerate(games) if game["faulty"]),
        )
        for games in ordered
    )
    played = tuple(PlayedTable(games[0]["table_id"], _chain(games)) for games in ordered)
    return PlayedMatch(MatchResult(Match(key, lineups, first, boards), results), played)


def _chain(games: list[dict[str, Any]]) -> list[SealedDeal]:
    previous, sealed = FIRST, []
    for place, game in enumerate(games, start=1):
        sha256 = bytes.fromhex(game["sha256"])
        sealed.append(SealedDeal(place, game["record"], sha256, previous))
        previous = sha256
    return sealed


def _seed(folder: Path, event: Event) -> Iterator[str]:
    row = json.loads((folder / files.TOURNAMENT).read_text(encoding="ascii"))
    fixed = event.fixed
    bound = tournament_commitment(fixed.tournament_id, fixed.seed).hex()
    if row["seed_commitment"] != bound:
        yield f"{files.TOURNAMENT}: the commitment is not that of the seed"
    boards = files.board_count(event)
    root = files.boards_root(event, boards).hex() if boards else ""
    if (row["boards"], row["boards_root"]) != (boards, root):
        yield f"{files.TOURNAMENT}: the root is not that of the boards"


def _games(event: Event, progress: Progress) -> Iterator[str]:
    total = sum(len(t.records) for m in event.matches.values() for t in m.tables)
    done = 0
    for match in event.matches.values():
        for number, table in enumerate(match.tables):
            for difference in _table(event, match, number):
                if difference:
                    yield f"{match.result.match.key}, table {number}, {difference}"
            done += len(table.records)
            progress(done, total)


def _table(event: Event, match: PlayedMatch, number: int) -> Iterator[str]:
    """Replay one table, board by board."""
    table, result = match.tables[number], match.result.tables[number]
    series: Series | None = None
    nonces = event_nonces(event.entrants)
    for place, (deal, points) in enumerate(zip(table.records, result.points, strict=True)):
        board = match.result.match.first_board + place
        if seal_of(deal.json, deal.previous_sha256) != deal.sha256:
            yield f"board {board}: the record is not the one that was sealed"
        try:
            record = own.from_json_line(deal.json)
        except NotationError as error:
            yield f"board {board}: the record cannot be read: {error}"
            return
        cards = deal_from_seed(board_seed(event.fixed.seed, nonces, board))
        if record.dealt != cards:
            yield f"board {board}: its cards are not {dealt_text(cards)}"
        series = series or Series(record.rules)
        changes = _booked(series, record)
        if isinstance(changes, str):
            yield f"board {board}: {changes}"
            return
        if changes != points:
            yield f"board {board}: it brought {changes}, not {points}"


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
        found = match.result.match
        if key not in planned:
            yield f"{key}: it is not in the schedule"
        elif (planned[key].lineups, planned[key].first_board) != (found.lineups, found.first_board):
            yield f"{key}: the schedule has other lineups or boards"
    has_ended = plan.end is not None and not plan.to_play(event.results)
    if end not in ("cancelled", plan.end.value if plan.end and has_ended else ""):
        yield f"{files.TOURNAMENT}: the schedule does not end with {end}"


def _standings(folder: Path, event: Event, end: str) -> Iterator[str]:
    names = [entrant.name for entrant in event.entrants]
    if (folder / files.STANDINGS).read_text(encoding="ascii") != standings_text(
        names, event.summary(), end
    ):
        yield f"{files.STANDINGS}: the games give other standings"
