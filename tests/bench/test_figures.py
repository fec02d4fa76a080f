"""Every figure of the benchmark, at a size that says nothing about speed."""

from __future__ import annotations

import json

import pytest

from bench import run
from bench.catalog import FIGURES
from bench.figures.playing import SETTLED, STEADY, steady
from bench.plan import Plan
from bench.targets import TARGETS, Target
from bench.windows import Window

LOOK = ["--rounds", "1", "--seconds", "0.1", "--scale", "0.005"]


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_has_what_its_targets_ask_for(
    figure: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run.main([figure, *LOOK])
    lines = capsys.readouterr().out.splitlines()
    values = json.loads(next(line for line in lines if line.startswith("{")))
    assert values["figure"] == figure
    assert values["scale"] == 0.005
    for target in TARGETS.get(figure, ()):
        assert isinstance(values[target.value], int | float), target.value


class Played:
    """A field whose first window brings what has waited in a pause."""

    def __init__(self) -> None:
        self.lengths: list[float] = []

    def window(self, seconds: float) -> Window:
        messages = 105 if self.lengths else 200
        self.lengths.append(seconds)
        return Window(100, seconds, seconds, 1.0, 1.0, messages)


def test_messages_are_counted_when_nothing_waits_from_a_pause() -> None:
    field = Played()
    assert steady(field, Plan(seconds=2.0)) == {"messages_per_decision": 1.05}
    assert field.lengths == [2.0 * SETTLED, 2.0 * STEADY]


@pytest.mark.parametrize(
    ("value", "verdict"), [(1.0, "aim"), (2.0, "aim"), (2.5, "must"), (3.1, "missed")]
)
def test_a_value_is_judged_by_the_stricter_bound_first(value: float, verdict: str) -> None:
    assert Target("x", "", must=3.0, aim=2.0).verdict(value) == verdict


def test_more_can_be_better() -> None:
    target = Target("x", "", must=0.4, aim=0.6, is_most=False)
    assert [target.verdict(value) for value in (0.7, 0.5, 0.3)] == ["aim", "must", "missed"]
