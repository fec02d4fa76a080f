"""The program for strangers finds what is wrong in records, and nothing in true ones (T9)."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from skat_engine import (
    OptionValue,
    commitment,
    deal_from_seed,
    dealt_text,
    shuffled_deck,
)
from skat_engine.options import SessionEnd
from skat_engine.records import CheckOutcome, to_json_line, verify
from skat_server.clock import ManualClock
from skat_server.storage.memory import MemoryStore
from skat_server.tables.sources import FreshDeals
from skat_server.tables.table import Table
from tests.records.playing import random_record
from tests.records.proving import CARDS, TABLE_SEED, TAMPERED, line_after, line_with, proven_line
from tests.server.playing import config, occupant, play_on, succeeded
from tests.server.stores import records_of

PROGRAM = Path(__file__).parents[2] / "docs" / "verify_deal.py"
BEYOND_IT = {"RESULT", "LEGALITY"}
"""What takes the rules of the game."""


def run(folder: Path, lines: Iterable[str], table_seed: bytes = b"") -> tuple[int, list[str]]:
    """Exit code and findings of the program, line by line."""
    path = folder / "deals.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    seed = [table_seed.hex()] if table_seed else []
    command = [sys.executable, str(PROGRAM), str(path), *seed]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_it_stands_alone_and_is_short() -> None:
    """Nothing but the standard library, and a page or two to read."""
    text = PROGRAM.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    names = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(text))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert names <= sys.stdlib_module_names


def exported(preset: str, seed: bytes) -> list[str]:
    """The records of a table that was played to its end by chance."""
    store = MemoryStore()
    options: dict[str, OptionValue] = {
        "session_end": SessionEnd.FIXED_DEALS,
        "session_deals": 12,
    }
    made = config(None, preset=preset, draw=shuffled_deck(seed), options=options)
    table = Table(replace(made, source=FreshDeals(seed)), store, ManualClock())
    table.open(succeeded)
    for name in ("ann", "ben", "cem"):
        table.sit(replace(occupant(name), nonce=name.encode()), None, succeeded)
    play_on(table, random.Random(preset))
    return [record.json for record in records_of(store, "table-1")]


@pytest.mark.parametrize("preset", ["isko", "swedish_standard", "terse_english_ramsch"])
def test_true_records_of_a_table_hold(tmp_path: Path, preset: str) -> None:
    lines = exported(preset, TABLE_SEED)
    code, findings = run(tmp_path, lines, TABLE_SEED)
    assert (code, len(findings)) == (0, 12)
    for line, finding in zip(lines, findings, strict=True):
        row = json.loads(line)
        bound = f"bound by {row['commitment']}"
        assert finding == f"{row['id']} OK: commitment, derivation, shuffle, cards; {bound}"


def test_true_records_of_all_rule_systems_hold(tmp_path: Path) -> None:
    """With cards that are picked up, put down, rearranged; with and without a seed."""
    lines = [to_json_line(random_record(n, bare=n % 3 == 0)) for n in range(200)]
    code, findings = run(tmp_path, lines)
    assert code == 0
    assert all(" OK: " in finding for finding in findings)


def chosen_by_the_operator() -> str:
    """A record in which all agrees but the table's seed."""
    other = bytes(32)
    return line_with(
        seed=other.hex(),
        commitment=commitment(other, "table-1/2").hex(),
        dealt=dealt_text(deal_from_seed(other)),
        actions=["1 pass", "2 pass", "0 pass"],
    )


def card_twice(row: dict[str, list[str]]) -> None:
    """Rearhand plays forehand's first card again."""
    cards = [n for n, action in enumerate(row["actions"]) if action[2:] in CARDS]
    row["actions"][cards[2]] = row["actions"][cards[2]][:2] + row["actions"][cards[0]][2:]


def test_tampered_records_differ(tmp_path: Path) -> None:
    """Whatever needs no rules is found by both, the program and the server."""
    found_here = [line_after(change) for change, kind in TAMPERED if kind not in BEYOND_IT]
    found_here += [
        line_with(commitment="00" * 32),
        line_with(id="table-1/9"),
        line_with(dealt=dealt_text(deal_from_seed(bytes(32)))),
        chosen_by_the_operator(),
        line_after(card_twice),
        "{}",
        "no json",
        '{"id":"x","seed":1}',
    ]
    code, findings = run(tmp_path, found_here, TABLE_SEED)
    assert code == 1
    assert [finding for finding in findings if " DIFFERS: " not in finding] == []
    for line in found_here:
        checks = verify(line.encode(), b"", TABLE_SEED)
        assert any(check.outcome is CheckOutcome.FAILED for check in checks)


def test_one_bad_record_does_not_hide_the_next(tmp_path: Path) -> None:
    code, findings = run(tmp_path, ["{}", proven_line()], TABLE_SEED)
    assert code == 1
    assert [" OK: " in finding for finding in findings] == [False, True]


def test_without_the_seed_of_the_table_its_derivation_is_not_checked(tmp_path: Path) -> None:
    assert "derivation" not in run(tmp_path, [proven_line()])[1][0]


def test_another_seed_of_the_table_is_found(tmp_path: Path) -> None:
    code, (finding,) = run(tmp_path, [proven_line()], bytes(32))
    assert code == 1
    assert "the table's commitment is" in finding


def called(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(PROGRAM), *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("arguments", [(), ("--help",), ("nowhere.jsonl",)])
def test_a_wrong_call_says_how_to_call_it(arguments: tuple[str, ...]) -> None:
    done = called(*arguments)
    assert done.returncode == 2
    assert "verify_deal.py RECORDS.jsonl" in done.stderr
