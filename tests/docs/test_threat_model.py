"""The page about threats names tests that are there, and the budgets that hold."""

import re
from pathlib import Path
from typing import Final

import pytest

from skat_server.config import Limits, Settings
from skat_server.rpc import listener
from skat_server.storage.sqlite import store

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
THREATS, _, BUDGETS = PAGE.partition("\n## Budgets")
CITED: Final = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", PAGE)))
CONSTANTS: Final = {
    "MAX_MESSAGE_BYTES": listener.MAX_MESSAGE_BYTES,
    "MAX_METADATA_BYTES": listener.MAX_METADATA_BYTES,
    "MAX_CONCURRENT_STREAMS": listener.MAX_CONCURRENT_STREAMS,
    "MOST_PENDING": store.MOST_PENDING,
}


def cells(text: str) -> list[list[str]]:
    """The rows of a table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_threat_has_a_row_and_a_test() -> None:
    rows = cells(THREATS)
    assert [row[0] for row in rows] == [f"T{number}" for number in range(1, 27)]
    assert [row[0] for row in rows if "`tests/" not in row[3]] == []


@pytest.mark.parametrize("cited", CITED)
def test_a_test_that_is_cited_is_there(cited: str) -> None:
    file, _, name = cited.partition("::")
    source = (ROOT / file).read_text(encoding="utf-8")
    assert not name or re.search(rf"^(?:async )?def {name}\(", source, re.MULTILINE)


@pytest.mark.parametrize("row", cells(BUDGETS), ids=lambda row: str(row[0]))
def test_a_budget_is_the_default(row: list[str]) -> None:
    _, stated, setting, _ = row
    assert int(stated.split()[0]) == default(setting.strip("`"))


def default(setting: str) -> object:
    """What a server has when nobody says otherwise."""
    holders = {"Limits": Limits(), "Settings": Settings()}
    holder, _, name = setting.partition(".")
    return getattr(holders[holder], name) if name else CONSTANTS[setting]
