"""An exported event can be checked by anybody, and no file of it can be changed unseen (R1, R2)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pyarrow import parquet

from skat_server.tournaments.export import files
from skat_server.tournaments.export.files import ExportError, ExportForm, export_event
from skat_server.tournaments.export.reading import UnreadableError
from skat_server.tournaments.export.verify import verify_event
from tests.tournaments.playing import CUP, played

EVENTS = {
    "round robin": (CUP, 3),
    "with house bots": (CUP, 5),
    "a/b test": (
        'name="AB"\n[format]\nkind="ab_test"\nboards=10\n[stop]\ndelta1=90.0\nmost_blocks=60',
        2,
    ),
    "swiss": ('name="S"\n[format]\nkind="swiss"\nrounds=3\nboards=2', 6),
    "knock-out without its house bot": ('name="K"\n[format]\nkind="knock_out"\nboards=3', 3),
    "knock-out": ('name="K"\n[format]\nkind="knock_out"\nboards=3', 5),
    "once": ('name="O"\n[format]\nkind="once"\nrounds=4\nboards=3', 6),
    "ladder": ('name="A"\n[format]\nkind="ladder"\nrounds=4\nboards=2\nanchors=[20.0]', 5),
    "lists of four": ('name="F"\n[format]\nkind="lists"\nseats=4\nrounds=2\ndeals=8', 8),
    "lists": ('name="L"\n[format]\nkind="lists"\nrounds=2\ndeals=12', 6),
}


def written(folder: Path, name: str = "round robin") -> Path:
    """An event in a folder."""
    text, entries = EVENTS[name]
    event = played(text, entries)
    end = event.plan().end
    assert end is not None
    export_event(event, folder / "event", end.value)
    return folder / "event"


@pytest.mark.parametrize("name", list(EVENTS))
def test_what_was_played_verifies(tmp_path: Path, name: str) -> None:
    seen: list[tuple[int, int]] = []
    verification = verify_event(written(tmp_path, name), lambda done, of: seen.append((done, of)))
    assert verification.differences == ()
    assert seen[-1] == (verification.games, verification.games)


def test_the_same_event_gives_the_same_bytes(tmp_path: Path) -> None:
    """R1: the final standings are the same, byte by byte."""
    (tmp_path / "again").mkdir()
    first, again = written(tmp_path), written(tmp_path / "again")
    for path in first.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes()


def test_the_winner_of_a_knock_out_is_named(tmp_path: Path) -> None:
    found = json.loads((written(tmp_path, "knock-out") / files.STANDINGS).read_text())
    assert found["end"] == "won"
    assert found["winner"].startswith("bot-")


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    event = played()
    (tmp_path / "mine").touch()
    with pytest.raises(ExportError, match="not empty"):
        export_event(event, tmp_path, "schedule_done")


Edit = Callable[[list[dict[str, object]]], None]


def edited_games(folder: Path, edit: Edit) -> tuple[str, ...]:
    """What is said after somebody has changed the games and the sums."""
    path = folder / files.GAMES
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    edit(rows)
    path.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))
    _sum_anew(folder)
    return verify_event(folder).differences


def _sum_anew(folder: Path) -> None:
    manifest = json.loads((folder / files.MANIFEST).read_text())
    paths = [folder / name for name in manifest["sha256"]]
    (folder / files.MANIFEST).write_text(files.manifest_text(paths))


def _points(rows: list[dict[str, object]]) -> None:
    rows[4]["points"] = [1, 2, 3]


def _record(rows: list[dict[str, object]]) -> None:
    rows[4]["record"] = str(rows[4]["record"]).replace("pass", "hold", 1)


def _dropped(rows: list[dict[str, object]]) -> None:
    del rows[:3]


def _swapped(rows: list[dict[str, object]]) -> None:
    rows[0]["record"], rows[1]["record"] = rows[1]["record"], rows[0]["record"]


def _lineup(rows: list[dict[str, object]]) -> None:
    for row in rows:
        row["lineup"] = [2, 1, 0]


@pytest.mark.parametrize("edit", [_points, _record, _dropped, _swapped, _lineup])
def test_changed_games_are_found(tmp_path: Path, edit: Edit) -> None:
    assert edited_games(written(tmp_path), edit)


def test_a_changed_file_is_found_by_its_sum(tmp_path: Path) -> None:
    folder = written(tmp_path)
    path = folder / files.STANDINGS
    path.write_text(path.read_text().replace('"place": 1', '"place": 2', 1))
    told = verify_event(folder).differences
    assert any("SHA-256" in line for line in told)
    assert any("other standings" in line for line in told)


@pytest.mark.parametrize("key", ["seed", "seed_commitment", "boards_root"])
def test_another_seed_is_found(tmp_path: Path, key: str) -> None:
    """T9: the organiser cannot say afterwards that the seed was another one."""
    folder = written(tmp_path)
    path = folder / files.TOURNAMENT
    row = json.loads(path.read_text())
    row[key] = "ff" * 32
    path.write_text(json.dumps(row, indent=1) + "\n")
    _sum_anew(folder)
    assert verify_event(folder).differences


def test_results_of_others_are_found(tmp_path: Path) -> None:
    """Whoever swaps two names, in the standings too, is told by the records who sat there."""
    folder = written(tmp_path)
    for name in (files.TOURNAMENT, files.STANDINGS):
        text = (folder / name).read_text()
        for old, new in (("bot-0", "other"), ("bot-1", "bot-0"), ("other", "bot-1")):
            text = text.replace(f'"{old}"', f'"{new}"')
        (folder / name).write_text(text)
    _sum_anew(folder)
    assert "r1.m0, table 0, board 0: 'bot-0' sat on seat 0, not 'bot-1'" in (
        verify_event(folder).differences
    )


@pytest.mark.parametrize("name", [files.GAMES, files.MANIFEST, files.TOURNAMENT])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = written(tmp_path)
    (folder / name).unlink()
    with pytest.raises(UnreadableError, match=name):
        verify_event(folder)


@pytest.mark.parametrize("text", ["", "garbage", "[]", "{}", '{"sha256": 1}', "7", "null"])
@pytest.mark.parametrize("name", [files.GAMES, files.MANIFEST, files.TOURNAMENT])
def test_garbage_is_named_in_the_words_of_people(tmp_path: Path, name: str, text: str) -> None:
    folder = written(tmp_path)
    (folder / name).write_text(text)
    try:
        said = " ".join(verify_event(folder).differences)
    except UnreadableError as error:
        said = str(error)
    assert name in said
    assert "Error" not in said


def test_games_as_columns(tmp_path: Path) -> None:
    event = played()
    export_event(event, tmp_path / "event", "schedule_done", [ExportForm.PARQUET])
    rows = parquet.read_table(tmp_path / "event" / "games.parquet").to_pylist()
    lines = (tmp_path / "event" / files.GAMES).read_text().splitlines()
    assert [row["record"] for row in rows] == [json.loads(line)["record"] for line in lines]
    for row, play in zip(rows, event.plays(), strict=True):
        names = [entrant.name for entrant in event.entrants]
        assert row["declarer"] == (None if play.declarer is None else names[play.declarer])


def test_games_as_records_of_another_server(tmp_path: Path) -> None:
    """What has no words there is named, and everything else is written."""
    written_files = export_event(played(), tmp_path / "event", "schedule_done", [ExportForm.SGF])
    lines = (tmp_path / "event" / "games.sgf").read_text().splitlines()
    assert len(lines) + len(written_files.unsayable) == 18
    assert all(line.startswith("(;GM[Skat]") for line in lines)


def test_the_sums_are_those_of_all_files(tmp_path: Path) -> None:
    forms = (ExportForm.SGF, ExportForm.PARQUET)
    export_event(played(), tmp_path / "event", "schedule_done", forms)
    sums = json.loads((tmp_path / "event" / files.MANIFEST).read_text())["sha256"]
    assert {*sums, files.MANIFEST} == {path.name for path in (tmp_path / "event").iterdir()}
    for name in ("games.sgf", "games.parquet"):
        path = tmp_path / "event" / name
        path.write_bytes(path.read_bytes() + b" ")
        assert f"{name}: its SHA-256 is not that of {files.MANIFEST}" in (
            verify_event(tmp_path / "event").differences
        )
