"""What connections promise when the driver fails."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from skat_server.storage.sqlite.connections import snapshot


def fail_in_snapshot(connection: sqlite3.Connection) -> None:
    """Fail as the driver does, which then ends the transaction itself."""
    with snapshot(connection):
        connection.execute("ROLLBACK")
        raise OSError("disk")


def test_an_error_that_has_ended_a_snapshot_is_the_one_that_is_told() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with closing(connection), pytest.raises(OSError, match="disk"):
        fail_in_snapshot(connection)
