"""One client reading one table: every frame is held against what the log owes its viewer."""

from __future__ import annotations

from collections.abc import Iterator

from skat_server.tables.facts import Viewer
from tests.histories.fold import Replayed
from tests.histories.model import ClientHistory, Content, Frame, Opened, Shown

Finding = tuple[str, str]
"""Rule and what is wrong."""


def frame_faults(client: ClientHistory, table_id: str, replayed: Replayed) -> Iterator[Finding]:
    """Everything in which a client's frames of a table and its log do not agree (H2, H7)."""
    reader = _Reader(replayed, has_seat=bool(client.player_id))
    for item in client.items:
        if isinstance(item, Opened):
            yield from reader.connect(item.positions.get(table_id))
        elif isinstance(item, Frame) and item.table_id == table_id:
            yield from reader.read(item)
        elif isinstance(item, Shown) and item.table_id == table_id:
            yield from reader.begin(item)
    if client.at_rest:
        yield from reader.finish(client.player_id)


class _Reader:
    """How far the client has read, on this connection and before."""

    def __init__(self, replayed: Replayed, *, has_seat: bool) -> None:
        self._replayed = replayed
        self._has_seat = has_seat
        self._viewer: Viewer = None
        self._read: int | None = None
        """The last event ever read; None before the first frame."""
        self._sent: int | None = None
        """The last one on this connection, or named at its start; None when a view is due."""

    def connect(self, position: int | None) -> Iterator[Finding]:
        """A new connection begins after this event."""
        if position is not None and position != self._read:
            yield "H2", f"the client resumed after {position}, but had read up to {self._read}"
        self._sent = position

    def begin(self, shown: Shown) -> Iterator[Finding]:
        """A view arrives whose events follow one by one."""
        self._viewer = shown.seat if self._has_seat else None
        if shown.next not in (1, *self._replayed.telling.starts[self._viewer]):
            yield "H2", f"a view began with event {shown.next}"
        self._sent = shown.next - 1

    def read(self, frame: Frame) -> Iterator[Finding]:
        """A frame arrives."""
        if frame.view is not None:
            yield from self._view(frame)
        if self._sent is None:
            yield "H2", "events came before a view"
            return
        for number, content in frame.events:
            if number != self._sent + 1:
                yield "H2", f"event {number} came after event {self._sent}"
            self._sent = number
            yield from self._compare(number, content)
        self._read = self._sent
        if frame.question is not None:
            yield from self._asked(frame)

    def _view(self, frame: Frame) -> Iterator[Finding]:
        assert frame.view is not None
        self._viewer = frame.seat if self._has_seat else None
        starts = self._replayed.telling.starts[self._viewer]
        first = max((start for start in starts if start <= frame.view), default=1)
        self._sent = first - 1
        if len(frame.events) != frame.view - self._sent:
            yield "H2", f"the view of event {frame.view} does not tell all from {first} on"

    def _compare(self, number: int, content: Content) -> Iterator[Finding]:
        told = self._replayed.telling.told[self._viewer]
        if number <= len(told) and told[number - 1] == content:
            return
        yield "H2", f"event {number} is not what the log has for {_name(self._viewer)}"
        if content not in told:
            yield "H7", f"event {number} of {_name(self._viewer)} is not in the log: {content}"

    def _asked(self, frame: Frame) -> Iterator[Finding]:
        assert self._sent is not None
        seat = self._viewer
        asked = [] if seat is None else self._replayed.questions.get((seat, self._sent), [])
        if frame.question not in asked:
            yield "H2", f"question {frame.question} was not open after event {self._sent}"

    def finish(self, player_id: str) -> Iterator[Finding]:
        """The client was connected until nothing more came."""
        holder = "" if self._viewer is None else self._replayed.players[self._viewer]
        owed = len(self._replayed.telling.told[self._viewer])
        if self._read is not None and holder == player_id and self._read != owed:
            yield "H2", f"{_name(self._viewer)} was told {self._read} of {owed} events"


def _name(viewer: Viewer) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"
