"""What was played, game by game, as the tables and plots of an event need it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from skat_server.tournaments.matches import Entry, MatchResult


class GameKind(Enum):
    """What was played."""

    SUIT = "suit"
    GRAND = "grand"
    NULL = "null"
    RAMSCH = "ramsch"
    PASSED = "passed"


_KINDS: Final = {"G": GameKind.GRAND, "N": GameKind.NULL}


@dataclass(frozen=True, slots=True)
class Deed:
    """What a record says of a game, whoever sat there."""

    kind: GameKind
    declarer: int | None
    """Position of the declarer: 0 forehand, 1 middlehand, 2 rearhand; None where there is none."""
    contract: str
    """In notation; empty where there is none."""
    won: bool
    value: int
    """The game's value as it counts, negative for a lost game; 0 where there is none."""


@dataclass(frozen=True, slots=True)
class Play:
    """One game: a board at one table."""

    match_key: str
    board: int
    entries: tuple[Entry, ...]
    """Who sat in forehand, middlehand and rearhand, and the dealer at a table of four."""
    points: tuple[int, ...]
    """What it added to their totals, in the same order."""
    deed: Deed
    is_faulty: bool

    @property
    def declarer(self) -> Entry | None:
        """The entry that declared."""
        position = self.deed.declarer
        return None if position is None else self.entries[position]


def deed_in(result: Mapping[str, Any]) -> Deed:
    """What the `result` of a record in our own format says."""
    if "contract" not in result:
        kind = GameKind.RAMSCH if "durchmarsch" in result else GameKind.PASSED
        return Deed(kind, None, "", won=False, value=0)
    contract: str = result["contract"]
    return Deed(
        kind=_KINDS.get(contract[:1], GameKind.SUIT),
        declarer=result["declarer"],
        contract=contract,
        won=result["won"],
        value=result["score"],
    )


def plays_of(result: MatchResult, deeds: Sequence[Sequence[Deed]]) -> Iterator[Play]:
    """The games of a match, in the order of its boards.

    Args:
        result: the finished match.
        deeds: for each of its tables what was played, board by board.
    """
    for table, (lineup, points) in enumerate(zip(result.match.lineups, result.tables, strict=True)):
        for place, deed in enumerate(deeds[table]):
            order = points.order(place)
            yield Play(
                result.match.key,
                result.match.first_board + place,
                tuple(lineup[seat] for seat in order),
                tuple(points.points[place][seat] for seat in order),
                deed,
                place in points.faulty,
            )
