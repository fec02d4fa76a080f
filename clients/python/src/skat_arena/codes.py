"""Every action of every rule system as a few small numbers.

An announcement is a contract and two cards out of twelve, which together are far too many for
one number each. So actions that name cards are spelt: first the contract, then card after card,
each a decision of its own that nobody else sees. All other actions are one number.

| numbers | mean |
|---|---|
| 0 to 31 | a card: to play, to put down, or, for the defenders of a Revolution, to keep |
| 32 to 94 | a bid, 18 to 264 |
| then | the words of `WORDS`, laying open at one of three levels, and the contracts |
"""

from collections.abc import Iterable, Sequence
from typing import Final

from skat_engine import (
    BID_VALUES,
    DECK,
    HAND_CONTRACTS,
    SKAT_CONTRACTS,
    AcceptGrandHand,
    Action,
    Announce,
    Announcements,
    Arrangements,
    Bid,
    Card,
    CardSet,
    Contract,
    ContractKind,
    Decline,
    GiveUp,
    Hold,
    Knock,
    LayOpen,
    Level,
    Pass,
    PassOn,
    PickUp,
    PlayCard,
    PlayHand,
    PutDown,
    Rearrange,
    SayKontra,
    SayRe,
    TakeSkat,
    Vote,
    card_set,
    card_text,
    cards_in,
)

WORDS: Final[tuple[Action, ...]] = (
    Hold(),
    Pass(),
    TakeSkat(),
    PlayHand(),
    Decline(),
    AcceptGrandHand(),
    PickUp(),
    PassOn(),
    Knock(),
    SayKontra(),
    SayRe(),
    GiveUp(),
    Vote(accept=False),
    Vote(accept=True),
    *(LayOpen(level) for level in Level),
)
"""Actions that say everything by themselves."""

CONTRACTS: Final[tuple[Contract, ...]] = (
    *SKAT_CONTRACTS,
    *HAND_CONTRACTS,
    *(
        Contract(plain.kind, plain.hand, plain.announced, plain.ouvert, spitze=True)
        for plain in SKAT_CONTRACTS + HAND_CONTRACTS
        if not plain.is_null
    ),
    *(
        Contract(ContractKind.NULL, hand=hand, ouvert=True, revolution=True)
        for hand in (False, True)
    ),
)
"""Everything that any rule system lets a declarer announce."""

_SINGLE: Final[tuple[Action, ...]] = (
    *(PlayCard(card) for card in DECK),
    *(Bid(value) for value in BID_VALUES),
    *WORDS,
)
_CODES: Final = {action: code for code, action in enumerate(_SINGLE)}
_FIRST_CONTRACT: Final = len(_SINGLE)
_CONTRACT_CODES: Final = {
    contract: _FIRST_CONTRACT + place for place, contract in enumerate(CONTRACTS)
}
ACTION_COUNT: Final = _FIRST_CONTRACT + len(CONTRACTS)
"""Numbers in use: 0 up to, not including, this one."""

_PUT_DOWN: Final = 2
_KEPT: Final = 10


def action_code_names() -> tuple[str, ...]:
    """What every number means, in the notation of records.

    >>> names = action_code_names()
    >>> names[0], names[31], names[32], names[95], names[112]
    ('D7', 'CJ', '18', 'hold', 'announce D')
    """
    cards = [card_text(card) for card in DECK]
    rest = [str(action) for action in _SINGLE[len(cards) :]]
    return (*cards, *rest, *(f"announce {contract}" for contract in CONTRACTS))


def codes_text(codes: Iterable[int]) -> str:
    """Numbers in rising order with what they mean, for those who have mixed them up.

    >>> codes_text([96, 32])
    '32 (18), 96 (pass)'
    """
    names = dict(enumerate(action_code_names()))
    return ", ".join(f"{code} ({names.get(code, 'nothing')})" for code in sorted(codes))


class Speller:
    """Spells the actions of one decision after the other.

    >>> from skat_engine import Deal, deal_from_seed, preset
    >>> deal, speller = Deal(preset("isko"), deal_from_seed(bytes(32))), Speller()
    >>> speller.codes(deal.legal(1))[:3]  # pass, 18, 20
    (96, 32, 33)
    >>> speller.spell(deal.legal(1), 32)
    Bid(value=18)

    Attributes:
        contract: the contract that is being announced; None for none.
        cards: the cards named so far.
    """

    __slots__ = ("cards", "contract")

    def __init__(self) -> None:
        """Begin with nothing spelt."""
        self.contract: Contract | None = None
        self.cards = CardSet(0)

    @property
    def is_spelling(self) -> bool:
        """Whether an action has been begun, so that the same seat goes on."""
        return self.contract is not None or self.cards != 0

    def codes(self, legal: Sequence[Action]) -> tuple[int, ...]:
        """The numbers that may come next, in no order.

        Args:
            legal: what may be done, as the engine says it.
        """
        if isinstance(legal, Announcements):
            if self.contract is None:
                return tuple(_CONTRACT_CODES[contract] for contract in legal.contracts)
            return self._rest_of(legal.discardable(self.contract))
        if isinstance(legal, Arrangements):
            kept = self._rest_of(legal.cards)
            return kept if self.cards else (*kept, _CODES[Decline()])
        if type(legal[0]) is PutDown:
            return self._rest_of(_named(legal))
        # To hash an action costs more than to look at its type, and most of them are cards.
        return tuple(
            [action.card if type(action) is PlayCard else _CODES[action] for action in legal]
        )

    def spell(self, legal: Sequence[Action], code: int) -> Action | None:
        """Take the next number; the action once it is complete, None while it is not.

        Args:
            legal: what may be done, as the engine says it.
            code: one of `codes`.

        Raises:
            ValueError: it is none of them.
        """
        codes = self.codes(legal)
        if code not in codes:
            wrong, right = codes_text([code]), codes_text(codes)
            raise ValueError(f"action {wrong} is not legal now; take one of {right}")
        if code >= _FIRST_CONTRACT:
            assert isinstance(legal, Announcements)
            contract = CONTRACTS[code - _FIRST_CONTRACT]
            if not legal.hand:
                return Announce(contract)
            self.contract = contract
            return None
        if self._names_cards(legal) and code < len(DECK):
            return self._with_card(legal, Card(code))
        return _SINGLE[code]

    def _names_cards(self, legal: Sequence[Action]) -> bool:
        return isinstance(legal, Announcements | Arrangements) or type(legal[0]) is PutDown

    def _with_card(self, legal: Sequence[Action], card: Card) -> Action | None:
        self.cards = CardSet(self.cards | 1 << card)
        wanted = _KEPT if isinstance(legal, Arrangements) else _PUT_DOWN
        if self.cards.bit_count() < wanted:
            return None
        cards, contract = self.cards, self.contract
        self.cards, self.contract = CardSet(0), None
        if isinstance(legal, Arrangements):
            return Rearrange(cards)
        named = cards_in(cards)
        return PutDown(named) if contract is None else Announce(contract, named)

    def _rest_of(self, cards: CardSet) -> tuple[int, ...]:
        return cards_in(CardSet(cards & ~self.cards))


def _named(legal: Iterable[Action]) -> CardSet:
    """All cards that any of these actions puts down."""
    return card_set(
        card for action in legal if isinstance(action, PutDown) for card in action.cards
    )
