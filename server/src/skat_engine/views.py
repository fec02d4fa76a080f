"""What a position or a spectator may know, built up from what is allowed (section 24).

Every event has one entry below. A view is made of the fields named there, never by deleting
from the whole, so a new field is hidden until somebody decides otherwise.
"""

from typing import assert_never

from skat_engine.events import (
    AuctionWon,
    BidHeld,
    BidMade,
    CardPlayed,
    CardsDealt,
    ContractAnnounced,
    DealEnded,
    Event,
    HandChosen,
    HandDealt,
    HandExposed,
    Passed,
    ProposalDeclined,
    ShorteningProposed,
    SkatTaken,
    TrickTaken,
    VoteCast,
)
from skat_engine.seats import Position

Viewer = Position | None
"""Who looks: a position of the deal, or None for everybody who holds no cards (R-TAB-5)."""


def project(event: Event, viewer: Viewer) -> Event:
    """The event as this viewer may see it."""
    match event:
        case CardPlayed() | TrickTaken():
            return event
        case CardsDealt(dealt):
            return HandDealt(None if viewer is None else dealt.hands[viewer])
        case HandDealt():
            raise AssertionError("a view is not projected again")
        case SkatTaken(declarer, skat):
            return SkatTaken(declarer, skat if viewer == declarer else None)
        case ContractAnnounced(declarer, contract, discards):
            own = viewer == declarer or contract.hand
            return ContractAnnounced(declarer, contract, discards if own else None)
        case (
            BidMade()
            | BidHeld()
            | Passed()
            | AuctionWon()
            | HandChosen()
            | HandExposed()
            | ShorteningProposed()
            | VoteCast()
            | ProposalDeclined()
            | DealEnded()
        ):
            return event
        case _:
            assert_never(event)
