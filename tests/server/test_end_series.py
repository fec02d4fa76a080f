"""R-TAB-4: a series that has no other end is ended by whoever plays it or owns the table."""

from __future__ import annotations

import json

import pytest

from skat_engine.options import SessionEnd
from skat_server.errors import Reason
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import EntryKind
from skat_server.tables.facts import EndRequested, SeriesEnded
from skat_server.tables.state import Stage
from skat_server.tables.table import Table
from tests.server.playing import MIXED, Outcomes, full_table, new_table, play, succeeded
from tests.server.stores import FailingStore, entries_of
from tests.server.watching import Recorder

PASSED_IN = "pass pass pass"


def open_table(end: SessionEnd = SessionEnd.OPEN, *, seats: int = 3) -> Table:
    """A table whose series goes on until somebody asks for its end."""
    return full_table([MIXED], session_end=end, seats=seats)


def test_a_player_ends_it_after_the_deal_under_way() -> None:
    table = open_table()
    play(table, "18")
    table.end_series("player-ann", succeeded)
    assert table.state.stage is Stage.PLAYING
    play(table, "hold pass pass take C.H8.D7 give-up")
    assert table.is_over
    assert table.state.series.deals_done == 1


def test_the_owner_ends_it_from_outside() -> None:
    table = open_table()
    recorder = Recorder(table)
    table.end_series("owner", succeeded)
    play(table, PASSED_IN)
    kinds = [type(shown.fact) for shown in recorder.facts]
    assert recorder.facts[0].fact == EndRequested(None)
    assert kinds[-1] is SeriesEnded


def test_everybody_is_told_who_asked() -> None:
    table = open_table()
    recorder = Recorder(table)
    table.end_series("player-cem", succeeded)
    assert [shown.fact for shown in recorder.facts] == [EndRequested(2)]


def test_strangers_are_refused() -> None:
    table, outcomes = open_table(), Outcomes()
    table.end_series("player-eva", outcomes)
    assert outcomes.reasons == [Reason.NOT_ALLOWED]
    play(table, PASSED_IN)
    assert table.state.stage is Stage.PLAYING


def test_who_got_up_is_a_stranger() -> None:
    table, outcomes = open_table(), Outcomes()
    table.leave("player-ann", succeeded)
    table.end_series("player-ann", outcomes)
    assert outcomes.reasons == [Reason.NOT_ALLOWED]


@pytest.mark.parametrize("who", ["player-ann", "owner"])
def test_a_series_that_ends_by_itself_is_not_ended(who: str) -> None:
    table, outcomes = full_table([MIXED, MIXED]), Outcomes()
    table.end_series(who, outcomes)
    assert outcomes.reasons == [Reason.NOT_ALLOWED]
    play(table, PASSED_IN)
    assert table.state.stage is Stage.PLAYING


def test_a_table_at_which_no_deal_has_begun_ends_at_once() -> None:
    table = new_table([MIXED], session_end=SessionEnd.OPEN)
    recorder = Recorder(table)
    table.end_series("owner", succeeded)
    assert table.state.stage is Stage.FINISHED
    assert [shown.fact for shown in recorder.facts] == [
        EndRequested(None),
        SeriesEnded((0, 0, 0), (1, 1, 1)),
    ]


def test_a_table_that_is_over_is_not_ended_again() -> None:
    table, outcomes = open_table(), Outcomes()
    table.end_series("owner", succeeded)
    play(table, PASSED_IN)
    table.end_series("owner", outcomes)
    assert outcomes.reasons == [Reason.TABLE_OVER]


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_circuits_are_played_to_their_end(seats: int, after: int) -> None:
    """R-TAB-4: everybody has dealt equally often."""
    table = open_table(SessionEnd.FULL_CIRCUITS, seats=seats)
    for _ in range(seats + after):
        play(table, PASSED_IN)
    table.end_series("player-ann", succeeded)
    deals = 0
    while table.state.stage is Stage.PLAYING:
        play(table, PASSED_IN)
        deals += 1
    assert table.state.series.deals_done == 2 * seats
    assert deals == seats - after


def test_asking_again_changes_nothing() -> None:
    store = MemoryStore()
    table = full_table([MIXED], store=store, session_end=SessionEnd.OPEN)
    recorder = Recorder(table)
    for who in ("player-ann", "player-ben", "owner"):
        table.end_series(who, succeeded)
    assert len(recorder.facts) == 1
    asked = [e for e in entries_of(store, "table-1") if e.kind is EntryKind.END_REQUESTED]
    assert [json.loads(entry.payload) for entry in asked] == [{"seat": 0}]


def test_an_end_that_cannot_be_kept_was_not_asked_for() -> None:
    store, outcomes = FailingStore(), Outcomes()
    table = full_table([MIXED], store=store, session_end=SessionEnd.OPEN)
    store.is_failing = True
    table.end_series("owner", outcomes)
    store.is_failing = False
    play(table, PASSED_IN)
    assert outcomes.reasons == [Reason.STORE_UNAVAILABLE]
    assert table.state.stage is Stage.PLAYING
