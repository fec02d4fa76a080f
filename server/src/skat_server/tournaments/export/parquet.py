"""The games of an event as a table of columns, for tools that read Parquet. An extra."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from skat_server.tournaments.event import Event
from skat_server.tournaments.export.games import PlayedGame, games_of_event

SCHEMA: Final = pa.schema(
    [
        ("match", pa.string()),
        ("round", pa.int32()),
        ("table", pa.int32()),
        ("table_id", pa.string()),
        ("board", pa.int32()),
        ("seats", pa.list_(pa.string())),
        ("points", pa.list_(pa.int32())),
        ("kind", pa.string()),
        ("declarer", pa.string()),
        ("contract", pa.string()),
        ("won", pa.bool_()),
        ("value", pa.int32()),
        ("faulty", pa.bool_()),
        ("sha256", pa.string()),
        ("record", pa.string()),
    ]
)
"""Columns: `seats` and `points` are lists by seat of the table; `declarer` is the name of an entry,
null where there was none; `value` is the game's value as it counts."""


def write_parquet(event: Event, path: Path) -> None:
    """Write the games of the matches that count, in schedule order.

    Raises:
        OSError: the file cannot be written.
    """
    rows = list(_rows(event))
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path)


def _rows(event: Event) -> Iterable[dict[str, Any]]:
    names = [entrant.name for entrant in event.entrants]
    for game in games_of_event(event):
        deed = game.deed
        yield {
            "match": game.match.key,
            "round": game.match.round,
            "table": game.table,
            "table_id": game.table_id,
            "board": game.board,
            "seats": [names[entry] for entry in game.lineup],
            "points": list(game.points),
            "kind": deed.kind.value,
            "declarer": _declarer(game, names),
            "contract": deed.contract,
            "won": deed.won,
            "value": deed.value,
            "faulty": game.is_faulty,
            "sha256": game.sealed.sha256.hex(),
            "record": game.sealed.json,
        }


def _declarer(game: PlayedGame, names: Sequence[str]) -> str | None:
    if game.deed.declarer is None:
        return None
    return names[game.lineup[game.order[game.deed.declarer]]]
