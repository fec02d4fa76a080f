"""A fact of every kind."""

from __future__ import annotations

from skat_engine import (
    DECK,
    AuctionWon,
    BidHeld,
    BidMade,
    CardPlayed,
    CardsPutDown,
    ConcessionOffered,
    ConcessionRefused,
    ContractAnnounced,
    DefendersCompared,
    GrandHandAccepted,
    GrandHandDeclined,
    HandChosen,
    HandExposed,
    HandsRearranged,
    Knocked,
    KontraAnswered,
    Level,
    Occasion,
    Passed,
    ProposalDeclined,
    ProposalKind,
    RamschStarted,
    ReAnswered,
    ShorteningProposed,
    SkatPassedOn,
    SkatPickedUp,
    SkatTaken,
    SpitzeRevealed,
    Trick,
    TrickTaken,
    VoteCast,
    parse_cards,
    parse_contract,
)
from skat_server.tables import facts
from skat_server.tables.facts import Fact
from skat_server.tables.faults import FaultCause
from tests.builders import hand
from tests.server.playing import MIXED

TRICK = Trick(0, (DECK[0], DECK[4], DECK[8]), 0, 0)
SKAT = parse_cards("H8 D7")
BOCK = Occasion(bock=True)

OPEN: list[Fact] = [
    facts.SeatTaken(1, "ben"),
    facts.SeatLeft(2),
    facts.EndRequested(1),
    facts.EndRequested(None),
    facts.SeriesEnded((1, 2, 3), (3, 2, 1)),
    facts.TableClosed("late"),
    facts.TableClosed("forfeited", FaultCause.STALLED, 1),
    facts.DecisionDefaulted(1, FaultCause.TIMEOUT),
    facts.SeatTakenOver(1, FaultCause.DISCONNECTED),
    facts.SeatReturned(1),
    facts.DealVoided("a mistake"),
    BidMade(1, 18),
    BidHeld(0, 18),
    Passed(1),
    AuctionWon(0, 18),
    HandChosen(0),
    HandExposed(0, hand("CJ")),
    CardPlayed(0, DECK[0]),
    TrickTaken(TRICK),
    ShorteningProposed(0, ProposalKind.CLAIM, Level.SIMPLE),
    VoteCast(1, accept=True),
    ProposalDeclined(ProposalKind.CLAIM),
    GrandHandDeclined(1),
    GrandHandAccepted(2),
    RamschStarted(),
    SkatPassedOn(0),
    Knocked(1, knock=True),
    KontraAnswered(1, kontra=True),
    ReAnswered(0, re=False),
    SpitzeRevealed(0, DECK[0]),
]
"""Facts that lie open for everybody."""

CLOSED: list[Fact] = [
    facts.DealStarted(1, MIXED, Occasion()),
    SkatTaken(0, SKAT),
    ContractAnnounced(0, parse_contract("C"), SKAT),
    SkatPickedUp(0, SKAT),
    CardsPutDown(0, SKAT),
    DefendersCompared(1, 2, hand("CJ"), hand("SJ")),
    HandsRearranged(1, 2, hand("CJ"), hand("SJ")),
    ConcessionOffered(1, 2),
    ConcessionRefused(2, 1),
    facts.DecisionDefaulted(2, FaultCause.TIMEOUT, among=(1, 2)),
]
"""Facts with something in them, or all of them, for some seats only."""
