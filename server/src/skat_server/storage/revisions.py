"""Which revision of the schema a database has, and how it gets to the one that this server needs.

SQLAlchemy and Alembic are imported only where a database is really changed: a server that finds
its database as it should be starts without them.
"""

import os
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skat_server.storage.protocols import UnusableStoreError

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

REVISIONS: Final = ("0001", "0002", "0003")
"""Every revision, oldest first; a test holds them against `migrations/versions`."""

HEAD: Final = REVISIONS[-1]
"""The revision that this server needs."""

_MIGRATIONS: Final = Path(__file__).with_name("migrations")


def revision_of(path: Path) -> str:
    """The revision of a database.

    Raises:
        UnusableStoreError: the file is no database of ours, or cannot be read.
    """
    if not path.is_file():
        raise UnusableStoreError(f"there is no database {path}; name its folder with --data")
    try:
        # Not read-only: what a crash has left half done can be undone by a writer alone.
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
        try:
            rows = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise UnusableStoreError(f"{path} is no database of this server: {error}") from error
    return str(rows[0][0]) if rows else ""


def require_head(path: Path) -> None:
    """Refuse a database of another revision.

    Raises:
        UnusableStoreError: with what to do about it.
    """
    found = revision_of(path)
    if found == HEAD:
        return
    require_known(path, found)
    raise UnusableStoreError(
        f"{path} has schema revision {found} and this server needs {HEAD}.\n"
        f"Run: skat-server store migrate --data {path.parent}"
    )


def require_known(path: Path, revision: str) -> None:
    """Refuse a revision that this server has never heard of.

    Raises:
        UnusableStoreError: with what to do about it.
    """
    if revision not in REVISIONS:
        raise UnusableStoreError(
            f"{path} has schema revision {revision}, which this server does not know.\n"
            "Use the newer server that made it, or restore a backup."
        )


def create(path: Path) -> None:
    """Make a new database at the head; it is there as a whole or not at all.

    The folder is made too, readable by its owner alone: seeds of deals under way lie in it.

    Raises:
        UnusableStoreError: the write-ahead log of another database is in its place, or the disk
            cannot be written.
    """
    _require_no_leftover(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    upgrade(unfinished, HEAD)
    unfinished.replace(path)
    sync_folder(path.parent)
    sync_folder(path.parent.parent)


def _require_no_leftover(path: Path) -> None:
    """Refuse a place where SQLite would read a part of another database into a new one."""
    leftover = path.with_name(f"{path.name}-wal")
    if leftover.exists():
        raise UnusableStoreError(
            f"{leftover} is there, and {path.name} is not.\n"
            f"Put the {path.name} that belongs to it back, or move {leftover.name} away."
        )


def migrate(path: Path) -> Path | None:
    """Bring a database to the head, after a copy of it was made; nobody may have it open.

    Returns:
        The copy; None when there was nothing to do.

    Raises:
        UnusableStoreError: the revision is unknown.
    """
    found = revision_of(path)
    require_known(path, found)
    if found == HEAD:
        return None
    copy = path.with_name(f"{path.name}.revision-{found}")
    settle(path)
    shutil.copy2(path, copy)
    sync_file(copy)
    upgrade(path, HEAD)
    return copy


def upgrade(path: Path, revision: str) -> None:
    """Run the revisions up to one; a database without any begins with the first.

    Raises:
        UnusableStoreError: the database cannot be written.
    """
    from alembic import command  # noqa: PLC0415  # slow, and seldom needed
    from sqlalchemy import create_engine, event, exc  # noqa: PLC0415  # as above

    engine = create_engine(f"sqlite:///{path.absolute()}")
    # By itself the driver begins no transaction before DDL: a revision would be kept in parts.
    event.listen(engine, "connect", _leave_transactions_to_us)
    event.listen(engine, "begin", _begin)
    try:
        with engine.begin() as connection:
            config = alembic_config()
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
    except exc.DBAPIError as error:
        raise UnusableStoreError(f"{path} cannot be written: {error.orig}") from error
    finally:
        engine.dispose()


def _leave_transactions_to_us(driver: sqlite3.Connection, _record: object) -> None:
    driver.isolation_level = None


def _begin(connection: "Connection") -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def alembic_config() -> "Config":
    """How Alembic finds the revisions; whoever runs them adds a connection."""
    from alembic.config import Config  # noqa: PLC0415  # slow, and seldom needed

    # Its default is the output of the moment when the module was imported.
    config = Config(stdout=sys.stdout)
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


def sync_folder(folder: Path) -> None:
    """Make names in a folder survive a power cut."""
    sync_file(folder)


def sync_file(path: Path) -> None:
    """Make what was written to a file survive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def settle(path: Path) -> None:
    """Bring what lies in the write-ahead log into the database, so that one file is all of it.

    Raises:
        sqlite3.Error: it cannot be read or written.
    """
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.close()
