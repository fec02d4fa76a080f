"""Every shape of an ISS record, on one deal whose values are worked out by hand.

Forehand in Clubs Hand is with 11 (the skat has C7): 12 x (11 + game + hand) = 156, and 180 with
Schneider and Schwarz. Middlehand in Spades is without 4: 11 x (4 + game) = 55.
"""

import pytest

from skat_engine.records import Differs, Identical
from tests.records.samples import (
    DEALT,
    FOREHAND,
    MIDDLEHAND,
    REARHAND,
    SKAT,
    iss_line,
    iss_outcome,
    whole_clubs_game,
)

FOREHAND_DECLARES = "1 p 2 p 0 18"
MIDDLEHAND_DECLARES = "1 18 0 p 2 p"
REARHAND_DECLARES = "1 p 2 18 0 p"
SPADES = f"{MIDDLEHAND_DECLARES} 1 s w C7.D7 1 S.C7.D7"

CLUBS_ALL = "d:0 win v:180 m:11 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0"
NULL_WON = "d:2 win v:23 m:0 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0"


def ended(result: str, *, left: int = -1, timed_out: int = -1, resigned: int = 0) -> str:
    return f"{result} l:{left} to:{timed_out} r:{resigned}"


PLAYED_OUT = {
    "all pass": ("1 p 2 p 0 p", "passed"),
    "not finished": ("1 18 0 y", "unknown"),
    "ten tricks, hand implied": (
        f"{FOREHAND_DECLARES} 0 C {' '.join(whole_clubs_game())}",
        ended(CLUBS_ALL),
    ),
    "old result without r": (
        f"{FOREHAND_DECLARES} 0 CH {' '.join(whole_clubs_game())}",
        f"{CLUBS_ALL} l:-1 to:-1",
    ),
    "declaration and discards in two moves": (
        f"{FOREHAND_DECLARES} 0 s w D7.C7 0 C 0 C7.D7 {' '.join(whole_clubs_game())}",
        ended(CLUBS_ALL.replace("180", "168")),
    ),
    "null lost at the first own trick": (
        f"{MIDDLEHAND_DECLARES} 1 s w C7.D7 1 N.HA.HT 0 SJ 1 SA 2 DA",
        ended("d:1 loss v:-46 m:0 bidok p:45 t:1 s:0 z:0 p0:0 p1:0 p2:0"),
    ),
}

ANNOUNCED = {
    "schwarz announced ends with a defenders' trick": (
        f"{MIDDLEHAND_DECLARES} 1 SZ 0 CJ 1 S7 2 D8",
        # 11 x (4 + game + hand + Schneider and Schwarz, made and announced)
        ended("d:1 loss v:-220 m:-4 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0"),
    ),
    "trump ouvert implies it": (
        f"{MIDDLEHAND_DECLARES} 1 SO 0 CJ 1 S7 2 D8",
        ended("d:1 loss v:-242 m:-4 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0"),
    ),
    "schneider announced ends when defenders pass 30": (
        f"{MIDDLEHAND_DECLARES} 1 SSH 0 C8 1 S7 2 D8 1 HK 2 HQ 0 HJ 0 CJ 1 ST 2 DA",
        # 11 x (4 + game + hand + Schneider, made and announced)
        ended("d:1 loss v:-176 m:-4 bidok p:0 t:1 s:0 z:0 p0:0 p1:0 p2:0"),
    ),
    "schneider announced, and schwarz himself": (
        f"{MIDDLEHAND_DECLARES} 1 SSH 0 CJ 1 ST 2 DA 0 SJ 1 SK 2 DT",
        ended("d:1 loss v:-198 m:-4 bidok p:0 t:0 s:1 z:1 p0:0 p1:0 p2:0"),
    ),
    "the open hand follows a trump ouvert": (
        f"{FOREHAND_DECLARES} 0 GO.{FOREHAND} 0 CJ 1 S7 2 D8 1 RE 2 RE",
        ended("d:0 win v:264 m:4 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0", resigned=1),
    ),
    "the open hand follows the discards of a null ouvert": (
        f"{REARHAND_DECLARES} 2 s w C7.D7 2 NO.DA.DT.HQ.H9.H8.H7.DK.DQ.D9.D8.C7.D7 0 RE 1 RE",
        ended("d:2 win v:46 m:0 bidok p:21 t:0 s:0 z:0 p0:0 p1:0 p2:0", resigned=1),
    ),
    "null ouvert hand": (
        f"{REARHAND_DECLARES} 2 NOH 0 RE 1 RE",
        ended("d:2 win v:59 m:0 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0", resigned=1),
    ),
    "null hand implied": (
        f"{REARHAND_DECLARES} 2 N 0 RE 1 RE",
        ended("d:2 win v:35 m:0 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0", resigned=1),
    ),
}

