"""Everything this package raises on purpose.

SkatError
├── ConfigurationError          the client was set up wrongly; nothing was sent
├── ProtocolError               the server sent what this version cannot read
├── BotError                    a bot raised, or answered what the server refused
├── GaveUpError                 no connection for longer than allowed
├── FairnessError               the server broke what the chance of a table was bound to
├── TableLostError              the server no longer knows a table that was being played
└── ServerError                 the server said no
    ├── UnavailableError        nobody there, going away, draining, storage down: try later
    ├── SlowConsumerError       the session was not read fast enough: reconnect
    ├── SessionSupersededError  another session of this player took over: do not reconnect
    ├── UnauthenticatedError    no token, or no usable one: revoked, expired, unknown
    ├── NotAllowedError         not the caller's table, no seat at it, no such right, banned
    ├── NotFoundError           no such table or record
    ├── InvalidRequestError     a field is missing or out of range
    │   └── BadRuleSetError     an unknown preset or option, or an impossible mix
    ├── SeatError               the seat cannot be taken
    │   ├── SeatTakenError      somebody else sits there, or no seat is free
    │   └── AlreadySeatedError  the caller has another seat at this table
    ├── TableOverError          the series has ended or the table was closed
    ├── QuotaExceededError      a limit of the server is reached, or a rate
    ├── ServerBugError          the server failed; its log has the id that the text names
    └── ActionRefusedError      the action cannot be played
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from typing import Final


class ErrorReason(Enum):
    """Why a call or a submission was refused. Texts may change, reasons do not."""

    INTERNAL = 1
    INVALID_FIELD = 2
    UNAUTHENTICATED = 3
    HELLO_EXPECTED = 4
    TABLE_NOT_FOUND = 5
    SEAT_NOT_FOUND = 6
    SEAT_TAKEN = 7
    ALREADY_SEATED = 8
    NOT_SEATED = 9
    TABLE_OVER = 10
    NOT_ALLOWED = 11
    BAD_RULE_SET = 12
    QUOTA_EXCEEDED = 13
    SESSION_SUPERSEDED = 14
    SLOW_CONSUMER = 15
    GOING_AWAY = 16
    RECORD_NOT_FOUND = 17
    STALE_TURN = 18
    NOT_YOUR_TURN = 19
    WRONG_PHASE = 20
    ILLEGAL_BID = 21
    CARD_NOT_HELD = 22
    MUST_FOLLOW = 23
    BAD_DISCARD = 24
    CONTRADICTORY_ANNOUNCEMENT = 25
    NULL_BELOW_BID = 26
    NOT_OFFERED = 27
    DEAL_OVER = 28
    UNREADABLE_ACTION = 29
    STALE_SEQUENCE = 30
    STORE_UNAVAILABLE = 31
    BAD_SUMMARY = 32
    BID_OUT_OF_REACH = 33
    TOKEN_REVOKED = 34
    SCOPE_MISSING = 35
    BANNED = 36
    RATE_LIMITED = 37
    TOO_MANY_ILLEGAL = 38
    DRAINING = 39
    ACCOUNT_NOT_FOUND = 40
    TOKEN_NOT_FOUND = 41
    NAME_TAKEN = 42
    NO_ACCOUNTS = 43
    TOURNAMENT_NOT_FOUND = 44
    TOURNAMENT_STATE = 45
    BAD_TOURNAMENT = 46
    OVERLOADED = 47


class SkatError(Exception):
    """Anything this package raises on purpose."""


class ConfigurationError(SkatError):
    """The client was set up wrongly; nothing was sent."""


class ProtocolError(SkatError):
    """The server sent what this version of the client cannot read."""


class BotError(SkatError):
    """A bot raised, or answered what the server refused."""


class GaveUpError(SkatError):
    """There was no connection for longer than allowed; the cause is the last failure."""


class FairnessError(SkatError):
    """The server broke what the chance of a table was bound to: its word on the cards is bad."""

    def __init__(self, table_id: str, what: str) -> None:
        super().__init__(f"table {table_id} is not fair: {what}")
        self.table_id: str = table_id
        """The table."""


class TableLostError(SkatError):
    """The server no longer knows tables that were being played, as after a restart of its own."""

    def __init__(self, table_ids: tuple[str, ...]) -> None:
        super().__init__(
            f"the server no longer knows {', '.join(table_ids)}: it was restarted, or the table "
            "ended long ago; what was not played there is lost"
        )
        self.table_ids: tuple[str, ...] = table_ids
        """The tables that are gone."""


@dataclass(frozen=True, slots=True)
class ErrorDetails:
    """What a refusal says besides its text."""

    code: str | None = None
    """Name of the gRPC status; None for a refused submission."""
    reason: ErrorReason | None = None
    """None when the server, or a proxy before it, gave no reason that is known here."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Facts by name, such as the `option` of a bad rule set."""
    violations: Mapping[str, str] = field(default_factory=dict)
    """Field to what is wrong with it."""
    quotas: Mapping[str, str] = field(default_factory=dict)
    """Who is limited, an account or a player, to what is said of the limit."""
    retry_delay: timedelta | None = None
    """How long to wait before another try, where the server says so."""


