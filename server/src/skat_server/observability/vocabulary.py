"""Every line that the log can have: its event, its level, its fields, and what it means.

What is not declared here is not written: a field that somebody adds to a call without thinking of
what it may hold stays away (operations: T6). `docs/logs.md` is made from this table.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Level(Enum):
    """How much a line weighs."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"


class Violation(Enum):
    """Where something has happened that must never happen."""

    TABLE = "table"
    TOURNAMENT = "tournament"
    RECORD = "record"
    HANDLER = "handler"
    THREAD = "thread"


@dataclass(frozen=True, slots=True)
class Event:
    """One kind of line."""

    name: str
    level: Level
    meaning: str
    """What has happened, and what to do where something is to be done."""
    fields: tuple[str, ...] = ()
    violation: Violation | None = None
    """What it counts as in `skat_invariant_violations_total`; None for what may happen."""
    worse: Level | None = None
    """The other level that it may have; None for none."""


FIELDS: Final = {
    "ts": "when, in UTC",
    "level": "debug, info, warning, error or critical",
    "event": "what has happened: one of the names below",
    "rpc": "the method that was called",
    "player_id": "who called it",
    "peer": "where from: the same address is written the same way until the next start",
    "table_id": "the table",
    "tournament_id": "the tournament; empty for a table outside of one",
    "deal": "number of the deal at its table, from 1",
    "deals": "how many deals were played",
    "game": "suit, grand, null, ramsch or passed",
    "preset": "name of the rules",
    "seats": "how many seats the table has",
    "state": "what it is now",
    "cause": "why, from a closed list",
    "reason": "why, in words",
    "why": "why, in words",
    "failure": "what kind of failure it was: full, fenced, broken or other",
    "error_id": "the id that the caller was told",
    "err_type": "the type of an exception; its text is never written",
    "err_places": "where the exception has passed: file, line, function",
    "lines": "how many lines",
    "place": "which library, module and line",
    "thread": "name of the thread",
    "host": "the address",
    "port": "the port",
    "files": "how many open files the machine allows",
    "connections": "how many connections of players there may be",
    "copy": "file name of the copy that was made before",
    "revision": "revision of the schema",
    "version": "version of the server",
    "seconds": "how long it took or may take",
    "tables": "how many tables",
    "actor": "who did it: an account, the name in a certificate, or `local`",
    "action": "what was done",
    "target": "to whom or what",
}
"""Every field, and what it holds. None holds cards, seeds, tokens or messages."""

