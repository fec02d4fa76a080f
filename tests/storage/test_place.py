"""A store finds out that its files are not where they were opened."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from skat_server.storage.protocols import StoreError, StoreFailure
from skat_server.storage.sqlite.lock import lock_path
from skat_server.storage.sqlite.store import SqliteStore
from skat_server.storage.sqlite.writer import Pace
from tests.storage.driving import action, changed, failed, keep, opened, payloads, rows

pytestmark = pytest.mark.asyncio

ALWAYS = Pace(look=0.001)
NEVER = Pace(look=3600.0, stopwatch=lambda: 0.0)


def hourly(hours: list[float]) -> Pace:
    """Look once an hour, by a watch that is set by hand."""
    return Pace(wait_per_batch=0.0, look=3600.0, stopwatch=lambda: 3600.0 * hours[0])


GONE = r"skat\.db is not there any more: before the next start, put back"
OTHER = r"another file stands in the place of /.*/skat\.db: before the next start, put back"
LOCK_GONE = r"skat\.db\.lock is not there any more: another server may"
LOCK_OTHER = r"another file stands in the place of /.*/skat\.db\.lock: another server may"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a database will be."""
    return tmp_path / "data" / "skat.db"


def aside(path: Path) -> Path:
    """Where the folder goes that is moved away."""
    return path.parent.with_name("elsewhere")


def remove_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def move_folder(path: Path) -> None:
    path.parent.rename(aside(path))


def put_file_for_folder(path: Path) -> None:
    remove_folder(path)
    path.parent.write_text("no folder")


def replace_folder(path: Path) -> None:
    """Put a copy in its place."""
    move_folder(path)
    shutil.copytree(aside(path), path.parent)


def remove_database(path: Path) -> None:
    path.unlink()


def replace_database(path: Path) -> None:
    """As somebody does who restores a backup by hand."""
    other = path.with_name("backup.db")
    shutil.copy(path, other)
    other.rename(path)


def remove_lock(path: Path) -> None:
    lock_path(path).unlink()


def replace_lock(path: Path) -> None:
    remove_lock(path)
    # Two, because a new file may be given the number of one that was just removed.
    path.with_name("another").touch()
    lock_path(path).touch()


async def dead(store: SqliteStore) -> StoreError:
    """Wait until nothing can be kept any more: why."""
    while store.fatal is None:
        await changed(store)
    return store.fatal


@pytest.mark.parametrize(
    ("happen", "why"),
    [
        (remove_folder, GONE),
        (move_folder, GONE),
        (put_file_for_folder, GONE),
        (replace_folder, OTHER),
        (remove_database, GONE),
        (replace_database, OTHER),
        (remove_lock, LOCK_GONE),
        (replace_lock, LOCK_OTHER),
    ],
)
async def test_a_store_whose_files_are_elsewhere_keeps_nothing_more(
    path: Path, happen: Callable[[Path], None], why: str
) -> None:
    hours = [0.0]
    async with opened(path, pace=hourly(hours)) as store:
        await keep(store, action("t", "a"))
        happen(path)
        hours[0] = 1.0
        error = await failed(store, action("t", "b"))
        assert error.failure is StoreFailure.BROKEN
        assert store.fatal is error
        with pytest.raises(StoreError, match=why):
            raise error


async def test_not_every_transaction_looks(path: Path) -> None:
    hours = [0.0]
    async with opened(path, pace=hourly(hours)) as store:
        await keep(store, action("t", "a"))
        move_folder(path)
        hours[0] = 0.9
        await keep(store, action("t", "b"))
        hours[0] = 1.0
        await failed(store, action("t", "c"))
    found = rows(aside(path) / path.name, "SELECT payload FROM events ORDER BY seq")
    assert found == [("a",), ("b",)]


async def test_a_store_looks_while_nobody_plays_too(path: Path) -> None:
    async with opened(path, pace=ALWAYS) as store:
        remove_folder(path)
        assert (await dead(store)).failure is StoreFailure.BROKEN
        assert not store.is_available


async def test_what_is_put_back_has_all_that_was_kept(path: Path) -> None:
    async with opened(path, pace=ALWAYS) as store:
        await keep(store, action("t", "a"), action("t", "b"))
        move_folder(path)
        await dead(store)
    aside(path).rename(path.parent)
    async with opened(path) as store:
        assert await payloads(store, "t") == ["a", "b"]


async def test_it_is_looked_at_before_the_end(path: Path) -> None:
    """Otherwise a stop would look as if all was kept."""
    told: list[StoreError | None] = []
    async with opened(path, pace=NEVER) as store:
        store.watch(lambda: told.append(store.fatal))
        await keep(store, action("t", "a"))
        remove_folder(path)
    assert [fatal and fatal.failure for fatal in told] == [StoreFailure.BROKEN]


async def test_a_folder_that_is_still_found_by_its_old_name_is_in_its_place(path: Path) -> None:
    async with opened(path, pace=NEVER) as store:
        move_folder(path)
        path.parent.symlink_to(aside(path))
        await keep(store, action("t", "a"))
    assert store.fatal is None


async def test_what_cannot_be_looked_at_may_be_there(path: Path) -> None:
    """A folder whose permissions are taken away for a while, for instance."""
    async with opened(path, pace=NEVER) as store:
        move_folder(path)
        path.parent.symlink_to(path.parent)  # a name that leads to itself
        await keep(store, action("t", "a"))
    assert store.fatal is None
