"""The single writer of a table: commit before emit, settled turns, waiting commands."""

import pytest

from skat_engine import GiveUp, Pass, parse_action
from skat_server.clock import ManualClock
from skat_server.errors import Reason
from skat_server.tables.state import Stage
from skat_server.tables.table import Table
from skat_server.tables.writer import MOST_WAITING
from tests.server.playing import (
    MIXED,
    TO_PLAY,
    Outcomes,
    answer,
    config,
    full_table,
    new_table,
    occupant,
    open_question,
    play,
    play_on,
    succeeded,
)
from tests.server.stores import FailingStore, HeldStore, at_once, entries_of


class Watcher:
    """A viewer that counts how often it is told of a change."""

    def __init__(self, table: Table) -> None:
        self.seen: list[int] = []
        table.viewers[self] = None

    def table_changed(self, table: Table) -> None:
        self.seen.append(table.log.last(None))


@pytest.fixture
def held() -> HeldStore:
    return HeldStore()


@pytest.fixture
def failing() -> FailingStore:
    return FailingStore()


def test_a_table_is_durable_only_when_the_store_has_it(held: HeldStore) -> None:
    held.is_held = True
    outcomes = Outcomes()
    table = Table(config(), held, ManualClock())
    table.open(outcomes)
    assert not outcomes
    held.complete()
    assert outcomes == [None]


def test_an_action_changes_nothing_before_it_is_durable(held: HeldStore) -> None:
    """H7: commit before emit."""
    table = full_table(store=held)
    before, last = table.state, table.log.last(None)
    held.is_held = True
    answer(table, "18")
    assert table.state is before
    assert table.log.last(None) == last


def test_no_viewer_hears_of_an_action_before_it_is_durable(held: HeldStore) -> None:
    """H7: commit before emit."""
    table = full_table(store=held)
    watcher = Watcher(table)
    held.is_held = True
    answer(table, "18")
    assert watcher.seen == []
    held.complete()
    assert watcher.seen == [table.log.last(None)]


def test_who_answered_hears_of_it_when_it_is_durable(held: HeldStore) -> None:
    table = full_table(store=held)
    decision, outcomes = open_question(table), Outcomes()
    held.is_held = True
    table.answer(decision.seat, decision.turn_id, Pass(), outcomes)
    assert not outcomes
    held.complete()
    assert outcomes == [None]


def test_an_answer_that_waits_behind_its_twin_is_acknowledged(held: HeldStore) -> None:
    """F14: sent twice before the store had it; it counts once and is refused never."""
    table = full_table(store=held)
    decision, outcomes = open_question(table), Outcomes()
    held.is_held = True
    for _ in range(2):
        table.answer(decision.seat, decision.turn_id, Pass(), outcomes)
    while held.held:
        held.complete()
    assert outcomes == [None, None]
    assert table.state.actions == ((1, Pass()),)


@pytest.mark.parametrize("next_one", [None, "dia"])
def test_nobody_acts_for_a_seat_that_he_has_just_left(
    held: HeldStore, next_one: str | None
) -> None:
    """T3: his answer waits behind his leaving, and perhaps behind who sits down after him."""
    table = full_table(store=held)
    decision, outcomes = open_question(table), Outcomes()
    held.is_held = True
    table.leave("player-cem", succeeded)
    if next_one is not None:
        table.sit(occupant(next_one), decision.seat, succeeded)
    table.answer(decision.seat, decision.turn_id, Pass(), outcomes)
    table.propose(decision.seat, table.log.last(decision.seat), GiveUp(), outcomes)
    while held.held:
        held.complete()
    assert outcomes.reasons == [Reason.NOT_SEATED, Reason.NOT_SEATED]
    assert table.state.actions == ()


def test_no_decision_is_open_while_an_action_is_kept(held: HeldStore) -> None:
    table = full_table(store=held)
    held.is_held = True
    answer(table, "18")
    assert table.decision is None
    held.complete()
    assert open_question(table).turn_id == "1.1"


def test_a_deals_last_action_record_and_result_are_one_batch(held: HeldStore) -> None:
    """R2: one write has the action, the result and the record."""
    table = full_table(store=held)
    play(table, "pass pass")
    held.is_held = True
    answer(table, "pass")
    ((batch, _),) = held.held
    kinds = [entry.kind.value for entry in batch.entries]
    assert kinds == ["action", "deal_ended"]
    assert batch.record is not None
    assert batch.record.deal_number == 1


