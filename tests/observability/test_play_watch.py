"""What is counted of play, at tables in memory with a clock that the test moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from skat_server.clock import ManualClock
from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.declaring import Metric
from skat_server.observability.metrics.room import Room
from skat_server.storage.memory import MemoryStore
from skat_server.tables.clocks import ClockPolicy
from skat_server.tables.house import HouseBot
from skat_server.tables.outbox import Delivery
from skat_server.tables.registry import TableLimits, Tables
from skat_server.tables.sessions import Session, Sessions
from skat_server.tables.sources import DealSource, FreshDeals, ListedDeals
from skat_server.tables.state import house_on_top
from skat_server.tables.table import Table
from skat_server.watching.play import PlayWatch
from tests.server.playing import MIXED, answer, config, occupant, open_question, succeeded

LIMITS = TableLimits(running=10, ended=10, per_owner=10, seats_per_player=10)
POLICY = ClockPolicy(decision_ms=1_000, bank_ms=0, increment_ms=0, grace_ms=2_000)
PLAYERS = ("ann", "ben", "cem")
ONE_DEAL = ListedDeals((MIXED,))


class Watched:
    """A house whose play is counted."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.room = Room()
        watch = PlayWatch(self.room, self.clock)
        self.tables = Tables(MemoryStore(), self.clock, LIMITS, observer=watch)
        self.sessions = Sessions(self.tables, self.clock, watch)

    def table(
        self,
        *names: str,
        number: int = 1,
        house: int = 0,
        source: DealSource = ONE_DEAL,
    ) -> Table:
        """A table at which these sit, and so many bots of the house."""
        plain = config((MIXED,), table_id=f"table-{number}")
        seated = house_on_top([HouseBot.FIRST_OPTION] * house, plain.rules.seats)
        fixed = replace(plain, clock=POLICY, seated=seated, source=source)
        table = self.tables.create(fixed, succeeded)
        for name in names:
            self.tables.sit(table, occupant(name), None, succeeded)
        return table

    def come(self, name: str, positions: Mapping[str, int] | None = None) -> Session:
        """Somebody opens a session."""
        return self.sessions.open(
            f"player-{name}", Delivery.LIVE, dict(positions or {}), lambda: None
        )

    def count(self, metric: Metric, **labels: str) -> float:
        """What a counter shows."""
        return self.room.counter(metric, **labels).value


@pytest.fixture
def seen() -> Watched:
    return Watched()


def asked(table: Table) -> str:
    """Who has the open decision."""
    occupant = table.state.occupants[open_question(table).seat]
    assert occupant is not None
    return occupant.name


def test_a_decision_whose_time_runs_out_counts_in_its_part_of_the_deal(seen: Watched) -> None:
    seen.table(*PLAYERS)
    for name in PLAYERS:
        seen.come(name)
    seen.clock.advance(0.5)
    for name in PLAYERS:
        seen.sessions.heard(f"player-{name}")
    seen.clock.advance(0.5)
    assert seen.count(declared.ACTIONS, outcome="defaulted") == 1
    assert [seen.count(declared.TIMEOUTS, phase=part) for part in ("bid", "skat", "card")] == [
        1,
        0,
        0,
    ]


def test_grace_is_counted_when_whoever_was_away_answers(seen: Watched) -> None:
    table = seen.table(*PLAYERS)
    sessions = {name: seen.come(name) for name in PLAYERS}
    away = asked(table)
    seen.sessions.close(sessions[away])
    seen.clock.advance(1.5)
    seen.come(away)
    answer(table, open_question(table).options[0])
    assert seen.count(declared.GRACE) == 1.5


def test_what_a_player_takes_to_answer_is_measured(seen: Watched) -> None:
    table = seen.table(*PLAYERS)
    for name in PLAYERS:
        seen.come(name)
    seen.clock.advance(0.75)
    answer(table, open_question(table).options[0])
    found = seen.room.histogram(declared.THINK, phase="bid")
    assert (found.sum, sum(found.counts)) == (0.75, 1)


def test_a_session_that_goes_on_counts_what_it_has_missed(seen: Watched) -> None:
    table = seen.table(*PLAYERS)
    last = table.log.last(0)
    answer(table, open_question(table).options[0])
    missed = table.log.last(0) - last
    seen.come("ann", {table.table_id: last})
    gap = seen.room.histogram(declared.RESUME_GAP)
    assert (gap.sum, sum(gap.counts)) == (missed, 1)
    assert seen.count(declared.SESSION_RESUMES) == 1
    assert seen.count(declared.RESUME_COMPACTIONS) == 0


def test_a_position_that_the_server_does_not_know_counts_as_a_view(seen: Watched) -> None:
    table = seen.table(*PLAYERS)
    seen.come("ann", {table.table_id: 10_000})
    assert seen.count(declared.RESUME_COMPACTIONS) == 1
    assert sum(seen.room.histogram(declared.RESUME_GAP).counts) == 0


def test_answers_of_the_house_are_its_own(seen: Watched) -> None:
    table = seen.table("ann", house=2)
    seen.come("ann")
    while not table.is_over:
        answer(table, open_question(table).options[0])
    assert seen.count(declared.ACTIONS, outcome="house") > 0
    assert seen.count(declared.ACTIONS, outcome="defaulted") == 0
    assert seen.count(declared.DEALS, game="passed") == 1


@pytest.mark.parametrize(
    ("contract", "game"),
    [("C.H8.D7", "suit"), ("G.H8.D7", "grand"), ("N.H8.D7", "null")],
    ids=["suit", "grand", "null"],
)
def test_a_deal_counts_as_what_was_played(seen: Watched, contract: str, game: str) -> None:
    table = seen.table(*PLAYERS)
    for move in f"18 hold pass pass take {contract}".split():
        answer(table, move)
    while not table.is_over:
        answer(table, open_question(table).options[0])
    assert seen.count(declared.DEALS, game=game) == 1
    assert seen.count(declared.TERMINATIONS, cause="normal") == 1


def test_a_deal_that_is_cut_off_counts_as_closed(seen: Watched) -> None:
    seen.table(*PLAYERS).close("enough", succeeded)
    assert seen.count(declared.TERMINATIONS, cause="closed") == 1
    assert seen.count(declared.TERMINATIONS, cause="normal") == 0


def test_a_secret_that_comes_twice_is_seen(seen: Watched) -> None:
    for number, secret in enumerate((1, 2, 1)):
        seen.table(number=number, source=FreshDeals(bytes([secret]) * 32))
    assert seen.count(declared.SEED_REUSE) == 1
