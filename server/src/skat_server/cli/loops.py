"""The event loop of a server: a faster one where it is installed."""

import asyncio
import gc
import importlib
from collections.abc import Callable, Coroutine
from enum import Enum
from importlib.util import find_spec
from typing import Any, Final, TypeVar

from skat_server.cli.wakes import Reader, gathering

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
    with asyncio.Runner(loop_factory=_woken_seldom(_kind(loop))) as runner:
        return runner.run(main)


def _kind(loop: Loop) -> Any:
    """The class of the loop; its type is not known, because uvloop is an extra."""
    if loop is Loop.ASYNCIO:
        return asyncio.SelectorEventLoop
    try:
        return importlib.import_module("uvloop").Loop
    except ModuleNotFoundError:
        if loop is Loop.UVLOOP:
            raise
        return asyncio.SelectorEventLoop


def _woken_seldom(base: Any) -> Callable[[], asyncio.AbstractEventLoop]:
    """A loop that gRPC wakes once for all that it has to tell."""

    class WokenSeldom(base):  # type: ignore[misc]  # its class is known only here
        def add_reader(self, fd: Any, callback: Reader, *args: Any) -> None:
            super().add_reader(fd, gathering(fd, callback), *args)

    return WokenSeldom


def spare_the_collector() -> None:
    """Let the collector look less often, and never at what was made before the server listened.

    Nearly everything that play leaves behind goes by its reference count.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _OLDER, _OLDER)
