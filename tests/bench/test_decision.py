"""What the benchmark of a decision replays is what was played, and nobody's share is left out."""

from __future__ import annotations

import pytest

from bench import decision

DECISIONS = 100
"""Two deals and a part of the third."""


@pytest.mark.parametrize("written", decision.FIGURES.values(), ids=decision.FIGURES)
def test_every_session_has_read_what_it_was_told(written: decision.Written) -> None:
    table, readers = decision.replay(decision.drawn(DECISIONS), written)
    last_decision = table.decision
    assert last_decision is not None
    told = [table.log.last(reader.seat) for reader in readers]
    read = [reader.sequence for reader in readers]
    assert read[last_decision.seat] == told[last_decision.seat]
    # The others have yet to be asked again: no more than a trick and its cards waits for that.
    assert all(0 <= of_all - of_read <= 6 for of_all, of_read in zip(told, read, strict=True))


def test_only_the_figure_with_messages_writes_them() -> None:
    answers = decision.drawn(DECISIONS)
    _, quiet = decision.replay(answers, decision.kept_back)
    _, loud = decision.replay(answers, decision.as_messages)
    assert [reader.written for reader in quiet] == [0, 0, 0]
    assert all(reader.written > 0 for reader in loud)
    assert [reader.facts for reader in quiet] == [reader.facts for reader in loud]


def test_answers_are_drawn_the_same_again() -> None:
    assert decision.drawn(DECISIONS) == decision.drawn(DECISIONS)
