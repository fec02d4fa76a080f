"""F14: duplicate, late and foreign answers in any order change nothing, and legal ones count."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from skat_engine import Action, Seat
from skat_server.errors import Reason
from skat_server.tables.table import Table
from tests import strategies
from tests.server.playing import Outcomes, answer, full_table
from tests.server.stores import entries_of

NOT_FOR_THE_ENGINE = {Reason.STALE_TURN, Reason.NOT_YOUR_TURN}


def shape(table: Table) -> tuple[object, ...]:
    """What must not change by a refusal."""
    return (
        table.state,
        table.log.last(None),
        table.decision,
        len(entries_of(table._store, "table-1")),
    )


def disturb(table: Table, seat: Seat, turn_id: str, action: Action) -> None:
    """Send an answer and hold the table to what it must do with it."""
    asked, before = table.decision, shape(table)
    fits = asked is not None and (asked.seat, asked.turn_id) == (seat, turn_id)
    again = table.was_settled_by(seat, turn_id, action)
    may = again or (fits and asked is not None and action in asked.options)
    outcomes = Outcomes()
    table.answer(seat, turn_id, action, outcomes)
    (reason,) = outcomes.reasons
    assert (reason is None) == may
    if reason is not None:
        assert shape(table) == before
        assert (reason in NOT_FOR_THE_ENGINE) == (not fits)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    disturbances=st.lists(
        st.tuples(st.integers(0, 2), st.integers(-8, 2), strategies.actions), max_size=40
    ),
)
def test_only_legal_answers_to_the_open_turn_count(
    seed: int, disturbances: list[tuple[Seat, int, Action]]
) -> None:
    table = full_table(None, session_deals=2)
    chance = random.Random(seed)
    for seat, offset, action in disturbances:
        turn_id = f"{table.state.deal_number}.{max(0, len(table.state.actions) + offset)}"
        disturb(table, seat, turn_id, action)
        if table.decision is None:
            break
        options = table.decision.options
        settled = answer(table, options[chance.randrange(min(len(options), 12))])
        assert table.was_settled_by(*settled)
