"""Accounts, bots, tokens and the audit log."""

from collections.abc import Iterable
from typing import Final

from skat.v1 import account_pb2, admin_service_pb2
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.convert.facts import timestamp
from skat_server.storage.accounts import Account, AuditLine, Scope, Token

_SCOPES_TO_PROTO: Final = {scope: account_pb2.Scope.Value(f"SCOPE_{scope.name}") for scope in Scope}
_SCOPES: Final = {number: scope for scope, number in _SCOPES_TO_PROTO.items()}


def scopes_to_proto(scopes: Iterable[Scope]) -> list[account_pb2.Scope.ValueType]:
    """Scopes in the order of their numbers."""
    return sorted(_SCOPES_TO_PROTO[scope] for scope in scopes)


def scopes_from_proto(numbers: Iterable[int]) -> frozenset[Scope]:
    """Scopes of a request.

    Raises:
        RefusedError: INVALID_FIELD for a number that is no scope.
    """
    found = [_SCOPES.get(number) for number in numbers]  # type: ignore[call-overload]
    if None in found:
        raise RefusedError(Reason.INVALID_FIELD, "scopes has one that is none", field="scopes")
    return frozenset(scope for scope in found if scope is not None)


def account_to_proto(account: Account) -> account_pb2.Account:
    """An account."""
    return account_pb2.Account(
        account_id=account.account_id,
        name=account.name,
        created_at=timestamp(account.created_ms / 1000),
        disabled=account.disabled_ms is not None,
    )


def bot_to_proto(bot: Account) -> account_pb2.Bot:
    """A bot."""
    return account_pb2.Bot(
        bot_id=bot.account_id,
        account_id=bot.owner_id,
        name=bot.name,
        created_at=timestamp(bot.created_ms / 1000),
        disabled=bot.disabled_ms is not None,
    )


def token_to_proto(token: Token, family_id: str) -> account_pb2.Token:
    """A token, without its secret.

    Args:
        token: the token.
        family_id: the account that it belongs to, by itself or through a bot.
    """
    shown = account_pb2.Token(
        token_id=token.token_id,
        account_id=family_id,
        bot_id="" if token.account_id == family_id else token.account_id,
        scopes=scopes_to_proto(token.scopes),
        created_at=timestamp(token.created_ms / 1000),
    )
    if token.expires_ms is not None:
        shown.expires_at.CopyFrom(timestamp(token.expires_ms / 1000))
    if token.revoked_ms is not None:
        shown.revoked_at.CopyFrom(timestamp(token.revoked_ms / 1000))
    return shown


def audit_to_proto(line: AuditLine) -> admin_service_pb2.AuditEvent:
    """A line of the audit log."""
    event = line.event
    return admin_service_pb2.AuditEvent(
        at=timestamp(event.at_ms / 1000),
        actor=event.actor,
        action=event.action,
        target=event.target,
        detail=event.detail,
    )
