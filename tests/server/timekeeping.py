"""A table with a clock in the hand of the test, and players who come, go, and are heard."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from skat_engine import Dealt, OptionValue, Seat
from skat_engine.records import Fault, from_json_line
from skat_engine.records.model import OwnOrigin
from skat_server.clock import ManualClock
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import EntryKind
from skat_server.tables.clocks import ClockPolicy
from skat_server.tables.facts import Fact
from skat_server.tables.faults import FaultConsequence, FaultPolicy
from skat_server.tables.house import HouseBot
from skat_server.tables.state import house_on_top
from skat_server.tables.table import Table
from tests.server.playing import (
    MIXED,
    NAMES,
    answer,
    config,
    occupant,
    open_question,
    succeeded,
)
from tests.server.stores import entries_of, records_of
from tests.server.watching import Recorder

POLICY: Final = ClockPolicy(decision_ms=1_000, bank_ms=5_000, increment_ms=0, grace_ms=2_000)
ALL_OF_IT: Final = 6.0
"""Seconds of own time and bank together."""
GRACE: Final = 2.0

PATIENT: Final = FaultPolicy(3, 1_000, FaultConsequence.NONE)
STRICT: Final = FaultPolicy(3, 0, FaultConsequence.HOUSE_PLAYS)
MERCILESS: Final = FaultPolicy(3, 0, FaultConsequence.FORFEIT)


class Room:
    """A table with players in its seats.

    Attributes:
        clock: moved by the test.
        store: keeps the log.
        table: the table.
    """

    def __init__(  # noqa: PLR0913  # what differs from case to case, by name
        self,
        deals: Sequence[Dealt] | None = (MIXED,),
        *,
        policy: ClockPolicy = POLICY,
        faults: FaultPolicy = PATIENT,
        house: Sequence[HouseBot] = (),
        store: MemoryStore | None = None,
        preset: str = "isko",
        is_full: bool = True,
        **options: OptionValue,
    ) -> None:
        """Open the table; its players sit down, each with a session."""
        self.clock = ManualClock()
        self.store = store or MemoryStore()
        plain = config(deals, preset=preset, options=options)
        seated = house_on_top(list(house), plain.rules.seats)
        fixed = replace(plain, clock=policy, faults=faults, seated=seated)
        self.table = Table(fixed, self.store, self.clock, chance=random.Random(0).randbytes)
        self._heard: dict[str, float] = {}
        self._seen = Recorder(self.table)
        self.table.open(succeeded)
        if is_full:
            for seat in range(fixed.rules.seats - len(house)):
                self.take_seat(NAMES[seat], seat)

    # --------------------------------------------------------------------------- players

    def take_seat(self, name: str, seat: Seat) -> None:
        """Somebody with a session sits down."""
        self.come(name)
        self.table.sit(occupant(name), seat, succeeded)

    def come(self, name: str) -> None:
        """Somebody opens a session."""
        self.hear(name)
        self.table.came(f"player-{name}", self._hearing(name))

    def _hearing(self, name: str) -> Callable[[], float]:
        return lambda: self._heard[name]

    def go(self, name: str) -> None:
        """Somebody's session is gone."""
        self.table.went(f"player-{name}")

    def hear(self, name: str) -> None:
        """Somebody gives a sign of life."""
        self._heard[name] = self.clock.monotonic()

    def name_of(self, seat: Seat) -> str:
        """Who sits there."""
        occupant = self.table.state.occupants[seat]
        assert occupant is not None
        return occupant.name

    @property
    def asked(self) -> str:
        """Who has the open decision."""
        return self.name_of(open_question(self.table).seat)

    # --------------------------------------------------------------------------- time

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.advance(seconds)

    def linger(self, seconds: float) -> None:
        """Let time pass in which whoever is asked gives a sign of life."""
        self.clock.advance(seconds / 2)
        self.hear(self.asked)
        self.clock.advance(seconds / 2)

    def time_out(self) -> None:
        """Let whoever is asked, who has a session, use up all of his time."""
        seat = open_question(self.table).seat
        left = self.table.time_left(seat)
        self.linger((left.own_ms + left.bank_ms) / 1_000)

    def play(self, moves: str, seconds: float = 0.0) -> None:
        """Let whoever is asked do this, each after so many seconds."""
        for move in moves.split():
            self.wait(seconds)
            answer(self.table, move)

    # --------------------------------------------------------------------------- what there is

    @property
    def told(self) -> list[Fact]:
        """Everything that a spectator was told."""
        return [shown.fact for shown in self._seen.facts]

    @property
    def kinds(self) -> list[EntryKind]:
        """The kinds of the entries in the log."""
        return [entry.kind for entry in entries_of(self.store, "table-1")]

    def payloads(self, kind: EntryKind) -> list[str]:
        """The entries of a kind."""
        return [e.payload for e in entries_of(self.store, "table-1") if e.kind is kind]

    def origin(self, deal: int = 1) -> OwnOrigin:
        """What the record of a deal says beside its moves."""
        record = from_json_line(records_of(self.store, "table-1")[deal - 1].json)
        assert isinstance(record.origin, OwnOrigin)
        return record.origin

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Of the deal under way."""
        return self.table.state.conduct.faults

    def bank(self, seat: Seat) -> int:
        """What is left of a seat's bank, in milliseconds."""
        position = self.table.state.seating.position_of(seat)
        assert position is not None
        return self.table.state.conduct.accounts[position].bank_ms
