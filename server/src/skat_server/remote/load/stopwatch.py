"""How long tables take from an answer to the next question."""

from collections.abc import Sequence

from skat_server.remote.load.histogram import Histogram


class Stopwatch:
    """Shared by all players: whoever is asked next stops what whoever answered has started."""

    def __init__(self) -> None:
        """Start with nothing running."""
        self._answered: dict[str, float] = {}

    def answered(self, table_id: str, now: float) -> None:
        """An answer to a table leaves now."""
        self._answered[table_id] = now

    def asked(self, table_id: str, now: float, times: Histogram) -> None:
        """A new question of a table is here; the time since its last answer is one of these."""
        since = self._answered.pop(table_id, None)
        if since is not None:
            times.add(now - since)

    def forget(self, table_id: str) -> None:
        """A table is over."""
        self._answered.pop(table_id, None)

    def waiting(self, now: float) -> Sequence[float]:
        """How long each table has waited for its next question."""
        return [now - since for since in self._answered.values()]
