"""Reading an exported event back into values."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skat_server.storage.protocols import SealedDeal
from skat_server.storage.sealing import FIRST
from skat_server.tournaments.config import ConfigError, parse_config
from skat_server.tournaments.entrant_text import entrant_of
from skat_server.tournaments.event import Event, PlayedMatch, PlayedTable
from skat_server.tournaments.export import files
from skat_server.tournaments.matches import Match, MatchResult, TableResult
from skat_server.tournaments.plays import deed_in
from skat_server.tournaments.state import Fixed

_Games = defaultdict[tuple[str, int], list[dict[str, Any]]]
"""Rows of games by match and table."""


class UnreadableError(Exception):
    """The folder is no export, or a file of it cannot be read; the text names it."""


@dataclass(frozen=True, slots=True)
class Exported:
    """An event as its files tell it."""

    event: Event
    end: str
    """Why it has ended."""
    row: Mapping[str, Any]
    """What `tournament.json` says."""
    differences: tuple[str, ...]
    """Where the files contradict each other."""


def read_event(folder: Path) -> Exported:
    """Read what `export_event` has written.

    Raises:
        UnreadableError: a file is missing, or is not what it should be.
    """
    if not (folder / files.TOURNAMENT).is_file():
        raise UnreadableError(
            f"{folder} is no export: it has no {files.TOURNAMENT}. "
            "Name a folder that `skat-server tournament export` has written."
        )
    try:
        return _read(folder)
    except OSError as error:
        raise UnreadableError(f"{error.filename}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, ConfigError) as error:
        raise UnreadableError(
            f"{folder}: {files.TOURNAMENT} is not what an export has there ({fault_of(error)})"
        ) from error


def fault_of(error: Exception) -> str:
    """What is wrong with a text, in the words of people."""
    match error:
        case json.JSONDecodeError():
            return f"no JSON: {error}"
        case KeyError(args=[str(name)]):
            return f"no field {name}"
        case ValueError():
            return str(error)
        case _:
            return "a field is not of its kind"


def _read(folder: Path) -> Exported:
    row = json.loads((folder / files.TOURNAMENT).read_text(encoding="ascii"))
    fixed = Fixed(
        tournament_id=row["tournament"],
        organiser_id="",
        text=row["config"],
        config=parse_config(row["config"]),
        seed=bytes.fromhex(row["seed"]),
        created_at=0.0,
    )
    games: _Games = defaultdict(list)
    for game in _games(folder / files.GAMES):
        games[game["match"], game["table"]].append(game)
    matches, differences = {}, []
    for planned in row["matches"]:
        match, found = _match(planned, games)
        matches[match.result.match.key] = match
        differences += found
    differences += [
        f"{files.GAMES}: {files.TOURNAMENT} has no table {table} of {key}" for key, table in games
    ]
    event = Event(fixed, tuple(map(entrant_of, row["entries"])), matches)
    return Exported(event, row["end"], row, tuple(differences))


def _games(path: Path) -> Iterator[dict[str, Any]]:
    """The games, each with the object that its record is."""
    with path.open(encoding="ascii") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                game = json.loads(line)
                yield {**game, "said": json.loads(game["record"])}
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise UnreadableError(
                    f"{path.name}, line {number}: no game ({fault_of(error)})"
                ) from error


def _match(row: Mapping[str, Any], games: _Games) -> tuple[PlayedMatch, list[str]]:
    """A match as one file names it, with the games that the other has of it."""
    lineups = tuple(map(tuple, row["lineups"]))
    match = Match(row["key"], lineups, row["first_board"], row["boards"], row["round"])
    played = [games.pop((match.key, number), []) for number in range(len(lineups))]
    tables = [
        PlayedTable(table_id, tuple(deed_in(game["said"]["result"]) for game in own), _chain(own))
        for table_id, own in zip(row["table_ids"], played, strict=True)
    ]
    result = MatchResult(match, tuple(map(_result, played)))
    misplaced = [
        line for number, own in enumerate(played) for line in _misplaced(match, number, own)
    ]
    return PlayedMatch(result, tuple(tables)), misplaced


def _misplaced(match: Match, number: int, games: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Games that say of themselves that they belong elsewhere."""
    for place, game in enumerate(games):
        wanted = (match.lineups[number], match.first_board + place)
        found = (tuple(game["lineup"]), game["board"])
        if found != wanted:
            yield (
                f"{match.key}, table {number}, board {wanted[1]}: {files.GAMES} has lineup and "
                f"board {found}, {files.TOURNAMENT} has {wanted}"
            )


def _result(games: Sequence[Mapping[str, Any]]) -> TableResult:
    faulty = frozenset(place for place, game in enumerate(games) if game["faulty"])
    return TableResult(
        points=tuple(tuple(game["points"]) for game in games),
        faulty=faulty,
        dealers=tuple(game["said"]["dealer"] for game in games),
    )


def _chain(games: Sequence[Mapping[str, Any]]) -> list[SealedDeal]:
    previous, sealed = FIRST, []
    for place, game in enumerate(games, start=1):
        sha256 = bytes.fromhex(game["sha256"])
        sealed.append(SealedDeal(place, game["record"], sha256, previous))
        previous = sha256
    return sealed
