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

_YOUNG: Final = 200_000
"""Objects more than at the last look after which the young ones are looked at.

Every look stops play for as long as it walks all of them, garbage or not, and streams hold some
thirty each that come and go: 3,000 streams go up and down by more than half of this.
"""
_MIDDLE: Final = 1
"""Looks at the young ones until those that stayed are looked at too; soon, while they are few."""
_OLD: Final = 10
"""Such looks until all are looked at."""


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
    """Let the collector look less often, and never at what is there before play begins.

    What play leaves behind goes by its reference count, and a call leaves six objects that do not.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)