def test_the_next_deal_is_kept_with_the_end_of_the_last(held: HeldStore) -> None:
    table = full_table([MIXED, MIXED], store=held)
    play(table, "pass pass")
    held.is_held = True
    answer(table, "pass")
    ((batch, _),) = held.held
    assert [entry.kind.value for entry in batch.entries] == [
        "action",
        "deal_ended",
        "deal_started",
    ]


def test_a_failed_action_changes_nothing(held: HeldStore) -> None:
    """F4: the batch fails, nothing else does."""
    table = full_table(store=held)
    watcher, before, last = Watcher(table), table.state, table.log.last(None)
    held.is_held = True
    decision, outcomes = open_question(table), Outcomes()
    table.answer(decision.seat, decision.turn_id, Pass(), outcomes)
    held.fail()
    assert outcomes.reasons == [Reason.STORE_UNAVAILABLE]
    assert (table.state, table.log.last(None), set(watcher.seen)) == (before, last, {last})
    assert not table.was_settled_by(decision.seat, decision.turn_id, Pass())


def test_the_same_question_is_open_after_a_failure(failing: FailingStore) -> None:
    table = full_table(store=failing)
    asked = open_question(table)
    failing.is_failing = True
    table.answer(asked.seat, asked.turn_id, Pass(), Outcomes())
    assert open_question(table) == asked


def test_the_next_attempt_after_a_failure_works(failing: FailingStore) -> None:
    """F4: play goes on when space returns."""
    table = full_table(store=failing)
    asked, outcomes = open_question(table), Outcomes()
    failing.is_failing = True
    table.answer(asked.seat, asked.turn_id, Pass(), outcomes)
    failing.is_failing = False
    table.answer(asked.seat, asked.turn_id, Pass(), outcomes)
    assert outcomes.reasons == [Reason.STORE_UNAVAILABLE, None]
    assert [entry.payload for entry in entries_of(failing, "table-1")][-1] == "1 pass 0"


def test_a_failed_last_action_leaves_the_series_as_it_was(failing: FailingStore) -> None:
    table = full_table(store=failing)
    play(table, "pass pass")
    asked = open_question(table)
    failing.is_failing = True
    table.answer(asked.seat, asked.turn_id, Pass(), Outcomes())
    assert table.state.series.deals_done == 0
    assert table.state.stage is Stage.PLAYING
    assert at_once(failing.record("table-1", 1)) is None
    failing.is_failing = False
    answer(table, "pass")
    assert table.state.series.deals_done == 1


def test_commands_that_come_while_keeping_wait_in_order(held: HeldStore) -> None:
    table = new_table(store=held)
    held.is_held = True
    outcomes = Outcomes()
    for name in ("ann", "ben"):
        table.sit(occupant(name), None, outcomes)
    assert (len(held.held), len(outcomes)) == (1, 0)
    held.complete()
    assert (len(held.held), len(outcomes)) == (1, 1)
    held.complete()
    assert outcomes == [None, None]
    assert [who and who.name for who in table.state.occupants] == ["ann", "ben", None]


def test_a_command_that_waited_is_judged_by_what_it_finds(held: HeldStore) -> None:
    table = new_table(store=held)
    held.is_held = True
    outcomes = Outcomes()
    table.sit(occupant("ann"), 0, outcomes)
    table.sit(occupant("ben"), 0, outcomes)
    held.complete()
    assert outcomes.reasons == [None, Reason.SEAT_TAKEN]


def test_commands_that_wait_go_on_after_a_failure(held: HeldStore) -> None:
    table = new_table(store=held)
    held.is_held = True
    outcomes = Outcomes()
    table.sit(occupant("ann"), 0, outcomes)
    table.sit(occupant("ben"), 0, outcomes)
    held.fail()
    held.complete()
    assert outcomes.reasons == [Reason.STORE_UNAVAILABLE, None]
    assert table.state.seat_of("player-ben") == 0


def test_more_commands_than_the_bound_are_refused(held: HeldStore) -> None:
    table = new_table(store=held)
    held.is_held = True
    waiting, refused = Outcomes(), Outcomes()
    for number in range(1 + MOST_WAITING):
        table.sit(occupant(f"p{number}"), None, waiting)
    table.sit(occupant("late"), None, refused)
    assert refused.reasons == [Reason.QUOTA_EXCEEDED]
    assert not waiting


def test_the_same_answer_again_had_settled_the_turn() -> None:
    table = full_table()
    said = answer(table, "18")
    assert table.was_settled_by(*said)


def test_another_answer_had_not_settled_the_turn() -> None:
    """F14: another action for a settled turn is stale."""
    table = full_table()
    seat, turn_id, _ = answer(table, "18")
    outcomes = Outcomes()
    assert not table.was_settled_by(seat, turn_id, Pass())
    table.answer(seat, turn_id, Pass(), outcomes)
    assert outcomes.reasons == [Reason.STALE_TURN]


