"""Writing an event into a folder: what it was, its games, its standings, and their sums.

`tournament.json` has what was fixed, the entries, the seed and the matches that count;
`games.jsonl` one line for each of their games in schedule order; `standings.json` the figures;
`manifest.json` the SHA-256 of each of them. All text is ASCII, so the same event gives the same
bytes everywhere. The games may be there in other forms as well: `games.sgf` for programs that read
records of the International Skat Server, `games.parquet` for tools that read tables.
"""

import hashlib
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from skat_engine.records import FileForm, UnsayableError, own, to_line
from skat_server.tournaments.boards import tournament_commitment
from skat_server.tournaments.entrant_text import entrant_row
from skat_server.tournaments.event import Event, PlayedMatch, board_count, boards_root
from skat_server.tournaments.export.games import PlayedGame, games_of_event
from skat_server.tournaments.standings_text import standings_text

TOURNAMENT: Final = "tournament.json"
GAMES: Final = "games.jsonl"
STANDINGS: Final = "standings.json"
MANIFEST: Final = "manifest.json"
FORMAT: Final = 1


class ExportForm(Enum):
    """A form of the games."""

    JSONL = "jsonl"
    """Complete, and what `verify` reads; always written."""
    SGF = "sgf"
    """Records of the International Skat Server, one a line; not every game can be said in it."""
    PARQUET = "parquet"
    """Columns; needs the extra `parquet`."""


class ExportError(Exception):
    """The event cannot be written; the text says why."""


@dataclass(frozen=True, slots=True)
class Written:
    """What came of an export."""

    paths: tuple[Path, ...]
    """The files, the sums last."""
    unsayable: tuple[str, ...]
    """Games that the form `sgf` has no words for: which, and why."""


def export_event(
    event: Event, folder: Path, end: str, forms: Collection[ExportForm] = ()
) -> Written:
    """Write an event that has ended.

    Args:
        event: with all its records.
        folder: is made; it must be empty.
        end: why the event has ended.
        forms: of the games, beside the one that is always written.

    Raises:
        ExportError: the folder has something in it, or what a form needs is not installed.
        OSError: it cannot be written.
    """
    write_parquet = _parquet_writer() if ExportForm.PARQUET in forms else None
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ExportError(f"{folder} is not empty; name a new folder")
    texts = {
        TOURNAMENT: tournament_text(event, end),
        GAMES: "".join(map(_game_line, games_of_event(event))),
        STANDINGS: event_standings(event, end),
    }
    unsayable: list[str] = []
    if ExportForm.SGF in forms:
        texts["games.sgf"] = _sgf_text(event, unsayable)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    if write_parquet is not None:
        write_parquet(event, folder / "games.parquet")
    paths = sorted(folder.iterdir())
    (folder / MANIFEST).write_text(manifest_text(paths), encoding="ascii")
    return Written((*paths, folder / MANIFEST), tuple(unsayable))


def _parquet_writer() -> Callable[[Event, Path], None]:
    try:
        # It is an extra: only who asks for it needs it.
        from skat_server.tournaments.export.parquet import write_parquet  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise ExportError(
            "parquet needs pyarrow, which is not installed: install skat-server[parquet]"
        ) from error
    return write_parquet


def manifest_text(paths: Collection[Path]) -> str:
    """The sums of files, by name."""
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(paths)}
    return json.dumps({"format": FORMAT, "sha256": sums}, indent=1) + "\n"


def event_standings(event: Event, end: str) -> str:
    """The standings as a file."""
    names = [entrant.name for entrant in event.entrants]
    return standings_text(names, event.summary(), end, event.winner)


def tournament_text(event: Event, end: str) -> str:
    """What was fixed, who took part, and the seed with what bound it."""
    fixed = event.fixed
    boards = board_count(event)
    text = {
        "format": FORMAT,
        "tournament": fixed.tournament_id,
        "config": fixed.text,
        "end": end,
        "seed": fixed.seed.hex(),
        "seed_commitment": tournament_commitment(fixed.tournament_id, fixed.seed).hex(),
        "boards": boards,
        "boards_root": boards_root(event, boards).hex(),
        "entries": [entrant_row(entrant) for entrant in event.entrants],
        "matches": [_match(match) for match in event.counting()],
    }
    return json.dumps(text, indent=1) + "\n"


def _game_line(game: PlayedGame) -> str:
    row = {
        "match": game.match.key,
        "table": game.table,
        "table_id": game.table_id,
        "board": game.board,
        "lineup": game.lineup,
        "points": game.points,
        "faulty": game.is_faulty,
        "sha256": game.sealed.sha256.hex(),
        "record": game.sealed.json,
    }
    return json.dumps(row, separators=(",", ":")) + "\n"


def _sgf_text(event: Event, unsayable: list[str]) -> str:
    lines = []
    for game in games_of_event(event):
        try:
            lines.append(to_line(own.from_json_line(game.sealed.json), FileForm.SGF) + "\n")
        except UnsayableError as error:
            unsayable.append(f"{game.table_id}, board {game.board}: {error}")
    return "".join(lines)


def _match(match: PlayedMatch) -> dict[str, object]:
    planned = match.result.match
    return {
        "key": planned.key,
        "round": planned.round,
        "first_board": planned.first_board,
        "boards": planned.boards,
        "lineups": planned.lineups,
        "table_ids": [table.table_id for table in match.tables],
    }
