"""What one kind of caller may have at once: calls, streams, connections."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil

from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.buckets import Buckets, Rate


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one holder may have."""

    calls: Rate | None
    """Calls, the beginnings of streams among them; None does not count them."""
    streams: int | None = None
    """Streams at once; None does not count them."""
    connections: int | None = None
    """Connections over which they come; None does not count them."""


class Allowances:
    """Counts what the holders of one kind have."""

    def __init__(self, kind: str, allowance: Allowance, clock: Clock) -> None:
        """Know of nobody.

        Args:
            kind: what the holders are, for their messages: ``server``, ``address``, ``player``.
            allowance: what each may have.
            clock: for the calls a second.
        """
        self._kind = kind
        self._allowance = allowance
        self._clock = clock
        self._calls = None if allowance.calls is None else Buckets(allowance.calls)
        self._peers: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """By holder: how many streams come over each connection."""

    def count_call(self, holder: str) -> None:
        """Let a call begin.

        Raises:
            RefusedError: RATE_LIMITED.
        """
        if self._calls is None:
            return
        wait = self._calls.take(holder, self._clock.monotonic())
        if wait > 0.0:
            raise RefusedError(
                Reason.RATE_LIMITED,
                f"too many calls a second from this {self._kind}; wait {wait:.3f} s",
                limit="calls_per_second",
                subject=self._kind,
                retry_ms=str(ceil(wait * 1_000)),
            )

    @contextmanager
    def stream(self, holder: str, peer: str) -> Iterator[None]:
        """Count a stream as long as it is inside.

        Args:
            holder: whose stream it is.
            peer: the connection over which it comes.

        Raises:
            RefusedError: QUOTA_EXCEEDED.
        """
        peers = self._peers.get(holder, Counter())
        self._require_room(peers, peer)
        self._peers[holder][peer] += 1
        try:
            yield
        finally:
            self._forget(holder, peer)

    def _require_room(self, peers: Counter[str], peer: str) -> None:
        most = self._allowance.streams
        if most is not None and peers.total() >= most:
            raise self._exceeded("streams", most)
        most = self._allowance.connections
        if most is not None and peer not in peers and len(peers) >= most:
            raise self._exceeded("connections", most)

    def _exceeded(self, limit: str, most: int) -> RefusedError:
        return RefusedError(
            Reason.QUOTA_EXCEEDED,
            f"this {self._kind} has {most} {limit} open, which is the limit; close one",
            limit=limit,
            subject=self._kind,
        )

    def _forget(self, holder: str, peer: str) -> None:
        peers = self._peers[holder]
        peers[peer] -= 1
        if not peers[peer]:
            del peers[peer]
        if not peers:
            del self._peers[holder]
