"""What a declarer may announce: games by rules, bid and hand, and the cards to put down."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Final, overload

from skat_engine.actions import Action, Announce
from skat_engine.cards import EMPTY, JACKS, CardSet, card_set, cards_in
from skat_engine.contracts import (
    HAND_CONTRACTS,
    SKAT_CONTRACTS,
    TRUMP_KINDS,
    Contract,
    ContractKind,
    Level,
    order_of,
    spitze_card,
)
from skat_engine.options import (
    MatadorLimit,
    NullUnderbid,
    Permission,
    Switch,
    UnreachableDeclaration,
)
from skat_engine.ruleset import RuleSet
from skat_engine.state import DealState
from skat_engine.valuation import Standing, is_null_below_bid, matadors, raw_value

DISCARDS: Final = 2

_PLACES: Final = {12: tuple(combinations(range(12), DISCARDS)), 0: ((),)}
"""By the number of cards in the hand: the places of the discards in it."""

_SPITZE_PLACES: Final = {12: tuple(combinations(range(11), DISCARDS)), 0: ((),)}
"""The same where one of the cards is kept for Spitze."""

# An enum member costs more to look up than the comparison it is for.
_REJECT_NULL: Final = NullUnderbid.REJECT
_SPITZE_PLAYED: Final = Switch.ON
_UNREACHABLE_ALLOWED: Final = UnreachableDeclaration.ALLOW


class Announcements(Sequence[Action]):
    """Every announcement of a declarer: contracts times pairs of discards, made on demand.

    After taking the skat there are hundreds of them, so they are counted and tested without
    being built. The card of an announced Spitze is not put down (R-SPI-3).

    Attributes:
        plain: the games that may be announced without Spitze.
        spitze: those with Spitze.
        hand: the cards to discard from; empty in a Hand game.
    """

    __slots__ = ("hand", "plain", "spitze")

    def __init__(
        self, plain: tuple[Contract, ...], hand: CardSet, spitze: tuple[Contract, ...] = ()
    ) -> None:
        """Combine these contracts with every pair of this hand."""
        self.plain = plain
        self.spitze = spitze
        self.hand = hand

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """All games that may be announced, the plain ones first."""
        return self.plain + self.spitze

    def __len__(self) -> int:
        """Number of announcements."""
        held = self.hand.bit_count()
        plain = len(self.plain) * len(_PLACES[held])
        return plain + len(self.spitze) * len(_SPITZE_PLACES[held])

    def __contains__(self, action: object) -> bool:
        """Whether this announcement is one of them."""
        if not isinstance(action, Announce) or action.contract not in self.contracts:
            return False
        if not self.hand:
            return not action.discards
        put_down = card_set(action.discards)
        two = len(action.discards) == DISCARDS and put_down.bit_count() == DISCARDS
        return two and put_down & ~self.discardable(action.contract) == 0

    def __iter__(self) -> Iterator[Action]:
        """All announcements, contract by contract."""
        held = self.hand.bit_count()
        for contract in self.contracts:
            for places in (_SPITZE_PLACES if contract.spitze else _PLACES)[held]:
                yield self._announce(contract, places)

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        """The announcement at this place in the order of iteration."""
        if isinstance(index, slice):
            return tuple(self[place] for place in range(len(self))[index])
        place, held = range(len(self))[index], self.hand.bit_count()
        contracts, pairs = self.plain, _PLACES[held]
        if place >= len(contracts) * len(pairs):
            place -= len(contracts) * len(pairs)
            contracts, pairs = self.spitze, _SPITZE_PLACES[held]
        which, pair = divmod(place, len(pairs))
        return self._announce(contracts[which], pairs[pair])

    def discardable(self, contract: Contract) -> CardSet:
        """The cards that may be put down with this contract."""
        if not contract.spitze:
            return self.hand
        return CardSet(self.hand & ~(1 << spitze_card(contract.kind)))

    def _announce(self, contract: Contract, places: tuple[int, ...]) -> Action:
        cards = cards_in(self.discardable(contract))
        return Announce(contract, tuple(cards[place] for place in places))


def announcements(deal: DealState) -> Announcements:
    """The announcements open to the declarer (sections 6 and 7)."""
    assert deal.declarer is not None
    held = deal.hands[deal.declarer]
    plain, spitze = _open_contracts(deal.rules, deal.bid, held, instead=deal.replaces_ramsch)
    return Announcements(plain, EMPTY if deal.skat else held, spitze)


def open_contracts(
    rules: RuleSet, bid: int, held: CardSet, *, instead: bool = False
) -> tuple[Contract, ...]:
    """The contracts that may be announced, the plainest first.

    Where trump games that cannot reach the bid are refused and nothing at all can reach it,
    all of them are open again: something must be announced (R-ANN-7). Whether a Null below
    the bid is open is another option's business (R-ANN-6).

    Args:
        rules: what exists at all is read from here.
        bid: the number to reach.
        held: twelve cards after taking the skat, ten in a Hand game.
        instead: a Grand Hand instead of a Ramsch (R-RAM-12).
    """
    plain, spitze = _open_contracts(rules, bid, held, instead=instead)
    return plain + spitze


def _open_contracts(
    rules: RuleSet, bid: int, held: CardSet, *, instead: bool
) -> tuple[tuple[Contract, ...], tuple[Contract, ...]]:
    """The open contracts without Spitze and those with it."""
    hand = held.bit_count() == _HAND_CARDS
    null_may_lose = rules.null_underbid is not _REJECT_NULL
    plain = _GRAND_HANDS if instead else _by_bid(bid, hand, null_may_lose, rules.revolution)
    spitze: tuple[Contract, ...] = ()
    if rules.spitze is _SPITZE_PLAYED:
        spitze = tuple(_SPITZE[c] for c in plain if has_spitze(c.kind, held, rules))
    if rules.unreachable_declaration is _UNREACHABLE_ALLOWED:
        return plain, spitze
    fitting = {c for c in plain + spitze if can_reach(c, bid, held, rules)}
    if not fitting:
        return plain, spitze
    return (
        tuple(c for c in plain if c in fitting or c.is_null),
        tuple(c for c in spitze if c in fitting),
    )


_HAND_CARDS: Final = 10
_GRAND_HANDS: Final = tuple(c for c in HAND_CONTRACTS if c.kind is ContractKind.GRAND)
_SPITZE: Final = {
    contract: Contract(
        contract.kind, contract.hand, contract.announced, contract.ouvert, spitze=True
    )
    for contract in SKAT_CONTRACTS + HAND_CONTRACTS
    if not contract.is_null
}
_REVOLUTIONS: Final = {
    hand: Contract(ContractKind.NULL, hand=hand, ouvert=True, revolution=True)
    for hand in (False, True)
}


@cache
def _by_bid(
    bid: int,
    hand: bool,  # a cache takes no keywords cheaply
    null_may_lose: bool,
    revolution: bool,
) -> tuple[Contract, ...]:
    """The contracts without Spitze, and without Null below the bid unless it may lose (R-ANN-6)."""
    contracts = HAND_CONTRACTS if hand else SKAT_CONTRACTS
    if revolution:
        contracts += (_REVOLUTIONS[hand],)
    return tuple(c for c in contracts if null_may_lose or not is_null_below_bid(c, bid))


def has_spitze(kind: ContractKind, held: CardSet, rules: RuleSet) -> bool:
    """Whether Spitze may be announced: the card is held, in trump games only (R-SPI-3)."""
    if kind not in TRUMP_KINDS or not held >> spitze_card(kind) & 1:
        return False
    all_jacks = kind is ContractKind.GRAND and held & JACKS == JACKS
    return not all_jacks or rules.grand_spitze_with_four_jacks is Permission.ALLOW


def can_reach(contract: Contract, bid: int, held: CardSet, rules: RuleSet) -> bool:
    """Whether the contract is worth the bid if everything goes well (R-ANN-7).

    Everything includes the two unseen cards of a Hand game, so that the answer does not tell
    the declarer what lies in the skat.
    """
    unseen = _ALL_OWN_CARDS - held.bit_count()
    limit = rules.matador_limit
    most = 0 if contract.is_null else _most_matadors(contract.kind, held, unseen, limit)
    best = Standing(contract, bid, most, 0, 0, 0, 0)
    return raw_value(best, Level.SCHWARZ, rules) >= bid


_ALL_OWN_CARDS: Final = 12


def _most_matadors(kind: ContractKind, held: CardSet, unseen: int, limit: MatadorLimit) -> int:
    """The largest number of matadors that these cards and some unseen ones can give."""
    missing = [card for card in order_of(kind).trumps_from_top if not held >> card & 1]
    best_skat = card_set(missing[:unseen])
    return max(abs(matadors(kind, own, limit)) for own in (held, CardSet(held | best_skat)))
