"""What is promised for Python 3.11 holds for its first releases too: Debian 12 has 3.11.2."""

import ast
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[2]
OLDEST = "3.11.0"
NOT_OURS = (ROOT / "proto" / "gen",)
"""What a generator has written."""


def test_all_that_is_installed_runs_on_the_oldest_python() -> None:
    wanted = {one.name: wanted_python(one) for one in distributions()}
    assert {
        name: python for name, python in wanted.items() if not SpecifierSet(python).contains(OLDEST)
    } == {}


def wanted_python(one: Distribution) -> str:
    """What a distribution asks of Python; from Python 3.13 on it warns where nothing is said."""
    (wanted,) = one.metadata.get_all("Requires-Python") or [""]
    assert isinstance(wanted, str)
    return wanted


def sources() -> Iterator[Path]:
    """Every program of the tree, without what begins with a dot, as environments and caches do."""
    for file in ROOT.rglob("*.py"):
        is_hidden = any(part.startswith(".") for part in file.relative_to(ROOT).parts)
        if not is_hidden and not any(file.is_relative_to(folder) for folder in NOT_OURS):
            yield file


def raises_within_except_star(source: str) -> Iterator[int]:
    """The lines of a text on which something is raised within ``except*``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.TryStar):
            for handler in node.handlers:
                yield from (one.lineno for one in ast.walk(handler) if isinstance(one, ast.Raise))


def test_nothing_is_raised_within_except_star() -> None:
    """Before 3.11.4 it comes out in a group of its own, and nobody catches it (gh-103590).

    Only a `raise` that is written there is seen, not one in a function that is called there.
    """
    files = list(sources())
    assert Path(__file__).resolve() in files
    assert {
        f"{file.relative_to(ROOT)}:{line}"
        for file in files
        for line in raises_within_except_star(file.read_text(encoding="utf-8"))
    } == set()


def test_what_is_raised_there_is_found() -> None:
    source = "try:\n    pass\nexcept* ValueError:\n    raise KeyError\n"
    assert list(raises_within_except_star(source)) == [4]
