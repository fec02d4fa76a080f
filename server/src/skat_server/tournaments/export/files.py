"""Writing an event into a folder: what it was, its games, its standings, and their sums.

`tournament.json` has what was fixed, the entries, the seed and the matches that count;
`games.jsonl` one line for each of their games in schedule order; `standings.json` the figures;
`manifest.json` the SHA-256 of each of them. All text is ASCII, so the same event gives the same
bytes everywhere.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from skat_server.tournaments.boards import tournament_commitment
from skat_server.tournaments.event import Event, PlayedMatch, board_count, boards_root
from skat_server.tournaments.standings_text import standings_text
from skat_server.tournaments.state import Entrant

TOURNAMENT: Final = "tournament.json"
GAMES: Final = "games.jsonl"
STANDINGS: Final = "standings.json"
MANIFEST: Final = "manifest.json"
FORMAT: Final = 1


class ExportError(Exception):
    """The event cannot be written; the text says why."""


def export_event(event: Event, folder: Path, end: str) -> list[Path]:
    """Write an event that has ended.

    Args:
        event: with all its records.
        folder: is made; it must be empty.
        end: why the event has ended.

    Raises:
        ExportError: the folder has something in it.
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ExportError(f"{folder} is not empty; name a new folder")
    texts = {
        TOURNAMENT: tournament_text(event, end),
        GAMES: "".join(game_lines(event)),
        STANDINGS: standings_text([e.name for e in event.entrants], event.summary(), end),
    }
    texts[MANIFEST] = _manifest(texts)
    paths = []
    for name, text in texts.items():
        path = folder / name
        path.write_text(text, encoding="ascii")
        paths.append(path)
    return paths


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
        "entries": [_entrant(entrant) for entrant in event.entrants],
        "matches": [_match(match) for match in event.counting()],
    }
    return json.dumps(text, indent=1) + "\n"


def game_lines(event: Event) -> Iterator[str]:
    """One line for each game of the matches that count, in schedule order."""
    for match in event.counting():
        yield from _match_lines(match)


def _match_lines(match: PlayedMatch) -> Iterator[str]:
    planned = match.result.match
    for number, (table, result) in enumerate(zip(match.tables, match.result.tables, strict=True)):
        for place, (deal, points) in enumerate(zip(table.records, result.points, strict=True)):
            row = {
                "match": planned.key,
                "table": number,
                "table_id": table.table_id,
                "board": planned.first_board + place,
                "lineup": planned.lineups[number],
                "points": points,
                "faulty": place in result.faulty,
                "sha256": deal.sha256.hex(),
                "record": deal.json,
            }
            yield json.dumps(row, separators=(",", ":")) + "\n"


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


def _entrant(entrant: Entrant) -> dict[str, object]:
    return {
        "name": entrant.name,
        "players": entrant.players,
        "owner": entrant.owner,
        "house": entrant.house.value if entrant.house else None,
        "nonce": entrant.nonce.hex(),
    }


def _manifest(texts: dict[str, str]) -> str:
    sums = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    return json.dumps({"format": FORMAT, "sha256": sums}, indent=1) + "\n"
