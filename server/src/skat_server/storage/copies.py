"""Copies of a database: made while a server writes to it, and put in its place again."""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from skat_server.storage import revisions
from skat_server.storage.protocols import UnusableStoreError
from skat_server.storage.sqlite import lock

_PAGES_AT_ONCE: Final = 1024
_ENDINGS: Final = ("", "-wal", "-shm")
"""The files of one database."""

Progress = Callable[[int, int], None]
"""Told how many of all pages are copied."""


def back_up(database: Path, target: Path, progress: Progress) -> None:
    """Copy a database as it is at this moment; a server may go on writing to it.

    The copy is one file. It is there as a whole or not at all, and it has been checked.

    Args:
        database: what is copied.
        target: where to; a folder is not enough.
        progress: told how far it is.

    Raises:
        UnusableStoreError: with what to do about it.
    """
    revisions.require_known(database, revisions.revision_of(database))
    if target.exists():
        raise UnusableStoreError(f"{target} is there already; name a file that is not")
    try:
        _copy(database, target, progress)
    except (OSError, sqlite3.Error) as error:
        raise UnusableStoreError(f"{target} cannot be written: {error}") from error


def restore(source: Path, database: Path, progress: Progress, *, overwrites: bool) -> Path | None:
    """Put a backup where a server will look for its database; no server may run there.

    Args:
        source: the backup; it is checked before anything is changed.
        database: the place.
        progress: told how far it is.
        overwrites: move a database that is there out of the way, instead of refusing.

    Returns:
        Where the database that was there is now, None when there was none.

    Raises:
        UnusableStoreError: with what to do about it.
    """
    revisions.require_known(source, revisions.revision_of(source))
    require_intact(source)
    found = [part for part in _parts(database) if part.exists()]
    if found and not overwrites:
        raise UnusableStoreError(
            f"{found[0]} is there already.\n"
            "Name another folder with --data, or add --overwrite to move it out of the way."
        )
    try:
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = lock.acquire(database)
        try:
            return _put_in_place(source, database, progress)
        finally:
            held.release()
    except (OSError, sqlite3.Error) as error:
        raise UnusableStoreError(f"{database} cannot be written: {error}") from error


def require_intact(database: Path) -> None:
    """Look at every page of a database.

    Raises:
        UnusableStoreError: it is damaged.
    """
    complaints = [text for text in integrity(database) if text != "ok"]
    if complaints:
        raise UnusableStoreError(f"{database} is damaged: {complaints[0]}\nUse another backup.")


def integrity(database: Path) -> list[str]:
    """What SQLite says about a database: one ``ok``, or its complaints."""
    try:
        with closing(_reading(database)) as connection:
            return [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
    except sqlite3.Error as error:
        return [str(error)]


def _put_in_place(source: Path, database: Path, progress: Progress) -> Path | None:
    fresh = database.with_name(f"{database.name}.restored")
    fresh.unlink(missing_ok=True)
    _copy(source, fresh, progress)
    # A write-ahead log alone is moved as well: SQLite would read it into the backup.
    moved = _move_away(database) if any(map(Path.exists, _parts(database))) else None
    fresh.replace(database)
    revisions.sync_folder(database.parent)
    return moved


def _move_away(database: Path) -> Path:
    """Rename a database with the files that belong to it.

    Whoever is killed between two names has parted them; so there is one file, if it can be.
    """
    if database.exists():
        with suppress(sqlite3.Error):  # it is damaged: then it goes as it is
            revisions.settle(database)
    aside = database.with_name(f"{database.name}.replaced")
    number = 1
    while any(map(Path.exists, _parts(aside))):
        number += 1
        aside = database.with_name(f"{database.name}.replaced-{number}")
    for part, place in zip(_parts(database), _parts(aside), strict=True):
        if part.exists():
            part.replace(place)
    return aside


def _parts(database: Path) -> list[Path]:
    """The files that one database may have; the first is the one that it is named after."""
    return [database.with_name(f"{database.name}{ending}") for ending in _ENDINGS]


def _copy(source: Path, target: Path, progress: Progress) -> None:
    unfinished = target.with_name(f"{target.name}.partial")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600, exist_ok=False)
    with closing(_reading(source)) as reading, closing(sqlite3.connect(unfinished)) as writing:
        # One view of the source from the first page to the last, whatever is written meanwhile.
        reading.execute("BEGIN")
        reading.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
        reading.backup(
            writing,
            pages=_PAGES_AT_ONCE,
            progress=lambda _, left, total: progress(total - left, total),
        )
        writing.execute("PRAGMA journal_mode=DELETE").fetchall()
    require_intact(unfinished)
    revisions.sync_file(unfinished)
    unfinished.replace(target)
    revisions.sync_folder(target.absolute().parent)


def _reading(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{database.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
    )
