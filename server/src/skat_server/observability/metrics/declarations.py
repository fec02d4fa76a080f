"""Every metric of the server. Dashboards, alerts and `docs/metrics.md` are made from this table.

Values of labels that come from an enum elsewhere are written out here, because nothing below may
know it; tests hold the two against each other.
"""

from typing import Final

from skat_server.observability.metrics.declaring import (
    COUNTS,
    SECONDS,
    THINKING,
    Label,
    counter,
    gauge,
    histogram,
)

_METHOD: Final = Label(
    "method", source="the full names of this server's methods; `unknown` for any other"
)
_CODE: Final = Label(
    "code",
    (
        "OK",
        "CANCELLED",
        "UNKNOWN",
        "INVALID_ARGUMENT",
        "DEADLINE_EXCEEDED",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "PERMISSION_DENIED",
        "UNAUTHENTICATED",
        "RESOURCE_EXHAUSTED",
        "FAILED_PRECONDITION",
        "ABORTED",
        "OUT_OF_RANGE",
        "UNIMPLEMENTED",
        "INTERNAL",
        "UNAVAILABLE",
        "DATA_LOSS",
    ),
)
_STREAM: Final = Label("kind", ("seat", "spectator", "tournament", "other"))
_PHASE: Final = Label("phase", ("bid", "skat", "card"))
_FAULT: Final = (
    "timeout",
    "stalled",
    "disconnected",
    "seat_empty",
    "illegal_actions",
    "admin",
    "server",
)

# ------------------------------------------------------------------------------------- the process

BUILD: Final = gauge(
    "skat_build_info",
    "What runs: always 1.",
    Label("version", source="of the server"),
    Label("python", source="of the interpreter"),
    Label("grpcio", source="of the transport"),
)
NODE_STATE: Final = gauge(
    "skat_node_state",
    "1 for the state that the server is in, 0 for the others.",
    Label("state", ("starting", "serving", "unavailable", "draining")),
)
LOOP_LAG: Final = histogram(
    "skat_event_loop_lag_seconds",
    "How late the event loop comes to a call that was due; four times a second.",
    SECONDS,
)
REPLAY: Final = gauge(
    "skat_replay_duration_seconds", "What the last start took to read back all tables."
)
SEED_REUSE: Final = counter(
    "skat_seed_reuse_total",
    "Tables whose secret another table has had: must stay 0.",
)
VIOLATIONS: Final = counter(
    "skat_invariant_violations_total",
    "Things that must never happen; the log has each of them.",
    Label("cause", ("table", "tournament", "record", "handler", "thread")),
)
LOG_LINES: Final = counter(
    "skat_log_lines_total",
    "Lines of the log.",
    Label("level", ("debug", "info", "warning", "error", "critical")),
)

# ----------------------------------------------------------------------------------------- calls

RPC_STARTED: Final = counter("skat_rpc_started_total", "Calls that have begun.", _METHOD)
RPC_HANDLED: Final = counter(
    "skat_rpc_handled_total", "Calls that are over, by the status they ended with.", _METHOD, _CODE
)
STREAMS: Final = gauge("skat_streams", "Open streams.", _STREAM)
MESSAGES: Final = counter(
    "skat_stream_messages_total",
    "Messages on streams; `in` comes from clients.",
    _STREAM,
    Label("direction", ("in", "out")),
)
DISCONNECTS: Final = counter(
    "skat_stream_disconnects_total",
    "Streams that are over, by what ended them.",
    Label(
        "cause",
        ("client", "slow", "idle", "limit", "auth", "superseded", "drain", "refused", "error"),
    ),
)
AUTH_FAILURES: Final = counter(
    "skat_auth_failures_total",
    "Calls that were refused for who calls.",
    Label("cause", ("unauthenticated", "revoked", "banned", "scope")),
)
RATE_LIMITED: Final = counter(
    "skat_ratelimited_total",
    "Calls that were refused for their number or size, or because the server hardly keeps up.",
    Label("cause", ("rate", "quota", "slow", "overload")),
)

# --------------------------------------------------------------------------------------- sessions

SESSION_OPENS: Final = counter("skat_session_opens_total", "Sessions that were opened.")
SESSION_SUPERSEDES: Final = counter(
    "skat_session_supersedes_total", "Sessions that ended because their player opened another."
)
SESSION_RESUMES: Final = counter(
    "skat_session_resumes_total", "Sessions that went on from a position, not from a view."
)
RESUME_GAP: Final = histogram(
    "skat_resume_gap_events", "Events that a session had missed at a table it went on with.", COUNTS
)
RESUME_COMPACTIONS: Final = counter(
    "skat_resume_compactions_total",
    "Tables at which a session had missed so much that it was sent a view instead.",
)
SESSIONS: Final = gauge("skat_sessions", "Players who are connected.")
WAITING_TABLES: Final = gauge(
    "skat_stream_queue_tables",
    "Tables with news that wait for their reader or his next decision, over all sessions.",
)

# ------------------------------------------------------------------------------------------- play

