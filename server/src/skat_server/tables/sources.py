"""Where the deals of a table come from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from skat_engine.results import Dealt
from skat_engine.shuffling import SEED_BYTES, deal_from_seed, deal_seed


@dataclass(frozen=True, slots=True)
class Dealing:
    """The cards of one deal, and where they come from."""

    dealt: Dealt
    seed: bytes | None = field(default=None, repr=False)
    """The deal's own seed, a secret until the deal is over; None for cards given as such."""


class DealSource(Protocol):
    """Gives the cards of a series, deal by deal."""

    def dealt(self, count: int) -> Dealing:
        """The cards dealt for the `count`-th time, from 1, void deals included; asked once."""


@dataclass(frozen=True, slots=True)
class FreshDeals:
    """A fresh secret seed for every deal."""

    entropy: Callable[[int], bytes]
    """Gives so many unpredictable bytes."""

    def dealt(self, count: int) -> Dealing:
        """Shuffle with a new seed."""
        del count
        return _from_seed(self.entropy(SEED_BYTES))


@dataclass(frozen=True, slots=True)
class SeededDeals:
    """Every deal computed from one seed, for practice and tests."""

    seed: bytes
    """32 bytes."""

    def dealt(self, count: int) -> Dealing:
        """Shuffle with the deal's own seed."""
        return _from_seed(deal_seed(self.seed, count))


@dataclass(frozen=True, slots=True)
class ListedDeals:
    """Deals given card by card, for practice and tests; the series is as long as the list.

    Void deals use up cards as well; after the last ones the list begins anew.
    """

    deals: Sequence[Dealt]

    def dealt(self, count: int) -> Dealing:
        """The deal of that place."""
        return Dealing(self.deals[(count - 1) % len(self.deals)])


def _from_seed(seed: bytes) -> Dealing:
    return Dealing(deal_from_seed(seed), seed)
