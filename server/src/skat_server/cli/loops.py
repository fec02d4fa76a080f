"""The event loop of a server: a faster one where it is installed."""

import asyncio
import gc
import importlib
from collections.abc import Callable, Coroutine
from enum import Enum
from importlib.util import find_spec
from typing import Any, Final, TypeVar

_Result = TypeVar("_Result")

_YOUNG: Final = 20_000
"""Objects after which the youngest garbage is looked for; the usual 700 come with a few actions."""
_OLDER: Final = 50
"""Such looks after which the next older ones are looked at, and of those the oldest."""


class Loop(Enum):
    """Which event loop to use."""

    AUTO = "auto"
    """uvloop where it is installed."""
    ASYNCIO = "asyncio"
    UVLOOP = "uvloop"


def is_installed(loop: Loop) -> bool:
    """Whether a loop can be had here."""
    return loop is not Loop.UVLOOP or find_spec("uvloop") is not None


def run_in(loop: Loop, main: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a program to its end.

    Returns:
        What it returns.

    Raises:
        ModuleNotFoundError: uvloop is wanted and not installed.
    """
    with asyncio.Runner(loop_factory=_factory(loop)) as runner:
        return runner.run(main)


def _factory(loop: Loop) -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes the loop; None for asyncio's own."""
    if loop is Loop.ASYNCIO:
        return None
    try:
        made: Callable[[], asyncio.AbstractEventLoop] = importlib.import_module(
            "uvloop"
        ).new_event_loop
    except ModuleNotFoundError:
        if loop is Loop.UVLOOP:
            raise
        return None
    return made


def spare_the_collector() -> None:
    """Let the collector look less often, and never at what was made before the server listened.

    Nearly everything that play leaves behind goes by its reference count.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _OLDER, _OLDER)
