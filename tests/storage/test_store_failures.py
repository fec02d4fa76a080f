"""What the store on a disk does when the disk does not (F4, F5, F12, F21)."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from skat_server.storage.protocols import (
    CorruptRecordError,
    StoreError,
    StoreFailure,
    UnusableStoreError,
)
from skat_server.storage.sqlite.connections import Connection
from skat_server.storage.sqlite.store import SqliteStore
from skat_server.storage.sqlite.writer import Pace
from tests.storage.driving import (
    Proxy,
    action,
    available,
    change,
    changed,
    deal_end,
    failed,
    keep,
    opened,
    outcome,
    payloads,
    rows,
    start,
)

pytestmark = pytest.mark.asyncio

BIG = "x" * 8_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a database will be."""
    return tmp_path / "skat.db"


# ----------------------------------------------------------------------------------- F4: disk full


async def set_room(store: SqliteStore, pages: int) -> None:
    """Let the database grow by so many pages and no further."""

    def limit(connection: Connection) -> None:
        ((now,),) = connection.execute("PRAGMA page_count").fetchall()
        connection.execute(f"PRAGMA max_page_count={now + pages}").fetchall()

    await asyncio.to_thread(limit, store.database._writing)


async def fill_up(store: SqliteStore) -> tuple[int, StoreError]:
    """Append until nothing fits any more: how many did, and the error."""
    number = 0
    while (error := await outcome(store, action("t", f"{number}{BIG}"))) is None:
        number += 1
    return number, error


async def test_a_full_disk_refuses_and_loses_nothing(path: Path) -> None:
    """F4: the batch fails, what was kept stays, nothing crashes."""
    async with opened(path) as store:
        await set_room(store, 20)
        kept, error = await fill_up(store)
        assert kept > 0
        assert error.failure is StoreFailure.FULL
        assert not store.is_available
        assert store.fatal is None
        assert len(await payloads(store, "t")) == kept
        assert (await failed(store, action("u", "a"))).failure is StoreFailure.FULL


async def test_the_store_goes_on_when_space_returns(path: Path) -> None:
    """F4: it looks by itself, and says so."""
    async with opened(path) as store:
        await set_room(store, 20)
        told: list[bool] = []
        store.watch(lambda: told.append(store.is_available))
        kept, _ = await fill_up(store)
        await set_room(store, 10_000)
        await available(store)
        assert told == [False, True]
        await keep(store, action("t", "after"))
        log = await payloads(store, "t")
        assert len(log) == kept + 1
        assert log[-1] == "after"
    assert rows(path, "SELECT filler FROM nodes") == [(None,)]


async def test_a_look_for_space_that_fails_changes_nothing(path: Path) -> None:
    async with opened(path) as store:
        await set_room(store, 20)
        await fill_up(store)
        told: list[bool] = []
        store.watch(lambda: told.append(store.is_available))
        # Not even the probe fits: it is tried, in vain, until we look again.
        for _ in range(20):
            await store.log("t")
        assert told == []
        assert not store.is_available


async def test_others_who_write_do_not_keep_the_store_from_looking_for_space(path: Path) -> None:
    async def write(store: SqliteStore) -> None:
        while not store.is_available:
            with suppress(StoreError):
                await store.database.write(lambda _: None)

    async with opened(path) as store:
        await set_room(store, 20)
        await fill_up(store)
        writing = asyncio.create_task(write(store))
        await set_room(store, 10_000)
        await writing
        await keep(store, action("t", "after"))


async def test_waiting_batches_hear_of_the_full_disk(path: Path) -> None:
    async with opened(path) as store:
        await set_room(store, 20)
        many = [outcome(store, action(f"t{n}", BIG)) for n in range(200)]
        errors = await asyncio.gather(*many)
        assert any(errors)
        for number, error in enumerate(errors):
            log = await store.log(f"t{number}")
            assert (log is None) == (error is not None)


