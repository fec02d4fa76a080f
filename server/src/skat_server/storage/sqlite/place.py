"""Whether an open database is still where it was opened.

Whoever has files open goes on with them when they are removed or moved, and is told of no error:
what he writes goes with them.
"""

import os
from pathlib import Path
from typing import Final

from skat_server.storage.protocols import StoreError, StoreFailure
from skat_server.storage.sqlite.lock import lock_path

_DATABASE_LOST: Final = (
    "before the next start, put back the file that was open there, or all that it has is lost"
)
_LOCK_LOST: Final = "another server may have begun to write to the database"


class Place:
    """Where a database and its lock were opened."""

    def __init__(self, database: Path) -> None:
        """Take note of the files, which stay open: so no other one is given their numbers.

        Raises:
            OSError: one of them is not there.
        """
        path = database.absolute()
        losses = {path: _DATABASE_LOST, lock_path(path): _LOCK_LOST}
        self._files = [(one, _identity(one), loss) for one, loss in losses.items()]

    def look(self) -> None:
        """Look for the files; some microseconds, and the files are not opened.

        Raises:
            StoreError: one is not there any more (BROKEN); the text says what that means.
            OSError: nobody can see now.
        """
        for path, identity, loss in self._files:
            try:
                found = _identity(path)
            except (FileNotFoundError, NotADirectoryError):
                raise _gone(f"{path} is not there any more", loss) from None
            if found != identity:
                raise _gone(f"another file stands in the place of {path}", loss)


def _identity(path: Path) -> tuple[int, int]:
    """What tells a file from all others, whatever they are called."""
    status = os.stat(path)
    return status.st_dev, status.st_ino


def _gone(what: str, loss: str) -> StoreError:
    return StoreError(f"{what}: {loss}", StoreFailure.BROKEN)
