"""Connections: ordered while they last, and lost in every way that real ones are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from tests.simulation.timeline import Timeline


@dataclass(frozen=True, slots=True)
class NetworkFaults:
    """How bad the network is."""

    slowest: float = 0.02
    """Seconds that a message may take."""
    cut: float = 0.0
    """Chance at each message that the connection breaks there."""
    mute: float = 0.0
    """Chance at each message that nothing arrives in its direction from there on, and that
    neither side hears of it."""


Message = TypeVar("Message")


class Wire(Generic[Message]):
    """One direction of a connection: what is sent arrives in order, or not at all."""

    def __init__(self, link: Link, deliver: Callable[[Message], None]) -> None:
        """Lead to a receiver."""
        self._link = link
        self._deliver = deliver
        self._last = 0.0
        self._is_mute = False

    def send(self, message: Message) -> None:
        """Let a message travel."""
        link = self._link
        chance, faults = link.timeline.chance, link.faults
        if chance.random() < faults.cut:
            link.cut()
        self._is_mute = self._is_mute or chance.random() < faults.mute
        if self._is_mute or not link.is_open:
            return
        arrival = link.timeline.elapsed + chance.random() * faults.slowest
        self._last = max(self._last, arrival)
        link.timeline.at(self._last, lambda: self._arrive(message))

    def _arrive(self, message: Message) -> None:
        """What was under way when the connection broke is lost."""
        if self._link.is_open:
            self._deliver(message)


class Link:
    """One connection between a bot and a server.

    Attributes:
        is_open: whether it is not broken; nobody knows at once when it is.
    """

    def __init__(self, timeline: Timeline, faults: NetworkFaults) -> None:
        """Connect nobody yet."""
        self.timeline = timeline
        self.faults = faults
        self.is_open = True
        self.on_cut: list[Callable[[], None]] = []
        """Told of the break, each after a while of its own."""

    def cut(self) -> None:
        """Break; both sides hear of it a little later."""
        if not self.is_open:
            return
        self.is_open = False
        for told in self.on_cut:
            self.timeline.soon(self.faults.slowest, told)
