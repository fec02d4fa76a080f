"""What may be done now: the one source of legality (style: habit 4).

`legal_actions` serves the engine's own check, the options sent to players, and counting.
`skat_engine.refusals` only names the reason for an action that it does not contain.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from skat_engine.actions import (
    ACCEPT,
    ACCEPT_GRAND_HAND,
    BIDS,
    DECLINE,
    HOLD,
    KNOCK,
    PASS,
    PASS_ON,
    PICK_UP,
    PLAY_HAND,
    REJECT,
    SAY_KONTRA,
    SAY_RE,
    TAKE_SKAT,
    Action,
    Bid,
    PlayCard,
    PutDown,
    plays_of,
)
from skat_engine.announcements import DISCARDS, announcements
from skat_engine.arrangements import Arrangements
from skat_engine.bidding import BID_VALUES, bids_above
from skat_engine.cards import JACKS, CardSet, cards_in
from skat_engine.contracts import legal_cards
from skat_engine.interventions import interventions_of
from skat_engine.options import ForehandLastOption
from skat_engine.phases import Phase
from skat_engine.seats import Position
from skat_engine.state import DealState

_NOTHING: Final[tuple[Action, ...]] = ()
_ANSWERS: Final = (PASS, HOLD)
_VOTES: Final = (REJECT, ACCEPT)
_SKAT_CHOICES: Final = (TAKE_SKAT, PLAY_HAND)
_GRAND_HAND_CHOICES: Final = (DECLINE, ACCEPT_GRAND_HAND)
_EXCHANGE_CHOICES: Final = (PASS_ON, PICK_UP)
_KNOCK_CHOICES: Final = (DECLINE, KNOCK)
_KONTRA_CHOICES: Final = (DECLINE, SAY_KONTRA)
_RE_CHOICES: Final = (DECLINE, SAY_RE)

# An enum member costs more to look up than the comparison it is for, so the hot ones are bound.
_BIDDING: Final = Phase.BIDDING
_FOREHAND_OPTION: Final = Phase.FOREHAND_OPTION
_PLAY: Final = Phase.PLAY


def legal_actions(deal: DealState, position: Position) -> Sequence[Action]:
    """Everything a position may do now, the plainest first; empty when that is nothing.

    Whoever has the open decision gets its options; in play the others get their
    interventions (section 15, R-KON-3), which nobody has to use.
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


def _in_exchange(deal: DealState) -> Sequence[Action]:
    """Pass the two cards on or pick them up; once picked up, two cards to put down (R-RAM-5)."""
    if deal.skat:
        return _EXCHANGE_CHOICES
    cards = cards_in(passable(deal))
    return tuple(PutDown(pair) for pair in combinations(cards, DISCARDS))


def passable(deal: DealState) -> CardSet:
    """The cards that the position to act may put down; jacks by rule only (R-RAM-5).

    At most four of twelve cards are jacks, so two can always be found.
    """
    assert deal.to_act is not None
    held = deal.hands[deal.to_act]
    return held if deal.rules.ramsch_jacks_may_be_passed else CardSet(held & ~JACKS)


def _about_doubling(deal: DealState) -> Sequence[Action]:
    """Kontra for the defenders, Re for the declarer once Kontra was said (R-KON-1)."""
    return _RE_CHOICES if deal.doubling.kontra else _KONTRA_CHOICES


def _arrangements(deal: DealState) -> Sequence[Action]:
    decider, partner = deal.waiting
    return Arrangements(CardSet(deal.hands[decider] | deal.hands[partner]))


_OPTIONS: Final[dict[Phase, Callable[[DealState], Sequence[Action]]]] = {
    Phase.BIDDING: _in_auction,
    Phase.FOREHAND_OPTION: _in_auction,
    Phase.GRAND_HAND_OFFER: lambda _: _GRAND_HAND_CHOICES,
    Phase.RAMSCH_EXCHANGE: _in_exchange,
    Phase.KNOCKING: lambda _: _KNOCK_CHOICES,
    Phase.SKAT_DECISION: lambda _: _SKAT_CHOICES,
    Phase.ANNOUNCE: announcements,
    Phase.KONTRA: _about_doubling,
    Phase.REARRANGEMENT: _arrangements,
    Phase.SHORTENING_VOTE: lambda _: _VOTES,
}
