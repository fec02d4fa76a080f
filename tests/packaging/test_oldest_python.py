"""What is promised for Python 3.11 holds for its first releases too: Debian 12 has 3.11.2."""

import ast
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[2]
OLDEST = "3.11.0"
SOURCES = ("server/src", "clients/python/src", "clients/python/examples", "docs", "bench")


def test_all_that_is_installed_runs_on_the_oldest_python() -> None:
    wanted = {one.name: one.metadata["Requires-Python"] or "" for one in distributions()}
    assert {
        name: python for name, python in wanted.items() if not SpecifierSet(python).contains(OLDEST)
    } == {}


def raises_within_except_star(source: str) -> Iterator[int]:
    """The lines of a text on which something is raised within ``except*``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.TryStar):
            for handler in node.handlers:
                yield from (one.lineno for one in ast.walk(handler) if isinstance(one, ast.Raise))


def test_nothing_is_raised_within_except_star() -> None:
    """Before 3.11.4 it comes out in a group of its own, and nobody catches it (gh-103590)."""
    files = [file for folder in SOURCES for file in (ROOT / folder).rglob("*.py")]
    assert len(files) > len(SOURCES)
    assert {
        f"{file.relative_to(ROOT)}:{line}"
        for file in files
        for line in raises_within_except_star(file.read_text(encoding="utf-8"))
    } == set()


def test_what_is_raised_there_is_found() -> None:
    source = "try:\n    pass\nexcept* ValueError:\n    raise KeyError\n"
    assert list(raises_within_except_star(source)) == [4]
