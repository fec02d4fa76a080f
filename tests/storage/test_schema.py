"""The schema that the revisions lead to, and how a database gets there."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from skat_server.storage import revisions
from skat_server.storage.protocols import UnusableStoreError
from skat_server.storage.schema import metadata


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database at the head."""
    path = tmp_path / "skat.db"
    revisions.create(path)
    return path


def statements(path: Path) -> dict[str, str]:
    """What every table and index of ours was made with."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    found = {name: " ".join(sql.split()) for name, sql in rows}
    connection.close()
    del found["alembic_version"]
    return found


def at_revision(path: Path, revision: str) -> Path:
    """A new database at an old revision."""
    revisions.upgrade(path, revision)
    return path


def test_the_revisions_lead_to_the_schema(database: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.db"
    engine = create_engine(f"sqlite:///{made}")
    metadata.create_all(engine)
    engine.dispose()
    expected = statements_with_version(made)
    assert statements(database) == expected


def statements_with_version(path: Path) -> dict[str, str]:
    """As `statements`, for a database that no revision has made."""
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
    connection.commit()
    connection.close()
    return statements(path)


def test_alembic_finds_nothing_to_do(database: Path) -> None:
    engine = create_engine(f"sqlite:///{database}")
    with engine.begin() as connection:
        config = revisions.alembic_config()
        config.attributes["connection"] = connection
        command.check(config)
    engine.dispose()


def test_the_list_of_revisions_is_that_of_the_modules() -> None:
    scripts = ScriptDirectory.from_config(revisions.alembic_config())
    found = [script.revision for script in scripts.walk_revisions()]
    assert tuple(reversed(found)) == revisions.REVISIONS


@pytest.mark.parametrize("revision", revisions.REVISIONS[:-1])
def test_every_older_revision_is_brought_to_the_head(
    revision: str, database: Path, tmp_path: Path
) -> None:
    old = at_revision(tmp_path / "old.db", revision)
    connection = sqlite3.connect(old)
    connection.execute("INSERT INTO nodes (node_id, epoch) VALUES ('node-1', 7)")
    connection.commit()
    connection.close()
    copy = revisions.migrate(old)
    assert copy is not None
    assert revisions.revision_of(copy) == revision
    assert revisions.revision_of(old) == revisions.HEAD
    assert statements(old) == statements(database)
    again = sqlite3.connect(old)
    assert again.execute("SELECT epoch FROM nodes").fetchall() == [(7,)]
    again.close()


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_entries_of_an_older_revision_are_filed(revision: str, tmp_path: Path) -> None:
    old = at_revision(tmp_path / "old.db", revision)
    entries = [("t", 2, 1, 1, "action", 2.25, "b"), ("t", 1, 1, 1, "deal_started", 1.5, "a")]
    connection = sqlite3.connect(old)
    connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", entries)
    connection.commit()
    connection.close()
    revisions.migrate(old)
    again = sqlite3.connect(old)
    assert again.execute("SELECT * FROM events ORDER BY seq").fetchall() == sorted(entries)
    assert again.execute("SELECT COUNT(*) FROM journal").fetchall() == [(0,)]
    again.close()


def test_nothing_is_done_at_the_head(database: Path) -> None:
    assert revisions.migrate(database) is None
    assert [path.name for path in database.parent.iterdir()] == ["skat.db"]


def test_what_lies_in_the_write_ahead_log_is_in_the_copy_too(tmp_path: Path) -> None:
    old = at_revision(tmp_path / "old.db", "0001")
    connection = sqlite3.connect(old, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL").fetchall()
    connection.execute("INSERT INTO nodes (node_id, epoch) VALUES ('node-1', 9)")
    left = [shutil.copy2(f"{old}{end}", tmp_path / f"left.db{end}") for end in ("", "-wal")]
    connection.close()
    copy = revisions.migrate(Path(left[0]))
    assert copy is not None
    found = sqlite3.connect(copy)
    assert found.execute("SELECT epoch FROM nodes").fetchall() == [(9,)]
    found.close()


def test_a_revision_is_kept_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    old = at_revision(tmp_path / "old.db", "0001")
    connection = sqlite3.connect(old)
    connection.execute("CREATE TABLE audit_log (in_the_way TEXT)")
    connection.commit()
    connection.close()
    before = statements(old)
    with pytest.raises(UnusableStoreError, match="audit_log"):
        revisions.upgrade(old, "0002")
    assert statements(old) == before
    assert revisions.revision_of(old) == "0001"


def test_an_old_revision_is_refused_with_what_to_do(tmp_path: Path) -> None:
    old = at_revision(tmp_path / "skat.db", "0001")
    wanted = rf"0001.*{revisions.HEAD}.*\n.*skat-server store migrate"
    with pytest.raises(UnusableStoreError, match=wanted):
        revisions.require_head(old)


def test_a_revision_of_the_future_is_refused(database: Path) -> None:
    connection = sqlite3.connect(database)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    for use in (revisions.require_head, revisions.migrate):
        with pytest.raises(UnusableStoreError, match=r"9999.*\n.*newer server"):
            use(database)


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "skat.db"
    path.write_bytes(content)
    with pytest.raises(UnusableStoreError, match="no database of this server"):
        revisions.require_head(path)


def test_a_new_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    """T26: seeds of deals under way lie in it."""
    path = tmp_path / "data" / "skat.db"
    revisions.create(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [entry.name for entry in path.parent.iterdir()] == ["skat.db"]


def test_what_a_crash_left_of_a_new_database_is_no_obstacle(tmp_path: Path) -> None:
    """F2: a database is there as a whole or not at all."""
    (tmp_path / "skat.db.new").write_bytes(b"half of it")
    revisions.create(tmp_path / "skat.db")
    revisions.require_head(tmp_path / "skat.db")


USES = """
import asyncio, pathlib, sys
import skat_server.cli
from skat_server.storage.sqlite.store import SqliteStore

async def use():
    store = SqliteStore(pathlib.Path(sys.argv[1]))
    await store.open()
    await store.close()

asyncio.run(use())
print(sorted(sys.modules.keys() & {"alembic", "sqlalchemy"}))
"""


def test_a_start_does_without_the_sql_toolkit(database: Path) -> None:
    """It is slow to import, and needed only for a database that is new or old."""
    command = [sys.executable, "-c", USES, str(database)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
