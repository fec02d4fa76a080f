"""The engine's two refusals: text it cannot read, and actions it may not take.

Anything else that goes wrong in here is a bug of the engine and shows itself as an
``AssertionError``.
"""

from enum import Enum


class SkatEngineError(Exception):
    """Root of the exceptions that the engine raises on purpose."""


class NotationError(SkatEngineError):
    """A text is not a card, action, deal or record in the engine's notation."""


class RuleSetError(SkatEngineError):
    """A rule set is impossible: a value or a mix of values that no table can play.

    Attributes:
        option: name of the option at fault, as in the table of options.
    """

    def __init__(self, option: str, message: str) -> None:
        """Name the option and say what would be accepted instead."""
        super().__init__(f"{option}: {message}")
        self.option = option


class Refusal(Enum):
    """Why an action was refused; the deal is unchanged after each of them."""

    NOT_YOUR_TURN = "not_your_turn"
    """Another position has the open decision."""
    WRONG_PHASE = "wrong_phase"
    """Nobody may do this at this point of the deal."""
    ILLEGAL_BID = "illegal_bid"
    """Not a game value, not above the last bid, or nothing to hold (R-BID-1, R-BID-3)."""
    CARD_NOT_HELD = "card_not_held"
    """The card is not in the hand of who wants to play or discard it."""
    MUST_FOLLOW = "must_follow"
    """The effective suit led is in the hand and was not followed (R-PLAY-2)."""
    BAD_DISCARD = "bad_discard"
    """Not exactly two different cards after taking the skat, or any card in a Hand game."""
    CONTRADICTORY_ANNOUNCEMENT = "contradictory_announcement"
    """The announced flags exclude one another (R-ANN-2 to R-ANN-5)."""
    NULL_BELOW_BID = "null_below_bid"
    """The Null value is below the bid, so it cannot be won (R-ANN-6)."""
    BID_OUT_OF_REACH = "bid_out_of_reach"
    """The trump game cannot be worth the bid, and the rules ask for one that can (R-ANN-7)."""
    NOT_OFFERED = "not_offered"
    """The rules or the state of the deal do not allow this now (section 15, R-KON-2)."""
    DEAL_OVER = "deal_over"
    """The deal has its result; nothing can be added."""


class IllegalActionError(SkatEngineError):
    """An action that can be read but may not be taken now. Nothing was changed.

    Attributes:
        reason: the machine-readable reason.
    """

    def __init__(self, reason: Refusal, message: str) -> None:
        """Keep the reason beside the sentence for people."""
        super().__init__(message)
        self.reason = reason
