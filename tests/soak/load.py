"""So many tables at once, and everything that goes wrong beside them."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Sequence
from typing import Final

import grpc

from skat_client._recovery import require_wanted
from tests.crash.field import SEATS, Field
from tests.crash.recording import table_request
from tests.crash.relay import Relay
from tests.crash.supervising import Supervisor
from tests.rude.clients import CLIENTS
from tests.soak.plan import DEALS, SLOWNESS, Habit, Plan, habit_of
from tests.soak.shelf import Shelf

RUDE_AT_MOST: Final = 20.0
"""Seconds after which a rude client is given up: it may wait for what a limit has swallowed."""


class Load:
    """Plays, cuts, kills, and is rude, until it is cancelled.

    Attributes:
        ended: tables that were played to their end.
        cuts: how often connections of a relay were cut.
        kills: how often the server was killed.
        rude: how often each rude client came.
        rude_cut_short: how often it did not come to the end of what it had in mind.
    """

    def __init__(
        self, plan: Plan, supervisor: Supervisor, relays: Sequence[Relay], shelf: Shelf
    ) -> None:
        """Know the server and the ways to it."""
        self.ended = self.cuts = self.kills = 0
        self.rude: Counter[str] = Counter()
        self.rude_cut_short: Counter[str] = Counter()
        self._plan = plan
        self._supervisor = supervisor
        self._relays = relays
        self._shelf = shelf
        self._fields: dict[int, Field] = {}
        self._actions = 0

    @property
    def open_tables(self) -> int:
        """How many are under way."""
        return sum(len(field.table_ids) for field in self._fields.values())

    @property
    def actions(self) -> int:
        """How many the players have sent."""
        return self._actions + sum(field.progress.count for field in self._fields.values())

    async def run(self) -> None:
        """Go on for as long as the plan says; what is under way then is kept as it is."""
        parts = [self._slot(number) for number in range(self._plan.tables)]
        parts += [self._cut(), self._be_rude()]
        if self._plan.kill_every is not None:
            parts.append(self._kill(self._plan.kill_every))
        try:
            async with asyncio.timeout(self._plan.seconds), asyncio.TaskGroup() as group:
                for part in parts:
                    group.create_task(part)
        except TimeoutError:
            for field in self._fields.values():
                self._shelf.put(field, is_over=False)

    async def _slot(self, slot: int) -> None:
        """One table after the other, with players who come back."""
        for turn in itertools.count():
            field = self._field(slot, turn)
            self._fields[slot] = field
            await field.open([table_request(turn, DEALS)])
            await field.play()
            self.ended += 1
            self._actions += field.progress.count
            del self._fields[slot]
            self._shelf.put(field, is_over=True)

    def _field(self, slot: int, turn: int) -> Field:
        seed = self._plan.seed * 1_000_003 + turn * 10_007 + slot * SEATS
        names, think = [f"t{slot}-{seat}" for seat in range(SEATS)], self._plan.think
        habit = habit_of(slot)
        if habit is Habit.DYING:
            relay = self._relays[slot % len(self._relays)]
            return Field(lambda: relay.address, seed, names, lambda: relay.address, think)
        think *= SLOWNESS if habit is Habit.SLOW else 1.0
        return Field(lambda: self._supervisor.address, seed, names, think=think)

    async def _cut(self) -> None:
        chance = random.Random(self._plan.seed)
        while True:
            await asyncio.sleep(self._plan.cut_every)
            chance.choice(self._relays).cut()
            self.cuts += 1

    async def _be_rude(self) -> None:
        for name in itertools.cycle(CLIENTS):
            await asyncio.sleep(self._plan.rude_every)
            self.rude[name] += 1
            try:
                async with asyncio.timeout(RUDE_AT_MOST):
                    await CLIENTS[name](self._supervisor.address)
            except (grpc.aio.AioRpcError, AssertionError, OSError, TimeoutError):
                require_wanted()
                # What they are told is tested where nobody has used up their limits.
                self.rude_cut_short[name] += 1

    async def _kill(self, every: float) -> None:
        while True:
            await asyncio.sleep(every)
            self.kills += 1
            await self._supervisor.replace()
