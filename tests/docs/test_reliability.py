"""The page about promises names every fault and rule, and tests that are there."""

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
CITED: Final = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", PAGE)))


def numbers(letter: str) -> list[str]:
    """The numbers of the rows that begin with this letter."""
    return re.findall(rf"^\| ({letter}\d+) \|", PAGE, re.MULTILINE)


def test_every_fault_and_every_rule_has_its_row() -> None:
    assert numbers("F") == [f"F{number}" for number in range(1, 26)]
    assert numbers("H") == [f"H{number}" for number in range(1, 9)]


def test_what_holds_names_a_test() -> None:
    rows = [row.split("|") for row in PAGE.splitlines() if row.startswith("| F")]
    assert [row[1] for row in rows if "holds" in row[4] and "`tests/" not in row[3]] == []


@pytest.mark.parametrize("cited", CITED)
def test_a_test_that_is_cited_is_there(cited: str) -> None:
    file, _, name = cited.partition("::")
    source = (ROOT / file).read_text(encoding="utf-8")
    assert not name or re.search(rf"^(?:async )?def {name}\(", source, re.MULTILINE)
