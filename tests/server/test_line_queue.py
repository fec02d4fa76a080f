"""Log lines wait for their reader, and the server does not."""

from __future__ import annotations

from threading import Event

from skat_server.observability.line_queue import LineQueue

WITHIN = 30.0
"""Seconds for what happens at once."""


class Reader:
    """Reads nothing before it is let."""

    def __init__(self, most: int) -> None:
        self.read: list[str] = []
        self.lost: list[int] = []
        self.has_begun, self._goes_on = Event(), Event()
        self.lines = LineQueue(self._take, self.lost.append, most)

    def _take(self, line: str) -> None:
        self.has_begun.set()
        self._goes_on.wait(WITHIN)
        self.read.append(line)

    def stall(self) -> None:
        """Have it stall at a first line."""
        self.lines.write("first")
        assert self.has_begun.wait(WITHIN)

    def go_on(self) -> None:
        """Let it read to the end."""
        self._goes_on.set()
        self.lines.close(WITHIN)


def test_lines_come_in_their_order() -> None:
    reader = Reader(most=100)
    for number in range(50):
        reader.lines.info(str(number))
    reader.go_on()
    assert reader.read == [str(number) for number in range(50)]
    assert reader.lost == []


def test_who_logs_goes_on_while_nobody_reads() -> None:
    reader = Reader(most=3)
    reader.stall()
    for number in range(10):
        reader.lines.warning(str(number))
    reader.go_on()
    assert reader.read == ["first", "0", "1", "2"]
    assert reader.lost == [7]


def test_an_end_waits_for_no_reader_that_stalls() -> None:
    reader = Reader(most=1)
    reader.stall()
    reader.lines.error("waits")
    reader.lines.close(0.0)
    reader.go_on()
    assert reader.read == ["first", "waits"]
