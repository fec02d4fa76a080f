"""Everything that happened at a table, beyond what its log keeps."""

from __future__ import annotations

from skat_engine import Seat
from skat_server.tables.facts import LoggedFact, ShownFact
from skat_server.tables.table import Table


def log_of(table: Table) -> list[LoggedFact | ShownFact]:
    """The facts of a table of one or two deals; who is told what is still open for some."""
    return list(table.log._kept)


class Recorder:
    """A viewer that keeps every fact it is told, however long the series.

    Attributes:
        facts: all of them.
    """

    def __init__(self, table: Table, viewer: Seat | None = None) -> None:
        """Follow a table from now on."""
        self.facts: list[ShownFact] = []
        self._viewer = viewer
        self._seen = table.log.last(viewer)
        table.viewers[self] = None

    def table_changed(self, table: Table) -> None:
        """Take what is new."""
        new = table.log.after(self._viewer, self._seen)
        assert new is not None
        self.facts += new
        self._seen = table.log.last(self._viewer)