async def test_a_start_without_room_leaves_the_journal_where_it_is(path: Path) -> None:
    """F4: to file what a crash has left can wait, and it is read from where it lies."""
    async with opened(path) as store:
        await keep(store, start("t"), action("t", "filed"))
    crashed(path)
    spoiler = Spoiler(failing("INSERT INTO filed_events", FULL))
    async with opened(path, connect=spoiler, pace=Pace(quiet=3600.0)) as store:
        assert (await payloads(store, "t"))[-2:] == ["filed", "left"]
        [loaded] = await store.load(0)
        assert loaded.lines[-1].entry.payload == "left"
        await keep(store, action("t", "more"))
        assert (await payloads(store, "t"))[-2:] == ["left", "more"]
        seqs = rows(path, "SELECT seq FROM events ORDER BY seq")
        assert seqs == [(1,), (2,), (3,), (4,)]


async def refused(path: Path, code: int, name: str) -> Spoiled:
    """The connection of a start at which the journal could not be filed."""
    async with opened(path) as store:
        await keep(store, start("t"))
    crashed(path)
    spoiler = Spoiler(failing("INSERT INTO filed_events", driver_error(code, name)))
    with pytest.raises(UnusableStoreError, match="cannot be opened"):
        async with opened(path, connect=spoiler):
            pass
    return spoiler.connection


async def test_a_start_on_a_device_that_fails_is_refused(path: Path) -> None:
    """F5: it is not asked again for something less, and the file is not closed."""
    connection = await refused(path, sqlite3.SQLITE_IOERR_WRITE, "SQLITE_IOERR_WRITE")
    assert connection.execute("SELECT 1").fetchall() == [(1,)]


async def test_a_start_that_is_refused_lets_go_of_the_file(path: Path) -> None:
    connection = await refused(path, sqlite3.SQLITE_BUSY, "SQLITE_BUSY")
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")
    async with opened(path) as store:
        assert (await payloads(store, "t"))[-1] == "left"


def crashed(path: Path) -> None:
    """Leave an entry in the journal, as a crash would."""
    columns = "table_id, seq, epoch, dealing, kind, at, payload"
    last = "'t', MAX(seq) + 1, 1, 1, 'action', 1.5, 'left'"
    change(path, f"INSERT INTO journal ({columns}) SELECT {last} FROM filed_events")


# ----------------------------------------------------------------------- errors of every other kind


class Spoiled(Proxy):
    """A connection on which one statement fails once it is told to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.spoil: Callable[[str], None] = lambda _: None
        """Called before every statement."""
        self.after: Callable[[str], None] = lambda _: None
        """Called after every statement."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        self.spoil(sql)
        cursor = super().execute(sql, parameters)
        self.after(sql)
        return cursor

    def executemany(self, sql: str, parameters: Any, /) -> object:
        self.spoil(sql)
        return super().executemany(sql, parameters)


class Spoiler:
    """Opens connections that can be spoiled, from the start or later."""

    def __init__(self, spoil: Callable[[str], None] = lambda _: None) -> None:
        self._spoil = spoil

    def __call__(self, path: Path) -> Connection:
        self.connection = Spoiled(path)
        self.connection.spoil = self._spoil
        return self.connection


def driver_error(code: int, name: str) -> sqlite3.OperationalError:
    """As the driver raises it."""
    error = sqlite3.OperationalError("something with a hand in it: CJ SJ")
    error.sqlite_errorcode, error.sqlite_errorname = code, name
    return error


FULL = driver_error(sqlite3.SQLITE_FULL, "SQLITE_FULL")


def failing(word: str, error: Exception, times: int = 1) -> Callable[[str], None]:
    """Fail statements that begin with a word."""
    left = [times]

    def spoil(sql: str) -> None:
        if sql.lstrip().startswith(word) and left[0]:
            left[0] -= 1
            raise error

    return spoil