TABLES: Final = gauge(
    "skat_tables",
    "Tables that are carried: `paused` play, but their clocks stand still; `parked` could not be "
    "read back.",
    Label("state", ("open", "playing", "paused", "ended", "parked")),
)
DEALS: Final = counter(
    "skat_deals_completed_total",
    "Deals that have a result, by what was played.",
    Label("game", ("suit", "grand", "null", "ramsch", "passed")),
)
TERMINATIONS: Final = counter(
    "skat_terminations_total",
    "Deals that are over, by the first fault in them; `normal` without any, `voided` and `closed` "
    "without a result.",
    Label("cause", ("normal", *_FAULT, "voided", "closed")),
)
ACTIONS: Final = counter(
    "skat_actions_total",
    "Answers and proposals: of players `accepted`, `illegal`, `late`, `duplicate` (sent again) or "
    "`failed` (the server could not); `defaulted` by the table, and by `house` bots.",
    Label("outcome", ("accepted", "illegal", "late", "duplicate", "failed", "defaulted", "house")),
)
ACTION_SECONDS: Final = histogram(
    "skat_action_duration_seconds",
    "From the receipt of an accepted action until all others can see it, the commit included.",
    SECONDS,
)
THINK: Final = histogram(
    "skat_bot_think_seconds",
    "What players take to answer: to bid, to decide about skat and contract, to play a card.",
    THINKING,
    _PHASE,
)
TIMEOUTS: Final = counter(
    "skat_decision_timeouts_total", "Decisions whose time ran out, whatever the cause.", _PHASE
)
GRACE: Final = counter(
    "skat_clock_grace_seconds_total", "Time of grace that was used by players without a session."
)

# ------------------------------------------------------------------------------------------ store

COMMIT: Final = histogram(
    "skat_store_commit_duration_seconds",
    "What a transaction takes until it is on the disk. The time in which it waits for more before "
    "that is not in it.",
    SECONDS,
)
BATCH: Final = histogram(
    "skat_store_batch_events", "Entries of the log that share a transaction.", COUNTS
)
PENDING: Final = gauge("skat_store_pending_events", "Entries of the log that wait for the disk.")
PENDING_LIMIT: Final = gauge(
    "skat_store_pending_limit", "How many may wait; what comes then is refused."
)
STORE_ERRORS: Final = counter(
    "skat_store_errors_total",
    "Times at which the store has stopped to take anything, by why.",
    Label("cause", ("full", "fenced", "broken", "other")),
)
DATA_BYTES: Final = gauge("skat_data_bytes", "Size of the database and its write-ahead log.")
DATA_FREE: Final = gauge("skat_data_free_bytes", "Free space where the database lies.")

# ------------------------------------------------------------------------------------ tournaments

TOURNAMENTS: Final = gauge(
    "skat_tournaments",
    "Tournaments that are known.",
    Label("state", ("draft", "open", "running", "paused", "finished", "cancelled")),
)
QUEUE: Final = gauge(
    "skat_queue_tables",
    "Planned tables of tournaments that have not begun: `ready`, or `delayed` by a pause or by "
    "players who are not there yet.",
    Label("state", ("ready", "delayed")),
)
QUEUE_OLDEST: Final = gauge(
    "skat_queue_oldest_seconds",
    "How long a tournament has had tables that are ready and none under way; 0 when all is well.",
)
BLOCKS: Final = gauge(
    "skat_blocks",
    "Boards of tournaments that are under way, as far as they are planned.",
    Label("state", ("complete", "open")),
)
SPRT_LLR: Final = gauge(
    "skat_sprt_llr", "Log-likelihood ratio of the newest sequential test that is played."
)
SPRT_LOWER: Final = gauge("skat_sprt_llr_lower", "Where that test stops for the old one.")
SPRT_UPPER: Final = gauge("skat_sprt_llr_upper", "Where that test stops for the new one.")
INTERVAL_WIDTH: Final = gauge(
    "skat_rating_interval_width",
    "Width of the interval around the leader's strength, in points a game, in the newest event "
    "whose standings somebody has asked for.",
)

METRICS: Final = (
    BUILD,
    NODE_STATE,
    LOOP_LAG,
    REPLAY,
    VIOLATIONS,
    SEED_REUSE,
    LOG_LINES,
    RPC_STARTED,
    RPC_HANDLED,
    STREAMS,
    MESSAGES,
    DISCONNECTS,
    AUTH_FAILURES,
    RATE_LIMITED,
    SESSIONS,
    SESSION_OPENS,
    SESSION_SUPERSEDES,
    SESSION_RESUMES,
    RESUME_GAP,
    RESUME_COMPACTIONS,
    WAITING_TABLES,
    TABLES,
    DEALS,
    TERMINATIONS,
    ACTIONS,
    ACTION_SECONDS,
    THINK,
    TIMEOUTS,
    GRACE,
    COMMIT,
    BATCH,
    PENDING,
    PENDING_LIMIT,
    STORE_ERRORS,
    DATA_BYTES,
    DATA_FREE,
    TOURNAMENTS,
    QUEUE,
    QUEUE_OLDEST,
    BLOCKS,
    SPRT_LLR,
    SPRT_LOWER,
    SPRT_UPPER,
    INTERVAL_WIDTH,
)
"""In the order in which the page lists them."""