def test_another_seat_had_not_settled_the_turn() -> None:
    table = full_table()
    seat, turn_id, said = answer(table, "18")
    assert not table.was_settled_by((seat + 1) % 3, turn_id, said)


def test_the_last_card_of_a_deal_is_remembered_in_the_next() -> None:
    table = full_table([MIXED, MIXED])
    play(table, "pass pass")
    said = answer(table, "pass")
    play(table, "18 hold")
    assert table.was_settled_by(*said)


def test_turns_of_the_deal_before_the_last_are_forgotten() -> None:
    table = full_table([MIXED] * 3)
    said = answer(table, "pass")
    play(table, "pass pass pass pass pass")
    assert not table.was_settled_by(*said)


def test_turn_ids_never_come_twice() -> None:
    table = full_table([MIXED] * 3)
    seen: list[str] = []
    while table.decision is not None:
        seen.append(table.decision.turn_id)
        answer(table, table.decision.options[0])
    assert len(set(seen)) == len(seen)


def test_an_answer_to_no_open_turn_is_stale() -> None:
    table, outcomes = full_table(), Outcomes()
    table.answer(1, "9.9", Pass(), outcomes)
    table.answer(open_question(table).seat, "", Pass(), outcomes)
    assert outcomes.reasons == [Reason.STALE_TURN, Reason.STALE_TURN]


def test_an_answer_of_another_seat_is_refused() -> None:
    table, outcomes = full_table(), Outcomes()
    asked = open_question(table)
    table.answer((asked.seat + 1) % 3, asked.turn_id, Pass(), outcomes)
    assert outcomes.reasons == [Reason.NOT_YOUR_TURN]


def test_a_proposal_with_the_turn_of_another_seat_is_refused() -> None:
    """Whoever may propose at any time still cannot use the question of another."""
    table, outcomes = full_table(), Outcomes()
    play(table, TO_PLAY)
    asked = open_question(table)
    table.answer((asked.seat + 1) % 3, asked.turn_id, GiveUp(), outcomes)
    assert outcomes.reasons == [Reason.NOT_YOUR_TURN]


def test_an_illegal_answer_leaves_the_deal_untouched() -> None:
    table, outcomes = full_table(), Outcomes()
    play(table, TO_PLAY)
    asked, deal = open_question(table), table.state.deal
    table.answer(asked.seat, asked.turn_id, parse_action("SA"), outcomes)
    assert outcomes.reasons == [Reason.CARD_NOT_HELD]
    assert table.state.deal is deal
    assert open_question(table) is asked


def test_a_proposal_out_of_turn_is_taken_at_the_last_sequence() -> None:
    table, outcomes = full_table(), Outcomes()
    play(table, TO_PLAY)
    defender = table.state.seating.active[2]
    table.propose(defender, table.log.last(defender), GiveUp(), outcomes)
    assert outcomes == [None]
    assert open_question(table).proposal is not None


@pytest.mark.parametrize("offset", [-1, 1])
def test_a_proposal_at_another_sequence_is_refused(offset: int) -> None:
    table, outcomes = full_table(), Outcomes()
    play(table, TO_PLAY)
    defender = table.state.seating.active[2]
    table.propose(defender, table.log.last(defender) + offset, GiveUp(), outcomes)
    assert outcomes.reasons == [Reason.STALE_SEQUENCE]


def test_who_sits_out_proposes_nothing() -> None:
    table, outcomes = full_table(seats=4), Outcomes()
    play(table, TO_PLAY)
    (sitting,) = table.state.seating.sitting_out
    table.propose(sitting, table.log.last(sitting), GiveUp(), outcomes)
    assert outcomes.reasons == [Reason.WRONG_PHASE]


def test_a_turn_waits_at_a_seat_that_was_left() -> None:
    table = full_table()
    asked = open_question(table)
    table.leave("player-cem", succeeded)
    assert open_question(table) == asked
    table.sit(occupant("dia"), asked.seat, succeeded)
    answer(table, "18")


def test_a_table_that_is_over_has_no_question() -> None:
    table = full_table()
    play_on(table)
    assert table.is_over
    assert table.decision is None


def test_a_viewer_may_go_while_it_is_told() -> None:
    table = full_table()

    class Leaver(Watcher):
        def table_changed(self, table: Table) -> None:
            super().table_changed(table)
            del table.viewers[self]

    leaver, stays = Leaver(table), Watcher(table)
    play(table, "18 hold")
    assert (len(leaver.seen), len(stays.seen)) == (1, 2)
