"""The tables of the database, for migrations and checks; the hot path writes its own SQL.

Revisions in `migrations/` lead to exactly this; a test compares the two. Times are whole
milliseconds since 1970, but for those of log entries, which are kept as they were told.
"""

from typing import Final

from sqlalchemy import (
    REAL,
    Column,
    Connection,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)
from sqlalchemy.event import listens_for

metadata: Final = MetaData(
    naming_convention={
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

nodes: Final = Table(
    "nodes",
    metadata,
    Column("node_id", Text, primary_key=True),
    # Rises at every start; whoever finds another one than his own has been replaced.
    Column("epoch", Integer, nullable=False),
    # What a probe writes to learn whether there is space again.
    Column("filler", LargeBinary),
)

tables: Final = Table(
    "tables",
    metadata,
    # In the order of opening.
    Column("number", Integer, primary_key=True),
    Column("table_id", Text, nullable=False, unique=True),
    Column("opened_ms", Integer, nullable=False),
    Column("ended_ms", Integer),
    # In the order of ending; null while the table runs.
    Column("ended_number", Integer),
    # 1 when nobody carries the table any more.
    Column("is_retired", Integer, nullable=False, server_default="0"),
    Index(None, "ended_number"),
)

journal: Final = Table(
    "journal",
    metadata,
    # In the order of coming, over all tables: the latest entries of the log, not yet filed.
    Column("number", Integer, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("dealing", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("at", REAL, nullable=False),
    Column("payload", Text, nullable=False),
)

filed_events: Final = Table(
    "filed_events",
    metadata,
    Column("table_id", Text, primary_key=True),
    # From 1, without gaps until actions of old deals are dropped.
    Column("seq", Integer, primary_key=True, autoincrement=False),
    # Of the node that wrote it.
    Column("epoch", Integer, nullable=False),
    # How often cards had been dealt, this entry included; void deals count.
    Column("dealing", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    # Seconds since 1970, the very number that players are told.
    Column("at", REAL, nullable=False),
    Column("payload", Text, nullable=False),
    # One tree ordered by table: no second one for the key.
    sqlite_with_rowid=False,
)

EVENTS: Final = """
CREATE VIEW events AS
SELECT table_id, seq, epoch, dealing, kind, at, payload FROM filed_events
 UNION ALL
SELECT table_id, seq, epoch, dealing, kind, at, payload FROM journal
"""
"""The log of every table as a whole; whoever reads it need not know where an entry lies."""


@listens_for(metadata, "after_create")
def _create_view(_: MetaData, connection: Connection, **_kw: object) -> None:
    connection.exec_driver_sql(EVENTS)


deals: Final = Table(
    "deals",
    metadata,
    Column("table_id", Text, ForeignKey("tables.table_id"), primary_key=True),
    Column("deal_number", Integer, primary_key=True, autoincrement=False),
    # The entries of the deal: those that began and ended it, and all between.
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("log_format", Integer, nullable=False),
    Column("log", LargeBinary, nullable=False),
    Column("log_sha256", LargeBinary, nullable=False),
    Column("previous_sha256", LargeBinary, nullable=False),
    Column("ended_ms", Integer, nullable=False),
)

deal_results: Final = Table(
    "deal_results",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("deal_number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", Text, nullable=False),
    Column("points", Integer, nullable=False),
    ForeignKeyConstraint(
        ["table_id", "deal_number"],
        ["deals.table_id", "deals.deal_number"],
    ),
    sqlite_with_rowid=False,
)

accounts: Final = Table(
    "accounts",
    metadata,
    Column("account_id", Text, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    # The account that a bot belongs to.
    Column("owner_id", Text, ForeignKey("accounts.account_id")),
    Column("created_ms", Integer, nullable=False),
    Column("disabled_ms", Integer),
    Index(None, "owner_id"),
)

api_tokens: Final = Table(
    "api_tokens",
    metadata,
    Column("token_id", Text, primary_key=True),
    Column("account_id", Text, ForeignKey("accounts.account_id"), nullable=False),
    Column("secret_sha256", LargeBinary, nullable=False),
    # Words with a space between.
    Column("scopes", Text, nullable=False),
    Column("created_ms", Integer, nullable=False),
    Column("expires_ms", Integer),
    Column("revoked_ms", Integer),
    # Days since 1970.
    Column("last_used_day", Integer),
    Index(None, "account_id"),
)

audit_log: Final = Table(
    "audit_log",
    metadata,
    Column("audit_id", Integer, primary_key=True),
    Column("at_ms", Integer, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("target", Text, nullable=False),
    # More, for people.
    Column("detail", Text, nullable=False),
)
