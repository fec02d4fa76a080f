"""Real processes on a disk that kills, fails, fills up or dawdles (F2, F4, F5)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.storage.shim import built, run_preloaded


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that stands between SQLite and the disk."""
    return built(tmp_path_factory.mktemp("shim"))


def play(shim: Path, *arguments: str) -> dict[str, Any]:
    """Run a scene of `dying.py`."""
    result: dict[str, Any] = json.loads(run_preloaded(shim, "tests.storage.dying", *arguments))
    return result


@pytest.mark.parametrize("after", ["0", "1"], ids=["before", "after"])
def test_a_kill_at_any_sync_loses_nothing_that_was_told(
    shim: Path, tmp_path: Path, after: str
) -> None:
    """F2: the acknowledged prefix is there, no batch in parts; from the first start to the end."""
    # How many there are depends on what waits together: a faster machine has fewer.
    assert play(shim, "kill", str(tmp_path), after)["deaths"] > 8


def test_a_sync_that_fails_ends_the_process_and_is_not_tried_again(
    shim: Path, tmp_path: Path
) -> None:
    """F5: EIO at every sync; the next start reads what is there."""
    found = play(shim, "fail", str(tmp_path))
    assert found["tried_again"] == []
    assert found["dead"] >= 5
    assert found["dead"] + found["unusable"] + 1 == found["lives"], found


def test_tables_share_a_slow_disk(shim: Path, tmp_path: Path) -> None:
    """F5: a sync of 5 ms holds all tables up once, not each of them."""
    found = play(shim, "slow", str(tmp_path))
    assert found["batches"] == 500
    assert found["syncs"] < 50


def test_a_disk_without_space_is_waited_for(shim: Path, tmp_path: Path) -> None:
    """F4: ENOSPC from the operating system, then space again."""
    assert play(shim, "full", str(tmp_path)) == {"failure": "full", "entries": 5}
