"""The calls that are being served, by the token that opened them, so that they can be ended."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from skat_server.errors import Reason, RefusedError
from skat_server.players.identity import Player
from skat_server.rpc.endings import Endings


class _Call:
    """One call: its task, and why it is ended from outside."""

    __slots__ = ("player", "refusal", "task")

    def __init__(self, player: Player, task: asyncio.Task[Any]) -> None:
        self.player = player
        self.task = task
        self.refusal: RefusedError | None = None


class LiveCalls:
    """Runs calls so that they end when their token does, and counts the streams of players."""

    def __init__(self, streams_per_player: int, endings: Endings) -> None:
        """Serve nobody yet.

        Args:
            streams_per_player: most streams that one player may have open.
            endings: the streams that end themselves; other calls are cancelled.
        """
        self._endings = endings
        self._most = streams_per_player
        self._by_token: dict[str, dict[_Call, None]] = {}
        self._streams: Counter[str] = Counter()

    @property
    def token_ids(self) -> Collection[str]:
        """The tokens with which calls were opened that still run."""
        return self._by_token.keys()

    def streams_of(self, player_id: str) -> int:
        """How many streams a player has open."""
        return self._streams[player_id]

    async def run(
        self, player: Player, serve: Callable[[], Awaitable[object]], *, is_stream: bool
    ) -> object:
        """Serve a call in the present task until it is over or its token ends.

        Args:
            player: the caller.
            serve: serves the call.
            is_stream: whether it counts as an open stream.

        Raises:
            RefusedError: QUOTA_EXCEEDED for a stream too many, or why the token ended.
        """
        if is_stream:
            self._require_room(player)
        task = asyncio.current_task()
        assert task is not None
        call = _Call(player, task)
        self._enter(call, is_stream)
        try:
            return await serve()
        except asyncio.CancelledError:
            if call.refusal is None:
                raise
            task.uncancel()
            raise call.refusal from None
        finally:
            self._leave(call, is_stream)

    def end(self, refusals: Mapping[str, RefusedError]) -> None:
        """End all calls of some tokens, each for the reason given, but the one that asks for it.

        The transport tells nothing to a client that does not read; until it reads, or leaves, its
        stream is deaf and tells it nothing.
        """
        present = asyncio.current_task()
        for token_id, refusal in refusals.items():
            for call in self._by_token.get(token_id, {}):
                if call.refusal is None and call.task is not present:
                    call.refusal = refusal
                    if not self._endings.end(call.task, refusal):
                        call.task.cancel()

    def _require_room(self, player: Player) -> None:
        count = self._streams[player.player_id]
        if count >= self._most:
            raise RefusedError(
                Reason.QUOTA_EXCEEDED,
                f"you have {count} streams open; close some first",
                limit="streams_per_player",
                subject=player.player_id,
            )

    def _enter(self, call: _Call, is_stream: bool) -> None:
        if call.player.token_id:
            self._by_token.setdefault(call.player.token_id, {})[call] = None
        if is_stream:
            self._streams[call.player.player_id] += 1

    def _leave(self, call: _Call, is_stream: bool) -> None:
        calls = self._by_token.get(call.player.token_id, {})
        calls.pop(call, None)
        if not calls:
            self._by_token.pop(call.player.token_id, None)
        if is_stream:
            self._streams -= Counter([call.player.player_id])
