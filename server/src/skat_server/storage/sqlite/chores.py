"""What the writing thread does when nobody waits for it."""

from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Final

from skat_server.storage.sqlite.ledger import Ledger
from skat_server.storage.sqlite.statements import Trim

_TRIMS_AT_ONCE: Final = 16
_MOST_TRIMS: Final = 512
"""Above it they are done under load too."""
_WORTH_A_CHECKPOINT: Final = 500
"""Rows."""
_MOST_ROWS: Final = 20_000
"""Rows in the write-ahead log before a checkpoint is made under load: some 80 MB at most."""


class Chores:
    """Drops what is kept twice, and brings the write-ahead log into the database."""

    def __init__(self, ledger: Ledger) -> None:
        """Start with nothing to do."""
        self._ledger = ledger
        self._trims: deque[Trim] = deque()
        self._rows = 0

    def note(self, rows: int, trims: Iterable[Trim]) -> None:
        """Take notice of what was written, and of what may be dropped."""
        self._rows += rows
        self._trims.extend(trims)

    @property
    def are_due(self) -> bool:
        """Whether a quiet moment would be of use."""
        return bool(self._trims) or self._rows >= _WORTH_A_CHECKPOINT

    @property
    def are_overdue(self) -> bool:
        """Whether they cannot wait for a quiet moment."""
        return len(self._trims) > _MOST_TRIMS or self._rows >= _MOST_ROWS

    def step(self) -> None:
        """Do a little.

        Raises:
            Exception: of the driver; the same step is tried again next time.
        """
        if self._trims and self._rows < _MOST_ROWS:
            trims = list(islice(self._trims, _TRIMS_AT_ONCE))
            self._ledger.trim(trims)
            for _ in trims:
                self._trims.popleft()
            self._rows += len(trims)
        else:
            self._ledger.checkpoint()
            self._rows = 0
