"""Who is let in: on an open server everybody with a token, else who has one from the server."""

import hashlib
from collections import OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final, Protocol

from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.players.identity import GUEST, Player, bearer_of, player_of, stranger
from skat_server.players.patience import FailureLimiter, Patience
from skat_server.players.tokens import is_secret_of, parse_token_text
from skat_server.storage.accounts import DAY_MS, AccountStore, Identity, Role
from skat_server.storage.protocols import StoreError

KNOWN_FOR: Final = 2.0
"""Seconds for which what was read of a token is believed; a revocation counts after them."""
MOST_KNOWN: Final = 10_000
"""Tokens of which something is remembered."""


class Door(Protocol):
    """Finds the caller behind the metadata of a call."""

    @property
    def stranger(self) -> RefusedError:
        """Why somebody without a token is refused where one is needed."""

    async def admit(self, authorization: str | None, address: str) -> Player | None:
        """The caller, None for one without a token.

        Args:
            authorization: the value of the metadata.
            address: where the call comes from.

        Raises:
            RefusedError: UNAUTHENTICATED, TOKEN_REVOKED, BANNED or RATE_LIMITED.
        """

    async def refused(self, token_ids: Collection[str]) -> Mapping[str, RefusedError]:
        """Which of these tokens, good a while ago, are refused now, and why."""

    def forget(self) -> None:
        """Believe nothing that was read before."""

    async def note_uses(self) -> None:
        """Keep the day on which tokens were used.

        Raises:
            StoreError: it could not be kept.
        """


class OpenDoor:
    """Lets in whoever brings a token of his own making (ADR 0004)."""

    def __init__(self, *, has_guests: bool) -> None:
        """Decide about those without one.

        Args:
            has_guests: all of them are one player, the guest.
        """
        self._nobody = GUEST if has_guests else None

    @property
    def stranger(self) -> RefusedError:
        """Any token would do."""
        return stranger()

    async def admit(self, authorization: str | None, address: str) -> Player | None:
        """Compute the player from the token."""
        del address
        return self._nobody if authorization is None else player_of(authorization)

    async def refused(self, token_ids: Collection[str]) -> Mapping[str, RefusedError]:
        """Such tokens do not end."""
        del token_ids
        return {}

    def forget(self) -> None:
        """Nothing was read."""

    async def note_uses(self) -> None:
        """Nothing is noted."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What was read of a token whose secret was right."""

    identity: Identity
    read_at: float
    look: int
    """Number of the look at the time; every look reads anew."""


class AccountDoor:
    """Lets in whoever has a token of the server, and remembers it for a moment (ADR 0017)."""

    def __init__(self, store: AccountStore, clock: Clock, patience: Patience) -> None:
        """Look tokens up in this store."""
        self._store = store
        self._clock = clock
        self._limiter = FailureLimiter(patience)
        self._known: OrderedDict[bytes, _Known] = OrderedDict()
        """By SHA-256 of the whole text, so that a guess is never answered from here."""
        self._looks = 0
        self._used: set[str] = set()

    @property
    def stranger(self) -> RefusedError:
        """Only the server's own tokens do."""
        return RefusedError(
            Reason.UNAUTHENTICATED,
            "send metadata `authorization: Bearer TOKEN` with a token that this server has issued",
        )

    async def admit(self, authorization: str | None, address: str) -> Player | None:
        """Find the token, check its secret, and who holds it."""
        if authorization is None:
            return None
        identity = await self._identity(bearer_of(authorization) or "", address)
        refusal = refusal_of(identity, self._now_ms())
        if refusal is not None:
            raise refusal
        return player_with(identity)

    async def refused(self, token_ids: Collection[str]) -> Mapping[str, RefusedError]:
        """Read them anew."""
        found = await self._store.identities(token_ids)
        now_ms = self._now_ms()
        refusals = {
            token_id: refusal_of(found[token_id], now_ms) if token_id in found else _unknown()
            for token_id in token_ids
        }
        return {token_id: why for token_id, why in refusals.items() if why is not None}

    def forget(self) -> None:
        """Read every token anew."""
        self._looks += 1

    async def note_uses(self) -> None:
        """Mark those that were used for the first time today."""
        used, self._used = self._used, set()
        if used:
            await self._store.mark_used(used, self._now_ms() // DAY_MS)

    async def _identity(self, token: str, address: str) -> Identity:
        """The token's identity, from memory while it is fresh.

        A token that was right before is read anew without regard to failures of its address:
        a stranger who guesses there must not lock it out.
        """
        key = hashlib.sha256(token.encode()).digest()
        known = self._known.get(key)
        if known is not None and self._is_fresh(known):
            return known.identity
        now, look = self._clock.monotonic(), self._looks
        identity = await (self._read(token) if known else self._tried(token, address, now))
        self._remember(key, _Known(identity, now, look))
        return identity

    def _is_fresh(self, known: _Known) -> bool:
        age = self._clock.monotonic() - known.read_at
        return known.look == self._looks and age < KNOWN_FOR

    async def _tried(self, token: str, address: str, now: float) -> Identity:
        """Read a token that was never right before; a wrong one counts against its address."""
        self._require_patience(address, now)
        self._limiter.charge(address, now)
        try:
            identity = await self._read(token)
        except StoreError:
            self._limiter.refund(address, now)
            raise
        self._limiter.refund(address, now)
        return identity

    def _require_patience(self, address: str, now: float) -> None:
        seconds = self._limiter.wait(address, now)
        if seconds > 0:
            raise RefusedError(
                Reason.RATE_LIMITED,
                f"too many wrong tokens from your address; wait {ceil(seconds)} s",
                limit="failed_authentications",
                subject="address",
                retry_ms=str(ceil(seconds * 1000)),
            )

    async def _read(self, token: str) -> Identity:
        text = parse_token_text(token)
        if text is None:
            raise _unknown()
        identity = await self._store.identity(text.token_id)
        is_right = is_secret_of(text, None if identity is None else identity.token.secret_sha256)
        if identity is None or not is_right:
            raise _unknown()
        if identity.token.last_used_day != self._now_ms() // DAY_MS:
            self._used.add(text.token_id)
        return identity

    def _remember(self, key: bytes, known: _Known) -> None:
        self._known[key] = known
        self._known.move_to_end(key)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def _now_ms(self) -> int:
        return int(self._clock.now() * 1000)


def player_with(identity: Identity) -> Player:
    """The caller that a token stands for."""
    holder = identity.holder
    return Player(
        player_id=holder.account_id,
        scopes=identity.token.scopes,
        account_id=holder.family_id,
        bot_id=holder.account_id if holder.role is Role.BOT else "",
        token_id=identity.token.token_id,
    )


def refusal_of(identity: Identity, now_ms: int) -> RefusedError | None:
    """Why a token with the right secret is refused; None when it is good."""
    token = identity.token
    if token.revoked_ms is not None:
        return RefusedError(Reason.TOKEN_REVOKED, "the token was revoked")
    if token.expires_ms is not None and token.expires_ms <= now_ms:
        return RefusedError(Reason.TOKEN_REVOKED, "the token has expired")
    if identity.is_disabled:
        return RefusedError(Reason.BANNED, "the account is disabled; ask the operator")
    return None


def _unknown() -> RefusedError:
    """One sentence for a token that is no token, unknown or wrong (T2)."""
    return RefusedError(Reason.UNAUTHENTICATED, "the token is not one of this server")
