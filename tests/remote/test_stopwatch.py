"""What a load measures between an answer and the next question, and what it must not hide."""

from __future__ import annotations

import pytest

from skat_server.remote.load.histogram import Histogram
from skat_server.remote.load.plan import LoadPlan
from skat_server.remote.load.report import document, figure_rows
from skat_server.remote.load.run import Outcome
from skat_server.remote.load.stopwatch import Stopwatch
from skat_server.remote.load.tally import Books, Tally


def test_a_question_that_has_not_come_is_a_wait() -> None:
    watch, times = Stopwatch(), Histogram()
    for table in ("heard", "waits", "over"):
        watch.answered(table, 1.0)
    watch.asked("heard", 2.0, times)
    watch.forget("over")
    assert times.count == 1
    assert list(watch.waiting(4.0)) == [3.0]


@pytest.mark.parametrize(("waits", "is_told"), [([0.02, 0.01], False), ([0.02, 2.5], True)])
def test_a_server_that_stands_still_is_told(waits: list[float], is_told: bool) -> None:
    outcome = Outcome(LoadPlan(), 5.0, 1.0, Tally(), Books(), 3, 2, waiting=waits)
    told = ("tables without a question", f"2, up to {max(waits):.1f} s") in figure_rows(outcome)
    assert told is is_told
    at_the_end = document(outcome, "here:1")["at_the_end"]
    assert isinstance(at_the_end, dict)
    assert at_the_end["longest_wait_ms"] == 1000 * max(waits)
