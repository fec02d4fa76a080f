"""A new database, and who writes to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from skat_server.storage import revisions
from skat_server.storage.protocols import Durability
from skat_server.storage.sqlite.connections import open_writer
from skat_server.storage.sqlite.database import raised_epoch
from skat_server.storage.sqlite.ledger import Ledger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a new database lies."""
    revisions.create(tmp_path / "skat.db")
    return tmp_path / "skat.db"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    """Writes to it."""
    with closing(open_writer(path)) as connection:
        yield Ledger(connection, raised_epoch(connection), Durability.ACTION)
