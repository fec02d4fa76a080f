"""Looks at the folder of the database, the disk below it, and the database itself."""

import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from skat_server.config import DATABASE, Settings
from skat_server.doctor.finding import Finding, bad, doubtful, good
from skat_server.storage import revisions
from skat_server.storage.protocols import UnusableStoreError
from skat_server.storage.status import status_of

GIB: Final = 1 << 30
LEAST_FREE: Final = GIB // 10
"""Bytes below which no server should start."""
FEW_FREE: Final = 2 * GIB
"""Bytes below which somebody should look: some ten million actions."""
SYNCS: Final = 5
SLOW_SYNC: Final = 0.02
"""Seconds of a write to the disk above which every action is felt."""

_MEMORY: Final = "nothing is kept: tables end with the server"


def look_at_folder(settings: Settings) -> Finding:
    """Whether the folder is there, or can be made, and can be written by this user alone."""
    folder = settings.data
    if folder is None:
        return good("data folder", _MEMORY)
    if not os.path.lexists(folder):
        above = next(parent for parent in folder.absolute().parents if os.path.lexists(parent))
        if os.access(above, os.W_OK | os.X_OK):
            return good("data folder", f"{folder} is made at the first start")
        return bad(
            "data folder",
            f"{folder} is not there, and {above} cannot be written",
            "Make the folder and give it to the server's user, or name another with --data.",
        )
    if not folder.is_dir():
        return bad("data folder", f"{folder} is no folder", "Name a folder with --data.")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return bad(
            "data folder",
            f"{folder} cannot be written by this user",
            "Give it to the server's user (chown), or name another with --data.",
        )
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        return doubtful(
            "data folder",
            f"{folder} can be entered by other users, and the seeds of deals lie in it",
            f"chmod 700 {folder}",
        )
    return good("data folder", f"{folder} can be written, by this user alone")


def look_at_space(settings: Settings) -> Finding:
    """Whether there is room on the disk."""
    if settings.data is None:
        return good("disk space", _MEMORY)
    free = shutil.disk_usage(_existing(settings.data)).free
    text = f"{free / GIB:.1f} GiB are free"
    advice = "Make room, or name a folder on another disk with --data."
    if free < LEAST_FREE:
        return bad("disk space", f"{text}: play stops when the disk is full", advice)
    if free < FEW_FREE:
        return doubtful("disk space", text, advice)
    return good("disk space", text)


def look_at_disk_speed(settings: Settings, stopwatch: Callable[[], float]) -> Finding:
    """How long the disk takes to keep something: every action waits for that.

    Args:
        settings: name the folder.
        stopwatch: seconds that never jump.
    """
    if settings.data is None:
        return good("disk speed", _MEMORY)
    try:
        seconds = _sync_seconds(_existing(settings.data), stopwatch)
    except OSError as error:
        return bad("disk speed", f"the disk cannot be written: {error}", "Look at the disk.")
    text = f"{seconds * 1000:.1f} ms to keep something"
    if seconds > SLOW_SYNC:
        return doubtful(
            "disk speed",
            text,
            "Every action waits that long: use a local SSD, or --durability deal where finished "
            "deals are enough.",
        )
    return good("disk speed", text)


def look_at_database(settings: Settings) -> Finding:
    """Whether the database can be opened by this server."""
    if settings.data is None:
        return good("database", _MEMORY)
    database = settings.data / DATABASE
    if not os.path.lexists(database):
        return good("database", f"{database} is made at the first start")
    if database.is_file() and not os.access(database, os.R_OK | os.W_OK):
        return bad(
            "database",
            f"{database} cannot be read and written by this user",
            "Give it to the server's user: chown, and chmod 600.",
        )
    try:
        found = status_of(database)
    except UnusableStoreError as error:
        what, _, advice = str(error).partition("\n")
        return bad("database", what, advice or "Restore a backup: skat-server store restore")
    if found.revision != revisions.HEAD and not settings.migrates:
        return bad(
            "database",
            f"{database} has schema revision {found.revision}, this server needs {revisions.HEAD}",
            f"skat-server store migrate --data {settings.data}",
        )
    use = ", in use by a server" if found.is_in_use else ""
    return good(
        "database",
        f"revision {found.revision}, {found.tables_running} tables running, {found.deals} deals, "
        f"{found.bytes / GIB:.2f} GiB{use}",
    )


def _existing(folder: Path) -> Path:
    """The folder, or the nearest above it that is there."""
    absolute = folder.absolute()
    return next(place for place in (absolute, *absolute.parents) if os.path.isdir(place))


def _sync_seconds(folder: Path, stopwatch: Callable[[], float]) -> float:
    """What the disk takes for a page, the middle of some tries."""
    taken = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(SYNCS):
            began = stopwatch()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            taken.append(stopwatch() - began)
    return sorted(taken)[SYNCS // 2]
