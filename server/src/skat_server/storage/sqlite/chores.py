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
_MOST_ROWS: Final = 900
"""Rows in the write-ahead log before a checkpoint is made under load. It takes a millisecond or
two, and the log stays within its size: four megabytes where each row has a page of its own."""
LONGEST_JOURNAL: Final = 60_000
"""Entries in the journal before some are filed under load too: until then two thirds of them and
more have become needless where 500 tables or fewer are played at."""


class Chores:
    """Files the journal, drops what is kept twice, and brings the write-ahead log into the file."""

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
        return len(self._trims) > _MOST_TRIMS or self._rows >= _MOST_ROWS or self._is_journal_long

    def step(self, *, is_quiet: bool) -> None:
        """Do a little.

        Args:
            is_quiet: nobody waits for anything else now.

        Raises:
            Exception: of the driver; the same step is tried again next time.
        """
        if self._rows >= _MOST_ROWS:
            self._check_point()
        elif self._is_journal_long or (is_quiet and self._ledger.unfiled):
            self._rows += self._ledger.file()
        elif self._trims:
            self._trim()
        else:
            self._check_point()

    @property
    def _is_journal_long(self) -> bool:
        return self._ledger.unfiled > LONGEST_JOURNAL

    def _trim(self) -> None:
        trims = list(islice(self._trims, _TRIMS_AT_ONCE))
        self._ledger.trim(trims)
        for _ in trims:
            self._trims.popleft()
        self._rows += len(trims)

    def _check_point(self) -> None:
        self._ledger.checkpoint()
        self._rows = 0
