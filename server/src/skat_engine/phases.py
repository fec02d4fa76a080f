"""The phases of a deal and which kinds of action each knows: the phase machine as a table."""

from enum import Enum
from typing import Final

from skat_engine.actions import (
    Action,
    Announce,
    Bid,
    GiveUp,
    Hold,
    LayOpen,
    Pass,
    PlayCard,
    PlayHand,
    TakeSkat,
    Vote,
)


class Phase(Enum):
    """Where a deal stands (section 24)."""

    BIDDING = "bidding"
    FOREHAND_OPTION = "forehand_option"
    SKAT_DECISION = "skat_decision"
    ANNOUNCE = "announce"
    PLAY = "play"
    SHORTENING_VOTE = "shortening_vote"
    DEAL_OVER = "deal_over"


KNOWN_ACTIONS: Final[dict[Phase, frozenset[type[Action]]]] = {
    Phase.BIDDING: frozenset({Bid, Hold, Pass}),
    Phase.FOREHAND_OPTION: frozenset({Bid, Pass}),
    Phase.SKAT_DECISION: frozenset({TakeSkat, PlayHand}),
    Phase.ANNOUNCE: frozenset({Announce}),
    Phase.PLAY: frozenset({PlayCard, GiveUp, LayOpen}),
    Phase.SHORTENING_VOTE: frozenset({Vote}),
    Phase.DEAL_OVER: frozenset(),
}
"""The action types that a phase has a transition for; all others are refused in it."""

NEXT_PHASES: Final[dict[Phase, frozenset[Phase]]] = {
    Phase.BIDDING: frozenset({Phase.BIDDING, Phase.FOREHAND_OPTION, Phase.SKAT_DECISION}),
    Phase.FOREHAND_OPTION: frozenset({Phase.SKAT_DECISION, Phase.DEAL_OVER}),
    Phase.SKAT_DECISION: frozenset({Phase.ANNOUNCE}),
    Phase.ANNOUNCE: frozenset({Phase.PLAY}),
    Phase.PLAY: frozenset({Phase.PLAY, Phase.SHORTENING_VOTE, Phase.DEAL_OVER}),
    Phase.SHORTENING_VOTE: frozenset({Phase.SHORTENING_VOTE, Phase.PLAY, Phase.DEAL_OVER}),
    Phase.DEAL_OVER: frozenset(),
}
"""Where one action may lead from each phase; `docs/phases.md` draws this table."""
