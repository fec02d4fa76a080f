"""Many small runs of the core under faults, every history checked (H1 to H8)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.simulation.run import simulate

ROOT: Final = Path(__file__).resolve().parents[2]

SEEDS: Final = int(os.environ.get("SIMULATION_SEEDS", "400"))
"""Runs in the test; `make simulate` takes any number."""

PIECE: Final = 50
"""Runs in one test, so that none of them is long."""

REPLAYED: Final = 20


@pytest.mark.parametrize("first", range(0, SEEDS, PIECE))
def test_nothing_is_lost_or_shown_too_early(first: int) -> None:
    """F1, F2, F4, F7, F9, F12, F14, F19 in virtual time: whatever fails, the history is true."""
    failed = {
        outcome.seed: [str(violation) for violation in outcome.violations[:3]]
        for outcome in map(simulate, range(first, min(first + PIECE, SEEDS)))
        if outcome.violations
    }
    assert not failed, f"make simulate SEED={next(iter(failed))} replays the first of {failed}"


def test_a_seed_replays_bit_equal() -> None:
    seeds = range(REPLAYED)
    assert [simulate(seed).digest for seed in seeds] == [simulate(seed).digest for seed in seeds]


def test_seeds_differ() -> None:
    assert len({simulate(seed).digest for seed in range(REPLAYED)}) == REPLAYED


def test_the_order_of_hashes_does_not_matter() -> None:
    """A failure on one machine replays on another."""
    program = (
        "from tests.simulation.run import simulate;"
        "print(*[simulate(seed).digest for seed in range(5)])"
    )
    outputs = {_output(program, hash_seed) for hash_seed in ("0", "1", "4711")}
    assert len(outputs) == 1


def _output(program: str, hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_the_command_replays_one_seed(capfd: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-m", "tests.simulation", "--seed", "3"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0
    shown = capfd.readouterr().out
    assert f"trace {simulate(3).digest[:16]}, 0 violations" in shown
