"""Every rule that the engine cites is cited by a test as well.

A rule id in a source without a test that names it is a rule nobody holds.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "server" / "src" / "skat_engine"
RULE = re.compile(r"R-([A-Z]+)-(\d+)(?: to R-\1-(\d+))?")

FAMILIES = {
    "CARD", "TAB", "DEAL", "BID", "SKAT", "ANN", "PLAY", "NULL", "MAT", "VAL", "LOSS", "OVER",
    "END", "BOOK", "KON", "SPI", "RAM", "BOCK", "BIER",
}  # fmt: skip
"""Every family of rules that has something to do with a server."""


def cited(text: str) -> set[str]:
    """The rule ids in a text; ``R-X-1 to R-X-3`` cites all three."""
    return {
        f"{family}-{number}"
        for family, first, last in RULE.findall(text)
        for number in range(int(first), int(last or first) + 1)
    }


def without_docstring(source: str) -> str:
    """A module without its own docstring: what a file is about in general proves nothing."""
    return source.replace(ast.get_docstring(ast.parse(source), clean=False) or "", "", 1)


IN_ENGINE = {rule for file in ENGINE.glob("*.py") for rule in cited(file.read_text())}
IN_TESTS = {
    rule
    for file in Path(__file__).parent.glob("test_*.py")
    for rule in cited(without_docstring(file.read_text()))
}


def family(rule: str) -> str:
    return rule.partition("-")[0]


@pytest.mark.parametrize("rule", sorted(IN_ENGINE))
def test_a_cited_rule_has_a_test(rule: str) -> None:
    assert rule in IN_TESTS


def test_every_family_is_cited() -> None:
    assert {family(rule) for rule in IN_ENGINE} == FAMILIES
