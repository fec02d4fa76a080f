"""What is counted only when somebody looks: the state of the server, tables, sessions, the disk."""

import os
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.declaring import Metric
from skat_server.observability.metrics.room import Room
from skat_server.storage.sqlite.store import MOST_PENDING, SqliteStore
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions
from skat_server.tables.state import Stage
from skat_server.tables.table import Table


def set_all(room: Room, metric: Metric, found: Mapping[str, float]) -> None:
    """Set every series of a gauge with one label; those that were not found are 0."""
    (label,) = metric.labels
    for value in label.values:
        room.gauge(metric, **{label.name: value}).set(found.get(value, 0))


def count_tables(room: Room, tables: Tables) -> None:
    """How many tables there are, by state."""
    found = Counter(map(_state_of, tables.carried))
    set_all(room, declared.TABLES, found + Counter(parked=tables.parked))


def _state_of(table: Table) -> str:
    if table.is_over:
        return "ended"
    is_paused = table.state.stage is Stage.PLAYING and table.is_paused
    return "paused" if is_paused else table.state.stage.value


def count_sessions(room: Room, sessions: Sessions) -> None:
    """How many players are connected, and what waits for them."""
    live = sessions.live
    room.gauge(declared.SESSIONS).set(len(live))
    room.gauge(declared.WAITING_TABLES).set(sum(session.outbox.waiting for session in live))


def measure_store(room: Room, store: SqliteStore) -> None:
    """What waits for the disk, and how much room is left there."""
    room.gauge(declared.PENDING).set(store.pending_entries)
    room.gauge(declared.PENDING_LIMIT).set(MOST_PENDING)
    path = store.database.path
    files = (path, path.with_name(f"{path.name}-wal"))
    room.gauge(declared.DATA_BYTES).set(sum(_size(file) for file in files))
    with suppress(OSError):  # no folder yet, or none any more
        room.gauge(declared.DATA_FREE).set(_free_bytes(path.parent))


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _free_bytes(folder: Path) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
