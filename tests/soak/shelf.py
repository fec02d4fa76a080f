"""Histories that wait on the disk until the server has ended, so that the load stays small."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.crash.client_player import IN_THE_CLIENT
from tests.crash.database import histories_in
from tests.crash.field import Field
from tests.crash.wire import ON_THE_WIRE
from tests.histories.checker import violations
from tests.histories.model import ClientHistory, History, TableHistory, Violation


@dataclass(frozen=True, slots=True)
class Batch:
    """The tables of one field, and what its people were told."""

    tables: Sequence[TableHistory]
    """What the store had of them when they were over: later it drops actions of old tables."""
    on_the_wire: Sequence[ClientHistory]
    in_the_client: Sequence[ClientHistory]
    is_over: bool


class Shelf:
    """Batches in files."""

    def __init__(self, folder: Path, data: Path) -> None:
        """Use a folder of its own, beside the data of the server."""
        folder.mkdir()
        self._folder = folder
        self._data = data
        self._count = 0

    def put(self, field: Field, *, is_over: bool) -> None:
        """Keep what a field has seen, and what the store has of it."""
        tables = histories_in(self._data, field.table_ids)
        batch = Batch(tables, field.histories, field.histories_in_the_client, is_over)
        path = self._folder / f"{self._count:06}.pickle"
        path.write_bytes(pickle.dumps(batch, pickle.HIGHEST_PROTOCOL))
        self._count += 1

    def violations(self) -> Iterator[Violation]:
        """Everything that is wrong with any batch."""
        for path in sorted(self._folder.iterdir()):
            batch = pickle.loads(path.read_bytes())
            assert isinstance(batch, Batch)
            for people, reading in (
                (batch.on_the_wire, ON_THE_WIRE),
                (batch.in_the_client, IN_THE_CLIENT),
            ):
                yield from violations(History(batch.tables, people, reading, batch.is_over))
