"""Who is told what happens at tables and in sessions, for figures and logs: it changes nothing.

Tables know this protocol and nothing of what becomes of it; the composition root joins the two.
"""

from typing import Final, Protocol

from skat_server.errors import RefusedError
from skat_server.tables.state import TableConfig, TableState
from skat_server.tables.steps import Step


class Told(Protocol):
    """Is told once what became of a submission."""

    def __call__(self, refusal: RefusedError | None, /) -> None:
        """None when it is durable and everybody was told of it."""


class Observer(Protocol):
    """Is told, in the event loop, and must be quick."""

    def stepped(self, config: TableConfig, before: TableState, step: Step) -> None:
        """A step became durable, and everybody was told."""

    def submitted(self, done: Told) -> Told:
        """A player has submitted something; whoever waits for it is told through the result."""

    def repeated(self) -> None:
        """A player has submitted again what had settled its turn."""

    def session_opened(self, *, is_resumed: bool, supersedes: bool) -> None:
        """A session begins.

        Args:
            is_resumed: it brings positions.
            supersedes: another one of the same player ended for it.
        """

    def table_resumed(self, missed: int | None) -> None:
        """A session goes on with a table.

        Args:
            missed: facts since its position; None when it is sent a view instead.
        """


class Unobserved:
    """Nobody is told."""

    def stepped(self, config: TableConfig, before: TableState, step: Step) -> None:
        """Nothing."""

    def submitted(self, done: Told) -> Told:
        """Nothing stands between."""
        return done

    def repeated(self) -> None:
        """Nothing."""

    def session_opened(self, *, is_resumed: bool, supersedes: bool) -> None:
        """Nothing."""

    def table_resumed(self, missed: int | None) -> None:
        """Nothing."""


UNOBSERVED: Final = Unobserved()
