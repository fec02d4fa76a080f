"""Small records written by hand.

In `DEALT` forehand holds all clubs but the seven, with all jacks; middlehand all spades and
three hearts; rearhand the rest; C7 and D7 lie in the skat. So forehand in Clubs makes every
trick, and every number in a test can be worked out on paper.
"""

import json
from collections.abc import Iterator
from typing import Any

from skat_engine.records import FileForm, ReplayOutcome, replay_lines

FOREHAND = "CJ.SJ.HJ.DJ.CA.CT.CK.CQ.C9.C8"
MIDDLEHAND = "SA.ST.SK.SQ.S9.S8.S7.HA.HT.HK"
REARHAND = "HQ.H9.H8.H7.DA.DT.DK.DQ.D9.D8"
SKAT = "C7.D7"
DEALT = f"{FOREHAND}.{MIDDLEHAND}.{REARHAND}.{SKAT}"

ISS = "International Skat Server"


def iss_line(moves: str, result: str, *, server: str = ISS, dealt: str = DEALT) -> str:
    """A record of the server for the deal of this module."""
    header = f"GM[Skat]PC[{server}]CO[]SE[1]ID[42]DT[2020-01-01/00:00:00/UTC]"
    players = "P0[seat0]P1[seat1]P2[seat2]R0[]R1[]R2[]"
    return f"(;{header}{players}MV[w {dealt} {moves}]R[{result}] ;)"


def iss_outcome(line: str) -> ReplayOutcome:
    """What replaying one record of the server gives."""
    (outcome,) = replay_lines([line.encode()], FileForm.SGF)
    return outcome


def json_outcome(line: str) -> ReplayOutcome:
    """What replaying one JSON line gives."""
    (outcome,) = replay_lines([line.encode()], FileForm.JSON_LINES)
    return outcome


def xskat_row(**changes: Any) -> dict[str, Any]:
    """Clubs Hand by forehand in seat 1, who leads his trumps from the top, as XSkat logs it."""
    hands = [cards.split(".") for cards in (REARHAND, FOREHAND, MIDDLEHAND)]
    rearhand, forehand, middlehand = hands
    tricks = [
        {"leader": 1, "cards": list(cards), "winner": 1}
        for cards in zip(forehand, middlehand, rearhand, strict=True)
    ]
    row = {
        "id": "by-hand-1",
        "forehand": 1,
        "hands": hands,
        "skat": SKAT.split("."),
        "declarer": 1,
        "bid": 18,
        "contract": "clubs",
        "hand": True,
        "ouvert": False,
        "discards": [],
        "tricks": tricks,
        "declarer_points": 120,
        "declarer_tricks": 10,
        "won": True,
        "score": 180,
    }
    return row | changes


def xskat_ramsch_row(**changes: Any) -> dict[str, Any]:
    """A Ramsch with the same cards and tricks: seat 1 takes everything, and the skat."""
    game = xskat_row()
    row = {name: game[name] for name in ("id", "forehand", "hands", "skat", "tricks")}
    row |= {"card_points": [0, 120, 0], "trick_counts": [0, 10, 0], "scores": [0, 120, 0]}
    return row | changes


def xskat_outcome(**changes: Any) -> ReplayOutcome:
    """What replaying the XSkat row with some fields changed gives."""
    return json_outcome(json.dumps(xskat_row(**changes)))


def without(row: dict[str, Any], name: str) -> dict[str, Any]:
    """The row lacking one field."""
    return {key: value for key, value in row.items() if key != name}


def whole_clubs_game() -> Iterator[str]:
    """The moves of all ten tricks of that game, in the server's notation."""
    hands = [cards.split(".") for cards in (FOREHAND, MIDDLEHAND, REARHAND)]
    for trick in zip(*hands, strict=True):
        yield from (f"{seat} {card}" for seat, card in enumerate(trick))
