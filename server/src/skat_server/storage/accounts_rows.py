"""Rows of the account tables and the values they stand for."""

from typing import Any, Final

from skat_server.storage.accounts import (
    Account,
    AuditEvent,
    AuditLine,
    Identity,
    Role,
    Scope,
    Token,
)

Row = tuple[Any, ...]

ACCOUNT: Final = (
    "a.account_id, a.name, a.role, coalesce(a.owner_id, ''), a.created_ms, a.disabled_ms"
)
"""Columns of an account or bot, `accounts` being called `a`."""

TOKEN: Final = (
    "t.token_id, t.account_id, t.secret_sha256, t.scopes, t.created_ms, t.expires_ms,"  # noqa: S105 - columns, no secret
    " t.revoked_ms, t.last_used_day"
)
"""Columns of a token, `api_tokens` being called `t`."""


def account_row(account: Account) -> Row:
    """The values for (account_id, name, role, owner_id, created_ms, disabled_ms)."""
    return (
        account.account_id,
        account.name,
        account.role.value,
        account.owner_id or None,
        account.created_ms,
        account.disabled_ms,
    )


def account_of(row: Row) -> Account:
    """An account from the columns `ACCOUNT`."""
    account_id, name, role, owner_id, created_ms, disabled_ms = row
    return Account(account_id, name, Role(role), owner_id, created_ms, disabled_ms)


def token_row(token: Token) -> Row:
    """The values for the columns of `api_tokens`, in the order of `TOKEN`."""
    scopes = " ".join(sorted(scope.value for scope in token.scopes))
    return (
        token.token_id,
        token.account_id,
        token.secret_sha256,
        scopes,
        token.created_ms,
        token.expires_ms,
        token.revoked_ms,
        token.last_used_day,
    )


def token_of(row: Row) -> Token:
    """A token from the columns `TOKEN`."""
    token_id, account_id, secret_sha256, scopes, *times = row
    return Token(token_id, account_id, secret_sha256, frozenset(map(Scope, scopes.split())), *times)


def identity_of(row: Row) -> Identity:
    """An identity from the columns `TOKEN`, `ACCOUNT` and the owner's `disabled_ms`."""
    token, holder, owner_disabled_ms = row[:8], row[8:14], row[14]
    return Identity(token_of(token), account_of(holder), owner_disabled_ms)


def audit_row(event: AuditEvent) -> Row:
    """The values for (at_ms, actor, action, target, detail)."""
    return event.at_ms, event.actor, event.action, event.target, event.detail


def audit_of(row: Row) -> AuditLine:
    """A line from (audit_id, at_ms, actor, action, target, detail)."""
    audit_id, *event = row
    return AuditLine(audit_id, AuditEvent(*event))
