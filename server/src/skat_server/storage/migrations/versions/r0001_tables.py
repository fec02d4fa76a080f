"""Tables, their logs, their finished deals, and the node that writes them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "nodes",
        sa.Column("node_id", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("filler", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("node_id", name=op.f("pk_nodes")),
    )
    op.create_table(
        "tables",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("opened_ms", sa.Integer(), nullable=False),
        sa.Column("ended_ms", sa.Integer(), nullable=True),
        sa.Column("ended_number", sa.Integer(), nullable=True),
        sa.Column("is_retired", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_tables")),
        sa.UniqueConstraint("table_id", name=op.f("uq_tables_table_id")),
    )
    op.create_index(op.f("ix_tables_ended_number"), "tables", ["ended_number"])
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("dealing", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.REAL(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_events")),
        sqlite_with_rowid=False,
    )
    _create_deals()


def _create_deals() -> None:
    op.create_table(
        "deals",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("deal_number", sa.Integer(), nullable=False),
        sa.Column("first_seq", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("log_format", sa.Integer(), nullable=False),
        sa.Column("log", sa.LargeBinary(), nullable=False),
        sa.Column("log_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("previous_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("ended_ms", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "deal_number", name=op.f("pk_deals")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.table_id"], name=op.f("fk_deals_table_id")),
    )
    op.create_table(
        "deal_results",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("deal_number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "deal_number", "seat", name=op.f("pk_deal_results")),
        sa.ForeignKeyConstraint(
            ["table_id", "deal_number"],
            ["deals.table_id", "deals.deal_number"],
            name=op.f("fk_deal_results_table_id"),
        ),
        sqlite_with_rowid=False,
    )
