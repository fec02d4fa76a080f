"""Where the deals of a table come from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from skat_engine.results import Dealt
from skat_engine.shuffling import SEED_BYTES, deal_from_seed, deal_seed


class DealSource(Protocol):
    """Gives the cards of a series, deal by deal."""

    def dealt(self, deal_number: int) -> Dealt:
        """The cards of a deal, counted from 1; asked once per deal."""


@dataclass(frozen=True, slots=True)
class FreshDeals:
    """A fresh secret seed for every deal."""

    entropy: Callable[[int], bytes]
    """Gives so many unpredictable bytes."""

    def dealt(self, deal_number: int) -> Dealt:
        """Shuffle with a new seed."""
        del deal_number
        return deal_from_seed(self.entropy(SEED_BYTES))


@dataclass(frozen=True, slots=True)
class SeededDeals:
    """Every deal computed from one seed, for practice and tests."""

    seed: bytes
    """32 bytes."""

    def dealt(self, deal_number: int) -> Dealt:
        """Shuffle with the deal's own seed."""
        return deal_from_seed(deal_seed(self.seed, deal_number))


@dataclass(frozen=True, slots=True)
class ListedDeals:
    """Deals given card by card, for practice and tests; the series is as long as the list."""

    deals: Sequence[Dealt]

    def dealt(self, deal_number: int) -> Dealt:
        """The deal of that number."""
        return self.deals[deal_number - 1]
