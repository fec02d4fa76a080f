"""Standings with intervals that hold for all bots at once.

Boards are drawn again and again with replacement, all games of a board together, and the model is
solved anew each time (competition guide, section 3.5). Block differences have heavy tails, so the
intervals come from these draws and not from a normal curve.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from skat_server.statistics.games import Flags, Floats, Games
from skat_server.statistics.model import Fit, Luck, fit

DRAWS: Final = 2_000
"""Bootstrap draws where nothing else is said."""
CONFIDENCE: Final = 0.95
_CHUNK: Final = 256
"""Draws that are solved at once, at most, which bounds the memory."""
_CELLS: Final = 8_000_000
"""Boards of all draws that are solved at once, at most, for the same reason."""
_ALIKE: Final = 1e-9
"""Points a game below which a difference is the arithmetic's and nobody's."""
_FEWEST: Final = 0.5
"""Share of the draws that has to tell all bots apart. A draw that does not lacks a board on which
all hangs, and what is left without such draws would be much too certain."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot in the table; points are points a game against the average of the field."""

    bot: int
    place: int
    """1 is first; bots with the same estimate share a place."""
    strength: float
    low: float
    """Lower end of the simultaneous interval."""
    high: float
    """Upper end of the simultaneous interval."""
    best_place: int
    """The best place that the simultaneous comparisons leave open."""
    worst_place: int
    """The worst one."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of an event.

    Attributes:
        rows: best first.
        superiority: shape (bots, bots): how likely the row's bot is better than the column's;
            one half on the diagonal.
        seat_effects: points a game of forehand, middlehand, rearhand, and of who sits out.
        confidence: of all intervals together.
    """

    rows: tuple[Standing, ...]
    superiority: Floats
    seat_effects: Floats
    confidence: float


def standings(
    games: Games,
    chance: np.random.Generator,
    *,
    luck: Luck = Luck.BOARD,
    draws: int = DRAWS,
    confidence: float = CONFIDENCE,
) -> Standings:
    """The table of an event.

    Args:
        games: what was played.
        chance: for the draws; seeded, so that a table can be made again.
        luck: what games share.
        draws: how many.
        confidence: that all intervals of the bots hold, likewise all comparisons.

    Raises:
        ValueError: the games do not connect all bots, or so few boards do that half of the draws
            fall apart.
    """
    fitted = fit(games, luck)
    sampled = resampled(fitted, chance, draws)
    if len(sampled) < _FEWEST * draws:
        raise ValueError("too few boards connect all bots; some of them have to meet again")
    errors = _errors(fitted)
    margins = _margins(_widest(sampled - fitted.strengths, errors), errors, confidence)
    better = _better(fitted, sampled, confidence)
    return Standings(
        _rows(fitted.strengths, margins, better),
        _superiority(sampled),
        fitted.seat_effects,
        confidence,
    )


def resampled(fitted: Fit, chance: np.random.Generator, draws: int) -> Floats:
    """Strengths for boards drawn with replacement, shape (draws that tell all bots apart, bots)."""
    boards = len(fitted.sums.vectors)
    parts: list[Floats] = []
    chunk = max(1, min(_CHUNK, _CELLS // boards))
    for start in range(0, draws, chunk):
        count = min(chunk, draws - start)
        weights = chance.multinomial(boards, np.full(boards, 1 / boards), size=count)
        parts.append(fitted.sums.effects(fitted.sums.solve(weights.astype(np.float64))))
    sampled = np.concatenate(parts)
    return np.asarray(sampled[~np.isnan(sampled).any(axis=1)])


def _errors(fitted: Fit) -> Floats:
    return np.asarray(np.sqrt(np.maximum(np.diag(fitted.covariance), 0.0)))


def _margins(widest: Floats, errors: Floats, confidence: float) -> Floats:
    """Half widths, in proportion to the errors, that hold for all together.

    Args:
        widest: the largest deviation of each draw, in errors.
        errors: in points a game.
        confidence: share of the draws that shall be inside.
    """
    return np.where(errors <= _ALIKE, 0.0, np.quantile(widest, confidence) * errors)


def _widest(deviations: Floats, errors: Floats) -> Floats:
    """The largest deviation of each draw, in errors; what is certain has none."""
    certain = errors <= _ALIKE
    scaled = np.abs(deviations) / np.where(certain, 1.0, errors)
    scaled[:, certain] = 0.0
    return np.asarray(scaled.max(axis=1))


def _better(fitted: Fit, sampled: Floats, confidence: float) -> Flags:
    """Which bots are better than which, all comparisons holding together; shape (bots, bots)."""
    strengths, covariance = fitted.strengths, fitted.covariance
    lead = strengths[:, None] - strengths
    own = np.diag(covariance)
    errors = np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, 0.0))
    widest = np.zeros(len(sampled))
    for bot in range(len(strengths)):  # one at a time: all pairs of all draws take much memory
        deviations = sampled[:, [bot]] - sampled - lead[bot]
        widest = np.maximum(widest, _widest(deviations, errors[bot]))
    return np.asarray(lead > _margins(widest, errors, confidence) + _ALIKE)


def _rows(strengths: Floats, margins: Floats, better: Flags) -> tuple[Standing, ...]:
    bots = len(strengths)
    places = [1 + int((strengths > own + _ALIKE).sum()) for own in strengths]
    order = sorted(range(bots), key=lambda bot: (places[bot], bot))
    return tuple(
        Standing(
            bot=bot,
            place=places[bot],
            strength=float(strengths[bot]),
            low=float(strengths[bot] - margins[bot]),
            high=float(strengths[bot] + margins[bot]),
            best_place=1 + int(better[:, bot].sum()),
            worst_place=bots - int(better[bot].sum()),
        )
        for bot in order
    )


def _superiority(sampled: Floats) -> Floats:
    rows = []
    for own in sampled.T:
        lead = own[:, None] - sampled
        level = np.abs(lead) <= _ALIKE
        rows.append(((lead > 0) & ~level).mean(axis=0) + level.mean(axis=0) / 2)
    return np.stack(rows)
