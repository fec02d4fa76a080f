"""Accounts and checks of records: messages to values, one function a type."""

from skat.v1 import account_pb2, account_service_pb2, record_service_pb2
from skat_client._accounts import BotAccount, Caller, IssuedToken, Quota, Scope, Token
from skat_client._convert_enums import enum_from_proto
from skat_client._convert_policies import time_from_proto
from skat_client._verdicts import DealCheck, DealCheckKind, DealCheckOutcome, DealVerdict


def caller_from_proto(message: account_service_pb2.GetCallerResponse) -> Caller:
    """Who the caller is."""
    return Caller(
        player_id=message.player_id,
        account_id=message.account_id,
        bot_id=message.bot_id,
        scopes=tuple([enum_from_proto(Scope, scope) for scope in message.scopes]),
        quotas=tuple([Quota(quota.name, quota.limit, quota.used) for quota in message.quotas]),
    )


def bot_from_proto(message: account_pb2.Bot) -> BotAccount:
    """A player of an account."""
    return BotAccount(
        bot_id=message.bot_id,
        account_id=message.account_id,
        name=message.name,
        created_at=time_from_proto(message.created_at),
        disabled=message.disabled,
    )


def token_from_proto(message: account_pb2.Token) -> Token:
    """A token without its secret."""
    expires, revoked = message.expires_at, message.revoked_at
    return Token(
        token_id=message.token_id,
        account_id=message.account_id,
        bot_id=message.bot_id,
        scopes=tuple([enum_from_proto(Scope, scope) for scope in message.scopes]),
        created_at=time_from_proto(message.created_at),
        expires_at=time_from_proto(expires) if message.HasField("expires_at") else None,
        revoked_at=time_from_proto(revoked) if message.HasField("revoked_at") else None,
    )


def issued_from_proto(message: account_service_pb2.IssueTokenResponse) -> IssuedToken:
    """A new token with its text."""
    return IssuedToken(token_from_proto(message.token), message.text)


def verdict_from_proto(message: record_service_pb2.VerifyDealResponse) -> DealVerdict:
    """What the server found in a record."""
    return DealVerdict(message.ok, tuple([_check_from_proto(check) for check in message.checks]))


def _check_from_proto(message: record_service_pb2.DealCheck) -> DealCheck:
    return DealCheck(
        kind=enum_from_proto(DealCheckKind, message.kind),
        outcome=enum_from_proto(DealCheckOutcome, message.outcome),
        message=message.message,
    )
