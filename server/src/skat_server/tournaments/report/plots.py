"""Plots of an event as SVG texts. The only module that draws."""

import io
from collections.abc import Sequence
from typing import Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skat_server.statistics.games import block_differences, games_of
from skat_server.statistics.standings import Standings
from skat_server.tournaments.matches import MatchResult
from skat_server.tournaments.matches import games_of as games_of_match
from skat_server.tournaments.plays import Play
from skat_server.tournaments.summary import DECLARED, games_by_kind, points_by_seat

_INK = "#23303d"
_BLUE, _GREEN, _RED, _SAND = "#2f6f9f", "#3c8d5a", "#b5483a", "#c9a45c"
_STYLE: Final[dict[Any, Any]] = {  # the keys are literals in the type stubs
    "svg.fonttype": "none",
    "svg.hashsalt": "skat",  # the same event gives the same file
    "font.size": 10,
    "axes.edgecolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
}
_MOST_DOTS = 2_000


def standings_plot(table: Standings, names: Sequence[str]) -> str:
    """Strengths with the intervals that hold together, best on top."""
    rows = table.rows[::-1]
    figure, axes = _figure(height=0.9 + 0.38 * len(rows))
    places = np.arange(len(rows))
    middle = np.array([row.strength for row in rows])
    low = middle - np.array([row.low for row in rows])
    high = np.array([row.high for row in rows]) - middle
    axes.axvline(0.0, color=_SAND, linewidth=1)
    axes.errorbar(middle, places, xerr=[low, high], fmt="o", color=_BLUE, capsize=4)
    axes.set_yticks(places, [names[row.bot] for row in rows])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlabel("points a game against the average of the field")
    return _svg(figure)


def difference_plot(
    results: Sequence[MatchResult], names: Sequence[str], first: int, second: int
) -> str:
    """The sum of the block differences of two entries, board by board."""
    games = [game for result in results for game in games_of_match(result)]
    steps = block_differences(games_of(games, len(names)), first, second)
    path = np.concatenate([[0.0], np.cumsum(steps)])
    shown = np.unique(np.linspace(0, len(path) - 1, min(len(path), _MOST_DOTS)).astype(int))
    figure, axes = _figure(height=2.8)
    axes.axhline(0.0, color=_SAND, linewidth=1)
    axes.plot(shown, path[shown], color=_BLUE, linewidth=1.4)
    axes.set_xlabel("boards")
    axes.set_ylabel("points a game, summed")
    axes.set_title(f"{names[first]} against {names[second]}", loc="left", fontsize=11)
    return _svg(figure)


def seats_plot(plays: Sequence[Play], names: Sequence[str]) -> str:
    """Mean points of every entry in each seat."""
    figure, axes = _figure(height=3.0)
    values = np.nan_to_num([points_by_seat(entry, plays) for entry in range(len(names))])
    _bars(axes, values.T, names, ("forehand", "middlehand", "rearhand"), (_BLUE, _SAND, _GREEN))
    axes.set_ylabel("points a game")
    return _svg(figure)


def contracts_plot(plays: Sequence[Play], names: Sequence[str]) -> str:
    """Games declared of each kind; the hatched part was lost."""
    figure, axes = _figure(height=3.0)
    counts = [games_by_kind(entry, plays) for entry in range(len(names))]
    games = np.array([[count[kind][0] for count in counts] for kind in DECLARED])
    lost = games - np.array([[count[kind][1] for count in counts] for kind in DECLARED])
    _bars(axes, games, names, tuple(kind.value for kind in DECLARED), (_BLUE, _GREEN, _SAND))
    _bars(axes, lost, names, ("lost", "", ""), ("none",) * 3, hatch="////", edgecolor=_RED)
    axes.set_ylabel("games declared")
    return _svg(figure)


def _bars(  # noqa: PLR0913
    axes: Axes,
    values: "np.ndarray[tuple[int, int], np.dtype[np.float64]]",
    names: Sequence[str],
    labels: Sequence[str],
    colours: Sequence[str],
    *,
    hatch: str = "",
    edgecolor: str = "none",
) -> None:
    """Groups of bars, a group for each entry."""
    width = 0.8 / len(values)
    middles = np.arange(len(names))
    for place, (row, label, colour) in enumerate(zip(values, labels, colours, strict=True)):
        at = middles + (place - (len(values) - 1) / 2) * width
        axes.bar(
            at, row, width, label=label or None, color=colour, hatch=hatch, edgecolor=edgecolor
        )
    axes.axhline(0.0, color=_INK, linewidth=0.8)
    axes.set_xticks(middles, names)
    # Beside the bars: to look for free room among them takes long, and there may be none.
    axes.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _figure(height: float) -> tuple[Figure, Axes]:
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(8.0, height), layout="constrained")
        return figure, figure.add_subplot()


def _svg(figure: Figure) -> str:
    out = io.StringIO()
    with mpl.rc_context(_STYLE):
        figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :]