RESIGNED = {
    "both defenders, one out of turn": (
        f"{FOREHAND_DECLARES} 0 CH 0 CJ 2 RE 1 S7 1 RE",
        ended(CLUBS_ALL, resigned=1),
    ),
    "one defender changes nothing": (
        f"{FOREHAND_DECLARES} 0 CH 2 RE {' '.join(whole_clubs_game())}",
        ended(CLUBS_ALL),
    ),
    "one defender does not end it": (f"{FOREHAND_DECLARES} 0 CH 0 CJ 2 RE", "unknown"),
    "after cards shown, without and with their names": (
        f"{FOREHAND_DECLARES} 0 CH 0 SC 0 CJ 0 SC.{FOREHAND.removeprefix('CJ.')} 1 RE 2 RE",
        ended(CLUBS_ALL, resigned=1),
    ),
    "defenders who have won already still lose nothing": (
        # 23 + 16 + 9 + 16 = 64 points in four tricks for the defenders
        f"{SPADES} 0 CJ 1 ST 2 DA 0 SJ 1 SK 2 DT 0 HJ 1 SQ 2 DK 0 DJ 1 SA 2 DQ 0 RE 2 RE",
        ended("d:1 loss v:-110 m:-4 bidok p:56 t:6 s:0 z:0 p0:0 p1:0 p2:0", resigned=1),
    ),
    "what the defenders give does not mend an overbid": (
        "1 99 0 p 2 p 1 s w C7.D7 1 S.C7.D7 0 RE 2 RE",
        ended("d:1 loss v:-198 m:-4 overbid p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0", resigned=1),
    ),
    "declarer before the first trick is complete: no level": (
        f"{FOREHAND_DECLARES} 0 CH 0 CJ 1 S7 0 RE",
        ended("d:0 loss v:-312 m:11 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0", resigned=1),
    ),
    "declarer after a trick: Schneider and Schwarz": (
        f"{SPADES} 0 CJ 1 S7 2 D8 1 RE",
        ended("d:1 loss v:-154 m:-4 bidok p:0 t:0 s:1 z:1 p0:0 p1:0 p2:0", resigned=1),
    ),
    "declarer with 61 points has won": (
        f"{FOREHAND_DECLARES} 0 CH 0 CJ 1 SA 2 DA 0 SJ 1 ST 2 DT 0 HJ 1 HA 2 DK 0 RE",
        ended("d:0 win v:156 m:11 bidok p:63 t:3 s:0 z:0 p0:0 p1:0 p2:0", resigned=1),
    ),
    "declarer of a null": (
        f"{REARHAND_DECLARES} 2 s w C7.D7 2 N.C7.D7 0 C8 1 S7 2 H7 2 RE",
        ended("d:2 loss v:-46 m:0 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0", resigned=1),
    ),
}