@pytest.mark.parametrize("word", ["BEGIN", "INSERT INTO journal", "INSERT INTO deals", "COMMIT"])
async def test_a_passing_error_is_an_outage_with_an_end(path: Path, word: str) -> None:
    spoiler = Spoiler()
    async with opened(path, connect=spoiler) as store:
        await keep(store, start("t"))
        error = driver_error(sqlite3.SQLITE_BUSY, "SQLITE_BUSY")
        spoiler.connection.spoil = failing(word, error)
        refused = await failed(store, deal_end("t", 1))
        assert refused.failure is StoreFailure.OTHER
        assert "CJ" not in str(refused)
        await available(store)
        await keep(store, deal_end("t", 1))
        assert len(await payloads(store, "t")) == 4


@pytest.mark.parametrize("word", ["INSERT INTO journal", "COMMIT"])
@pytest.mark.parametrize(
    ("code", "name"),
    [
        (sqlite3.SQLITE_IOERR_FSYNC, "SQLITE_IOERR_FSYNC"),
        (sqlite3.SQLITE_IOERR_WRITE, "SQLITE_IOERR_WRITE"),
        (sqlite3.SQLITE_CORRUPT, "SQLITE_CORRUPT"),
        (sqlite3.SQLITE_READONLY_DBMOVED, "SQLITE_READONLY_DBMOVED"),
    ],
)
async def test_a_device_that_fails_is_never_asked_again(
    path: Path, word: str, code: int, name: str
) -> None:
    """F5: on EIO the store is dead; an fsync is not tried twice."""
    spoiler = Spoiler()
    async with opened(path, connect=spoiler) as store:
        told: list[StoreError | None] = []
        store.watch(lambda: told.append(store.fatal))
        await keep(store, start("t"))
        spoiler.connection.spoil = failing(word, driver_error(code, name))
        assert (await failed(store, action("t", "a"))).failure is StoreFailure.BROKEN
        asked = len(spoiler.connection.statements)
        assert (await failed(store, action("t", "b"))).failure is StoreFailure.BROKEN
        assert told == [store.fatal]
        assert not store.is_available
    assert [sql for sql in spoiler.connection.statements[asked:] if sql != "ROLLBACK"] == []


async def test_a_checkpoint_that_fails_ends_the_store_too(path: Path) -> None:
    """F5: what it has written may be anything now."""
    spoiler = Spoiler()
    async with opened(path, connect=spoiler) as store:
        error = driver_error(sqlite3.SQLITE_IOERR_FSYNC, "SQLITE_IOERR_FSYNC")
        spoiler.connection.spoil = failing("PRAGMA wal_checkpoint", error)
        await keep(store, action("t", *["a"] * 1_000))
        while store.fatal is None:
            await changed(store)
        assert store.fatal.failure is StoreFailure.BROKEN


async def test_a_device_that_fails_at_the_very_end_ends_the_store_too(path: Path) -> None:
    """F5: the file is not even closed, which would write to it; a start reads what is there."""
    spoiler = Spoiler()
    told: list[StoreError | None] = []
    async with opened(path, connect=spoiler, pace=Pace(quiet=3600.0)) as store:
        store.watch(lambda: told.append(store.fatal))
        await keep(store, start("t"), action("t", "a"))
        error = driver_error(sqlite3.SQLITE_IOERR_WRITE, "SQLITE_IOERR_WRITE")
        spoiler.connection.spoil = failing("INSERT INTO filed_events", error)
    assert [fatal and fatal.failure for fatal in told] == [StoreFailure.BROKEN]
    assert spoiler.connection.execute("SELECT 1").fetchall() == [(1,)]
    assert path.with_name("skat.db-wal").exists()


async def test_a_reply_lost_after_the_commit_is_a_success(path: Path) -> None:
    """F12: exactly one row, and the batch counts as kept."""
    spoiler = Spoiler()
    async with opened(path, connect=spoiler) as store:
        await keep(store, start("t"))
        error = driver_error(sqlite3.SQLITE_BUSY, "SQLITE_BUSY")
        spoiler.connection.after = failing("COMMIT", error)
        together = [outcome(store, deal_end("t", 1)), outcome(store, action("u", "a"))]
        assert await asyncio.gather(*together) == [None, None]
        await available(store)
        await keep(store, action("t", "b"))
        assert (await payloads(store, "t"))[-1] == "b"
        assert await payloads(store, "u") == ["a"]
        seqs = rows(path, "SELECT seq FROM events WHERE table_id = 't' ORDER BY seq")
        assert seqs == [(1,), (2,), (3,), (4,), (5,)]


