"""The arena's table: its records hold, and are those that a server writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from skat_arena import ArenaTable
from skat_engine import (
    Bid,
    Hold,
    IllegalActionError,
    Pass,
    preset,
    table_commitment,
)
from skat_engine.options import FirstDealer
from skat_engine.records import CheckKind, CheckOutcome, is_verified, verify
from skat_server.cli import app
from tests.arena.random_play import ALL_PRESETS, play_out, rules_of

SEED = bytes(range(32))
NONCES = (b"ann", b"", b"cem")


def records_of(table_seed: bytes = SEED, *, nonces: Sequence[bytes] | None = None) -> list[str]:
    """A short series by chance."""
    lines: list[str] = []
    table = ArenaTable(rules_of("isko", 4), table_seed, nonces=nonces, on_record=lines.append)
    play_out(table, Random(1))
    return lines


@pytest.mark.parametrize("name", ALL_PRESETS)
def test_every_record_can_be_proven(name: str) -> None:
    lines: list[str] = []
    table = ArenaTable(rules_of(name, 6), SEED, on_record=lines.append)
    play_out(table, Random(name))
    assert len(lines) == 6
    assert all(is_verified(verify(line.encode())) for line in lines)


def test_shares_of_the_players_can_be_proven_with_the_tables_seed() -> None:
    (first, *_) = records_of(nonces=NONCES)
    checks = verify(first.encode(), table_seed=SEED)
    assert {check.kind: check.outcome for check in checks}[CheckKind.DERIVATION] is CheckOutcome.OK
    bound = table_commitment(SEED, "arena").hex()
    assert json.loads(first)["chance"]["table_commitment"] == bound


def test_files_replay_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text("\n".join(records_of()) + "\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["records", "replay", str(file)])
    assert result.stdout.splitlines()[-1] == "4 replayed, 4 identical, 0 differ, 0 unreadable"


def test_a_seed_gives_the_same_series_again() -> None:
    assert records_of() == records_of()
    assert records_of() != records_of(bytes(32))


def test_nothing_is_recorded_unless_asked_for() -> None:
    table = ArenaTable(rules_of("isko", 2), SEED)
    play_out(table, Random(1))
    assert table.booking is not None
    assert table.booking.deal_number == 2


def test_a_refused_action_changes_nothing() -> None:
    table = ArenaTable(preset("isko"), SEED)
    table.start_deal()
    with pytest.raises(IllegalActionError):
        table.act(Hold())
    assert (table.to_act, table.actions) == (2, [])
    table.act(Bid(18))
    assert len(table.actions) == 1


def test_a_seat_that_is_not_asked_may_only_intervene() -> None:
    table = ArenaTable(preset("isko"), SEED)
    table.start_deal()
    with pytest.raises(IllegalActionError):
        table.act(Pass(), seat=0)


def test_deals_begin_one_after_the_other() -> None:
    table = ArenaTable(rules_of("isko", 1), SEED)
    with pytest.raises(ValueError, match="begin one with start_deal"):
        table.act(Pass())
    table.start_deal()
    with pytest.raises(ValueError, match="under way"):
        table.start_deal()
    while table.deal is not None:
        table.act(Pass())
    with pytest.raises(ValueError, match="is over"):
        table.start_deal()


def test_a_drawn_first_dealer_follows_from_the_seed() -> None:
    rules = preset("isko", {"first_dealer": FirstDealer.RANDOM})
    dealers = [ArenaTable(rules, bytes([n]) * 32).seating.dealer for n in range(60)]
    assert set(dealers) == {0, 1, 2}
    assert dealers == [ArenaTable(rules, bytes([n]) * 32).seating.dealer for n in range(60)]


@pytest.mark.parametrize("names", [("a", "b"), ("a", "b", "c", "d")])
def test_names_have_to_fit(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="for 3 seats"):
        ArenaTable(preset("isko"), SEED, names=names)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"table_id": ""}, ValueError, "table_id is empty"),
        ({"table_id": 5}, TypeError, "table_id is text, not 5"),
        ({"names": "ann"}, TypeError, "names are a list, one for each seat, not 'ann'"),
        ({"names": None}, TypeError, "names are a list, one for each seat, not None"),
        ({"names": (1, 2, 3)}, TypeError, "a name is text, not 1"),
        ({"nonces": ()}, ValueError, "0 nonces for 3 seats"),
        ({"nonces": b"ann"}, TypeError, "nonces are a list, one for each seat, not b'ann'"),
        ({"nonces": 5}, TypeError, "nonces are a list, one for each seat, not 5"),
        ({"nonces": ("a", "b", "c")}, TypeError, "a nonce is bytes, not 'a'"),
        ({"nonces": (bytes(33), b"", b"")}, ValueError, "at most 32 bytes"),
    ],
)
def test_wrong_options_are_said(options: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        ArenaTable(preset("isko"), SEED, **options)


@pytest.mark.parametrize(
    ("rules", "seed", "error", "says"),
    [
        ("isko", SEED, TypeError, r"write preset\('isko'\)"),
        (preset("isko"), b"monday", ValueError, "32 bytes, not 6"),
        (preset("isko"), 1, TypeError, "to_bytes"),
    ],
    ids=["a name", "short", "a number"],
)
def test_rules_and_seeds_that_are_none_are_said(
    rules: Any, seed: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        ArenaTable(rules, seed)
