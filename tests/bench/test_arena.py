"""The benchmark of the arena counts the deals that it has played."""

from __future__ import annotations

import pytest

from bench import arena


@pytest.mark.parametrize(
    ("work", "asked", "played"),
    [
        pytest.param(arena.play_plain, 40, 36, id="plain: whole series"),
        pytest.param(arena.play_bots, 4, 4, id="bots: one series"),
        pytest.param(arena.play_batched, 70, 64, id="batched: the same at every table"),
        pytest.param(arena.play_environment, 2, 2, id="environment: an episode each"),
    ],
)
def test_what_is_counted_is_what_was_played(work: arena.Work, asked: int, played: int) -> None:
    assert work(asked, 1) == played


def test_everything_is_measured() -> None:
    figures = arena.measure(deals=2, rounds=1, seed=1)
    rates = {
        figures[name] for name in ("plain", "plain_recorded", "bots", "batched", "environment")
    }
    assert all(isinstance(rate, int) and rate > 0 for rate in rates)
