"""The phases of a deal and which kinds of action each knows: the phase machine as a table."""

from enum import Enum
from typing import Final

from skat_engine.actions import (
    AcceptGrandHand,
    Action,
    Announce,
    Bid,
    Decline,
    GiveUp,
    Hold,
    Knock,
    LayOpen,
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
)


class Phase(Enum):
    """Where a deal stands (section 24)."""

    BIDDING = "bidding"
    FOREHAND_OPTION = "forehand_option"
    GRAND_HAND_OFFER = "grand_hand_offer"
    RAMSCH_EXCHANGE = "ramsch_exchange"
    KNOCKING = "knocking"
    SKAT_DECISION = "skat_decision"
    ANNOUNCE = "announce"
    KONTRA = "kontra"
    REARRANGEMENT = "rearrangement"
    PLAY = "play"
    SHORTENING_VOTE = "shortening_vote"
    DEAL_OVER = "deal_over"


KNOWN_ACTIONS: Final[dict[Phase, frozenset[type[Action]]]] = {
    Phase.BIDDING: frozenset({Bid, Hold, Pass}),
    Phase.FOREHAND_OPTION: frozenset({Bid, Pass}),
    Phase.GRAND_HAND_OFFER: frozenset({Decline, AcceptGrandHand}),
    Phase.RAMSCH_EXCHANGE: frozenset({PassOn, PickUp, PutDown}),
    Phase.KNOCKING: frozenset({Decline, Knock}),
    Phase.SKAT_DECISION: frozenset({TakeSkat, PlayHand}),
    Phase.ANNOUNCE: frozenset({Announce}),
    Phase.KONTRA: frozenset({Decline, SayKontra, SayRe}),
    Phase.REARRANGEMENT: frozenset({Decline, Rearrange}),
    Phase.PLAY: frozenset({PlayCard, GiveUp, LayOpen, SayKontra}),
    Phase.SHORTENING_VOTE: frozenset({Vote}),
    Phase.DEAL_OVER: frozenset(),
}
"""The action types that a phase has a transition for; all others are refused in it."""

_RAMSCH: Final = frozenset(
    {Phase.GRAND_HAND_OFFER, Phase.RAMSCH_EXCHANGE, Phase.KNOCKING, Phase.PLAY}
)
"""Where a Ramsch may begin, by the rules; somebody knocks in a Ramsch round only."""

NEXT_PHASES: Final[dict[Phase, frozenset[Phase]]] = {
    Phase.BIDDING: frozenset({Phase.BIDDING, Phase.FOREHAND_OPTION, Phase.SKAT_DECISION}),
    Phase.FOREHAND_OPTION: frozenset({Phase.SKAT_DECISION, Phase.DEAL_OVER})
    | _RAMSCH - {Phase.KNOCKING},
    Phase.GRAND_HAND_OFFER: _RAMSCH | {Phase.ANNOUNCE},
    Phase.RAMSCH_EXCHANGE: frozenset({Phase.RAMSCH_EXCHANGE, Phase.KNOCKING, Phase.PLAY}),
    Phase.KNOCKING: frozenset({Phase.KNOCKING, Phase.PLAY}),
    Phase.SKAT_DECISION: frozenset({Phase.ANNOUNCE}),
    Phase.ANNOUNCE: frozenset({Phase.KONTRA, Phase.REARRANGEMENT, Phase.PLAY, Phase.DEAL_OVER}),
    Phase.KONTRA: frozenset({Phase.KONTRA, Phase.REARRANGEMENT, Phase.PLAY}),
    Phase.REARRANGEMENT: frozenset({Phase.PLAY}),
    Phase.PLAY: frozenset({Phase.PLAY, Phase.KONTRA, Phase.SHORTENING_VOTE, Phase.DEAL_OVER}),
    Phase.SHORTENING_VOTE: frozenset({Phase.SHORTENING_VOTE, Phase.PLAY, Phase.DEAL_OVER}),
    Phase.DEAL_OVER: frozenset(),
}
"""Where one action may lead from each phase; `docs/phases.md` draws this table.

A deal opens in `BIDDING`; in a Ramsch round it opens where a Ramsch may begin (R-BOCK-6).
"""
