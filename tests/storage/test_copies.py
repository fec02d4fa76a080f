"""Backups made during play, and starts from them (F22)."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from skat_server.storage.copies import back_up, restore
from skat_server.storage.protocols import Store, UnusableStoreError
from skat_server.storage.sqlite.connections import open_writer, transaction
from skat_server.storage.sqlite.store import SqliteStore
from skat_server.storage.verifying import Sound, verify
from tests.storage.driving import change, keep, opened, outcome
from tests.storage.played import played

pytestmark = pytest.mark.asyncio


def ignore(_done: int, _total: int) -> None:
    """Show no progress."""


async def logs(store: Store) -> dict[str, int]:
    """How long the log of each table is."""
    return {log.table_id: len(log.lines) for log in await store.load(99)}


async def test_a_backup_made_during_play_has_all_that_was_kept_before(tmp_path: Path) -> None:
    """F22: H1 and H4 hold up to the backup point, and play goes on from there."""
    batches, later = played("t", 3), played("u", 2)
    async with opened(tmp_path / "skat.db") as store:
        half = len(batches) // 2
        await keep(store, *batches[:half])
        playing = asyncio.create_task(keep(store, *later))
        await asyncio.to_thread(back_up, tmp_path / "skat.db", tmp_path / "copy.db", ignore)
        await playing
    restore(tmp_path / "copy.db", tmp_path / "again" / "skat.db", ignore, overwrites=False)
    async with opened(tmp_path / "again" / "skat.db") as store:
        found = await logs(store)
        assert found["t"] == sum(len(batch.entries) for batch in batches[:half])
        await keep(store, *batches[half:])
        assert len(await store.records("t", 0, 9)) == 3
    findings = list(verify(tmp_path / "again" / "skat.db"))
    assert findings
    assert all(isinstance(one, Sound) for one in findings)


def modes(folder: Path, names: str) -> dict[str, int]:
    """Who may do what with the files of these names."""
    return {path.name: path.stat().st_mode & 0o777 for path in folder.glob(names)}


async def test_a_backup_is_one_file_for_its_owner_alone(tmp_path: Path) -> None:
    async with opened(tmp_path / "skat.db") as store:
        await keep(store, *played("t", 1))
        told: list[tuple[int, int]] = []
        back_up(tmp_path / "skat.db", tmp_path / "copy.db", lambda *n: told.append(n))
    assert modes(tmp_path, "copy*") == {"copy.db": 0o600}
    assert told[-1][0] == told[-1][1] > 0


async def test_a_backup_replaces_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path / "skat.db"):
        (tmp_path / "copy.db").write_text("something of value")
        with pytest.raises(UnusableStoreError, match="is there already"):
            back_up(tmp_path / "skat.db", tmp_path / "copy.db", ignore)
    assert (tmp_path / "copy.db").read_text() == "something of value"


async def test_a_backup_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path / "skat.db"):
        with pytest.raises(UnusableStoreError, match="cannot be written"):
            back_up(tmp_path / "skat.db", tmp_path / "no" / "folder" / "copy.db", ignore)


async def make_copy(folder: Path) -> None:
    """Play a table and back it up."""
    async with opened(folder / "first" / "skat.db") as store:
        await keep(store, *played("t", 1))
        back_up(folder / "first" / "skat.db", folder / "copy.db", ignore)


async def test_a_restore_overwrites_only_when_told(tmp_path: Path) -> None:
    await make_copy(tmp_path)
    place = tmp_path / "place" / "skat.db"
    async with opened(place) as store:
        await keep(store, *played("u", 1))
    with pytest.raises(UnusableStoreError, match="--overwrite"):
        restore(tmp_path / "copy.db", place, ignore, overwrites=False)
    moved = restore(tmp_path / "copy.db", place, ignore, overwrites=True)
    assert moved == place.with_name("skat.db.replaced")
    async with opened(place) as store:
        assert list(await logs(store)) == ["t"]
    async with opened(moved) as store:
        assert list(await logs(store)) == ["u"]


async def test_what_was_moved_away_before_is_not_lost(tmp_path: Path) -> None:
    await make_copy(tmp_path)
    place = tmp_path / "place" / "skat.db"
    moved = [restore(tmp_path / "copy.db", place, ignore, overwrites=True) for _ in range(3)]
    names = [path and path.name for path in moved]
    assert names == [None, "skat.db.replaced", "skat.db.replaced-2"]


def write_and_die(place: Path) -> bytes:
    """Leave files as a server does that was killed; what is in its write-ahead log."""
    parts = [place, place.with_name("skat.db-wal")]
    with closing(open_writer(place)) as connection:
        with transaction(connection):
            connection.execute("INSERT INTO tables (table_id, opened_ms) VALUES ('late', 0)")
        kept = [part.read_bytes() for part in parts]
    for part, content in zip(parts, kept, strict=True):
        part.write_bytes(content)
    return kept[1]


def has_late_table(place: Path) -> bool:
    """Whether a database has what `write_and_die` has written."""
    with closing(open_writer(place)) as connection:
        rows = connection.execute("SELECT 1 FROM tables WHERE table_id = 'late'").fetchall()
    return bool(rows)


async def test_what_a_killed_server_has_left_is_moved_away_as_one_file(tmp_path: Path) -> None:
    """F22: so nobody who is killed meanwhile parts a log from its database."""
    await make_copy(tmp_path)
    place = tmp_path / "first" / "skat.db"
    write_and_die(place)
    moved = restore(tmp_path / "copy.db", place, ignore, overwrites=True)
    assert moved is not None
    assert {path.name for path in place.parent.glob("skat.db.replaced*")} == {moved.name}
    assert has_late_table(moved)
    assert not has_late_table(place)


async def test_no_leftover_is_read_into_a_backup_that_is_put_back(tmp_path: Path) -> None:
    """F22: whoever was killed while he moved a database away has left its log behind."""
    await make_copy(tmp_path)
    place = tmp_path / "first" / "skat.db"
    leftover = write_and_die(place)
    place.unlink()
    with pytest.raises(UnusableStoreError, match="--overwrite"):
        restore(tmp_path / "copy.db", place, ignore, overwrites=False)
    restore(tmp_path / "copy.db", place, ignore, overwrites=True)
    assert place.with_name("skat.db.replaced-wal").read_bytes() == leftover
    assert not has_late_table(place)
    async with opened(place) as store:
        assert list(await logs(store)) == ["t"]


async def test_no_leftover_is_read_into_a_new_database(tmp_path: Path) -> None:
    """F3: whoever has lost the database itself is told so, before it is too late."""
    await make_copy(tmp_path)
    place = tmp_path / "first" / "skat.db"
    leftover = write_and_die(place)
    place.unlink()
    with pytest.raises(UnusableStoreError, match=r"skat\.db-wal is there"):
        await SqliteStore(place).open()
    assert not place.exists()
    assert place.with_name("skat.db-wal").read_bytes() == leftover


async def test_a_restore_under_a_running_server_is_refused(tmp_path: Path) -> None:
    await make_copy(tmp_path)
    place = tmp_path / "place" / "skat.db"
    async with opened(place) as store:
        with pytest.raises(UnusableStoreError, match="in use by process"):
            restore(tmp_path / "copy.db", place, ignore, overwrites=True)
        assert await outcome(store, played("u", 1)[0]) is None


async def test_a_damaged_backup_is_not_restored(tmp_path: Path) -> None:
    await make_copy(tmp_path)
    spoil(tmp_path / "copy.db")
    with pytest.raises(UnusableStoreError, match="damaged"):
        restore(tmp_path / "copy.db", tmp_path / "place" / "skat.db", ignore, overwrites=True)
    assert not (tmp_path / "place").exists()


def spoil(path: Path) -> None:
    """Overwrite the pages of the log with zeros, but leave the first ones."""
    content = bytearray(path.read_bytes())
    content[40_960:] = bytes(len(content) - 40_960)
    path.write_bytes(content)


async def test_a_backup_of_a_newer_server_is_not_restored(tmp_path: Path) -> None:
    await make_copy(tmp_path)
    change(tmp_path / "copy.db", "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UnusableStoreError, match="9999"):
        restore(tmp_path / "copy.db", tmp_path / "place" / "skat.db", ignore, overwrites=False)


async def test_a_file_that_is_no_backup_is_not_restored(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("not a database")
    with pytest.raises(UnusableStoreError, match="no database"):
        restore(tmp_path / "note.txt", tmp_path / "place" / "skat.db", ignore, overwrites=False)