BROKEN_OFF = {
    "time-out in the bidding": (
        "1 18 w TI.0",
        ended("d:-1 penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:1 p1:0 p2:0", timed_out=0),
    ),
    "left in the bidding": (
        "1 18 0 p w LE.2",
        ended("d:-1 penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:1", left=2),
    ),
    "declarer left before he named a game": (
        f"{MIDDLEHAND_DECLARES} 1 s w C7.D7 w LE.1",
        ended("d:1 penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:0 p1:1 p2:0", left=1),
    ),
    "a defender left before a game was named": (
        f"{MIDDLEHAND_DECLARES} w LE.0",
        ended("d:1 penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:1 p1:0 p2:1", left=0),
    ),
    "declarer timed out between game and discards": (
        f"{MIDDLEHAND_DECLARES} 1 s w C7.D7 1 S w TI.1",
        ended("d:1 loss v:-110 m:-4 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0", timed_out=1),
    ),
    "a defender timed out between game and discards": (
        f"{MIDDLEHAND_DECLARES} 1 s w C7.D7 1 S w TI.0",
        ended("d:1 win v:77 m:-4 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0", timed_out=0),
    ),
    "a null named without discards": (
        f"{MIDDLEHAND_DECLARES} 1 s w C7.D7 1 N w TI.1",
        ended("d:1 loss v:-46 m:0 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0", timed_out=1),
    ),
    "a defender timed out in mid-trick": (
        f"{FOREHAND_DECLARES} 0 CH 0 CJ w TI.1",
        ended(CLUBS_ALL, timed_out=1),
    ),
    "a defender left a null": (
        f"{REARHAND_DECLARES} 2 s w C7.D7 2 N.C7.D7 0 C8 w LE.1",
        ended(NULL_WON, left=1),
    ),
    "the declarer left a null": (
        f"{REARHAND_DECLARES} 2 s w C7.D7 2 N.C7.D7 w LE.2",
        ended("d:2 loss v:-46 m:0 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0", left=2),
    ),
}

SHAPES = PLAYED_OUT | ANNOUNCED | RESIGNED | BROKEN_OFF


@pytest.mark.parametrize(("moves", "result"), SHAPES.values(), ids=SHAPES.keys())
def test_shape_replays_identically(moves: str, result: str) -> None:
    assert iss_outcome(iss_line(moves, result)) == Identical("42")


def test_bars_may_stand_between_hands() -> None:
    dealt = "|".join((FOREHAND, MIDDLEHAND, REARHAND, SKAT))
    assert iss_outcome(iss_line("1 p 2 p 0 p", "passed", dealt=dealt)) == Identical("42")


def test_comment_may_be_absent_and_names_may_be_escaped() -> None:
    line = iss_line("1 p 2 p 0 p", "passed").replace("CO[]", "").replace("seat0", r"a\]b")
    assert iss_outcome(line) == Identical("42")


SHOWN = f"{FOREHAND_DECLARES} 0 CH 0 CJ 0 SC"


def test_on_iss2_one_resignation_after_cards_shown_is_enough() -> None:
    line = iss_line(f"{SHOWN} 2 RE", ended(CLUBS_ALL, resigned=1), server="ISS2")
    assert iss_outcome(line) == Identical("42")


def test_on_iss2_one_resignation_without_cards_shown_is_not_enough() -> None:
    line = iss_line(f"{FOREHAND_DECLARES} 0 CH 0 CJ 2 RE", "unknown", server="ISS2")
    assert iss_outcome(line) == Identical("42")


def test_elsewhere_one_resignation_after_cards_shown_is_not_enough() -> None:
    assert iss_outcome(iss_line(f"{SHOWN} 2 RE", "unknown")) == Identical("42")


@pytest.mark.parametrize(
    ("said", "field", "expected", "got"),
    [
        ("d:1", "d", "1", "0"),
        ("loss", "outcome", "loss", "win"),
        ("v:156", "v", "156", "180"),
        ("m:-11", "m", "-11", "11"),
        ("overbid", "bid", "overbid", "bidok"),
        ("p:119", "p", "119", "120"),
        ("t:9", "t", "9", "10"),
        ("s:0", "s", "0", "1"),
        ("z:0", "z", "0", "1"),
        ("p1:1", "p1", "1", "0"),
        ("l:2", "l", "2", "-1"),
        ("to:2", "to", "2", "-1"),
        ("r:1", "r", "1", "0"),
    ],
)
def test_every_field_is_compared(said: str, field: str, expected: str, got: str) -> None:
    right = ended(CLUBS_ALL).split()
    place = right.index(f"{field}:{got}") if f"{field}:{got}" in right else right.index(got)
    result = " ".join([*right[:place], said, *right[place + 1 :]])
    line = iss_line(f"{FOREHAND_DECLARES} 0 CH {' '.join(whole_clubs_game())}", result)
    assert iss_outcome(line) == Differs("42", field, expected, got)


