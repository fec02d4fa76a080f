"""Accounts, their tokens, and what administrators did."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "accounts",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.Text(), nullable=True),
        sa.Column("created_ms", sa.Integer(), nullable=False),
        sa.Column("disabled_ms", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name", name=op.f("uq_accounts_name")),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["accounts.account_id"], name=op.f("fk_accounts_owner_id")
        ),
    )
    op.create_index(op.f("ix_accounts_owner_id"), "accounts", ["owner_id"])
    op.create_table(
        "api_tokens",
        sa.Column("token_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("secret_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.Integer(), nullable=False),
        sa.Column("expires_ms", sa.Integer(), nullable=True),
        sa.Column("revoked_ms", sa.Integer(), nullable=True),
        sa.Column("last_used_day", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("token_id", name=op.f("pk_api_tokens")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.account_id"], name=op.f("fk_api_tokens_account_id")
        ),
    )
    op.create_index(op.f("ix_api_tokens_account_id"), "api_tokens", ["account_id"])
    op.create_table(
        "audit_log",
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("audit_id", name=op.f("pk_audit_log")),
    )