async def test_a_batch_without_entries_has_a_known_outcome_too(path: Path) -> None:
    """F12: for the end of a table its row is asked."""
    spoiler = Spoiler()
    async with opened(path, connect=spoiler) as store:
        await keep(store, start("t"))
        last = action("t")
        last = type(last)(last.table_id, last.at, (), None, is_last=True)
        spoiler.connection.spoil = failing("COMMIT", driver_error(sqlite3.SQLITE_BUSY, "X"))
        assert (await failed(store, last)).failure is StoreFailure.OTHER
        await available(store)
        spoiler.connection.after = failing("COMMIT", driver_error(sqlite3.SQLITE_BUSY, "X"))
        assert await outcome(store, last) is None
        await available(store)
        assert await store.load(0) == []


async def test_an_outcome_that_cannot_be_found_out_ends_the_store(path: Path) -> None:
    """F12: only a restart can tell; nobody is told a guess."""
    spoiler = Spoiler()
    async with opened(path, connect=spoiler) as store:
        await keep(store, start("t"))

        def spoil(sql: str) -> None:
            if sql == "COMMIT" or "COUNT(*)" in sql:
                raise driver_error(sqlite3.SQLITE_BUSY, "SQLITE_BUSY")

        spoiler.connection.spoil = spoil
        assert (await failed(store, action("t", "a"))).failure is StoreFailure.BROKEN
        assert store.fatal is not None


async def test_a_bug_in_a_chore_does_not_stop_the_thread(path: Path) -> None:
    """Rule 3 of section 3: every exception is caught."""
    spoiler = Spoiler()
    async with opened(path, connect=spoiler) as store:
        spoiler.connection.spoil = failing("DELETE", ValueError("a bug"), times=3)
        await keep(store, start("t"), *(deal_end("t", number) for number in range(1, 6)))
        await keep(store, action("t", "a"))
        assert store.is_available


async def test_a_database_that_another_holds_is_waited_for(path: Path) -> None:
    """The command line may hold it for a moment."""
    async with opened(path) as store:
        await keep(store, start("t"))
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(outcome(store, action("t", "a")))
        await asyncio.to_thread(other.execute, "COMMIT")
        other.close()
        assert await waiting is None


# --------------------------------------------------------------------------- F21: damaged records


def flip(column: str) -> str:
    """Change the last byte of a column of deal 2."""
    return (
        f"UPDATE deals SET {column} = CAST(substr({column}, 1, length({column}) - 1) || x'7f' "
        "AS BLOB) WHERE deal_number = 2"
    )


@pytest.mark.parametrize("column", ["log", "log_sha256", "previous_sha256"])
async def test_a_damaged_record_is_found_and_never_served(path: Path, column: str) -> None:
    """F21: one byte is enough."""
    async with opened(path) as store:
        await keep(store, start("t"), *(deal_end("t", number) for number in (1, 2, 3)))
        change(path, flip(column))
        for reading in (store.record("t", 2), store.records("t", 0, 9)):
            with pytest.raises(CorruptRecordError) as error:
                await reading
            assert (error.value.table_id, error.value.deal_number) == ("t", 2)
        assert await store.record("t", 1) is not None
        assert await store.record("t", 3) is not None
        assert store.is_available


async def test_a_record_of_an_unknown_format_is_not_guessed_at(path: Path) -> None:
    async with opened(path) as store:
        await keep(store, start("t"), deal_end("t", 1))
        change(path, "UPDATE deals SET log_format = 99")
        with pytest.raises(CorruptRecordError, match="99"):
            await store.record("t", 1)


async def test_what_cannot_be_read_is_an_error_of_the_store(path: Path) -> None:
    async with opened(path) as store:
        change(path, "DROP TABLE deal_results")
        change(path, "DROP TABLE deals")
        with pytest.raises(StoreError):
            await store.records("t", 0, 9)
