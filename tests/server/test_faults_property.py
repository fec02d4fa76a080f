"""R10: whatever players, network and store do, a table ends, and nobody is charged for nothing."""

from __future__ import annotations

import json
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from skat_engine import GiveUp
from skat_server.storage.protocols import EntryKind, LoggedEntry
from skat_server.tables.clocks import ClockPolicy
from skat_server.tables.conduct import RAN_OUT
from skat_server.tables.faults import FaultCause, FaultConsequence, FaultPolicy
from skat_server.tables.house import HouseBot
from tests.server.playing import NAMES, Outcomes, occupant
from tests.server.recovering import again, assert_same, log_of_table
from tests.server.stores import OutageStore
from tests.server.timekeeping import Room

MS = st.sampled_from([0, 1, 400, 1_000, 5_000])
POLICIES = st.builds(ClockPolicy, st.sampled_from([1, 400, 1_000]), MS, MS, MS) | st.builds(
    ClockPolicy, st.just(0), st.sampled_from([1, 2_000]), MS, MS
)
FAULTS = st.builds(
    FaultPolicy, st.integers(0, 3), st.integers(0, 4), st.sampled_from(FaultConsequence)
)
HOUSES = st.lists(st.sampled_from(HouseBot), max_size=2)
WHO = st.sampled_from(NAMES[:4])
SECONDS = st.sampled_from([0.0, 0.1, 0.4, 1.0, 3.0, 20.0])

DOINGS = st.one_of(
    st.tuples(st.just("answer"), st.integers(0, 11)),
    st.tuples(st.just("spoil"), st.integers(1, 5)),
    st.tuples(st.just("wait"), SECONDS),
    st.tuples(st.just("outage"), SECONDS),
    st.tuples(st.sampled_from(["come", "go", "hear", "leave", "sit"]), WHO),
)


class Trial(Room):
    """A room in which anything may happen.

    Attributes:
        counted: seconds in which clocks ran.
    """

    def __init__(self, policy: ClockPolicy, faults: FaultPolicy, house: list[HouseBot]) -> None:
        """Let everybody sit down."""
        self.outages = OutageStore()
        super().__init__(
            None, policy=policy, faults=faults, house=house, store=self.outages, session_deals=2
        )
        self.outages.watch(self._store_changed)
        self.counted = 0.0

    def _store_changed(self) -> None:
        if self.outages.is_available:
            self.table.resume_clocks()
        else:
            self.table.pause_clocks()

    def do(self, what: str, how: object) -> None:
        """Do one thing; it may be refused."""
        doings: dict[str, Callable[..., None]] = {
            "answer": self._answer,
            "spoil": self._spoil,
            "wait": self._wait,
            "outage": self._outage,
            "come": self.come,
            "go": self.go,
            "hear": self.hear,
            "leave": lambda name: self.table.leave(f"player-{name}", Outcomes()),
            "sit": lambda name: self.table.sit(occupant(name), None, Outcomes()),
        }
        doings[what](how)

    def _answer(self, pick: int) -> None:
        decision = self.table.decision
        if decision is not None:
            option = decision.options[pick % len(decision.options)]
            self.table.answer(decision.seat, decision.turn_id, option, Outcomes())

    def _spoil(self, times: int) -> None:
        decision = self.table.decision
        if decision is not None and GiveUp() not in decision.options:
            for _ in range(times):
                self.table.answer(decision.seat, decision.turn_id, GiveUp(), Outcomes())

    def _wait(self, seconds: float) -> None:
        self.counted += seconds
        self.wait(seconds)

    def _outage(self, seconds: float) -> None:
        self.outages.set_out(True)
        self._answer(0)
        self.wait(seconds)
        self.outages.set_out(False)


@settings(max_examples=80, deadline=None)
@given(POLICIES, FAULTS, HOUSES, st.lists(DOINGS, max_size=50))
def test_a_table_always_ends_and_charges_what_the_clock_says(
    policy: ClockPolicy,
    faults: FaultPolicy,
    house: list[HouseBot],
    doings: list[tuple[str, object]],
) -> None:
    """Under any policy, and its log makes the same accounts again."""
    trial = Trial(policy, faults, house)
    for what, how in doings:
        trial.do(what, how)
    check_charges(trial)
    assert_same(trial.table, again(log_of_table(trial.store)))
    for _ in range(1_000):
        if trial.table.is_over:
            break
        trial.wait(1_000.0)
    assert trial.table.is_over


def check_charges(trial: Trial) -> None:
    """Hold the accounts of the deal against the log, counted again here."""
    lines = log_of_table(trial.store).lines
    thought = sum(times_of(line)[0] for line in lines)
    assert thought <= trial.counted * 1_000
    if trial.table.state.deal is None:
        return
    start = max(i for i, line in enumerate(lines) if line.entry.kind is EntryKind.DEAL_STARTED)
    policy = trial.table.config.clock
    for position, account in enumerate(trial.table.state.conduct.accounts):
        bank = earned = policy.bank_ms
        for line in lines[start:]:
            if position_of(line) == position:
                think_ms, grace_ms = times_of(line)
                bank -= max(0, think_ms - grace_ms - policy.decision_ms)
                earned += policy.increment_ms
        ran_out = any(
            line.entry.kind is EntryKind.DECISION_DEFAULTED
            and FaultCause(json.loads(line.entry.payload)["cause"]) in RAN_OUT
            for line in lines[start:]
            if position_of(line) == position
        )
        assert 0 <= account.bank_ms <= earned
        assert 0 <= account.grace_ms <= policy.grace_ms
        if not policy.increment_ms and not ran_out:
            assert account.bank_ms == max(0, bank)


def position_of(line: LoggedEntry) -> int | None:
    """Who acted, or was acted for."""
    match line.entry.kind:
        case EntryKind.ACTION:
            return int(line.entry.payload.split(" ")[0])
        case EntryKind.DECISION_DEFAULTED:
            position: int = json.loads(line.entry.payload)["position"]
            return position
        case _:
            return None


def times_of(line: LoggedEntry) -> tuple[int, int]:
    """Milliseconds of thinking, and those of grace among them."""
    match line.entry.kind:
        case EntryKind.ACTION:
            times = [int(word) for word in line.entry.payload.split(" ")[2:]]
            return times[0], sum(times[1:])
        case EntryKind.DECISION_DEFAULTED:
            row = json.loads(line.entry.payload)
            return row["think_ms"], row["grace_ms"]
        case _:
            return 0, 0