_EVENTS: Final = (
    Event(
        "server.started",
        Level.INFO,
        "The server listens.",
        ("version", "host", "port", "tables", "seconds"),
    ),
    Event("server.stopped", Level.INFO, "The server has stopped in good order."),
    Event(
        "log.lost",
        Level.WARNING,
        "Nobody has read the log for so long that lines were dropped.",
        ("lines",),
    ),
    Event("drain.started", Level.INFO, "The server begins to stop.", ("seconds", "deals")),
    Event(
        "scheduling.unavailable",
        Level.INFO,
        "Threads interrupt each other while the server is busy, which makes it slower then: a "
        "sandbox forbids `sched_setscheduler`, or hides its threads in `/proc`.",
        ("why",),
    ),
    Event(
        "files.few",
        Level.WARNING,
        "The machine allows fewer open files than the server wants: raise the limit "
        "(`ulimit -n`, `LimitNOFILE`).",
        ("files", "connections"),
    ),
    Event(
        "listen.insecure",
        Level.WARNING,
        "Other machines reach a port that speaks plain text.",
        ("host",),
    ),
    Event(
        "table.opened",
        Level.INFO,
        "A table was made.",
        ("table_id", "tournament_id", "preset", "seats"),
    ),
    Event(
        "table.ended",
        Level.INFO,
        "A table is over.",
        ("table_id", "tournament_id", "state", "deals"),
    ),
    Event(
        "deal.ended", Level.DEBUG, "A deal has its result.", ("table_id", "deal", "game", "cause")
    ),
    Event(
        "table.parked",
        Level.ERROR,
        "The log of a table does not hold; it is not carried, and its log stays as it is. Run "
        "`skat-server store verify`.",
        ("table_id", "reason"),
        violation=Violation.TABLE,
    ),
    Event(
        "table.unreadable",
        Level.ERROR,
        "Nobody can be told whose records these are.",
        ("table_id", "reason"),
        violation=Violation.TABLE,
    ),
    Event(
        "seed.reused",
        Level.CRITICAL,
        "Two tables have the same secret: the machine's source of chance is broken. Stop.",
        violation=Violation.RECORD,
    ),
    Event(
        "tournament.waits",
        Level.WARNING,
        "A tournament cannot go on now; it tries again.",
        ("tournament_id", "reason", "why"),
    ),
    Event(
        "tournament.parked",
        Level.ERROR,
        "The log of a tournament does not hold; its boards stay secret.",
        ("tournament_id", "reason"),
        violation=Violation.TOURNAMENT,
    ),
    Event(
        "tournament.failed",
        Level.ERROR,
        "A tournament has met a fault of the server and is paused.",
        ("tournament_id", "err_type", "err_places"),
        violation=Violation.TOURNAMENT,
    ),
    Event(
        "stream.stuck",
        Level.WARNING,
        "A client does not read; its session has ended.",
        ("player_id",),
    ),
    Event(
        "stream.cut",
        Level.WARNING,
        "A client asked for too much, or read too little.",
        ("cause", "player_id"),
    ),
    Event("auth.failed", Level.INFO, "A caller was not let in.", ("rpc", "cause", "peer")),
    Event(
        "tokens.look_failed",
        Level.ERROR,
        "The look for revoked tokens has failed; the next one comes in seconds.",
        ("err_type", "err_places"),
    ),
    Event(
        "tokens.not_checked",
        Level.WARNING,
        "The store did not say which tokens are still good.",
        ("failure",),
    ),
    Event(
        "admin.action",
        Level.INFO,
        "Somebody has changed accounts, or intervened; the audit log has it as well.",
        ("actor", "action", "target"),
    ),
    Event(
        "rpc.failed",
        Level.ERROR,
        "A call met a fault of the server.",
        ("rpc", "error_id", "err_type", "err_places"),
        violation=Violation.HANDLER,
    ),
    Event(
        "web.failed",
        Level.ERROR,
        "The port for metrics and health met a fault of the server.",
        ("err_type", "err_places"),
        violation=Violation.HANDLER,
    ),
    Event("rpc.store_failed", Level.WARNING, "A call found no store.", ("rpc", "failure")),
    Event(
        "store.migrated",
        Level.INFO,
        "The database was brought up to date, after a copy.",
        ("copy", "revision"),
    ),
    Event(
        "store.failed",
        Level.ERROR,
        "Nothing can be kept now: play stops until there is room on the disk.",
        ("failure", "why"),
    ),
    Event("store.recovered", Level.INFO, "The store takes everything again."),
    Event(
        "store.dead",
        Level.CRITICAL,
        "Nothing can be kept any more: the process ends. Do what `why` says or look at the disk, "
        "then start it again.",
        ("failure", "why"),
    ),
    Event(
        "store.damaged",
        Level.ERROR,
        "A sealed record is not what it was: restore a backup.",
        ("table_id", "deal", "why"),
        violation=Violation.RECORD,
    ),
    Event(
        "library.message",
        Level.WARNING,
        "A library has reported something, or an error.",
        ("place", "err_type", "err_places"),
        worse=Level.ERROR,
    ),
    Event(
        "thread.failed",
        Level.ERROR,
        "A thread has ended with an exception.",
        ("thread", "err_type", "err_places"),
        violation=Violation.THREAD,
    ),
    Event(
        "finalizer.failed",
        Level.ERROR,
        "The interpreter has met an exception while it cleaned up.",
        ("err_type", "err_places"),
        violation=Violation.THREAD,
    ),
)

EVENTS: Final = {event.name: event for event in _EVENTS}
"""Every event by its name."""

ALWAYS: Final = ("ts", "level", "event")
CONTEXT: Final = ("rpc", "player_id")
"""Fields that any line has which was written on behalf of a call."""