class ServerError(SkatError):
    """The server said no."""

    def __init__(self, message: str, details: ErrorDetails | None = None) -> None:
        super().__init__(message)
        self.message: str = message
        """For people."""
        self.details: ErrorDetails = details or ErrorDetails()
        """For programs."""

    @property
    def reason(self) -> ErrorReason | None:
        """Why; None when no reason is known."""
        return self.details.reason

    @property
    def metadata(self) -> Mapping[str, str]:
        """Facts by name."""
        return self.details.metadata

    @property
    def retry_delay(self) -> timedelta | None:
        """How long to wait before another try, where the server says so."""
        return self.details.retry_delay

    def __str__(self) -> str:
        fields = "".join(f"; {name}: {text}" for name, text in self.details.violations.items())
        name = f" ({self.reason.name})" if self.reason else ""
        return f"{self.message}{fields}{name}"


class UnavailableError(ServerError):
    """Nobody there, going away, draining, or storage down: try again later."""


class SlowConsumerError(ServerError):
    """The session was not read fast enough: reconnect."""


class SessionSupersededError(ServerError):
    """Another session of this player took over: do not reconnect."""


class UnauthenticatedError(ServerError):
    """No token, or no usable one: revoked, expired, unknown."""


class NotAllowedError(ServerError):
    """Not the caller's table, no seat at it, no such right of the token, or banned."""


class NotFoundError(ServerError):
    """No such table or record, or none that the caller may see."""


class InvalidRequestError(ServerError):
    """A field is missing or out of range."""


class BadRuleSetError(InvalidRequestError):
    """An unknown preset or option, or an impossible mix; the metadata names the `option`."""


class SeatError(ServerError):
    """The seat cannot be taken."""


class SeatTakenError(SeatError):
    """Somebody else sits there, or no seat is free."""


class AlreadySeatedError(SeatError):
    """The caller has another seat at this table."""


class TableOverError(ServerError):
    """The series has ended or the table was closed."""


class QuotaExceededError(ServerError):
    """A limit of the server is reached, or a rate."""


class ServerBugError(ServerError):
    """The server failed; its log has the id that the text names."""


class ActionRefusedError(ServerError):
    """The action cannot be played."""


ERROR_OF_REASON: Final[Mapping[ErrorReason, type[ServerError]]] = {
    ErrorReason.INTERNAL: ServerBugError,
    ErrorReason.INVALID_FIELD: InvalidRequestError,
    ErrorReason.UNAUTHENTICATED: UnauthenticatedError,
    ErrorReason.HELLO_EXPECTED: InvalidRequestError,
    ErrorReason.TABLE_NOT_FOUND: NotFoundError,
    ErrorReason.SEAT_NOT_FOUND: InvalidRequestError,
    ErrorReason.SEAT_TAKEN: SeatTakenError,
    ErrorReason.ALREADY_SEATED: AlreadySeatedError,
    ErrorReason.NOT_SEATED: NotAllowedError,
    ErrorReason.TABLE_OVER: TableOverError,
    ErrorReason.NOT_ALLOWED: NotAllowedError,
    ErrorReason.BAD_RULE_SET: BadRuleSetError,
    ErrorReason.QUOTA_EXCEEDED: QuotaExceededError,
    ErrorReason.SESSION_SUPERSEDED: SessionSupersededError,
    ErrorReason.SLOW_CONSUMER: SlowConsumerError,
    ErrorReason.GOING_AWAY: UnavailableError,
    ErrorReason.RECORD_NOT_FOUND: NotFoundError,
    ErrorReason.STALE_TURN: ActionRefusedError,
    ErrorReason.NOT_YOUR_TURN: ActionRefusedError,
    ErrorReason.WRONG_PHASE: ActionRefusedError,
    ErrorReason.ILLEGAL_BID: ActionRefusedError,
    ErrorReason.CARD_NOT_HELD: ActionRefusedError,
    ErrorReason.MUST_FOLLOW: ActionRefusedError,
    ErrorReason.BAD_DISCARD: ActionRefusedError,
    ErrorReason.CONTRADICTORY_ANNOUNCEMENT: ActionRefusedError,
    ErrorReason.NULL_BELOW_BID: ActionRefusedError,
    ErrorReason.NOT_OFFERED: ActionRefusedError,
    ErrorReason.DEAL_OVER: ActionRefusedError,
    ErrorReason.UNREADABLE_ACTION: ActionRefusedError,
    ErrorReason.STALE_SEQUENCE: ActionRefusedError,
    ErrorReason.STORE_UNAVAILABLE: UnavailableError,
    ErrorReason.BAD_SUMMARY: InvalidRequestError,
    ErrorReason.BID_OUT_OF_REACH: ActionRefusedError,
    ErrorReason.TOKEN_REVOKED: UnauthenticatedError,
    ErrorReason.SCOPE_MISSING: NotAllowedError,
    ErrorReason.BANNED: NotAllowedError,
    ErrorReason.RATE_LIMITED: QuotaExceededError,
    ErrorReason.TOO_MANY_ILLEGAL: ActionRefusedError,
    ErrorReason.DRAINING: UnavailableError,
    ErrorReason.ACCOUNT_NOT_FOUND: NotFoundError,
    ErrorReason.TOKEN_NOT_FOUND: NotFoundError,
    ErrorReason.NAME_TAKEN: InvalidRequestError,
    ErrorReason.NO_ACCOUNTS: NotAllowedError,
    ErrorReason.TOURNAMENT_NOT_FOUND: NotFoundError,
    ErrorReason.TOURNAMENT_STATE: NotAllowedError,
    ErrorReason.BAD_TOURNAMENT: InvalidRequestError,
    ErrorReason.OVERLOADED: UnavailableError,
}
"""The exception of each reason; total."""
