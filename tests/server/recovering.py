"""Tables made again from their logs, and held against the ones that wrote them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields, replace

from skat_engine import Action, GiveUp, LayOpen, SayKontra, ScoreSheet
from skat_server.clock import ManualClock
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Store, TableLog
from skat_server.tables.recovery import recovered
from skat_server.tables.state import OpenDecision, TableConfig, TableState
from skat_server.tables.table import Table
from tests.server.playing import NAMES, Outcomes, occupant
from tests.server.stores import at_once

OUT_OF_TURN = (GiveUp, LayOpen, SayKontra)


def log_of_table(store: Store, table_id: str = "table-1") -> TableLog:
    """What the store has of a table."""
    log = at_once(store.log(table_id))
    assert log is not None
    return log


def again(log: TableLog, store: Store | None = None) -> Table:
    """The table of a log; it goes on in a store of its own."""

    def make(config: TableConfig, state: TableState) -> Table:
        return Table(config, store or MemoryStore(), ManualClock(), state)

    return recovered(log, make)


def parts(value: object) -> object:
    """Everything in a value that has no comparison of its own, by name."""
    if isinstance(value, TableState):
        return {field.name: parts(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, ScoreSheet):  # a resumed one has no old lines
        return (value.rules, value.columns, value.deals)
    kind = type(value)
    if not kind.__module__.startswith("skat_engine") or kind.__eq__ is not object.__eq__:
        return value
    names = [name for base in kind.__mro__ for name in getattr(base, "__slots__", ())]
    return {name: parts(getattr(value, name)) for name in names}


def shape(table: Table) -> dict[str, object]:
    """Everything of a table that a restart must not change."""
    return {
        "config": table.config,
        "state": parts(table.state),
        "told": table.log.told,
        "kept": table.log._kept,
        "deal starts": table.log._deal_starts,
        "decision": asked(table),
        "settled": table._answers.settled,
        "settled before": table._answers.settled_before,
    }


def asked(table: Table) -> OpenDecision | None:
    """The open decision with its options one by one."""
    decision = table.decision
    return decision and replace(decision, options=tuple(decision.options))


def assert_same(table: Table, other: Table) -> None:
    """Hold two tables against each other."""
    one, two = shape(table), shape(other)
    for name in one:
        assert one[name] == two[name], name


class Mischief:
    """Plays a table by chance, with everything that people do beside answering."""

    def __init__(self, seed: int | str, clock: ManualClock) -> None:
        """Draw from a seed, and move a clock."""
        self.chance = random.Random(seed)
        self.clock = clock

    def step(self, table: Table) -> None:
        """Do one thing; it may be refused."""
        doings: list[tuple[float, Callable[[Table], None]]] = [
            (0.02, self._leave),
            (0.06, self._sit),
            (0.05, self._intervene),
            (0.003, self._end),
            (0.01, self._void),
            (0.04, self._come_and_go),
            (0.15, self._wait),
            (1.0, self._answer),
        ]
        for share, do in doings:
            if self.chance.random() < share:
                do(table)
                return

    def _answer(self, table: Table) -> None:
        decision = table.decision
        if decision is None:
            self._sit(table)
            return
        options = decision.options
        pick = options[self.chance.randrange(min(len(options), 12))]
        table.answer(decision.seat, decision.turn_id, pick, Outcomes())

    def _intervene(self, table: Table) -> None:
        """Say something out of turn, where the rules allow it."""
        state = table.state
        position = self.chance.randrange(3)
        if state.deal is None:
            return
        said: list[Action] = [a for a in state.deal.legal(position) if isinstance(a, OUT_OF_TURN)]
        if said:
            seat = state.seating.active[position]
            action = self.chance.choice(said)
            table.propose(seat, table.log.last(seat), action, Outcomes())

    def _leave(self, table: Table) -> None:
        table.leave(f"player-{self.chance.choice(NAMES)}", Outcomes())

    def _sit(self, table: Table) -> None:
        table.sit(occupant(self.chance.choice(NAMES)), None, Outcomes())

    def _wait(self, table: Table) -> None:
        """Let time pass, mostly less than anybody has."""
        del table
        self.clock.advance(self.chance.choice((0.25, 3.0, 31.0, 200.0)))

    def _void(self, table: Table) -> None:
        table.void_deal("by the operator", Outcomes())

    def _come_and_go(self, table: Table) -> None:
        player_id = f"player-{self.chance.choice(NAMES)}"
        table.came(player_id, self.clock.monotonic)
        if self.chance.random() < 0.5:
            table.went(player_id)

    def _end(self, table: Table) -> None:
        table.end_series("owner", Outcomes())
