"""The measurements that are no figures of `make bench` run, and count what they say."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from bench import durability, growth, open_spiel_skat
from skat_server.storage.protocols import Durability


@pytest.mark.parametrize("kept", Durability)
def test_appends_are_counted(kept: Durability, tmp_path: Path) -> None:
    store = durability.new_store(kept, tmp_path)
    figures = asyncio.run(durability.appends(store, tables=2, seconds=0.05))
    assert (figures["durability"], figures["tables"]) == (kept.value, 2)
    assert isinstance(figures["events_per_second"], int)
    assert figures["events_per_second"] > 0


def test_a_record_is_sealed_with_the_last_action_of_a_deal() -> None:
    numbers = range(2 * durability.ACTIONS_A_DEAL + 1)
    sealed = [n for n in numbers if durability.batch("table-1", n).record is not None]
    assert sealed == [durability.ACTIONS_A_DEAL, 2 * durability.ACTIONS_A_DEAL]


def test_growth_shows_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    growth.main(["--tables", "1", "2", "--seconds", "0.1"])
    shown = capsys.readouterr()
    assert [json.loads(line)["tables"] for line in shown.out.splitlines()] == [1, 2]
    assert shown.err.splitlines() == [
        "# growth: a server with one table",
        "# growth: a server with 2 tables",
    ]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--tables", "0"], "take 1 or more"),
        (["--tables", "8", "-3"], "take 1 or more"),
        (["--seconds", "nan"], "is not from 0.05"),
        (["--output", "no-such-folder/growth.svg"], "in a folder that is there"),
        (["--output", "growth.jpeg"], "no .svg"),
    ],
)
def test_growth_that_cannot_be_measured_or_drawn_is_refused(
    options: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        growth.main(options)
    assert says in capsys.readouterr().err


class Counted:
    """Stands for OpenSpiel's game: a state ends after three actions."""

    def __init__(self) -> None:
        self.actions: list[int] = []

    def new_initial_state(self) -> Counted:
        self._left = 3
        return self

    def is_terminal(self) -> bool:
        return self._left == 0

    def legal_actions(self) -> list[int]:
        return [4, 5]

    def apply_action(self, action: int) -> None:
        self.actions.append(action)
        self._left -= 1


def test_open_spiel_plays_the_same_in_every_round(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Counted()
    monkeypatch.setattr(open_spiel_skat, "load_game", lambda: game)
    monkeypatch.setattr(open_spiel_skat, "median_us", twice)
    assert open_spiel_skat.measure(2, 2, 1) == {"open_spiel_deals_per_second": 1_000}
    assert len(game.actions) == 12
    assert game.actions[:6] == game.actions[6:]
    assert set(game.actions) == {4, 5}


def twice(work: object, items: int, rounds: int) -> float:
    """Work as often as wanted, a millisecond each."""
    assert callable(work)
    assert items == 2
    for _ in range(rounds):
        work()
    return 1_000.0


def test_without_open_spiel_there_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_spiel_skat, "load_game", lambda: None)
    assert open_spiel_skat.measure(2, 2, 1) == {"open_spiel_note": open_spiel_skat.ABSENT}
