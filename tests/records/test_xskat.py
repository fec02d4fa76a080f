"""Rows of XSkat's log: games worked out by hand, then the same with something wrong."""

import json
from typing import Any

import pytest

from skat_engine.records import Differs, Identical, Unreadable
from tests.records.samples import (
    json_outcome,
    without,
    xskat_outcome,
    xskat_ramsch_row,
    xskat_row,
)

BY_HAND = "by-hand-1"


def trick(leader: int, winner: int, cards: str) -> dict[str, Any]:
    return {"leader": leader, "cards": cards.split(), "winner": winner}


def test_game_replays_identically() -> None:
    assert xskat_outcome() == Identical(BY_HAND)


@pytest.mark.parametrize("forehand", [0, 1, 2])
def test_any_seat_may_be_forehand_and_declarer(forehand: int) -> None:
    row = xskat_row()
    in_positions = [*row["hands"][1:], row["hands"][0]]
    hands = [in_positions[(seat - forehand) % 3] for seat in range(3)]
    tricks = [t | {"leader": forehand, "winner": forehand} for t in row["tricks"]]
    outcome = xskat_outcome(forehand=forehand, declarer=forehand, hands=hands, tricks=tricks)
    assert outcome == Identical(BY_HAND)


def test_game_with_the_skat_taken_replays_identically() -> None:
    outcome = xskat_outcome(hand=False, discards=["D7", "C7"], score=168)
    assert outcome == Identical(BY_HAND)


def test_null_without_an_own_trick_is_won() -> None:
    """Rearhand keeps H9 H8 H7 below middlehand's last three hearts."""
    clubs = ["CJ", "CA", "CT", "CK", "CQ", "C9", "C8"]
    spades = ["SA", "ST", "SK", "SQ", "S9", "S8", "S7"]
    thrown = ["DA", "DT", "DK", "DQ", "D9", "D8", "HQ"]
    outcome = xskat_outcome(
        declarer=0,
        contract="null",
        bid=35,
        tricks=[
            *(trick(1, 1, " ".join(cards)) for cards in zip(clubs, spades, thrown, strict=True)),
            trick(1, 2, "HJ HA H9"),
            trick(2, 2, "HT H8 SJ"),
            trick(2, 2, "HK H7 DJ"),
        ],
        declarer_points=0,
        declarer_tricks=0,
        score=35,
    )
    assert outcome == Identical(BY_HAND)


def test_null_is_played_out_after_the_declarers_first_trick() -> None:
    """Middlehand takes SJ with the ace and then every other trick."""
    spades = ["ST", "SK", "SQ", "S9", "S8", "S7"]
    reds = ["H7", "DT", "DK", "DQ", "D9", "D8"]
    clubs = ["DJ", "CT", "CK", "CQ", "C9", "C8"]
    outcome = xskat_outcome(
        declarer=2,
        contract="null",
        ouvert=True,
        bid=59,
        tricks=[
            trick(1, 2, "SJ SA DA"),
            trick(2, 2, "HA HQ HJ"),
            trick(2, 2, "HT H9 CJ"),
            trick(2, 2, "HK H8 CA"),
            *(trick(2, 2, " ".join(cards)) for cards in zip(spades, reds, clubs, strict=True)),
        ],
        won=False,
        score=-118,
    )
    assert outcome == Identical(BY_HAND)


TRICKS = xskat_row()["tricks"]


