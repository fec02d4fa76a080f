"""Moments of play at which something is to happen."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable


class Fuse:
    """Goes off at some of the decisions, which are drawn beforehand.

    Attributes:
        burnt: set when one of them has come.
    """

    def __init__(self, at: Iterable[int]) -> None:
        self._at = set(at)
        self._count = 0
        self.burnt = asyncio.Event()

    def tick(self) -> None:
        """One more decision."""
        self._count += 1
        if self._count in self._at:
            self.burnt.set()
