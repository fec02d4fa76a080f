"""Everything that happened at a table, beyond what its log keeps."""

from __future__ import annotations

from skat_server.tables.facts import LoggedFact
from skat_server.tables.table import Table


def log_of(table: Table) -> list[LoggedFact]:
    """The facts of a table of one or two deals."""
    facts = table.log.after(0)
    assert facts is not None
    return list(facts)


class Recorder:
    """A viewer that keeps every fact, however long the series.

    Attributes:
        facts: all of them, unprojected.
    """

    def __init__(self, table: Table) -> None:
        """Follow a table from now on."""
        self.facts: list[LoggedFact] = []
        self._seen = table.log.last
        table.viewers[self] = None

    def table_changed(self, table: Table) -> None:
        """Take what is new."""
        new = table.log.after(self._seen)
        assert new is not None
        self.facts += new
        self._seen = table.log.last
