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

    table_ids: Sequence[str]
    on_the_wire: Sequence[ClientHistory]
    in_the_client: Sequence[ClientHistory]
    is_over: bool


class Shelf:
    """Batches in files."""

    def __init__(self, folder: Path) -> None:
        """Use a folder of its own."""
        folder.mkdir()
        self._folder = folder
        self._count = 0

    def put(self, field: Field, *, is_over: bool) -> None:
        """Keep what a field has seen."""
        batch = Batch(field.table_ids, field.histories, field.histories_in_the_client, is_over)
        path = self._folder / f"{self._count:06}.pickle"
        path.write_bytes(pickle.dumps(batch, pickle.HIGHEST_PROTOCOL))
        self._count += 1

    def batches(self) -> Iterator[Batch]:
        """All that were kept."""
        for path in sorted(self._folder.iterdir()):
            batch = pickle.loads(path.read_bytes())
            assert isinstance(batch, Batch)
            yield batch


async def violations_on(shelf: Shelf, data: Path) -> list[Violation]:
    """Everything that is wrong with any batch, seen beside what the server has left."""
    kept = {table.table_id: table for table in await histories_in(data)}
    return [violation for batch in shelf.batches() for violation in _of(batch, kept)]


def _of(batch: Batch, kept: dict[str, TableHistory]) -> Iterator[Violation]:
    tables = [kept[table_id] for table_id in batch.table_ids]
    yield from violations(History(tables, batch.on_the_wire, ON_THE_WIRE, batch.is_over))
    yield from violations(History(tables, batch.in_the_client, IN_THE_CLIENT, batch.is_over))
