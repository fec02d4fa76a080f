"""The live sessions of players: one each, the newest wins."""

from __future__ import annotations

import pytest

from skat_engine import Pass
from skat_server.clock import ManualClock
from skat_server.errors import Reason
from skat_server.storage.memory import MemoryStore
from skat_server.tables.outbox import Delivery
from skat_server.tables.registry import TableLimits, Tables
from skat_server.tables.sessions import GoingAway, Session, Sessions, Submission
from skat_server.tables.table import Table
from tests.server.playing import Outcomes, config, occupant, open_question, play_on, succeeded


class House:
    """Tables and sessions without a wire."""

    def __init__(self, limits: TableLimits | None = None) -> None:
        """Open the house."""
        limits = limits or TableLimits(running=10, ended=10, per_owner=10, seats_per_player=10)
        self.clock = ManualClock()
        self.tables = Tables(MemoryStore(), self.clock, limits)
        self.sessions = Sessions(self.tables, self.clock)
        self.wakes: list[str] = []

    def table(self, *names: str, table_id: str = "table-1") -> Table:
        """A table at which these sit."""
        table = self.tables.create(config(table_id=table_id), succeeded)
        for name in names:
            self.tables.sit(table, occupant(name), None, succeeded)
        return table

    def open(self, name: str, **positions: int) -> Session:
        """Open a session; positions by table id, an underscore for the hyphen."""
        named = {table_id.replace("_", "-"): seen for table_id, seen in positions.items()}
        return self.sessions.open(
            f"player-{name}", Delivery.LIVE, named, lambda: self.wakes.append(name)
        )

    def submit(self, session: Session, submission: Submission) -> tuple[bool, list[Reason | None]]:
        """Whether it was a repetition, and the outcome."""
        outcomes = Outcomes()
        repeated = self.sessions.submit(session.player_id, submission, outcomes)
        return repeated, outcomes.reasons


@pytest.fixture
def house() -> House:
    return House()


def test_a_session_follows_all_tables_of_its_player(house: House) -> None:
    house.table("ann", table_id="table-1")
    house.table("ben", table_id="table-2")
    house.table("ann", "ben", table_id="table-3")
    updates = house.open("ann").outbox.drain()
    assert [update.table.table_id for update in updates] == ["table-1", "table-3"]
    assert [update.viewer for update in updates] == [0, 0]


def test_the_newer_session_ends_the_older(house: House) -> None:
    house.table("ann")
    older = house.open("ann")
    newer = house.open("ann")
    assert older.ended is not None
    assert older.ended.reason is Reason.SESSION_SUPERSEDED
    assert older.outbox.is_idle
    assert newer.ended is None


def test_closing_the_older_session_leaves_the_newer_alone(house: House) -> None:
    older = house.open("ann")
    house.open("ann")
    house.sessions.close(older)
    assert house.sessions.is_connected("player-ann")


def test_a_closed_session_is_not_connected(house: House) -> None:
    session = house.open("ann")
    house.sessions.close(session)
    assert not house.sessions.is_connected("player-ann")


def test_positions_are_continued_and_others_get_a_view(house: House) -> None:
    one = house.table("ann", table_id="table-1")
    house.table("ann", table_id="table-2")
    house.tables.sit(one, occupant("ben"), None, succeeded)
    first, second = house.open("ann", table_1=1).outbox.drain()
    assert (first.is_view, [f.sequence for f in first.facts]) == (False, [2])
    assert second.is_view


def test_a_position_at_a_table_of_others_is_nothing(house: House) -> None:
    house.table("ben")
    assert house.open("ann", table_1=0, table_9=0).outbox.drain() == []


def test_a_position_at_a_table_that_ended_gets_its_end(house: House) -> None:
    table = house.table("ann", "ben", "cem")
    seen = table.log.last(0)
    play_on(table)
    (update,) = house.open("ann", table_1=seen).outbox.drain()
    assert not update.is_view
    assert update.facts[-1].sequence == table.log.last(0)


def test_a_seat_taken_is_followed_at_once(house: House) -> None:
    session, table = house.open("ann"), house.table()
    house.sessions.sit(table, occupant("ann"), 2, succeeded)
    (update,) = session.outbox.drain()
    assert (update.is_view, update.viewer) == (True, 2)


def test_a_seat_that_was_refused_is_not_followed(house: House) -> None:
    session, table, outcomes = house.open("ann"), house.table("ben"), Outcomes()
    house.sessions.sit(table, occupant("ann"), 0, outcomes)
    assert outcomes.reasons == [Reason.SEAT_TAKEN]
    assert session.outbox.is_idle


def test_a_seat_left_is_followed_no_longer(house: House) -> None:
    table = house.table("ann")
    session = house.open("ann")
    house.sessions.leave(table, "player-ann", succeeded)
    assert session.outbox.is_idle
    assert table.state.seat_of("player-ann") is None


def test_whoever_could_not_leave_follows_on(house: House) -> None:
    table, outcomes = house.table("ann"), Outcomes()
    session = house.open("ann")
    table.close("late", succeeded)
    house.sessions.leave(table, "player-ann", outcomes)
    assert outcomes.reasons == [Reason.TABLE_OVER]
    assert not session.outbox.is_idle


