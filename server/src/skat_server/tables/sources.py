"""Where the deals of a table come from."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from skat_engine.results import Dealt
from skat_engine.shuffling import (
    SEED_BYTES,
    board_seed,
    deal_from_seed,
    deal_seed,
    table_deal_seed,
)


@dataclass(frozen=True, slots=True)
class Dealing:
    """The cards of one deal, and where they come from."""

    dealt: Dealt = field(repr=False)
    seed: bytes | None = field(default=None, repr=False)
    """The deal's own seed, a secret until the deal is over; None for cards given as such."""
    nonces: tuple[bytes, ...] | None = field(default=None, repr=False)
    """The shares of the players in the seed, by seat; None where they have none."""


@dataclass(frozen=True, slots=True)
class FreshDeals:
    """Deals that nobody can choose: from a secret seed of the table and the players' shares."""

    table_seed: bytes = field(repr=False)
    """32 bytes that nobody could predict; a secret until the table is over."""

    def __post_init__(self) -> None:
        """Refuse a seed that could be searched (T8).

        Raises:
            ValueError: it has another length.
        """
        if len(self.table_seed) != SEED_BYTES:
            raise ValueError(f"a table's seed has {SEED_BYTES} bytes")

    def dealt(self, count: int, nonces: Sequence[bytes]) -> Dealing:
        """Shuffle with the seed of this dealing."""
        seed = table_deal_seed(self.table_seed, count, nonces)
        return Dealing(deal_from_seed(seed), seed, tuple(nonces))


@dataclass(frozen=True, slots=True)
class SeededDeals:
    """Every deal computed from one seed that was given, for practice and tests."""

    seed: bytes = field(repr=False)
    """32 bytes."""

    def dealt(self, count: int, nonces: Sequence[bytes]) -> Dealing:
        """Shuffle with the deal's own seed; the players have no share in it."""
        del nonces
        seed = deal_seed(self.seed, count)
        return Dealing(deal_from_seed(seed), seed)


@dataclass(frozen=True, slots=True)
class ListedDeals:
    """Deals given card by card, for practice and tests; the series is as long as the list.

    Void deals use up cards as well; after the last ones the list begins anew.
    """

    deals: Sequence[Dealt] = field(repr=False)

    def dealt(self, count: int, nonces: Sequence[bytes]) -> Dealing:
        """The deal of that place; the players have no share in it."""
        del nonces
        return Dealing(self.deals[(count - 1) % len(self.deals)])


@dataclass(frozen=True, slots=True)
class BoardDeals:
    """Boards of a tournament: other tables play them as well, so their seeds stay secret."""

    tournament_seed: bytes = field(repr=False)
    """32 bytes that nobody could predict; a secret until the tournament is over."""
    nonces: bytes = field(repr=False)
    """Hash of the entrants' shares."""
    first_board: int
    """Number of the first board, from 0."""

    def dealt(self, count: int, nonces: Sequence[bytes]) -> Dealing:
        """The board of that place; who sits there has no further share in it."""
        del nonces
        seed = board_seed(self.tournament_seed, self.nonces, self.first_board + count - 1)
        return Dealing(deal_from_seed(seed), seed)


DealSource = FreshDeals | SeededDeals | ListedDeals | BoardDeals
"""Gives the cards of a series, deal by deal: `dealt` is asked for the cards that are dealt for
the `count`-th time, from 1, void deals included, with the nonces of who sits there, by seat."""
