"""What a position or a spectator may know, built up from what is allowed (section 24).

Every event has one entry below. A view is made of the fields named there, never by deleting
from the whole, so a new field is hidden until somebody decides otherwise.
"""

from typing import Final, assert_never, get_args

from skat_engine.events import (
    AuctionWon,
    BidHeld,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsPutDown,
    ConcessionOffered,
    ConcessionRefused,
    ContractAnnounced,
    DealEnded,
    DefendersCompared,
    Event,
    GrandHandAccepted,
    GrandHandDeclined,
    HandChosen,
    HandDealt,
    HandExposed,
    HandsRearranged,
    Knocked,
    KontraAnswered,
    Passed,
    ProposalDeclined,
    RamschStarted,
    ReAnswered,
    ShorteningProposed,
    SkatPassedOn,
    SkatPickedUp,
    SkatTaken,
    SpitzeRevealed,
    TrickTaken,
    Unseen,
    VoteCast,
)
from skat_engine.seats import Position

Viewer = Position | None
"""Who looks: a position of the deal, or None for everybody who holds no cards (R-TAB-5)."""


def project(event: Event, viewer: Viewer) -> Event:
    """The event as this viewer may see it; `Unseen` when he may not even know of it."""
    match event:
        case CardPlayed() | TrickTaken():
            return event
        case CardsDealt(dealt, occasion):
            return HandDealt(None if viewer is None else dealt.hands[viewer], occasion)
        case HandDealt() | Unseen():
            raise AssertionError("a view is not projected again")
        case SkatTaken() | ContractAnnounced():
            return _of_the_skat(event, viewer)
        case SkatPickedUp() | CardsPutDown():
            return _of_the_exchange(event, viewer)
        case ConcessionOffered() | ConcessionRefused() | DefendersCompared() | HandsRearranged():
            return _among_defenders(event, viewer)
        case _:
            return _public(event)


def _of_the_skat(event: SkatTaken | ContractAnnounced, viewer: Viewer) -> Event:
    """The declarer sees the skat he takes and what he puts down (R-SKAT-3)."""
    own = viewer == event.declarer
    match event:
        case SkatTaken(declarer, skat):
            return SkatTaken(declarer, skat if own else None)
        case ContractAnnounced(declarer, contract, discards):
            return ContractAnnounced(declarer, contract, discards if own or contract.hand else None)
        case _:
            assert_never(event)


def _of_the_exchange(event: SkatPickedUp | CardsPutDown, viewer: Viewer) -> Event:
    """Who picks the skat of a Ramsch up sees it, and knows what he puts down (R-RAM-5)."""
    own = viewer == event.position
    match event:
        case SkatPickedUp(position, skat):
            return SkatPickedUp(position, skat if own else None)
        case CardsPutDown(position, cards):
            return CardsPutDown(position, cards if own else None)
        case _:
            assert_never(event)


def _among_defenders(
    event: ConcessionOffered | ConcessionRefused | DefendersCompared | HandsRearranged,
    viewer: Viewer,
) -> Event:
    """What the defenders say to each other; that they compare cards is public (R-END-5)."""
    defender = viewer in (event.position, event.partner)
    match event:
        case ConcessionOffered() | ConcessionRefused():
            return event if defender else Unseen()
        case DefendersCompared(position, partner, cards, others):
            shown = (cards, others) if defender else (None, None)
            return DefendersCompared(position, partner, *shown)
        case HandsRearranged(position, partner, cards, others):
            shown = (cards, others) if defender else (None, None)
            return HandsRearranged(position, partner, *shown)
        case _:
            assert_never(event)


_Public = (
    CardPlayed
    | TrickTaken
    | BidMade
    | BidHeld
    | Passed
    | AuctionWon
    | HandChosen
    | HandExposed
    | ShorteningProposed
    | VoteCast
    | ProposalDeclined
    | GrandHandDeclined
    | GrandHandAccepted
    | RamschStarted
    | SkatPassedOn
    | Knocked
    | KontraAnswered
    | ReAnswered
    | SpitzeRevealed
    | DealEnded
)


def _public(event: _Public) -> Event:
    """What everybody sees as it is; another event here is an error of the type checker."""
    return event


OPEN: Final = frozenset(get_args(_Public))
"""Events that everybody sees as they are."""
