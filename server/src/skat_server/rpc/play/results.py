"""Refused and repeated submissions that wait for their reader: bounded, for each and for all."""

import asyncio
from collections.abc import Callable
from typing import Final

from skat.v1 import play_service_pb2 as pb

MOST_WAITING: Final = 256
"""Results that may wait for one reader; nothing more is read from a stream that has them."""


class Waiting:
    """How many results wait over all streams."""

    def __init__(self, most: int) -> None:
        """Start with none."""
        self._room = most

    def add(self) -> bool:
        """Let one more wait; False when there is no room."""
        if self._room <= 0:
            return False
        self._room -= 1
        return True

    def remove(self, count: int) -> None:
        """So many wait no more."""
        self._room += count


class Results:
    """The results of one stream."""

    def __init__(self, waiting: Waiting, wake: Callable[[], None]) -> None:
        """Start with none.

        Args:
            waiting: counts them over all streams.
            wake: called when there is one to send.
        """
        self._waiting = waiting
        self._wake = wake
        self._results: list[pb.SubmissionResult] = []
        self._is_open = True
        self._has_room = asyncio.Event()
        self._has_room.set()

    def add(self, result: pb.SubmissionResult) -> bool:
        """Let a result wait, unless nobody will read it; False when the server has no room."""
        if not self._is_open:
            return True
        if not self._waiting.add():
            return False
        self._results.append(result)
        if len(self._results) >= MOST_WAITING:
            self._has_room.clear()
        self._wake()
        return True

    def take_part(self) -> bytes:
        """All of them as a part of a response, and they wait no more."""
        if not self._results:
            return b""
        results, self._results = self._results, []
        self._waiting.remove(len(results))
        return pb.PlayResponse(results=results).SerializeToString()

    def make_room(self) -> None:
        """What was taken has left: more may be read."""
        self._has_room.set()

    @property
    def has_room(self) -> bool:
        """Whether more may be read from the stream now."""
        return self._has_room.is_set()

    async def wait_for_room(self) -> None:
        """Wait until more may be read from the stream."""
        await self._has_room.wait()

    def close(self) -> None:
        """Nobody reads any more."""
        self._is_open = False
        self.take_part()
