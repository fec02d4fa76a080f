"""What the other pages tell people to type works, and what they list is complete."""

import re
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from skat_client import DealRecord
from skat_engine import Deal, DealResult, deal_from_seed, preset
from skat_engine.records.facts import result_facts

ROOT = Path(__file__).parents[2]


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def forehand_plays_a_game() -> DealResult:
    deal = Deal(preset("isko"), deal_from_seed(bytes(32)))
    while (position := deal.to_act) is not None:
        options = deal.legal(position)
        deal.apply(position, options[-1] if len(options) == 2 else options[0])
    assert deal.result is not None
    return deal.result


def test_every_field_of_a_result_is_explained() -> None:
    section = page("records.md").partition("### Fields of `result`")[2].partition("\n#")[0]
    rows = re.findall(r"^\| (`.+?`) \|", section, re.MULTILINE)
    explained = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert explained >= set(result_facts(forehand_plays_a_game()))


class OneRecord:
    """A client of a server that has one record."""

    async def list_deal_records(self, table_id: str) -> AsyncIterator[DealRecord]:
        yield DealRecord(table_id, 1, "{}")


@pytest.mark.asyncio
async def test_the_lines_of_a_table_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    (snippet,) = re.findall(r"^```python\n(.*?)^```", page("records.md"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(f"async def show(client, table_id):\n{textwrap.indent(snippet, '    ')}", names)
    await names["show"](OneRecord(), "t")
    assert capsys.readouterr().out == "{}\n"
