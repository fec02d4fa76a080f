"""Whole files: every line has its outcome, and nothing in it stops the next one."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_engine.errors import NotationError
from skat_engine.records import (
    FileForm,
    Identical,
    ReplayOutcome,
    Unreadable,
    form_of,
    lines_of,
    replay_lines,
    to_json_line,
)
from skat_engine.records.files import MAX_LINE
from tests.records.playing import random_record
from tests.records.samples import iss_line, whole_clubs_game, xskat_row

OWN = to_json_line(random_record(1)).encode()
XSKAT = json.dumps(xskat_row()).encode()
SGF = iss_line(f"1 p 2 p 0 18 0 C {' '.join(whole_clubs_game())}", "unknown").encode()


def outcomes(content: bytes, form: FileForm) -> list[ReplayOutcome]:
    return list(replay_lines(lines_of(io.BytesIO(content)), form))


def test_both_kinds_of_json_may_be_mixed() -> None:
    content = b"\n".join((OWN, XSKAT, OWN))
    assert outcomes(content, FileForm.JSON_LINES) == [
        Identical("random-1"),
        Identical("by-hand-1"),
        Identical("random-1"),
    ]


def test_blank_lines_byte_order_mark_and_carriage_returns_do_not_matter() -> None:
    content = b"\xef\xbb\xbf" + XSKAT + b"\r\n\r\n  \n" + XSKAT + b"\r\n"
    assert outcomes(content, FileForm.JSON_LINES) == [Identical("by-hand-1")] * 2


@pytest.mark.parametrize("form", FileForm)
@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_file_without_records_has_no_outcomes(content: bytes, form: FileForm) -> None:
    assert [o for o in outcomes(content, form) if isinstance(o, Identical)] == []


def test_bad_line_does_not_stop_the_next() -> None:
    content = b"garbage\n" + XSKAT[:-200] + b"\n\xff\xfe\x00\n[1]\n" + XSKAT
    result = outcomes(content, FileForm.JSON_LINES)
    assert [type(outcome) for outcome in result] == [Unreadable] * 4 + [Identical]
    assert [outcome.record_id for outcome in result[:4]] == [f"line {n}" for n in (1, 2, 3, 4)]


def test_deeply_nested_json_is_unreadable() -> None:
    (outcome,) = outcomes(b"[" * 60_000, FileForm.JSON_LINES)
    assert isinstance(outcome, Unreadable)


def test_number_of_thousands_of_digits_is_unreadable() -> None:
    line = json.dumps(xskat_row()).replace('"bid": 18', '"bid": ' + "1" * 5_000)
    (outcome,) = outcomes(line.encode(), FileForm.JSON_LINES)
    assert isinstance(outcome, Unreadable)


@pytest.mark.parametrize("form", FileForm)
def test_line_without_end_is_one_unreadable_record(form: FileForm) -> None:
    content = b"x" * (5 * MAX_LINE) + b"\n" + b"x\n"
    result = outcomes(content, form)
    assert result[0] == Unreadable("line 1", f"longer than {MAX_LINE} bytes")
    assert len(result) == 2
    assert result[1].record_id == "line 2"


def test_lines_are_read_one_at_a_time() -> None:
    stream = io.BytesIO(XSKAT + b"\n" + XSKAT * 1_000)
    next(replay_lines(lines_of(stream), FileForm.JSON_LINES))
    assert stream.tell() == len(XSKAT) + 1


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.sgf", FileForm.SGF), ("A.SGF", FileForm.SGF), ("b.jsonl", FileForm.JSON_LINES)],
)
def test_ending_says_what_a_file_holds(name: str, form: FileForm) -> None:
    assert form_of(name) is form


@pytest.mark.parametrize("name", ["a.json", "sgf", "", "a.sgf.gz"])
def test_unknown_ending_is_refused(name: str) -> None:
    with pytest.raises(NotationError, match=r"must be \.sgf or \.jsonl"):
        form_of(name)


@given(st.binary(max_size=300), st.sampled_from(FileForm))
def test_junk_never_raises(content: bytes, form: FileForm) -> None:
    outcomes(content, form)


@given(st.data())
def test_damaged_records_never_raise(data: st.DataObject) -> None:
    """Pieces of a good line are cut out, doubled or overwritten."""
    form, line = data.draw(
        st.sampled_from(
            [(FileForm.JSON_LINES, OWN), (FileForm.JSON_LINES, XSKAT), (FileForm.SGF, SGF)]
        )
    )
    first = data.draw(st.integers(0, len(line)))
    last = data.draw(st.integers(first, min(len(line), first + 20)))
    inserted = data.draw(st.sampled_from([b"", line[first:last] * 2, b"0", b"SA", b"??"]))
    outcomes(line[:first] + inserted + line[last:], form)


WORDS = (
    *("18", "24", "0", "y", "p", "s", "RE", "SC", "SC.CJ", "C7.D7", "D7", "CJ", "SA", "S7"),
    *("C", "CH", "N", "NO", "GO", "SZ", "C.C7.D7", "N.C7.D7", "TI.1", "LE.0", "??", "x"),
)


@given(st.lists(st.tuples(st.sampled_from("w012"), st.sampled_from(WORDS)), max_size=14))
def test_any_sequence_of_moves_never_raises(pairs: list[tuple[str, str]]) -> None:
    moves = " ".join(f"{who} {what}" for who, what in pairs)
    assert len(outcomes(iss_line(moves, "unknown").encode(), FileForm.SGF)) == 1


ACTIONS = ("18", "hold", "pass", "take", "hand", "CH", "N", "C.D7.C7", "CJ", "SA", "give-up")


@given(st.lists(st.tuples(st.sampled_from("012"), st.sampled_from(ACTIONS)), max_size=14))
def test_any_sequence_of_actions_never_raises(pairs: list[tuple[str, str]]) -> None:
    row = json.loads(OWN) | {"actions": [f"{who} {what}" for who, what in pairs]}
    assert len(outcomes(json.dumps(row).encode(), FileForm.JSON_LINES)) == 1
