"""The latest entries of the log get a place of their own, in the order of their coming."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "journal",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("dealing", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.REAL(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_journal")),
    )
    op.create_table(
        "filed_events",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("dealing", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.REAL(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_filed_events")),
        sqlite_with_rowid=False,
    )
    # Renamed, the old table would keep the name of its key.
    op.execute(
        """
        INSERT INTO filed_events
        SELECT table_id, seq, epoch, dealing, kind, at, payload FROM events
         ORDER BY table_id, seq
        """
    )
    op.drop_table("events")
    op.execute(
        """
CREATE VIEW events AS
SELECT table_id, seq, epoch, dealing, kind, at, payload FROM filed_events
 UNION ALL
SELECT table_id, seq, epoch, dealing, kind, at, payload FROM journal
"""
    )