def test_game_that_is_not_finished_differs_from_a_result() -> None:
    line = iss_line(f"{FOREHAND_DECLARES} 0 CH 0 CJ", ended(CLUBS_ALL))
    assert iss_outcome(line) == Differs("42", "outcome", "win", "unknown")


def test_finished_game_differs_from_unknown() -> None:
    outcome = iss_outcome(iss_line("1 p 2 p 0 p", "unknown"))
    assert outcome == Differs("42", "outcome", "unknown", "passed")


REFUSED = {
    "card of another hand": (f"{FOREHAND_DECLARES} 0 CH 0 SA", "move 6", "legal 0 SA"),
    "suit not followed": (f"{SPADES} 0 CJ 1 HA", "move 7", "legal 1 HA"),
    "out of turn": (f"{FOREHAND_DECLARES} 0 CH 1 S7", "move 6", "legal 1 S7"),
    "no bid": ("1 19", "move 1", "legal 1 19"),
    "null below the bid": (
        "1 24 0 p 2 p 1 s w C7.D7 1 N.C7.D7",
        "move 5",
        "legal 1 N.D7.C7",
    ),
    "announced level after the skat": (
        f"{MIDDLEHAND_DECLARES} 1 s w C7.D7 1 GS.C7.D7",
        "move 5",
        "legal 1 GHS.D7.C7",
    ),
    "the same card discarded twice": (
        f"{MIDDLEHAND_DECLARES} 1 s w C7.D7 1 S.C7.C7",
        "move 5",
        "legal 1 S.C7.C7",
    ),
    "named by another seat": (
        f"{MIDDLEHAND_DECLARES} 1 s w C7.D7 0 S",
        "move 5",
        "legal 0 S",
    ),
    "resigning in the bidding": ("1 RE", "move 1", "legal 1 RE"),
    "resigning twice": (f"{FOREHAND_DECLARES} 0 CH 1 RE 1 RE", "move 7", "legal 1 RE"),
    "cards shown by a defender": (f"{FOREHAND_DECLARES} 0 CH 1 SC", "move 6", "legal 1 SC"),
    "cards shown that are not held": (
        f"{FOREHAND_DECLARES} 0 CH 0 SC.SA.CJ",
        "move 6",
        "legal 0 SC.SA.CJ",
    ),
    "a move after the end": ("1 p 2 p 0 p 0 CJ", "move 4", "legal 0 CJ"),
    "a time-out after the end": ("1 p 2 p 0 p w TI.1", "move 4", "legal 1 TI"),
    "left after the end": ("1 p 2 p 0 p w LE.1", "move 4", "legal 1 LE"),
    "a card after a missed announcement": (
        f"{MIDDLEHAND_DECLARES} 1 SZ 0 CJ 1 S7 2 D8 0 SJ",
        "move 9",
        "legal 0 SJ",
    ),
}


@pytest.mark.parametrize(("moves", "field", "expected"), REFUSED.values(), ids=REFUSED.keys())
def test_move_that_is_refused_makes_the_record_differ(
    moves: str, field: str, expected: str
) -> None:
    outcome = iss_outcome(iss_line(moves, "unknown"))
    assert isinstance(outcome, Differs)
    assert (outcome.field, outcome.expected) == (field, expected)


