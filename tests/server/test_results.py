"""With the last entry of a deal the store gets what it brought to whom (H5)."""

from __future__ import annotations

import random

from skat_engine.options import Scoring
from skat_server.storage.protocols import EntryKind, SeatResult
from skat_server.tables.table import Table
from tests.server.playing import MIXED, full_table, occupant, play, play_on, succeeded
from tests.server.stores import RecordingStore


class Results(RecordingStore):
    """Remembers what deals have brought."""

    @property
    def results(self) -> list[tuple[SeatResult, ...]]:
        """Of every deal."""
        return [batch.record.results for batch in self.batches if batch.record is not None]


def test_results_add_up_to_the_totals() -> None:
    """H5: standings are the sum of results, bonuses of the list included."""
    store = Results()
    table = full_table(None, store=store, seats=4, session_deals=8, scoring=Scoring.SEEGER_FABIAN)
    play_on(table, random.Random(7))
    assert len(store.results) == 8
    for seat, total in enumerate(table.state.series.sheet.totals):
        own = [results[seat] for results in store.results]
        assert {(one.seat, one.player_id) for one in own} == {(seat, player_id(table, seat))}
        assert sum(one.points for one in own) == total
    assert any(table.state.series.sheet.totals)


def player_id(table: Table, seat: int) -> str:
    holder = table.state.occupants[seat]
    return "" if holder is None else holder.player_id


def test_a_result_is_of_who_sat_there_at_the_end() -> None:
    store = Results()
    table = full_table([MIXED] * 2, store=store)
    play(table, "pass")
    table.leave("player-ann", succeeded)
    table.leave("player-ben", succeeded)
    table.sit(occupant("dia"), 1, succeeded)
    play(table, "pass pass")
    assert store.results == [
        (SeatResult(0, "", 0), SeatResult(1, "player-dia", 0), SeatResult(2, "player-cem", 0))
    ]


def test_results_come_with_the_last_entry_of_their_deal() -> None:
    """A deal is there as a whole or not at all."""
    store = Results()
    play_on(full_table([MIXED] * 2, store=store))
    ends = [
        batch
        for batch in store.batches
        if any(entry.kind is EntryKind.DEAL_ENDED for entry in batch.entries)
    ]
    assert [batch for batch in store.batches if batch.record is not None] == ends
    assert len(ends) == 2
