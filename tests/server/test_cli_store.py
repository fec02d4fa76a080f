"""``skat-server store`` as a command."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from skat_server.cli import app
from skat_server.storage import revisions
from tests.storage.driving import change, keep, opened
from tests.storage.played import played


def run(*arguments: str | Path) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["store", *map(str, arguments)])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a database with two deals."""

    async def fill() -> None:
        async with opened(tmp_path / "data" / "skat.db") as store:
            await keep(store, *played("t", 2))

    asyncio.run(fill())
    return tmp_path / "data"


def test_status_says_what_is_there(data: Path) -> None:
    result = run("status", "--data", data, "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found.pop("bytes") > 0
    assert found.pop("log_entries") > 10
    assert found == {
        "path": str(data / "skat.db"),
        "revision": revisions.HEAD,
        "is_in_use": False,
        "starts": 1,
        "tables_running": 0,
        "tables_over": 1,
        "deals": 2,
    }


def test_status_is_a_table_for_people(data: Path) -> None:
    result = run("status", "--data", data)
    assert "tables over" in result.stdout


def test_status_knows_a_server_that_runs(data: Path) -> None:
    async def look() -> Result:
        async with opened(data / "skat.db"):
            return await asyncio.to_thread(run, "status", "--data", data, "--json")

    assert json.loads(asyncio.run(look()).stdout)["is_in_use"] is True


@pytest.mark.parametrize("command", ["status", "migrate", "verify"])
def test_a_folder_without_database_is_named(tmp_path: Path, command: str) -> None:
    result = run(command, "--data", tmp_path)
    assert result.exit_code == 2
    assert "there is no database" in result.stderr
    assert "--data" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_backup_and_restore_make_the_same_again(data: Path, tmp_path: Path) -> None:
    """F22."""
    saved = run("backup", tmp_path / "copy.db", "--data", data)
    assert saved.exit_code == 0
    assert "copy.db holds" in saved.stdout
    put = run("restore", tmp_path / "copy.db", "--data", tmp_path / "again")
    assert put.exit_code == 0
    checked = run("verify", "--data", tmp_path / "again")
    assert checked.stdout == "2 deals, 2 sound\n"


def test_restore_says_where_the_old_one_is(data: Path, tmp_path: Path) -> None:
    run("backup", tmp_path / "copy.db", "--data", data)
    refused = run("restore", tmp_path / "copy.db", "--data", data)
    assert refused.exit_code == 2
    assert "--overwrite" in refused.stderr
    done = run("restore", tmp_path / "copy.db", "--data", data, "--overwrite")
    assert done.exit_code == 0
    assert "skat.db.replaced" in done.stdout


def test_restore_of_nothing_is_refused(data: Path, tmp_path: Path) -> None:
    result = run("restore", tmp_path / "nothing.db", "--data", data)
    assert result.exit_code == 2
    assert "is no file" in result.stderr


def test_restore_of_an_old_backup_says_what_comes_next(tmp_path: Path) -> None:
    revisions.upgrade(tmp_path / "old.db", "0001")
    result = run("restore", tmp_path / "old.db", "--data", tmp_path / "data")
    assert result.exit_code == 0
    assert "store migrate" in result.stdout
    assert run("verify", "--data", tmp_path / "data").exit_code == 2
    assert run("migrate", "--data", tmp_path / "data").exit_code == 0
    assert run("verify", "--data", tmp_path / "data").stdout == "0 deals, 0 sound\n"


def test_migrate_says_where_the_copy_is(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    revisions.upgrade(tmp_path / "data" / "skat.db", "0001")
    result = run("migrate", "--data", tmp_path / "data")
    assert result.exit_code == 0
    assert "skat.db.revision-0001" in result.stdout
    assert "already" in run("migrate", "--data", tmp_path / "data").stdout


def test_migrate_under_a_running_server_is_refused(data: Path) -> None:
    async def try_it() -> Result:
        async with opened(data / "skat.db"):
            return await asyncio.to_thread(run, "migrate", "--data", data)

    result = asyncio.run(try_it())
    assert result.exit_code == 2
    assert "in use by process" in result.stderr


def test_verify_names_what_is_wrong(data: Path) -> None:
    """F21."""
    change(data / "skat.db", "UPDATE deals SET log_sha256 = zeroblob(32) WHERE deal_number = 2")
    result = run("verify", "--data", data)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "t/2 seal: it does not match its seal",
        "2 deals, 1 sound",
    ]


def test_a_database_that_cannot_be_read_is_no_traceback(data: Path) -> None:
    connection = sqlite3.connect(data / "skat.db")
    connection.execute("DROP TABLE deal_results")
    connection.close()
    result = run("verify", "--data", data)
    assert result.exit_code == 2
    assert "Restore a backup" in result.stderr


def test_serve_refuses_a_folder_and_memory_at_once(tmp_path: Path) -> None:
    options = ["serve", "--data", str(tmp_path), "--durability", "memory"]
    result = CliRunner().invoke(app, options)
    assert result.exit_code == 2
    assert "--data" in result.stderr


def test_serve_refuses_an_old_database_with_what_to_do(tmp_path: Path) -> None:
    revisions.upgrade(tmp_path / "skat.db", "0001")
    result = CliRunner().invoke(app, ["serve", "--data", str(tmp_path), "--port", "0"])
    assert result.exit_code == 2
    assert f"skat-server store migrate --data {tmp_path}" in result.stderr
    assert result.stdout == ""
