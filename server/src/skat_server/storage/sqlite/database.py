"""One database file held open: its lock, its epoch, its writing and its reading thread."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

import structlog

from skat_server.storage import revisions
from skat_server.storage.protocols import (
    Durability,
    StoreError,
    StoreFailure,
    UnusableStoreError,
)
from skat_server.storage.sqlite import lock
from skat_server.storage.sqlite import statements as sql
from skat_server.storage.sqlite.connections import (
    Connect,
    Connection,
    open_reader,
    open_writer,
    transaction,
)
from skat_server.storage.sqlite.failures import store_error
from skat_server.storage.sqlite.inbox import Job, Run
from skat_server.storage.sqlite.ledger import Ledger
from skat_server.storage.sqlite.place import Place
from skat_server.storage.sqlite.writer import Kept, Pace, Report, Writer

_Found = TypeVar("_Found")

_ABANDONED: Final[list[Connection]] = []
"""Connections to files of which nobody knows what they hold. To close one would write to it."""


class Database:
    """A file, and whoever in this process writes and reads it.

    All methods are called in the event loop that `open` was called in.
    """

    def __init__(
        self,
        path: Path,
        durability: Durability = Durability.ACTION,
        *,
        connect: Connect = open_writer,
        pace: Pace | None = None,
        migrates: bool = False,
    ) -> None:
        """Name the file; nothing happens before `open`.

        Args:
            path: of the database; made when it is not there.
            durability: how well commits are kept.
            connect: opens the connection that writes.
            pace: how long the writing thread waits for what.
            migrates: bring an older schema up to date, after a copy, instead of refusing it.
        """
        self.path = path
        self.outage: StoreError | None = None
        self.fatal: StoreError | None = None
        self.is_open = False
        self._durability = durability
        self._connect = connect
        self._pace = pace or Pace()
        self._migrates = migrates
        self._watchers: list[Callable[[], None]] = []
        self._commit_watchers: list[Callable[[Kept], None]] = []

    def watch(self, call: Callable[[], None]) -> None:
        """Call back whenever `outage` or `fatal` has changed."""
        self._watchers.append(call)

    def watch_commits(self, call: Callable[[Kept], None]) -> None:
        """Call with every transaction, once whoever waited for it was told."""
        self._commit_watchers.append(call)

    async def open(self) -> None:
        """Take the file, and begin to write.

        Raises:
            UnusableStoreError: with what to do about it.
        """
        self._loop = asyncio.get_running_loop()
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="skat-store-reader")
        try:
            await self._loop.run_in_executor(self._executor, self._open)
        except BaseException:
            self._executor.shutdown(wait=False)
            raise
        self.is_open = True

    def put(self, job: Job) -> None:
        """Ask the writing thread for something."""
        self._writer.put(job)

    async def write(self, call: Callable[[Connection], _Found]) -> _Found:
        """Make a call inside a transaction of the writing thread; durable on return.

        Raises:
            StoreError: nothing was kept.
            Exception: that the call has raised; nothing was kept.
        """
        self._require_open()
        written: asyncio.Future[_Found] = self._loop.create_future()
        found: list[_Found] = []

        def done(error: Exception | None) -> None:
            if written.cancelled():
                return
            if error is None:
                written.set_result(found[0])
            else:
                written.set_exception(error)

        self._writer.put(Run(lambda connection: found.append(call(connection)), done))
        return await written

    async def read(self, call: Callable[[Connection], _Found]) -> _Found:
        """Make a call with the connection that reads, in its thread.

        Raises:
            StoreError: the database cannot be read.
            Exception: that the call has raised.
        """
        self._require_open()
        try:
            return await self._loop.run_in_executor(self._executor, call, self._reader)
        except sqlite3.Error as error:
            raise store_error(error) from error

    async def close(self) -> None:
        """Keep what was asked for, then let go of the file."""
        if not self.is_open:
            return
        self.is_open = False
        await self._loop.run_in_executor(self._executor, self._close)
        self._executor.shutdown()

    def _require_open(self) -> None:
        """Let nobody wait for a thread that has ended."""
        if not self.is_open:
            raise StoreError("the store is closed")

    def _open(self) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            held = lock.acquire(self.path)
        except OSError as error:
            raise UnusableStoreError(
                f"{self.path.parent} cannot be used: {error.strerror or error}.\n"
                "Name a folder with --data that this user may write."
            ) from error
        try:
            self._prepare()
            self._begin()
        except (OSError, sqlite3.Error) as error:
            held.release()
            raise UnusableStoreError(f"{self.path} cannot be opened: {error}") from error
        except BaseException:
            held.release()
            raise
        self._held = held

    def _begin(self) -> None:
        """Open the file, and start the thread that writes to it."""
        writing = self._connect(self.path)
        try:
            ledger = Ledger(writing, raised_epoch(writing), self._durability)
            _make_ready(ledger)
            place = Place(self.path)
            self._reader = open_reader(self.path)
        except BaseException as error:
            _let_go(writing, error)
            raise
        self._writing = writing
        self._writer = Writer(ledger, place, self._report, self._pace)
        self._writer.start()

    def _prepare(self) -> None:
        """Make sure that the file is there and has the schema."""
        if not self.path.exists():
            revisions.create(self.path)
        elif self._migrates:
            copy = revisions.migrate(self.path)
            if copy is not None:
                _log().info("store.migrated", copy=copy.name, revision=revisions.HEAD)
        else:
            revisions.require_head(self.path)

    def _close(self) -> None:
        self._writer.close()
        if self._writer.fatal is not None:
            _ABANDONED.extend((self._writing, self._reader))
        else:
            self._reader.close()
            # The last to close brings the write-ahead log into the database.
            self._writing.close()
        self._held.release()

    def _report(self, report: Report) -> None:
        """Bring what the thread has to tell into the loop."""
        try:
            self._loop.call_soon_threadsafe(self._take, report)
        except RuntimeError:
            # The loop is gone, and with it everybody who waited.
            return

    def _take(self, report: Report) -> None:
        has_changed = (report.outage, report.fatal) != (self.outage, self.fatal)
        self.outage, self.fatal = report.outage, report.fatal
        if has_changed:
            self._tell(
                [(_log_state, report), *((_by_itself(call), None) for call in self._watchers)]
            )
        self._tell(report.outcomes)
        self._tell((call, kept) for call in self._commit_watchers for kept in report.kept)

    def _tell(self, told: Iterable[tuple[Callable[[Any], None], Any]]) -> None:
        """Make every call with what it is to be told, whatever becomes of the others."""
        for call, what in told:
            try:
                call(what)
            except Exception as error:
                context = {"message": "told what became of a batch", "exception": error}
                self._loop.call_exception_handler(context)


def _by_itself(call: Callable[[], None]) -> Callable[[None], None]:
    return lambda _: call()


def raised_epoch(connection: Connection) -> int:
    """The epoch of this opening, durable: whoever opened before is fenced from now on."""
    with transaction(connection):
        connection.execute(sql.RAISE_EPOCH, (sql.NODE,)).fetchall()
        rows = connection.execute(sql.EPOCH, (sql.NODE,)).fetchall()
    return int(rows[0][0])


def _let_go(writing: Connection, error: BaseException) -> None:
    """Close a connection that could not be made ready, unless its device has failed (F5)."""
    if isinstance(error, Exception) and store_error(error).failure is StoreFailure.BROKEN:
        _ABANDONED.append(writing)
    else:
        writing.close()


def _make_ready(ledger: Ledger) -> None:
    """File what a crash has left in the journal, and make room for what comes.

    The start reads all that is filed by table. On a full disk both can wait.
    """
    try:
        ledger.file_all()
        ledger.reserve()
    except sqlite3.Error as error:
        if store_error(error).failure is not StoreFailure.FULL:
            raise


def _log() -> structlog.typing.FilteringBoundLogger:
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger()
    return logger


def _log_state(report: Report) -> None:
    if report.fatal is not None:
        _log().critical("store.dead", failure=report.fatal.failure.value, why=str(report.fatal))
    elif report.outage is not None:
        _log().error("store.failed", failure=report.outage.failure.value, why=str(report.outage))
    else:
        _log().info("store.recovered")
