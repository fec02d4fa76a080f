"""What may be done now: the one source of legality (style: habit 4).

`legal_actions` serves the engine's own check, the options sent to players, and counting.
`explain` only names the reason for an action that it does not contain.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Final, overload

from skat_engine.actions import (
    ACCEPT,
    BIDS,
    GIVE_UP,
    HOLD,
    LAY_OPENS,
    PASS,
    PLAY_HAND,
    REJECT,
    TAKE_SKAT,
    Action,
    Announce,
    Bid,
    PlayCard,
    plays_of,
)
from skat_engine.bidding import BID_VALUES, bids_above
from skat_engine.cards import (
    EMPTY,
    Card,
    CardSet,
    card_set,
    card_text,
    cards_in,
)
from skat_engine.contracts import (
    HAND_CONTRACTS,
    SKAT_CONTRACTS,
    Contract,
    legal_cards,
)
from skat_engine.errors import IllegalActionError, Refusal
from skat_engine.options import (
    DeclarerGiveUp,
    DefenderGiveUp,
    ForehandLastOption,
    LayOpenRule,
)
from skat_engine.phases import KNOWN_ACTIONS, Phase
from skat_engine.seats import POSITION_NAMES, Position
from skat_engine.shortening import highest_level
from skat_engine.state import DealState
from skat_engine.valuation import is_null_below_bid, null_value

_NOTHING: Final[tuple[Action, ...]] = ()
_ANSWERS: Final = (PASS, HOLD)
_VOTES: Final = (REJECT, ACCEPT)
_SKAT_CHOICES: Final = (TAKE_SKAT, PLAY_HAND)
DISCARDS: Final = 2

# An enum member costs more to look up than the comparison it is for, so the hot ones are bound.
_BIDDING: Final = Phase.BIDDING
_FOREHAND_OPTION: Final = Phase.FOREHAND_OPTION
_PLAY: Final = Phase.PLAY
_NO_GIVE_UP: Final = DeclarerGiveUp.OFF
_NO_CONCESSION: Final = DefenderGiveUp.OFF
_NO_CLAIM: Final = LayOpenRule.OFF


_PAIRS: Final = {12: tuple(combinations(range(12), DISCARDS)), 0: ((),)}
"""By the number of cards in the hand: the places of the discards in it."""


class Announcements(Sequence[Action]):
    """Every announcement of a declarer: contracts times pairs of discards, made on demand.

    After taking the skat there are up to 462 of them, so they are counted and tested without
    being built.

    Attributes:
        contracts: the games that may be announced.
        hand: the cards to discard from; empty in a Hand game.
    """

    __slots__ = ("contracts", "hand")

    def __init__(self, contracts: tuple[Contract, ...], hand: CardSet) -> None:
        """Combine these contracts with every pair of this hand."""
        self.contracts = contracts
        self.hand = hand

    def __len__(self) -> int:
        """Number of announcements."""
        return len(self.contracts) * len(_PAIRS[self.hand.bit_count()])

    def __contains__(self, action: object) -> bool:
        """Whether this announcement is one of them."""
        if not isinstance(action, Announce) or action.contract not in self.contracts:
            return False
        if not self.hand:
            return not action.discards
        put_down = card_set(action.discards)
        two = len(action.discards) == DISCARDS and put_down.bit_count() == DISCARDS
        return two and put_down & ~self.hand == 0

    def __iter__(self) -> Iterator[Action]:
        """All announcements, contract by contract."""
        pairs = tuple(combinations(cards_in(self.hand), DISCARDS)) if self.hand else ((),)
        for contract in self.contracts:
            for discards in pairs:
                yield Announce(contract, discards)

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        """The announcement at this place in the order of iteration."""
        if isinstance(index, slice):
            return tuple(self[place] for place in range(len(self))[index])
        cards = cards_in(self.hand)
        pairs = _PAIRS[len(cards)]
        which, pair = divmod(range(len(self))[index], len(pairs))
        return Announce(self.contracts[which], tuple(cards[place] for place in pairs[pair]))


def legal_actions(deal: DealState, position: Position) -> Sequence[Action]:
    """Everything a position may do now, the plainest first; empty when that is nothing.

    Whoever has the open decision gets its options; in play the others get their
    interventions (section 15), which nobody has to use.
    """
    if deal.phase is _PLAY:
        interventions = interventions_of(deal, position)
        if position != deal.to_act:
            return interventions
        return plays_of(playable(deal)) + interventions
    if position != deal.to_act:
        return _NOTHING
    return _OPTIONS[deal.phase](deal)


def is_legal(deal: DealState, position: Position, action: Action) -> bool:
    """Whether `legal_actions` contains this action, without building all of them."""
    if type(action) is PlayCard:
        if deal.phase is not _PLAY or position != deal.to_act:
            return False
        return playable(deal) >> action.card & 1 == 1
    if type(action) is Bid:
        return position == deal.to_act and action.value in open_bids(deal)
    return action in legal_actions(deal, position)


def playable(deal: DealState) -> CardSet:
    """The cards that the position to act may play (R-PLAY-2)."""
    order, table, to_act = deal.order, deal.table, deal.to_act
    assert order is not None
    assert to_act is not None
    return legal_cards(deal.hands[to_act], table[0] if table else None, order)


def open_bids(deal: DealState) -> tuple[int, ...]:
    """The numbers that the position to act may name (R-BID-1, R-BID-2, R-BID-4)."""
    if deal.phase is _FOREHAND_OPTION:
        return _FOREHAND_BIDS[deal.rules.forehand_last_option]
    auction = deal.auction
    if deal.phase is not _BIDDING or auction.offer:
        return ()
    higher = bids_above(auction.high)
    return higher if deal.rules.jump_bids else higher[:1]


_FOREHAND_BIDS: Final = {
    ForehandLastOption.EIGHTEEN: BID_VALUES[:1],
    ForehandLastOption.EIGHTEEN_OR_MORE: BID_VALUES,
}


def _in_auction(deal: DealState) -> Sequence[Action]:
    return _ANSWERS if deal.auction.offer else _pass_or_bid(open_bids(deal))


@cache
def _pass_or_bid(values: tuple[int, ...]) -> tuple[Action, ...]:
    return (PASS, *(BIDS[value] for value in values))


def announcements(deal: DealState) -> Announcements:
    """The announcements open to the declarer (sections 6 and 7)."""
    assert deal.declarer is not None
    if deal.skat:
        return Announcements(_open_contracts(deal.bid, hand=True), EMPTY)
    return Announcements(_open_contracts(deal.bid, hand=False), deal.hands[deal.declarer])


@cache
def _open_contracts(bid: int, *, hand: bool) -> tuple[Contract, ...]:
    """The contracts of Hand games, or of the others, without Null below the bid (R-ANN-6)."""
    contracts = HAND_CONTRACTS if hand else SKAT_CONTRACTS
    return tuple(contract for contract in contracts if not is_null_below_bid(contract, bid))


_OPTIONS: Final[dict[Phase, Callable[[DealState], Sequence[Action]]]] = {
    Phase.BIDDING: _in_auction,
    Phase.FOREHAND_OPTION: _in_auction,
    Phase.SKAT_DECISION: lambda _: _SKAT_CHOICES,
    Phase.ANNOUNCE: announcements,
    Phase.SHORTENING_VOTE: lambda _: _VOTES,
}


_INTERVENTIONS: Final = tuple(
    tuple((GIVE_UP,) * give_up + LAY_OPENS[:claims] for claims in range(len(LAY_OPENS) + 1))
    for give_up in (False, True)
)
"""By whether giving up is open and by the number of levels that may be claimed."""


def interventions_of(deal: DealState, position: Position) -> tuple[Action, ...]:
    """What a position may propose at any time during play (section 15)."""
    rules = deal.rules
    may_ask = deal.asked_at[position] != len(deal.tricks)
    if position != deal.declarer:
        return _INTERVENTIONS[may_ask and rules.defender_give_up is not _NO_CONCESSION][0]
    give_up = may_ask and rules.declarer_give_up is not _NO_GIVE_UP
    return _INTERVENTIONS[give_up][_claims(deal, position)]


def _claims(deal: DealState, declarer: Position) -> int:
    """The number of levels that the declarer may lay open for (R-END-7)."""
    if deal.claimed or deal.rules.lay_open is _NO_CLAIM:
        return 0
    assert deal.contract is not None
    points = sum(deal.points) - deal.points[declarer]
    tricks = len(deal.tricks) - deal.tricks_won[declarer]
    return highest_level(deal.contract, points, tricks) + 1


def explain(deal: DealState, position: Position, action: Action) -> IllegalActionError:
    """The reason why an action is not among the legal ones (R-BID-6, R-PLAY-4)."""
    if deal.phase is Phase.DEAL_OVER:
        return IllegalActionError(Refusal.DEAL_OVER, "the deal is over")
    if type(action) not in KNOWN_ACTIONS[deal.phase]:
        return IllegalActionError(
            Refusal.WRONG_PHASE, f"{action} is not possible in phase {deal.phase.value}"
        )
    if isinstance(action, PlayCard | Bid | Announce) and position != deal.to_act:
        return _not_your_turn(deal)
    match action:
        case PlayCard(card):
            return _explain_card(deal, position, card)
        case Announce():
            return _explain_announcement(deal, action)
        case Bid(value):
            return _explain_bid(deal, value)
        case _:
            return _explain_other(deal, position, action)


def _not_your_turn(deal: DealState) -> IllegalActionError:
    assert deal.to_act is not None
    who = POSITION_NAMES[deal.to_act]
    return IllegalActionError(Refusal.NOT_YOUR_TURN, f"{who} is to act; wait for your decision")


def _explain_other(deal: DealState, position: Position, action: Action) -> IllegalActionError:
    if deal.phase is Phase.PLAY:
        return IllegalActionError(Refusal.NOT_OFFERED, f"{action} is not open to you now")
    if position != deal.to_act:
        return _not_your_turn(deal)
    return IllegalActionError(Refusal.ILLEGAL_BID, "there is no number to hold")


def _explain_bid(deal: DealState, value: int) -> IllegalActionError:
    options = [str(bid) for bid in legal_actions(deal, deal.to_act or 0) if isinstance(bid, Bid)]
    offered = f"bid one of {', '.join(options[:5])} …" if options else "hold or pass"
    return IllegalActionError(Refusal.ILLEGAL_BID, f"{value} cannot be bid now; {offered}")


def _explain_card(deal: DealState, position: Position, card: Card) -> IllegalActionError:
    text = card_text(card)
    if not deal.hands[position] >> card & 1:
        return IllegalActionError(Refusal.CARD_NOT_HELD, f"{text} is not in your hand")
    led = card_text(deal.table[0])
    return IllegalActionError(
        Refusal.MUST_FOLLOW, f"{text} does not follow {led}, and you hold cards that do"
    )


def _explain_announcement(deal: DealState, action: Announce) -> IllegalActionError:
    options = announcements(deal)
    contract = action.contract
    if is_null_below_bid(contract, deal.bid):
        return IllegalActionError(
            Refusal.NULL_BELOW_BID,
            f"{contract} is worth {null_value(contract)}, below the bid of {deal.bid}",
        )
    if contract not in options.contracts:
        taken = "after taking the skat" if options.hand else "in a Hand game"
        return IllegalActionError(
            Refusal.CONTRADICTORY_ANNOUNCEMENT, f"{contract} cannot be announced {taken}"
        )
    if not options.hand:
        return IllegalActionError(Refusal.BAD_DISCARD, "a Hand game has no discards")
    foreign = [card for card in action.discards if not options.hand >> card & 1]
    if foreign:
        text = card_text(foreign[0])
        return IllegalActionError(Refusal.CARD_NOT_HELD, f"{text} is not in your hand")
    return IllegalActionError(Refusal.BAD_DISCARD, "discard exactly two different cards")
