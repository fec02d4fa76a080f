"""The functions of the server, each of which can be made to do something else for a while."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Voice:
    """One function or method, and where it is known."""

    owner: Any
    """Its module or class."""
    name: str
    function: Callable[..., Any]

    def __str__(self) -> str:
        """The name in full."""
        return f"{self.function.__module__}.{self.function.__qualname__}"

    @property
    def is_coroutine(self) -> bool:
        """Whether it has to be awaited."""
        return inspect.iscoroutinefunction(self.function)

    @contextmanager
    def replaced(self, other: Callable[..., Any]) -> Iterator[None]:
        """Something else is called in its place, wherever it was imported."""
        places = list(self._places())
        for place, name in places:
            setattr(place, name, other)
        try:
            yield
        finally:
            for place, name in places:
                setattr(place, name, self.function)

    def _places(self) -> Iterator[tuple[Any, str]]:
        if not inspect.ismodule(self.owner):
            yield self.owner, self.name
            return
        for name, module in list(sys.modules.items()):
            if name.startswith("skat_server"):
                for known, value in list(vars(module).items()):
                    if value is self.function:
                        yield module, known


def voices(package: str) -> list[Voice]:
    """All functions and methods of a package, those that Python itself calls aside."""
    return [voice for module in _modules(package) for voice in _voices_of(module)]


def _modules(package: str) -> Iterator[ModuleType]:
    top = importlib.import_module(package)
    yield top
    for found in pkgutil.walk_packages(getattr(top, "__path__", []), f"{package}."):
        yield importlib.import_module(found.name)


def _voices_of(module: ModuleType) -> Iterator[Voice]:
    for name, value in list(vars(module).items()):
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(value):
            yield Voice(module, name, value)
        elif inspect.isclass(value):
            for attribute, method in list(vars(value).items()):
                if inspect.isfunction(method) and not attribute.startswith("__"):
                    yield Voice(value, attribute, method)
