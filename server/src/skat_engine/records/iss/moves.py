"""The moves property: pairs of who and what, from the deal to the last card.

The reader follows only as much of the game as the notation needs: whether the skat was taken,
and whether a contract waits for its discards. Legality is asked when the record is replayed.
"""

from dataclasses import replace
from typing import Final

from skat_engine.actions import (
    HOLD,
    PASS,
    PLAY_CARDS,
    PLAY_HAND,
    TAKE_SKAT,
    Action,
    Announce,
    Bid,
)
from skat_engine.cards import DECK, RANK_LETTERS, Card, CardSet, card_set, parse_card
from skat_engine.contracts import Contract, parse_contract
from skat_engine.errors import NotationError
from skat_engine.records.moves import (
    LEAVE,
    RESIGN,
    TIME_OUT,
    HouseMove,
    Move,
    NameGame,
    ShowCards,
)
from skat_engine.results import Dealt
from skat_engine.seats import Position

WORLD: Final = "w"

_SEATS: Final = {"0": 0, "1": 1, "2": 2}
_WORDS: Final[dict[str, Action | HouseMove]] = {
    "y": HOLD,
    "p": PASS,
    "RE": RESIGN,
    "SC": ShowCards(),
}
_INTERRUPTIONS: Final[dict[str, HouseMove]] = {"TI": TIME_OUT, "LE": LEAVE}
_RANKS: Final = frozenset(RANK_LETTERS)
"""A second letter that is a rank makes a word a card; contracts never look like one."""
_BID_DIGITS: Final = 3
_HAND_SIZE: Final = 10
_SKAT_SIZE: Final = 2


def parse_moves(text: str) -> tuple[Dealt, tuple[Move, ...]]:
    """The cards as dealt and the moves that follow.

    Raises:
        NotationError: a move that cannot be read, or an unknown card.
    """
    words = text.split()
    pairs = list(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or not pairs or pairs[0][0] != WORLD:
        raise NotationError("moves are not pairs of who and what that begin with the deal")
    reader = _MoveReader(_parse_deal(pairs[0][1]))
    for who, what in pairs[1:]:
        if who == WORLD:
            reader.world_move(what)
        elif who in _SEATS:
            reader.seat_move(_SEATS[who], what)
        else:
            raise NotationError(f"{who!r} is nobody; a move is made by w, 0, 1 or 2")
    return reader.dealt, tuple(reader.moves)


def _parse_deal(text: str) -> Dealt:
    cards = _parse_cards(text.replace("|", "."))
    if len(cards) != len(DECK):
        raise NotationError(f"{len(cards)} cards dealt instead of {len(DECK)}")
    hands = [card_set(cards[first : first + _HAND_SIZE]) for first in (0, 10, 20)]
    try:
        return Dealt((hands[0], hands[1], hands[2]), card_set(cards[30:]))
    except ValueError as error:
        raise NotationError(str(error)) from None


def _parse_cards(text: str) -> tuple[Card, ...]:
    return tuple(_parse_card(name) for name in text.split("."))


def _parse_card(name: str) -> Card:
    if name == "??":
        raise NotationError("unknown card ??")
    return parse_card(name)


class _MoveReader:
    """Turns words into moves, one after the other.

    Attributes:
        dealt: the cards as dealt.
        moves: what was read so far.
        taken: the skat was picked up.
        waiting: a contract that was named without its discards.
    """

    def __init__(self, dealt: Dealt) -> None:
        """Begin after the deal."""
        self.dealt = dealt
        self.moves: list[Move] = []
        self.taken = False
        self.waiting: Contract | None = None

    def world_move(self, what: str) -> None:
        """The skat shown to the declarer, or a seat that is gone."""
        word, _, seat = what.partition(".")
        if word in _INTERRUPTIONS and seat in _SEATS:
            self.moves.append((_SEATS[seat], _INTERRUPTIONS[word]))
        elif not self.taken:
            raise NotationError(f"cannot read move {WORLD} {what}")
        elif card_set(_parse_cards(what)) != self.dealt.skat:
            raise NotationError(f"{what} is not the skat as dealt")

    def seat_move(self, seat: Position, what: str) -> None:
        """Anything that a seat can say or do."""
        if what in _WORDS:
            self.moves.append((seat, _WORDS[what]))
        elif what == "s":
            self.taken = True
            self.moves.append((seat, TAKE_SKAT))
        elif what.isascii() and what.isdigit() and len(what) <= _BID_DIGITS:
            self.moves.append((seat, Bid(int(what))))
        elif what.startswith("SC."):
            self.moves.append((seat, ShowCards(_parse_cards(what.removeprefix("SC.")))))
        elif what == "??" or what[1:2] in _RANKS:
            self._cards(seat, what)
        else:
            self._declaration(seat, what)

    def _cards(self, seat: Position, what: str) -> None:
        """A card to the trick, or the discards of a contract named before."""
        cards = _parse_cards(what)
        if self.waiting is not None:
            self._announce(seat, self.waiting, cards)
        elif len(cards) == 1:
            self.moves.append((seat, PLAY_CARDS[cards[0]]))
        else:
            raise NotationError(f"cannot read move {seat} {what}")

    def _declaration(self, seat: Position, what: str) -> None:
        name, dot, rest = what.partition(".")
        contract = parse_contract(name)
        cards = _parse_cards(rest) if dot else ()
        if not self.taken:
            self.moves.append((seat, PLAY_HAND))
            self._announce(seat, replace(contract, hand=True), cards)
        elif cards:
            self._announce(seat, contract, cards)
        else:
            self.waiting = contract
            self.moves.append((seat, NameGame(contract)))

    def _announce(self, seat: Position, contract: Contract, cards: tuple[Card, ...]) -> None:
        """A contract with its discards and, in an ouvert game, the hand laid open."""
        put_down = _SKAT_SIZE if self.taken else 0
        discards, shown = cards[:put_down], cards[put_down:]
        if shown and not (contract.ouvert and card_set(shown) == self._hand(seat, discards)):
            raise NotationError(f"{contract} is followed by cards that are not its open hand")
        self.waiting = None
        self.moves.append((seat, Announce(contract, discards)))

    def _hand(self, seat: Position, discards: tuple[Card, ...]) -> CardSet:
        """What the declarer holds after the announcement."""
        held = self.dealt.hands[seat] | (self.dealt.skat if self.taken else 0)
        return CardSet(held & ~card_set(discards))
