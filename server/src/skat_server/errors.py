"""What the server refuses, as one exception with a reason from a closed list.

`rpc/errors.py` gives every reason its status; the texts are for people.
"""

from enum import Enum, auto
from typing import Final

from skat_engine.errors import IllegalActionError


class Reason(Enum):
    """Why something was refused; the names are those of the wire's `ErrorReason`."""

    INTERNAL = auto()
    INVALID_FIELD = auto()
    UNAUTHENTICATED = auto()
    HELLO_EXPECTED = auto()
    TABLE_NOT_FOUND = auto()
    SEAT_NOT_FOUND = auto()
    SEAT_TAKEN = auto()
    ALREADY_SEATED = auto()
    NOT_SEATED = auto()
    TABLE_OVER = auto()
    NOT_ALLOWED = auto()
    BAD_RULE_SET = auto()
    QUOTA_EXCEEDED = auto()
    SESSION_SUPERSEDED = auto()
    SLOW_CONSUMER = auto()
    GOING_AWAY = auto()
    RECORD_NOT_FOUND = auto()
    STALE_TURN = auto()
    NOT_YOUR_TURN = auto()
    WRONG_PHASE = auto()
    ILLEGAL_BID = auto()
    CARD_NOT_HELD = auto()
    MUST_FOLLOW = auto()
    BAD_DISCARD = auto()
    CONTRADICTORY_ANNOUNCEMENT = auto()
    NULL_BELOW_BID = auto()
    NOT_OFFERED = auto()
    DEAL_OVER = auto()
    UNREADABLE_ACTION = auto()
    STALE_SEQUENCE = auto()
    STORE_UNAVAILABLE = auto()
    BAD_SUMMARY = auto()
    BID_OUT_OF_REACH = auto()
    TOKEN_REVOKED = auto()
    SCOPE_MISSING = auto()
    BANNED = auto()
    RATE_LIMITED = auto()
    TOO_MANY_ILLEGAL = auto()
    DRAINING = auto()
    ACCOUNT_NOT_FOUND = auto()
    TOKEN_NOT_FOUND = auto()
    NAME_TAKEN = auto()
    NO_ACCOUNTS = auto()
    TOURNAMENT_NOT_FOUND = auto()
    TOURNAMENT_STATE = auto()
    BAD_TOURNAMENT = auto()
    OVERLOADED = auto()


LONGEST_QUOTE: Final = 64
"""Characters of a caller's own text that a message repeats."""


def quoted(text: str) -> str:
    """A caller's text in quotes, escaped and cut, so that it can stand in a message."""
    cut = text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"
    return ascii(cut)


class RefusedError(Exception):
    """A request that changes nothing, with its reason.

    Attributes:
        reason: from the closed list.
        metadata: facts beside the reason, for instance the `option` or `field` at fault.
    """

    def __init__(self, reason: Reason, message: str, **metadata: str) -> None:
        """Keep reason, sentence and facts."""
        super().__init__(message)
        self.reason = reason
        self.metadata = metadata


def refused_action(error: IllegalActionError) -> RefusedError:
    """The engine's refusal in the server's words; the names of the reasons are the same."""
    return RefusedError(Reason[error.reason.name], str(error))