@pytest.mark.parametrize(
    ("changes", "field", "expected", "got"),
    [
        ({"score": 156}, "score", "156", "180"),
        ({"won": False}, "won", "false", "true"),
        ({"declarer_points": 119}, "declarer_points", "119", "120"),
        ({"declarer_tricks": 9}, "declarer_tricks", "9", "10"),
        (
            {"tricks": [*TRICKS[:9], TRICKS[9] | {"winner": 2}]},
            "winner of trick 10",
            "2",
            "1",
        ),
        ({"tricks": TRICKS[:9]}, "ending", "played_out", "unfinished"),
    ],
    ids=["score", "won", "points", "tricks", "winner", "truncated"],
)
def test_wrong_result_differs(changes: dict[str, Any], field: str, expected: str, got: str) -> None:
    assert xskat_outcome(**changes) == Differs(BY_HAND, field, expected, got)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"tricks": [TRICKS[0] | {"cards": ["CJ", "S7", "CA"]}]}, "move 9"),
        ({"tricks": [TRICKS[0] | {"leader": 2}]}, "move 7"),
        ({"tricks": [*TRICKS, TRICKS[0]]}, "move 37"),
        ({"tricks": [trick(1, 1, "CJ SA DA"), trick(1, 1, "CJ ST DT")]}, "move 10"),
        ({"bid": 36, "declarer": 0, "contract": "null"}, "move 5"),
        ({"hand": False}, "move 6"),
        ({"discards": ["C7", "D7"]}, "move 6"),
        ({"hand": False, "discards": ["SA", "D7"]}, "move 6"),
        ({"hand": False, "discards": ["C7", "C7"]}, "move 6"),
    ],
    ids=[
        "card of another hand",
        "leader",
        "eleventh trick",
        "card played twice",
        "null below the bid",
        "no discards",
        "discards in a hand game",
        "foreign discard",
        "one discard twice",
    ],
)
def test_move_that_is_refused_differs(changes: dict[str, Any], field: str) -> None:
    outcome = xskat_outcome(**changes)
    assert isinstance(outcome, Differs)
    assert outcome.field == field


@pytest.mark.parametrize("field", [name for name in xskat_row() if name != "id"])
def test_missing_field_makes_the_row_unreadable(field: str) -> None:
    outcome = json_outcome(json.dumps(without(xskat_row(), field)))
    assert str(outcome) == f"{BY_HAND} unreadable: field {field} is missing"


@pytest.mark.parametrize("field", [name for name in xskat_row() if name != "id"])
@pytest.mark.parametrize("junk", [None, {}, [], [[]], [1], "x", 1.5, -7, 10**30], ids=repr)
def test_field_of_another_kind_never_raises(field: str, junk: object) -> None:
    outcome = json_outcome(json.dumps(xskat_row() | {field: junk}))
    assert not isinstance(outcome, Identical) or junk == []


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"bid": 19}, "19 is not a bid"),
        ({"bid": True}, "field bid is not a whole number from 18 to 264"),
        ({"contract": "ramsch"}, "contract 'ramsch' is unknown"),
        ({"contract": "grand", "hand": False, "ouvert": True}, "need Hand"),
        ({"won": 1}, "field won is not true or false"),
        ({"skat": ["C7", "??"]}, "'??' is not a card"),
        ({"skat": ["C7", "C7"]}, "a card is there twice"),
        ({"skat": ["C7", "CJ"]}, "all different"),
        ({"hands": xskat_row()["hands"][:2]}, "2 hands instead of three"),
        ({"tricks": [TRICKS[0] | {"cards": ["CJ"]}]}, "1 cards in a trick"),
        ({"tricks": [TRICKS[0] | {"winner": 3}]}, "field winner"),
        ({"tricks": [7]}, "field tricks is not a list of objects"),
    ],
)
def test_row_that_cannot_be_read(changes: dict[str, Any], why: str) -> None:
    outcome = str(xskat_outcome(**changes))
    assert outcome.startswith(f"{BY_HAND} unreadable: ")
    assert why in outcome


@pytest.mark.parametrize("name", [None, 5, "", " "])
def test_row_without_a_name_is_called_by_its_line(name: object) -> None:
    assert str(xskat_outcome(id=name)).startswith("line 1 unreadable: field id is ")


def ramsch_outcome(**changes: Any) -> object:
    return json_outcome(json.dumps(xskat_ramsch_row(**changes)))


def test_a_ramsch_replays_identically() -> None:
    """R-RAM-2, R-RAM-7: nobody bids, and the skat goes to the last trick."""
    assert ramsch_outcome() == Identical(BY_HAND)


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"scores": [0, -240, 0]}, Differs(BY_HAND, "scores", "0,-240,0", "0,120,0")),
        ({"card_points": [0, 1, 0]}, Differs(BY_HAND, "card_points", "0,1,0", "0,120,0")),
        ({"trick_counts": [9, 1, 0]}, Differs(BY_HAND, "trick_counts", "9,1,0", "0,10,0")),
        ({"tricks": []}, Differs(BY_HAND, "ending", "ramsch_played", "unfinished")),
        (
            {"scores": [0, "120", 0]},
            Unreadable(BY_HAND, "field scores is not a list of whole numbers from -1000 to 1000"),
        ),
    ],
)
def test_a_ramsch_that_is_not_as_it_says(changes: dict[str, Any], outcome: object) -> None:
    assert ramsch_outcome(**changes) == outcome
