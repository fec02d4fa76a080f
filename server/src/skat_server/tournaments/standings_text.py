"""The standings as a file: the same games give the same bytes."""

import json
from collections.abc import Sequence
from typing import Final

from skat_server.statistics.standings import Standings
from skat_server.tournaments.summary import Summary

_DIGITS: Final = 6
"""Digits after the point: fewer than any machine's arithmetic differs in."""


def standings_text(names: Sequence[str], figures: Summary, end: str, winner: str = "") -> str:
    """The figures of an event as JSON, in a fixed order, with a line break at the end.

    Args:
        names: of the entries, by number.
        figures: the event.
        end: why it has ended; empty while it has not.
        winner: of a knock-out; empty where there is none.
    """
    text = {
        "end": end,
        "winner": winner,
        "blocks": figures.blocks,
        "standings": _rows(names, figures, figures.standings),
        "without_faults": _rows(names, figures, figures.without_faults),
        "totals": [
            {
                "entry": name,
                "games": total.games,
                "points": total.points,
                "declared": total.declared,
                "won": total.won,
                "faulty": total.faulty,
            }
            for name, total in zip(names, figures.totals, strict=True)
        ],
        "cross_table": [
            {
                "entry": names[row],
                "against": {
                    names[column]: {"blocks": cell.blocks, "difference": _round(cell.difference)}
                    for column, cell in enumerate(cells)
                    if column != row
                },
            }
            for row, cells in enumerate(figures.cells)
        ],
    }
    return json.dumps(text, indent=1) + "\n"


def _rows(names: Sequence[str], figures: Summary, table: Standings | None) -> list[object]:
    if table is None:
        return []
    return [
        {
            "place": row.place,
            "entry": names[row.bot],
            "strength": _round(row.strength),
            "low": _round(row.low),
            "high": _round(row.high),
            "best_place": row.best_place,
            "worst_place": row.worst_place,
            "games": figures.totals[row.bot].games,
            "points": figures.totals[row.bot].points,
        }
        for row in table.rows
    ]


def _round(value: float) -> float:
    return round(value, _DIGITS) + 0.0
