"""Rows of summaries: what a row may leave out, what it may not, and whole files of them."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_engine.records import Differs, Identical, ScoredRow, Unreadable, lines_of, score_lines
from skat_engine.records.files import MAX_LINE

GAME: dict[str, object] = {
    "id": "A1",
    "preset": "isko",
    "options": {},
    "playing_hand": ["CJ", "HJ", "DA", "DT", "DK", "D9", "D7", "CA", "SA", "H8"],
    "skat": ["S7", "H7"],
    "bid": 18,
    "contract": "diamonds",
    "hand": False,
    "announced": None,
    "ouvert": False,
    "declarer_points": 61,
    "declarer_tricks": 6,
    "defender_tricks": 4,
    "expected": {"won": True, "value": 18, "score": 18},
}
RAMSCH: dict[str, object] = {
    "id": "RAM1",
    "preset": "proskat_pub",
    "card_points": [55, 40, 25],
    "trick_counts": [4, 3, 3],
    "expected": {"scores": [-55, 0, 0]},
}
NO_HAND = {"hand": False, "announced": "schneider"}


def scored(*rows: dict[str, object] | bytes, explain: bool = False) -> list[ScoredRow]:
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    return list(score_lines(lines_of(io.BytesIO(b"\n".join(lines))), explain=explain))


def facts(row: dict[str, object], **changes: object) -> dict[str, object]:
    return dict(scored({**row, **changes})[0].facts)


def without(row: dict[str, object], name: str) -> dict[str, object]:
    return {field: value for field, value in row.items() if field != name}


def test_a_declarer_game() -> None:
    assert facts(GAME) == {"won": True, "value": 18, "score": 18}


def test_a_ramsch() -> None:
    assert facts(RAMSCH) == {"scores": (-55, 0, 0)}


def test_without_a_preset_the_defaults_count() -> None:
    assert facts(without(GAME, "preset"), options={"loss_rule": "hand_single"})["score"] == 18


@pytest.mark.parametrize(
    ("changes", "score"),
    [
        ({"kontra": True, "re": True, "bock": True}, 144),
        ({"spitze": True, "spitze_made": True}, 36),
        ({"spitze": True}, -72),
        ({"lay_open_failed": True}, -36),
        ({"schenken_refused": True}, -72),
        ({"hand": True, "announced": "schwarz"}, -126),
        ({"hand": True, "ouvert": True}, -144),
        ({"contract": "null", "ouvert": True, "revolution": True, "declarer_tricks": 0}, 92),
        ({"preset": "proskat_pub", "options": {"spitze_factor": 1}, "spitze": True}, -54),
    ],
)
def test_what_a_game_may_say(changes: dict[str, object], score: int) -> None:
    """R-KON-1, R-SPI-2, R-END-8 and section 21."""
    assert facts(GAME, **changes)["score"] == score


@pytest.mark.parametrize(
    ("changes", "scores"),
    [
        ({"bock": True}, (-110, 0, 0)),
        ({"knocked": True}, (-110, 0, 0)),
        ({"preset": "bga_skat", "untouched": 1}, (-110, -80, -50)),
        ({"preset": "terse_english_ramsch", "looked": ["F"]}, (-110, 0, 0)),
        ({"preset": "terse_english_ramsch", "looked": [0, 2]}, (-110, 0, 0)),
        (
            {
                "options": {"ramsch_skat_to": "loser"},
                "card_points": [45, 40, 25],
                "skat_points": 10,
            },
            (-55, 0, 0),
        ),
        (
            {
                "options": {"ramsch_tie": "last_trick_taker_loses"},
                "card_points": [48, 48, 24],
                "last_trick_winner": "M",
            },
            (0, -48, 0),
        ),
    ],
)
def test_what_a_ramsch_may_say(changes: dict[str, object], scores: tuple[int, ...]) -> None:
    """R-RAM-2, R-RAM-6, R-RAM-9."""
    assert facts(RAMSCH, **changes)["scores"] == scores


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"contract": "null", "bid": 24}, "null_underbid"),
        (NO_HAND, "contradictory_announcement"),
        ({"re": True}, "re_without_kontra"),
        ({"bid": 19}, "illegal_bid"),
        ({"declarer_points": None}, "wrong_points"),
        ({"bid": "18"}, "field bid is not a whole number from 0 to 1000"),
        ({"skat": ["S7", "S7"]}, "field skat has a card twice"),
        ({"skat": ["S7", "S1"]}, "'S1' is not a card; write suit C S H D and rank A K Q J T 9 8 7"),
        ({"announced": "ouvert"}, "announced 'ouvert' is not null, schneider or schwarz"),
        (
            {"contract": "ramsch"},
            "contract 'ramsch' is not one of diamonds, hearts, spades, clubs, grand, null",
        ),
        (
            {"preset": "none"},
            "rules: preset: 'none' is unknown; use one of isko, proskat_pub, "
            "terse_english, terse_english_ramsch, bga_skat, bga_simple, swedish_standard, "
            "swedish_ramsch, xskat_extras",
        ),
        ({"options": {"no_such": 1}}, "rules: no_such: is not an option of the rules"),
        (
            {"options": {"bock": True}},
            "rules: bock: is sealed in preset isko; choose another preset",
        ),
        (
            {"options": {"seats": 3.5}},
            "option seats is no text, number, truth value or list of texts",
        ),
    ],
)
def test_why_a_game_has_no_score(changes: dict[str, object], reason: str) -> None:
    """R-ANN-2, R-ANN-6, R-BID-1, R-KON-1."""
    assert facts(GAME, **changes) == {"error": reason}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"card_points": [55, 40]}, "field card_points has 2 numbers instead of three"),
        (
            {"card_points": [55, 40, True]},
            "field card_points is not a list of whole numbers from 0 to 1000",
        ),
        ({"looked": ["X"]}, "field looked: 'X' is not one of F, M, R"),
        ({"last_trick_winner": 1.0}, "field last_trick_winner: 1.0 is not one of F, M, R"),
        ({"trick_counts": [4, 3, 2]}, "wrong_tricks"),
        ({"untouched": 4}, "field untouched is not a whole number from 0 to 3"),
    ],
)
def test_why_a_ramsch_has_no_score(changes: dict[str, object], reason: str) -> None:
    assert facts(RAMSCH, **changes) == {"error": reason}


@pytest.mark.parametrize(
    "value", [None, ["kontra_lost", "lost_with_60"], "kontra_lost"], ids=["unset", "list", "text"]
)
def test_options_as_json(value: object) -> None:
    options = {"session_deals": None, "bock_triggers": value or "kontra_lost"}
    assert facts(GAME, preset="proskat_pub", options=options)["score"] == 18


@pytest.mark.parametrize("name", ["playing_hand", "bid", "contract", "hand", "declarer_tricks"])
def test_what_a_game_may_not_leave_out(name: str) -> None:
    assert facts(without(GAME, name)) == {"error": f"field {name} is missing"}


def test_a_reasoning_in_words() -> None:
    """D1, R-OVER-2."""
    explained = scored({**GAME, "bid": 22, "kontra": True}, explain=True)[0].facts
    assert dict(explained) == {
        "won": False,
        "value": 27,
        "score": -108,
        "base": 9,
        "matadors": 1,
        "levels": "with=1 game=1",
        "raw": 18,
        "overbid": True,
        "rounded_up": 27,
        "factors": "lost=2 kontra=2",
    }


@pytest.mark.parametrize(
    ("row", "outcome"),
    [
        (GAME, Identical("A1")),
        (RAMSCH, Identical("RAM1")),
        (
            {**GAME, "bid": 19, "expected": {"error": "illegal_bid"}},
            Identical("A1"),
        ),
        (
            {**GAME, "expected": {"won": True, "score": 20}},
            Differs("A1", "score", "20", "18"),
        ),
        (
            {**GAME, "expected": {"won": 1}},
            Differs("A1", "won", "1", "true"),
        ),
        (
            {**GAME, "expected": {"scores": [1, 0, 0]}},
            Differs("A1", "scores", "1,0,0", "nothing"),
        ),
        (without(GAME, "bid"), Unreadable("A1", "field bid is missing")),
        (without(GAME, "expected"), Unreadable("A1", "field expected is missing")),
        ({**GAME, "expected": {}}, Unreadable("A1", "field expected says nothing")),
        (
            {**GAME, "expected": {"score": 1.5}},
            Unreadable("A1", "field score of what is expected is no number, text or list"),
        ),
        ({}, Unreadable("line 1", "field contract is missing")),
    ],
)
def test_check(row: dict[str, object], outcome: object) -> None:
    assert scored(row)[0].check() == outcome


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{", "not JSON"),
        (b"[]", "not a JSON object"),
        (b"\xff", "not UTF-8 text"),
        (b" " * 10 + b"x" * MAX_LINE, "longer than"),
    ],
)
def test_a_bad_line_does_not_stop_the_next_one(line: bytes, why: str) -> None:
    first, second = scored(line, GAME)
    assert why in str(first.facts["error"])
    assert isinstance(first.check(), Unreadable)
    assert second.check() == Identical("A1")


def test_a_mark_of_byte_order_and_blank_lines_do_not_matter() -> None:
    first, second = scored(b"\xef\xbb\xbf" + json.dumps(GAME).encode(), b"  ", RAMSCH)
    assert [first.check(), second.check()] == [Identical("A1"), Identical("RAM1")]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


@given(st.sampled_from([GAME, RAMSCH]), st.data())
def test_nothing_in_a_row_raises(row: dict[str, object], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(row)))
    changed = scored({**row, name: data.draw(json_values)})[0]
    changed.check()
    assert json.dumps(dict(changed.facts))


@pytest.mark.parametrize(
    ("name", "rows"), [("scoring_examples.jsonl", 61), ("ramsch_examples.jsonl", 22)]
)
def test_every_example_of_section_22(conformance: Path, name: str, rows: int) -> None:
    with (conformance / name).open("rb") as stream:
        outcomes = [row.check() for row in score_lines(lines_of(stream))]
    assert [outcome for outcome in outcomes if not isinstance(outcome, Identical)] == []
    assert len(outcomes) == rows


def test_every_ramsch_of_xskat(conformance: Path) -> None:
    """R-RAM-2, R-RAM-7 to R-RAM-9: the scores of 149 deals from points and tricks."""
    options = {"ramsch_skat_to": "last_trick", "all_pass": "ramsch"}
    lines = (conformance / "xskat_ramsch.jsonl").read_text().splitlines()
    for line in lines:
        deal = json.loads(line)
        row = {"id": deal["id"], "options": options, "expected": {"scores": deal["scores"]}}
        names = ("card_points", "trick_counts")
        outcome = scored({**row, **{name: deal[name] for name in names}})[0].check()
        assert outcome == Identical(deal["id"])
    assert len(lines) == 149
