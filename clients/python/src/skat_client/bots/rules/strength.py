"""How likely a hand wins a game with trumps: a weighted count of what wins games.

The counts are the usual ones: jacks, length of the trumps, aces, guarded tens, losers. Their
weights are those of logistic regressions over 18,000 games that this bot declared against
itself, separately before the skat is seen and after the discards. Sums are log-odds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Final, NamedTuple

from skat_client._models import ContractKind, Rank
from skat_client.bots.rules.ranking import JACKS
from skat_client.bots.rules.shape import PLAIN_MASKS, SUITS, Shape, ranks_in

_GUARDED: Final = 3
"""Cards of a suit that keep its ten from falling."""
_TOP_RUN: Final = (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN)


class Chances(NamedTuple):
    """How a game may end."""

    won: float
    schneider: float = 0.0
    """Won with 90 card points or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Weights of a plain suit."""

    ace: float
    ten_with_ace: float
    ten_guarded: float
    """Without the ace, but with two more cards."""
    ten_weak: float
    king: float
    """Beside ace or ten."""
    void: float
    loser: float
    """Each card below the unbroken run from the ace."""
    long_ace: float
    """Each card beyond three of a suit with the ace: the sooner others trump it."""

    def worth(self, ranks: Sequence[Rank]) -> float:
        """What the cards of one suit, jacks left out, add."""
        length = len(ranks)
        ace, ten, king = (rank in ranks for rank in (Rank.ACE, Rank.TEN, Rank.KING))
        worth = self.loser * (length - _run(ranks))
        worth += self.king if king and (ace or ten) else 0.0
        if ace:
            worth += self.ace + self.long_ace * max(0, length - _GUARDED)
            worth += self.ten_with_ace if ten else 0.0
        elif ten:
            worth += self.ten_guarded if length >= _GUARDED else self.ten_weak
        return worth if length else self.void


def _run(ranks: Sequence[Rank]) -> int:
    run = 0
    while run < len(_TOP_RUN) and _TOP_RUN[run] in ranks:
        run += 1
    return run


@dataclass(frozen=True, slots=True, kw_only=True)
class Trumps:
    """Weights of the trumps; what counts the trump suit is 0 in Grand."""

    jacks: tuple[float, float, float, float]
    """The club jack first."""
    two_jacks: float
    """At least two."""
    three_jacks: float
    length: float = 0.0
    six: float = 0.0
    """At least six trumps."""
    seven: float = 0.0
    ace: float = 0.0
    ten: float = 0.0

    def worth_of_jacks(self, jacks: int) -> float:
        """What the jacks add, given as `Shape` has them."""
        count = jacks.bit_count()
        worth = sum(
            weight for bit, weight in zip((8, 4, 2, 1), self.jacks, strict=True) if jacks & bit
        )
        worth += self.two_jacks * (count >= 2) + self.three_jacks * (count >= 3)  # noqa: PLR2004
        return worth + self.length * count

    def worth_of_suit(self, ranks: Sequence[Rank], jacks: int) -> float:
        """What the trump suit adds to that, beside so many jacks."""
        length = len(ranks) + jacks
        worth = self.length * len(ranks)
        worth += self.six * (length >= 6) + self.seven * (length >= 7)  # noqa: PLR2004
        return worth + self.ace * (Rank.ACE in ranks) + self.ten * (Rank.TEN in ranks)


class Model:
    """One regression, with everything that depends on a single suit worked out once."""

    def __init__(
        self, *, start: float, leads: float, ten_points: float, trumps: Trumps, side: Side
    ) -> None:
        """A model from its weights.

        Args:
            start: what is added for every hand.
            leads: for forehand.
            ten_points: for each ten card points put down.
            trumps: for the trumps.
            side: for each plain suit.
        """
        self._start = start
        self._leads = leads
        self._point = ten_points / 10
        holdings = [ranks_in(mask) for mask in range(PLAIN_MASKS)]
        self._sides = [side.worth(ranks) for ranks in holdings]
        self._jacks = [trumps.worth_of_jacks(jacks) for jacks in range(1 << len(JACKS))]
        self._trumps = [
            [trumps.worth_of_suit(ranks, jacks) for ranks in holdings]
            for jacks in range(len(JACKS) + 1)
        ]

    def log_odds(self, kind: ContractKind, shape: Shape, *, leads: bool, points: int) -> float:
        """The weighted count of a hand."""
        worth = self._start + self._leads * leads + self._point * points + self._jacks[shape.jacks]
        trump = _TRUMP_SUITS[kind]
        for suit, mask in enumerate(shape.suits):
            if suit == trump:
                worth += self._trumps[shape.jacks.bit_count()][mask]
            else:
                worth += self._sides[mask]
        return worth


_TRUMP_SUITS: Final = {
    kind: None if kind.trump_suit is None else SUITS.index(kind.trump_suit) for kind in ContractKind
}


_SUIT_BEFORE: Final = Model(
    start=-4.52,
    leads=-0.1,
    ten_points=0.0,
    trumps=Trumps(
        jacks=(0.91, 0.66, 0.33, 0.2),
        two_jacks=-0.22,
        three_jacks=0.2,
        length=0.7,
        six=0.23,
        seven=0.5,
        ace=0.65,
        ten=0.54,
    ),
    side=Side(
        ace=0.95,
        ten_with_ace=0.37,
        ten_guarded=0.62,
        ten_weak=0.6,
        king=0.12,
        void=0.06,
        loser=-0.17,
        long_ace=0.33,
    ),
)
_SUIT_AFTER: Final = Model(
    start=-7.08,
    leads=-0.15,
    ten_points=0.82,
    trumps=Trumps(
        jacks=(1.37, 1.05, 0.65, 0.4),
        two_jacks=-0.55,
        three_jacks=0.11,
        length=0.65,
        six=0.48,
        seven=0.07,
        ace=0.88,
        ten=0.74,
    ),
    side=Side(
        ace=1.38,
        ten_with_ace=0.58,
        ten_guarded=0.94,
        ten_weak=0.76,
        king=0.24,
        void=0.95,
        loser=-0.37,
        long_ace=-0.47,
    ),
)
_SUIT_SCHNEIDER: Final = Model(
    start=-13.42,
    leads=-0.24,
    ten_points=0.47,
    trumps=Trumps(
        jacks=(1.89, 1.66, 0.84, 0.67),
        two_jacks=-0.77,
        three_jacks=-0.02,
        length=0.88,
        six=-0.05,
        seven=0.18,
        ace=0.72,
        ten=0.49,
    ),
    side=Side(
        ace=1.89,
        ten_with_ace=0.8,
        ten_guarded=1.78,
        ten_weak=0.85,
        king=0.44,
        void=1.58,
        loser=-0.44,
        long_ace=0.53,
    ),
)
_GRAND_BEFORE: Final = Model(
    start=-5.69,
    leads=-0.15,
    ten_points=0.0,
    trumps=Trumps(
        jacks=(1.53, 1.2, 1.02, 1.04),
        two_jacks=0.57,
        three_jacks=0.81,
    ),
    side=Side(
        ace=1.29,
        ten_with_ace=0.72,
        ten_guarded=0.65,
        ten_weak=0.67,
        king=0.06,
        void=0.18,
        loser=0.02,
        long_ace=0.01,
    ),
)
_GRAND_AFTER: Final = Model(
    start=-6.87,
    leads=-0.03,
    ten_points=1.16,
    trumps=Trumps(
        jacks=(1.61, 0.97, 0.78, 0.8),
        two_jacks=0.82,
        three_jacks=1.24,
    ),
    side=Side(
        ace=1.63,
        ten_with_ace=0.52,
        ten_guarded=1.16,
        ten_weak=1.06,
        king=0.01,
        void=0.65,
        loser=-0.26,
        long_ace=-0.05,
    ),
)
_GRAND_SCHNEIDER: Final = Model(
    start=-7.61,
    leads=-0.12,
    ten_points=1.02,
    trumps=Trumps(
        jacks=(1.23, 0.53, 0.17, 0.01),
        two_jacks=1.95,
        three_jacks=0.84,
    ),
    side=Side(
        ace=1.27,
        ten_with_ace=0.42,
        ten_guarded=1.86,
        ten_weak=1.17,
        king=0.31,
        void=1.01,
        loser=-0.81,
        long_ace=0.82,
    ),
)


def chance_before_skat(kind: ContractKind, hand: Shape, *, leads: bool) -> float:
    """Chance to win a game with the skat, by the ten cards dealt."""
    model = _GRAND_BEFORE if kind is ContractKind.GRAND else _SUIT_BEFORE
    return logistic(model.log_odds(kind, hand, leads=leads, points=0))


def chances_after_skat(kind: ContractKind, hand: Shape, *, leads: bool, points: int) -> Chances:
    """Chances of a game by the ten cards it is played with.

    Args:
        kind: a suit or Grand.
        hand: the ten cards.
        leads: whether the declarer is forehand.
        points: card points put down, or expected in the skat of a Hand game.
    """
    is_grand = kind is ContractKind.GRAND
    winning = _GRAND_AFTER if is_grand else _SUIT_AFTER
    high = _GRAND_SCHNEIDER if is_grand else _SUIT_SCHNEIDER
    return Chances(
        logistic(winning.log_odds(kind, hand, leads=leads, points=points)),
        logistic(high.log_odds(kind, hand, leads=leads, points=points)),
    )


def logistic(log_odds: float) -> float:
    """Log-odds as a chance."""
    return 1.0 / (1.0 + exp(-log_odds))
