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
"""Draws that are solved at once, which bounds the memory."""


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
        ValueError: the games do not connect all bots.
    """
    fitted = fit(games, luck)
    sampled = resampled(fitted, chance, draws)
    margins = _simultaneous(sampled - fitted.strengths, _errors(fitted), confidence)
    better = _better(fitted, sampled, confidence)
    return Standings(
        _rows(fitted.strengths, margins, better),
        _superiority(sampled),
        fitted.seat_effects,
        confidence,
    )


def resampled(fitted: Fit, chance: np.random.Generator, draws: int) -> Floats:
    """Strengths for boards drawn with replacement, shape (draws, bots)."""
    boards = len(fitted.sums.vectors)
    parts: list[Floats] = []
    for start in range(0, draws, _CHUNK):
        count = min(_CHUNK, draws - start)
        weights = chance.multinomial(boards, np.full(boards, 1 / boards), size=count)
        parts.append(fitted.sums.effects(fitted.sums.solve(weights.astype(np.float64))))
    sampled = np.concatenate(parts)
    return np.asarray(sampled[~np.isnan(sampled).any(axis=1)])


def _errors(fitted: Fit) -> Floats:
    return np.asarray(np.sqrt(np.maximum(np.diag(fitted.covariance), 0.0)))


def _simultaneous(deviations: Floats, errors: Floats, confidence: float) -> Floats:
    """Half widths, in proportion to the errors, that hold for all together."""
    certain = errors <= 0
    scaled = np.abs(deviations) / np.where(certain, 1.0, errors)
    scaled[:, certain] = 0.0
    widest = np.quantile(scaled.max(axis=1), confidence) if len(scaled) else np.inf
    return np.where(certain, 0.0, widest * errors)


def _better(fitted: Fit, sampled: Floats, confidence: float) -> Flags:
    """Which bots are better than which, all comparisons holding together; shape (bots, bots)."""
    bots = fitted.sums.bots
    rows, columns = np.triu_indices(bots, k=1)
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    errors = np.array([fitted.contrast(a, b)[1] for a, b in pairs])
    estimate = fitted.strengths[rows] - fitted.strengths[columns]
    margins = _simultaneous(sampled[:, rows] - sampled[:, columns] - estimate, errors, confidence)
    better = np.zeros((bots, bots), dtype=np.bool_)
    better[rows, columns] = estimate > margins
    better[columns, rows] = -estimate > margins
    return better


def _rows(strengths: Floats, margins: Floats, better: Flags) -> tuple[Standing, ...]:
    bots = len(strengths)
    order = sorted(range(bots), key=lambda bot: (-strengths[bot], bot))
    return tuple(
        Standing(
            bot=bot,
            place=1 + int((strengths > strengths[bot]).sum()),
            strength=float(strengths[bot]),
            low=float(strengths[bot] - margins[bot]),
            high=float(strengths[bot] + margins[bot]),
            best_place=1 + int(better[:, bot].sum()),
            worst_place=bots - int(better[bot].sum()),
        )
        for bot in order
    )


def _superiority(sampled: Floats) -> Floats:
    ahead = sampled[:, :, None] > sampled[:, None, :]
    level = sampled[:, :, None] == sampled[:, None, :]
    return np.asarray(ahead.mean(axis=0) + level.mean(axis=0) / 2)
