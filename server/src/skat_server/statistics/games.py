"""The results of an event as arrays, one row for each seat of each game."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Game:
    """One game: who sat where, and what it brought them."""

    deal: int
    """Number of the board; games on one board share their luck."""
    bots: tuple[int, ...]
    """Numbers of the bots in forehand, middlehand and rearhand, and of the dealer who sits out at
    a table of four."""
    points: tuple[float, ...]
    """What the game added to their totals."""


@dataclass(frozen=True, slots=True)
class Games:
    """Games as columns; with three seats row `3 g + s` is seat `s` of game `g`.

    Boards are renumbered 0, 1, ... in the order of their numbers.
    """

    deal: Ints
    """Board of each row, shape (rows,)."""
    bot: Ints
    """Bot of each row, shape (rows,)."""
    seat: Ints
    """0 forehand, 1 middlehand, 2 rearhand, 3 a dealer who sits out, shape (rows,)."""
    points: Floats
    """Shape (rows,)."""
    bots: int
    """How many bots there are; each of them has played."""
    deals: int
    """How many boards there are."""
    seats: int
    """Seats of every game, 3 or 4."""

    @property
    def count(self) -> int:
        """How many games there are."""
        return len(self.points) // self.seats


def games_of(games: Iterable[Game], bots: int) -> Games:
    """Columns of games.

    Args:
        games: in any order.
        bots: how many bots there are, numbered from 0.

    Raises:
        ValueError: no games, tables of three and of four mixed, or a bot's number that is out of
            range.
    """
    rows = list(games)
    if not rows:
        raise ValueError("no games, no statistics")
    _, deal = np.unique([game.deal for game in rows], return_inverse=True)
    seats = len(rows[0].bots)
    if any(len(game.bots) != seats for game in rows):
        raise ValueError("all tables of an event have equally many seats")
    bot = np.array([game.bots for game in rows], dtype=np.int64)
    if bot.min() < 0 or bot.max() >= bots:
        raise ValueError(f"bots are numbered 0 to {bots - 1}")
    return Games(
        deal=np.repeat(deal.astype(np.int64), seats),
        bot=bot.ravel(),
        seat=np.tile(np.arange(seats), len(rows)),
        points=np.array([game.points for game in rows], dtype=np.float64).ravel(),
        bots=bots,
        deals=int(deal.max()) + 1,
        seats=seats,
    )


def block_differences(games: Games, first: int, second: int) -> Floats:
    """Mean of one bot less the mean of another on each board where both have played.

    In the order of the boards; the unit of every test (competition guide, section 3.2).
    """
    sums = [_per_deal(games, bot) for bot in (first, second)]
    (mean_a, played_a), (mean_b, played_b) = sums
    both = played_a & played_b
    difference: Floats = (mean_a - mean_b)[both]
    return difference


def _per_deal(games: Games, bot: int) -> tuple[Floats, Flags]:
    mine = games.bot == bot
    count = np.bincount(games.deal[mine], minlength=games.deals)
    total = np.bincount(games.deal[mine], games.points[mine], minlength=games.deals)
    return total / np.maximum(count, 1), count > 0
