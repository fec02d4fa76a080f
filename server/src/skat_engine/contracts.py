"""What can be played: kinds of game, announced contracts, and how cards rank under each."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from itertools import product
from typing import Final

from skat_engine.cards import (
    DECK,
    EMPTY,
    JACKS,
    Card,
    CardSet,
    Rank,
    card_set,
    rank_of,
    suit_of,
)
from skat_engine.errors import IllegalActionError, NotationError, Refusal


class ContractKind(IntEnum):
    """The kinds of declarer games (R-ANN-1); the suits carry the number of their suit."""

    DIAMONDS = 0
    HEARTS = 1
    SPADES = 2
    CLUBS = 3
    GRAND = 4
    NULL = 5


class Level(IntEnum):
    """How far one side beats the other: simple, Schneider, Schwarz (R-VAL-2, R-VAL-3)."""

    SIMPLE = 0
    SCHNEIDER = 1
    SCHWARZ = 2


KIND_LETTERS: Final = "DHSCGN"

_KNOWN_TEXTS: Final = 256
"""Texts of contracts that are kept; there are fewer that anybody writes."""

_NULL: Final = ContractKind.NULL  # bound, because looking up an enum member is slow


@dataclass(frozen=True, slots=True)
class Contract:
    """An announced game; implied flags are always set (R-ANN-2 to R-ANN-5).

    Make one with `new_contract`, which adds what is implied and refuses contradictions.
    """

    kind: ContractKind
    hand: bool = False
    """Played without taking the skat."""
    announced: Level = Level.SIMPLE
    """The announced level; Schwarz includes Schneider."""
    ouvert: bool = False
    """Played with open cards."""
    spitze: bool = False
    """The lowest trump is announced to win the tenth trick (R-SPI-1)."""
    revolution: bool = False
    """A Null ouvert against defenders who may rearrange their cards (section 21)."""

    @property
    def is_null(self) -> bool:
        """Whether this is one of the four Null games."""
        return self.kind is _NULL

    def __str__(self) -> str:
        """Kind letter and flags ``H S Z O P R``: ``C``, ``GHSZO``, ``NO``, ``HP``, ``NOR``."""
        flags = ("H" * self.hand) + ("S", "SZ")[self.announced - 1] * bool(self.announced)
        extras = "O" * self.ouvert + "P" * self.spitze + "R" * self.revolution
        return KIND_LETTERS[self.kind] + flags + extras


def new_contract(  # noqa: PLR0913  # one keyword for each flag
    kind: ContractKind,
    *,
    hand: bool = False,
    announced: Level = Level.SIMPLE,
    ouvert: bool = False,
    spitze: bool = False,
    revolution: bool = False,
) -> Contract:
    """The contract with every implied flag set (R-ANN-5); Revolution is played ouvert.

    Raises:
        IllegalActionError: a level or Spitze in Null, Revolution elsewhere, or a level or
            suit/grand ouvert after taking the skat (R-ANN-2 to R-ANN-4, R-SPI-1).
    """
    if kind is ContractKind.NULL:
        if announced or spitze:
            raise _contradiction("Null knows no Schneider, Schwarz or Spitze (R-ANN-4, R-SPI-1)")
        return Contract(kind, hand=hand, ouvert=ouvert or revolution, revolution=revolution)
    if revolution:
        raise _contradiction("Revolution is a Null ouvert (section 21)")
    if (announced or ouvert) and not hand:
        raise _contradiction("levels and ouvert in suit games and Grand need Hand (R-ANN-2)")
    return Contract(kind, hand, Level.SCHWARZ if ouvert else announced, ouvert, spitze)


def _contradiction(message: str) -> IllegalActionError:
    return IllegalActionError(Refusal.CONTRADICTORY_ANNOUNCEMENT, message)


@lru_cache(maxsize=_KNOWN_TEXTS)
def parse_contract(text: str) -> Contract:
    """Read a kind letter and any of ``H S Z O P R`` in any order; implied flags may be left out.

    Raises:
        NotationError: unknown or repeated letters, or flags that contradict one another.
    """
    kind_letter, flags = text[:1], text[1:]
    if not kind_letter or kind_letter not in KIND_LETTERS:
        raise NotationError(f"{text!r} is not a contract; it begins with one of G C S H D N")
    if set(flags) - set("HSZOPR") or len(set(flags)) != len(flags):
        raise NotationError(f"{text!r}: after the kind only H S Z O P R may follow, each once")
    kind = ContractKind(KIND_LETTERS.index(kind_letter))
    announced = Level.SCHWARZ if "Z" in flags else Level.SCHNEIDER if "S" in flags else Level.SIMPLE
    ouvert = "O" in flags
    implied_hand = kind is not ContractKind.NULL and (ouvert or announced > Level.SIMPLE)
    hand = "H" in flags or implied_hand
    try:
        return new_contract(
            kind,
            hand=hand,
            announced=announced,
            ouvert=ouvert,
            spitze="P" in flags,
            revolution="R" in flags,
        )
    except IllegalActionError as error:
        raise NotationError(f"{text!r}: {error}") from error


TRUMP_KINDS: Final = tuple(kind for kind in ContractKind if kind is not ContractKind.NULL)

SKAT_CONTRACTS: Final[tuple[Contract, ...]] = (
    *(new_contract(kind) for kind in ContractKind),
    new_contract(ContractKind.NULL, ouvert=True),
)
"""The seven contracts that may follow taking the skat."""

HAND_CONTRACTS: Final[tuple[Contract, ...]] = (
    *(new_contract(kind, hand=True) for kind in ContractKind),
    new_contract(ContractKind.NULL, hand=True, ouvert=True),
    *(
        new_contract(kind, hand=True, announced=level)
        for level, kind in product((Level.SCHNEIDER, Level.SCHWARZ), TRUMP_KINDS)
    ),
    *(new_contract(kind, hand=True, ouvert=True) for kind in TRUMP_KINDS),
)
"""The 22 contracts of Hand games."""


def spitze_card(kind: ContractKind) -> Card:
    """The lowest trump of a suit game or Grand: what Spitze is announced with (R-SPI-1)."""
    return order_of(kind).trumps_from_top[-1]


@dataclass(frozen=True, slots=True)
class CardOrder:
    """How cards follow and beat one another under one kind of game.

    Made once per kind; `order_of` returns the shared tables.
    """

    trumps: CardSet
    trumps_from_top: tuple[Card, ...]
    """The trumps, highest first: the list that matadors are counted on (R-MAT-1)."""
    follow: tuple[CardSet, ...]
    """Per led card the cards of the same effective suit (R-PLAY-2)."""
    strength: tuple[tuple[int, ...], ...]
    """Per led card, per card: its strength in the trick, 0 when it cannot win (R-PLAY-3)."""


_NULL_RANKS: Final = tuple("789TJQKA".index(letter) for letter in "789QKTAJ")


@cache
def order_of(kind: ContractKind) -> CardOrder:
    """The ranking tables of a kind of game (R-CARD-3 to R-CARD-5)."""
    if kind is ContractKind.NULL:
        return _order(EMPTY, lambda card: _NULL_RANKS[card >> 2])
    if kind is ContractKind.GRAND:
        return _order(JACKS, _trump_game_rank)
    plain = (card for card in DECK if card & 3 == int(kind))
    return _order(CardSet(JACKS | card_set(plain)), _trump_game_rank)


def order_of_ramsch() -> CardOrder:
    """The ranking tables of Ramsch: those of Grand (R-CARD-4, R-RAM-1)."""
    return order_of(ContractKind.GRAND)


def _trump_game_rank(card: Card) -> int:
    """Rank within the effective suit; the jacks rank by suit above all others."""
    jack = rank_of(card) is Rank.JACK
    return Rank.JACK + suit_of(card) if jack else int(rank_of(card))


def _order(trumps: CardSet, rank: Callable[[Card], int]) -> CardOrder:
    def effective_suit(card: Card) -> int:
        return 4 if trumps >> card & 1 else card & 3

    def strength(led: Card, card: Card) -> int:
        if trumps >> card & 1:
            return 100 + rank(card)
        return 1 + rank(card) if effective_suit(card) == effective_suit(led) else 0

    return CardOrder(
        trumps,
        tuple(sorted((c for c in DECK if trumps >> c & 1), key=rank, reverse=True)),
        tuple(
            card_set(c for c in DECK if effective_suit(c) == effective_suit(led)) for led in DECK
        ),
        tuple(tuple(strength(led, card) for card in DECK) for led in DECK),
    )


def legal_cards(hand: CardSet, led: Card | None, order: CardOrder) -> CardSet:
    """The cards of a hand that may be played (R-PLAY-2).

    Args:
        hand: the cards held.
        led: the first card of the trick, None when leading.
        order: the ranking tables of the game played.
    """
    if led is None:
        return hand
    return CardSet(hand & order.follow[led]) or hand
