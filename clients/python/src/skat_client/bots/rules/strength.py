"""How likely a hand wins a game with trumps: a weighted count of what wins games.

The counts are the usual ones: jacks, length of the trumps, aces, guarded tens, losers. Their
weights are those of logistic regressions over 25,000 games that this bot declared against
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
    start=-5.42,
    leads=-0.29,
    ten_points=0.0,
    trumps=Trumps(
        jacks=(1.06, 0.79, 0.44, 0.3),
        two_jacks=-0.2,
        three_jacks=0.31,
        length=0.7,
        six=0.28,
        seven=0.32,
        ace=0.74,
        ten=0.6,
    ),
    side=Side(
        ace=1.21,
        ten_with_ace=0.29,
        ten_guarded=0.54,
        ten_weak=0.41,
        king=0.07,
        void=0.14,
        loser=-0.11,
        long_ace=-0.2,
    ),
)
_SUIT_AFTER: Final = Model(
    start=-16.1,
    leads=-0.35,
    ten_points=0.88,
    trumps=Trumps(
        jacks=(1.61, 1.22, 0.71, 0.49),
        two_jacks=-0.38,
        three_jacks=0.05,
        length=1.63,
        six=0.13,
        seven=-0.04,
        ace=0.94,
        ten=0.78,
    ),
    side=Side(
        ace=2.25,
        ten_with_ace=0.9,
        ten_guarded=0.72,
        ten_weak=0.64,
        king=0.08,
        void=0.98,
        loser=0.32,
        long_ace=-0.55,
    ),
)
_SUIT_SCHNEIDER: Final = Model(
    start=-17.02,
    leads=-0.44,
    ten_points=0.57,
    trumps=Trumps(
        jacks=(2.52, 1.96, 1.15, 0.88),
        two_jacks=-1.13,
        three_jacks=-0.22,
        length=1.15,
        six=0.6,
        seven=0.14,
        ace=0.74,
        ten=0.52,
    ),
    side=Side(
        ace=2.02,
        ten_with_ace=1.13,
        ten_guarded=2.13,
        ten_weak=0.5,
        king=0.33,
        void=1.33,
        loser=-0.17,
        long_ace=0.62,
    ),
)
_GRAND_BEFORE: Final = Model(
    start=-6.9,
    leads=-0.42,
    ten_points=0.0,
    trumps=Trumps(
        jacks=(1.63, 1.07, 1.05, 1.02),
        two_jacks=0.62,
        three_jacks=0.97,
    ),
    side=Side(
        ace=1.59,
        ten_with_ace=0.6,
        ten_guarded=0.67,
        ten_weak=0.7,
        king=0.14,
        void=0.24,
        loser=0.15,
        long_ace=-0.06,
    ),
)
_GRAND_AFTER: Final = Model(
    start=-11.85,
    leads=-0.44,
    ten_points=1.21,
    trumps=Trumps(
        jacks=(2.12, 1.37, 1.24, 1.22),
        two_jacks=1.0,
        three_jacks=1.22,
    ),
    side=Side(
        ace=2.23,
        ten_with_ace=1.02,
        ten_guarded=0.83,
        ten_weak=0.89,
        king=0.16,
        void=0.68,
        loser=0.25,
        long_ace=-0.24,
    ),
)
_GRAND_SCHNEIDER: Final = Model(
    start=-16.22,
    leads=-0.32,
    ten_points=0.75,
    trumps=Trumps(
        jacks=(2.55, 1.21, 0.87, 0.77),
        two_jacks=2.08,
        three_jacks=0.96,
    ),
    side=Side(
        ace=2.14,
        ten_with_ace=1.32,
        ten_guarded=1.56,
        ten_weak=0.8,
        king=0.43,
        void=1.18,
        loser=0.07,
        long_ace=0.63,
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
