"""How likely a hand wins a Null: how many of its cards can be caught.

A card is in danger when more cards of its suit lie below it than the hand has lower ones of
its own to play first. As in `skat_client.bots.rules.strength`, the weights are fitted to
games of the bot against itself, 8,000 here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from skat_client._models import Rank
from skat_client.bots.rules.ranking import NULL_RANKS
from skat_client.bots.rules.shape import SUIT_MASKS, Shape, ranks_in
from skat_client.bots.rules.strength import logistic


def dangers(ranks: Sequence[Rank]) -> list[int]:
    """By card, the lowest first: how many lower foreign cards it has no cover against.

    >>> dangers((Rank.SEVEN, Rank.NINE, Rank.JACK)), dangers((Rank.EIGHT, Rank.ACE))
    ([0, 0, 0], [1, 5])
    """
    heights = sorted(NULL_RANKS.index(rank) for rank in ranks)
    # Of the `height` cards below, `cover` are held; as many of the rest can be played under.
    return [max(0, height - 2 * cover) for cover, height in enumerate(heights)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Danger:
    """Weights of one suit."""

    risky: float
    """Any danger."""
    risky_single: float
    """The same, of a single card."""
    worst: float
    """The greatest danger."""
    total: float
    """The dangers of all its cards."""

    def worth(self, ranks: Sequence[Rank]) -> float:
        """What the cards of one suit add."""
        found = dangers(ranks)
        if not any(found):
            return 0.0
        worth = self.risky + (self.risky_single if len(ranks) == 1 else 0.0)
        return worth + self.worst * max(found) + self.total * sum(found)


class NullModel:
    """One regression, with every suit worked out once."""

    def __init__(self, *, start: float, leads: float, danger: Danger) -> None:
        """A model from its weights: for every hand, for forehand, for each suit."""
        self._start = start
        self._leads = leads
        self._suits = [danger.worth(ranks_in(mask)) for mask in range(SUIT_MASKS)]

    def log_odds(self, shape: Shape, *, leads: bool) -> float:
        """The weighted count of a hand."""
        suits = self._suits
        worth = self._start + self._leads * leads
        return worth + sum([suits[mask] for mask in shape.whole_suits()])


_BEFORE: Final = NullModel(
    start=2.26,
    leads=-0.12,
    danger=Danger(
        risky=-0.06,
        risky_single=-0.13,
        worst=0.23,
        total=-0.34,
    ),
)
_AFTER: Final = NullModel(
    start=2.29,
    leads=-0.13,
    danger=Danger(
        risky=0.25,
        risky_single=-0.26,
        worst=-0.11,
        total=-0.46,
    ),
)
_OUVERT_BEFORE: Final = NullModel(
    start=1.85,
    leads=-0.22,
    danger=Danger(
        risky=-0.11,
        risky_single=-0.08,
        worst=0.12,
        total=-0.27,
    ),
)
_OUVERT_AFTER: Final = NullModel(
    start=1.94,
    leads=-0.33,
    danger=Danger(
        risky=0.62,
        risky_single=-0.02,
        worst=-0.67,
        total=-0.31,
    ),
)


def null_chance_before_skat(hand: Shape, *, leads: bool, ouvert: bool) -> float:
    """Chance to win a Null with the skat, by the ten cards dealt."""
    model = _OUVERT_BEFORE if ouvert else _BEFORE
    return logistic(model.log_odds(hand, leads=leads))


def null_chance_after_skat(hand: Shape, *, leads: bool, ouvert: bool) -> float:
    """Chance to win a Null by the ten cards it is played with."""
    model = _OUVERT_AFTER if ouvert else _AFTER
    return logistic(model.log_odds(hand, leads=leads))
