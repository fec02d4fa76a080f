"""Recorded games of other programs, as whole files: our rules say the same as theirs."""

from pathlib import Path

from skat_engine.records import (
    Differs,
    Identical,
    ReplayOutcome,
    Unreadable,
    form_of,
    lines_of,
    replay_lines,
)


def outcomes_of(path: Path) -> list[ReplayOutcome]:
    with path.open("rb") as stream:
        return list(replay_lines(lines_of(stream), form_of(path.name)))


def test_every_xskat_game_replays_identically(conformance: Path) -> None:
    outcomes = outcomes_of(conformance / "xskat_games.jsonl")
    assert [outcome for outcome in outcomes if not isinstance(outcome, Identical)] == []
    assert len(outcomes) == 1011


def test_iss_records_replay_identically_but_for_the_two_known_to_be_faulty(
    conformance: Path,
) -> None:
    outcomes = outcomes_of(conformance / "iss_records.sgf")
    assert [outcome for outcome in outcomes if not isinstance(outcome, Identical)] == [
        Unreadable("18358", "unknown card ??"),
        Differs("10330141", "v", "-288", "-96"),
    ]
    assert len(outcomes) == 32


def test_every_xskat_ramsch_replays_identically(conformance: Path) -> None:
    outcomes = outcomes_of(conformance / "xskat_ramsch.jsonl")
    assert [outcome for outcome in outcomes if not isinstance(outcome, Identical)] == []
    assert len(outcomes) == 149
