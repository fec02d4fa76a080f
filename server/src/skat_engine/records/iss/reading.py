"""From one line to a record."""

from typing import Final

from skat_engine.errors import NotationError
from skat_engine.records.iss.frame import parse_frame, required
from skat_engine.records.iss.moves import parse_moves
from skat_engine.records.iss.results import parse_result
from skat_engine.records.model import IssOrigin, Record
from skat_engine.ruleset import RuleSet
from skat_engine.ruleset_text import parse_rule_set

RULES: Final[RuleSet] = parse_rule_set(
    {"declarer_give_up": "off", "defender_give_up": "off", "lay_open": "off"}
)
"""The official rules; how a deal is shortened is the server's own affair."""

_GAME: Final = "Skat"
DEALER: Final = 2
"""Seat 0 is forehand in every record, so seat 2 dealt."""


def read_record(line: str) -> Record:
    """The record on a line.

    Raises:
        NotationError: the line is no record of this kind, or has a part that cannot be read.
    """
    properties = parse_frame(line)
    if required(properties, "GM") != _GAME:
        raise NotationError(f"a record of {properties['GM']!r}, not of {_GAME}")
    dealt, moves = parse_moves(required(properties, "MV"))
    first, second, third = (properties.get(f"R{seat}", "") for seat in range(3))
    return Record(
        required(properties, "ID"),
        IssOrigin(
            properties.get("PC", ""),
            properties.get("CO"),
            properties.get("SE", ""),
            properties.get("DT", ""),
            (first, second, third),
        ),
        RULES,
        tuple(properties.get(f"P{seat}", "") for seat in range(3)),
        DEALER,
        dealt,
        moves,
        parse_result(required(properties, "R")),
    )
