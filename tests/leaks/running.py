"""Coroutines in tests that are no coroutines themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

_Result = TypeVar("_Result")


def run(coroutine: Coroutine[object, object, _Result]) -> _Result:
    """The result of a coroutine in a loop of its own, for examples drawn by hypothesis."""
    return asyncio.run(coroutine)
