"""One server a file: a lock beside the database, which ends with the process that holds it."""

import fcntl
import os
from pathlib import Path

from skat_server.storage.protocols import UnusableStoreError


class FileLock:
    """A lock on a file next to the database; the file itself stays."""

    def __init__(self, handle: int) -> None:
        """Keep the open file that holds the lock."""
        self._handle = handle

    def release(self) -> None:
        """Let others in."""
        os.close(self._handle)


def lock_path(database: Path) -> Path:
    """Where the lock of a database is."""
    return database.with_name(f"{database.name}.lock")


def acquire(database: Path) -> FileLock:
    """Keep every other process, and every other store of this one, away from a database.

    Raises:
        UnusableStoreError: somebody else has it.
    """
    path = lock_path(database)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.read(handle, 20).decode(errors="replace").strip()
        os.close(handle)
        raise UnusableStoreError(
            f"{database} is in use by process {holder or 'unknown'}.\n"
            "Stop that server first, or name another folder with --data."
        ) from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    return FileLock(handle)


def is_held(database: Path) -> bool:
    """Whether a server has the database open now."""
    try:
        handle = os.open(lock_path(database), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False
