"""Where the next connection of a session goes. Pure: it moves nobody."""

import logging
from typing import Final

from skat_client._channel import check_target
from skat_client.errors import ConfigurationError

_log = logging.getLogger("skat_client")

_MOST_IN_A_ROW: Final = 5
"""Redirects without a connection of use in between; servers that send us round get no more."""
_TRIES: Final = 3
"""Failures in a row at one server, before we try the other one that we know."""


class Route:
    """The way from server to server, as they send their clients on."""

    def __init__(self, home: str) -> None:
        self.target: str = home
        """The server to connect to."""
        self._home = home
        self._away = home
        """The server to which we were sent last."""
        self._next = ""
        self._redirects = 0
        self._failures = 0

    def told(self, endpoint: str) -> None:
        """The server goes away, and names another one for afterwards, or none."""
        try:
            self._next = check_target(endpoint) if endpoint else ""
        except ConfigurationError as error:
            _log.warning("the server sends its clients nowhere: %s", error)
            self._next = ""

    def lost(self) -> None:
        """The connection was lost, or could not be made."""
        self._failures += 1
        if self._next and self._redirects < _MOST_IN_A_ROW:
            self._redirects += 1
            self._away = self._next
            self._go(self._next)
        elif self._next:
            self._go(self._home)
        elif self._failures >= _TRIES:
            # Neither need be there yet, or be there ever again.
            self._go(self._away if self.target == self._home else self._home)
        self._next = ""

    def progressed(self) -> None:
        """The connection has been of use."""
        self._redirects = self._failures = 0

    def _go(self, target: str) -> None:
        if target != self.target:
            _log.warning("the next connection goes to %s", target)
        self.target = target
        self._failures = 0