def test_players_without_session_can_sit_and_leave(house: House) -> None:
    table = house.table()
    house.sessions.sit(table, occupant("ann"), None, succeeded)
    house.sessions.leave(table, "player-ann", succeeded)
    assert not house.sessions.is_connected("player-ann")


def test_an_answer_reaches_the_table(house: House) -> None:
    table = house.table("ann", "ben", "cem")
    session = house.open("cem")
    asked = open_question(table)
    answer = Submission("table-1", asked.turn_id, 0, Pass())
    assert house.submit(session, answer) == (False, [None])
    assert house.submit(session, answer) == (True, [])


@pytest.mark.parametrize("table_id", ["table-1", "no-table"])
def test_an_answer_at_a_table_of_others_is_refused(house: House, table_id: str) -> None:
    """T3: seat rights come from who the caller is; an unknown table looks the same."""
    table = house.table("ann", "ben", "cem")
    answer = Submission(table_id, open_question(table).turn_id, 0, Pass())
    assert house.submit(house.open("dia"), answer) == (False, [Reason.NOT_SEATED])


def test_an_answer_after_getting_up_is_refused(house: House) -> None:
    table = house.table("ann", "ben", "cem")
    session = house.open("cem")
    house.tables.leave(table, "player-cem", succeeded)
    answer = Submission("table-1", open_question(table).turn_id, 0, Pass())
    assert house.submit(session, answer) == (False, [Reason.NOT_SEATED])


def test_an_answer_at_a_table_that_was_forgotten_is_refused() -> None:
    house = House(TableLimits(running=10, ended=0, per_owner=10, seats_per_player=10))
    table = house.table("ann", "ben", "cem")
    session = house.open("cem")
    turn_id = open_question(table).turn_id
    play_on(table)
    answer = Submission("table-1", turn_id, 0, Pass())
    assert house.submit(session, answer) == (False, [Reason.NOT_SEATED])


def test_without_turn_id_it_is_a_proposal(house: House) -> None:
    table = house.table("ann", "ben", "cem")
    session = house.open("cem")
    proposal = Submission("table-1", "", table.log.last(2), Pass())
    assert house.submit(session, proposal) == (False, [Reason.STALE_TURN])


def test_all_sessions_end_when_the_server_goes(house: House) -> None:
    sessions = [house.open(name) for name in ("ann", "ben")]
    house.sessions.end_all()
    assert [s.ended and s.ended.reason for s in sessions] == [Reason.GOING_AWAY] * 2
    assert house.wakes == ["ann", "ben"]


def test_a_session_that_comes_late_ends_at_once(house: House) -> None:
    house.sessions.end_all()
    session = house.open("ann")
    assert session.ended is not None
    assert session.ended.reason is Reason.GOING_AWAY


def test_the_first_reason_to_end_counts(house: House) -> None:
    older = house.open("ann")
    house.open("ann")
    house.sessions.end_all()
    assert older.ended is not None
    assert older.ended.reason is Reason.SESSION_SUPERSEDED


def test_whoever_has_the_decision_is_not_asked_again(house: House) -> None:
    table = house.table("ann", "ben", "cem")
    seat = open_question(table).seat
    name, turn_id = ("ann", "ben", "cem")[seat], open_question(table).turn_id
    seen = {"table-1": table.log.last(seat)}
    for known, times in ((turn_id, 0), ("of old", 1)):
        session = house.sessions.open(
            f"player-{name}", Delivery.LIVE, seen, lambda: None, {"table-1": known}
        )
        assert len(session.outbox.drain()) == times


def test_a_poller_stays_connected_for_a_while(house: House) -> None:
    session = house.open("ann")
    house.sessions.linger(session, 10.0)
    house.clock.advance(9.9)
    assert house.sessions.is_connected("player-ann")
    house.clock.advance(0.1)
    assert not house.sessions.is_connected("player-ann")


def test_a_poller_who_comes_back_stays_connected(house: House) -> None:
    house.sessions.linger(house.open("ann"), 10.0)
    house.clock.advance(5.0)
    house.open("ann")
    house.clock.advance(60.0)
    assert house.sessions.is_connected("player-ann")


def test_a_poller_who_is_gone_costs_no_table_anything(house: House) -> None:
    table = house.table("ann")
    before = len(table.viewers)
    house.sessions.linger(house.open("ann"), 10.0)
    assert len(table.viewers) == before


def test_the_last_sign_of_life_is_known(house: House) -> None:
    session = house.open("ann")
    house.clock.advance(3.0)
    session.heard()
    house.clock.advance(2.0)
    assert house.sessions.heard_at("player-ann") == 3.0
    assert house.sessions.heard_at("player-ben") is None


def test_everybody_is_told_that_the_server_goes(house: House) -> None:
    """F18: those who are there and those who come."""
    early = house.open("ann")
    house.sessions.announce_going_away(1_000.0, "other:7654")
    late = house.open("ben")
    assert early.going_away == late.going_away == GoingAway(1_000.0, "other:7654")
    assert house.wakes == ["ann"]
    assert early.ended is late.ended is None
