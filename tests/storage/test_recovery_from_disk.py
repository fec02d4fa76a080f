"""A table comes back from the disk as it was, also when old actions are gone (F1, H2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from skat_server.app import App
from skat_server.config import Settings
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import EntryKind, UnusableStoreError
from tests.server.recovering import again, log_of_table, shape
from tests.storage.driving import change, keep, opened, rows
from tests.storage.played import played

pytestmark = pytest.mark.asyncio

DEALS = 8


async def test_a_table_made_again_from_the_disk_is_the_one_that_was_kept(tmp_path: Path) -> None:
    """What the store drops, a start does not need."""
    batches = played("t", DEALS)
    memory = MemoryStore()
    dropped: list[int] = []
    async with opened(tmp_path / "skat.db") as store:
        for number, batch in enumerate(batches):
            memory.append(batch, lambda _: None)
            await keep(store, batch)
            found, whole = await store.log("t"), log_of_table(memory, "t")
            assert found is not None
            dropped.append(len(whole.lines) - len(found.lines))
            if number % 7 == 0:
                assert shape(again(found)) == shape(again(whole)), f"after batch {number}"
    assert dropped[-1] > 10


async def test_all_but_actions_of_old_deals_is_kept(tmp_path: Path) -> None:
    batches = played("t", DEALS)
    async with opened(tmp_path / "skat.db") as store:
        for batch in batches:
            await keep(store, batch)
    async with opened(tmp_path / "skat.db") as store:
        log = await store.log("t")
    assert log is not None
    wanted = [entry for batch in batches for entry in batch.entries]
    found = [line.entry for line in log.lines]
    others = [entry for entry in wanted if entry.kind is not EntryKind.ACTION]
    assert [entry for entry in found if entry.kind is not EntryKind.ACTION] == others
    starts = [n for n, entry in enumerate(wanted) if entry.kind is EntryKind.DEAL_STARTED]
    assert found[-(len(wanted) - starts[-3]) :] == wanted[starts[-3] :]


async def two_tables(folder: Path) -> Path:
    """Keep two tables; where they are."""
    async with opened(folder / "skat.db") as store:
        await keep(store, *played("t", 1), *played("u", 1))
    return folder / "skat.db"


async def test_a_table_that_another_server_has_written_is_parked(tmp_path: Path) -> None:
    """F20: entries of a kind that is not known yet cost the other tables nothing."""
    path = await two_tables(tmp_path)
    change(path, "UPDATE filed_events SET kind = 'of_tomorrow' WHERE table_id = 't' AND seq = 3")
    async with App(Settings(port=0, data=tmp_path)) as app:
        assert [table.table_id for table in app.tables.public(None)] == ["u"]
        assert await app.store.log("t") is None


async def test_a_start_on_a_damaged_database_says_what_to_do(tmp_path: Path) -> None:
    """F21: nobody serves what he cannot read."""
    path = await two_tables(tmp_path)
    content = bytearray(path.read_bytes())
    [(page,)] = rows(path, "SELECT rootpage FROM sqlite_master WHERE name = 'filed_events'")
    assert isinstance(page, int)
    content[4_096 * (page - 1) : 4_096 * page] = bytes(4_096)
    path.write_bytes(content)
    with pytest.raises(UnusableStoreError, match="restore a backup"):
        async with App(Settings(port=0, data=tmp_path)):
            pass