UNREADABLE_MOVES = {
    "unknown card played": (f"{FOREHAND_DECLARES} 0 CH 0 ??", "unknown card ??"),
    "unknown skat": (f"{FOREHAND_DECLARES} 0 s w ??.??", "unknown card ??"),
    "another skat": (f"{FOREHAND_DECLARES} 0 s w C7.D8", "is not the skat"),
    "no such card": (f"{FOREHAND_DECLARES} 0 CH 0 X9", "'X9' is not a card"),
    "no such word": ("1 hello", "'hello' is not a contract"),
    "nobody": ("3 18", "'3' is nobody"),
    "no such seat": ("1 18 w TI.3", "cannot read move w TI.3"),
    "world says something else": ("1 18 w XX.1", "cannot read move w XX.1"),
    "move without who": ("1 18 0", "not pairs"),
    "long number": ("1 1800", "'1800' is not a card"),
    "cards nobody asked for": (f"{FOREHAND_DECLARES} 0 CH 0 CJ.SJ", "cannot read move 0 CJ.SJ"),
    "open hand of somebody else": (
        f"{FOREHAND_DECLARES} 0 GO.{MIDDLEHAND}",
        "not its open hand",
    ),
    "open hand without ouvert": (f"{FOREHAND_DECLARES} 0 CH.{FOREHAND}", "not its open hand"),
    "contradictory flags": (f"{FOREHAND_DECLARES} 0 NS", "'NS'"),
}


@pytest.mark.parametrize(("moves", "why"), UNREADABLE_MOVES.values(), ids=UNREADABLE_MOVES.keys())
def test_moves_that_cannot_be_read(moves: str, why: str) -> None:
    outcome = str(iss_outcome(iss_line(moves, "unknown")))
    assert outcome.startswith("42 unreadable: ")
    assert why in outcome


@pytest.mark.parametrize(
    "dealt",
    [
        DEALT.replace("D7", "C7"),
        DEALT.removesuffix(".D7"),
        DEALT + ".D7",
        DEALT.replace("D7", "??"),
        DEALT.replace(".", ":"),
        "..",
    ],
    ids=["twice", "31", "33", "unknown", "other mark", "nothing"],
)
def test_deal_that_cannot_be_read(dealt: str) -> None:
    outcome = str(iss_outcome(iss_line("1 p 2 p 0 p", "passed", dealt=dealt)))
    assert outcome.startswith("42 unreadable: ")


@pytest.mark.parametrize(
    ("result", "why"),
    [
        ("", "R is missing or empty"),
        ("d:0 win", "result lacks v"),
        ("win v:18", "result lacks d"),
        ("d:0 v:18", "result lacks outcome"),
        ("d:0 win v:18 x:3", "unknown field 'x:3'"),
        ("d:0 win v:much", "unknown field 'v:much'"),
        ("d:0 win v:1234567", "impossible number in v"),
        ("d:0 win loss v:18", "says outcome twice"),
        ("passed passed", "unknown field 'passed'"),
    ],
)
def test_result_that_cannot_be_read(result: str, why: str) -> None:
    outcome = str(iss_outcome(iss_line("1 p 2 p 0 p", result)))
    assert outcome.startswith("42 unreadable: ")
    assert why in outcome


GOOD = iss_line("1 p 2 p 0 p", "passed")


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        (GOOD.replace("GM[Skat]", "GM[Chess]"), "42 unreadable: a record of 'Chess', not of Skat"),
        (GOOD.replace("GM[Skat]", ""), "42 unreadable: property GM is missing or empty"),
        (GOOD.replace("ID[42]", ""), "line 1 unreadable: property ID is missing or empty"),
        (GOOD.replace("ID[42]", "ID[42]ID[43]"), "42 unreadable: property ID is there twice"),
        (GOOD.replace("SE[1]", "SE?"), "42 unreadable: cannot read on from 'SE?ID[42]DT[2020-01-'"),
        (GOOD[:-40], "42 unreadable: not a complete record; it begins with '(;' and ends with ')'"),
        ("(;)", "line 1 unreadable: property GM is missing or empty"),
    ],
    ids=["game", "no game", "no id", "two ids", "no value", "truncated", "empty"],
)
def test_frame_that_cannot_be_read(line: str, outcome: str) -> None:
    assert str(iss_outcome(line)) == outcome
