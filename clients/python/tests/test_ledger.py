"""The books of a session: every turn is played once. No connection is needed to see it."""

import pytest
from google.protobuf.message import Message

from skat.v1 import decision_pb2, error_pb2, event_pb2, table_pb2
from skat.v1 import play_service_pb2 as play
from skat_client import (
    Action,
    Bid,
    DecisionAsked,
    ErrorReason,
    EventSeen,
    GiveUp,
    Pass,
    SessionItem,
    SubmissionRefused,
    TableShown,
)
from skat_client._feed import GapError
from skat_client._ledger import Ledger
from skat_client.testing import bidding_decision, new_events, new_frame, new_table, new_view

PASSED = event_pb2.BidPassed(seat=1)


def shown(
    turn_id: str | None = "1", table_id: str = "t", sequence: int = 0
) -> table_pb2.TableFrame:
    decision = bidding_decision(turn_id, [18]) if turn_id else None
    return new_frame(table_id, view=new_view(table_id, sequence=sequence), decision=decision)


def asked_again(turn_id: str = "1") -> table_pb2.TableFrame:
    return new_frame("t", decision=bidding_decision(turn_id, [18]))


def refused(reason: int, turn_id: str = "1") -> play.SubmissionResult:
    refusal = play.Refused(reason=error_pb2.ErrorReason.ValueType(reason), message="no")
    return play.SubmissionResult(table_id="t", turn_id=turn_id, refused=refusal)


def take(
    ledger: Ledger, *frames: table_pb2.TableFrame, results: tuple[play.SubmissionResult, ...] = ()
) -> list[SessionItem]:
    return list(ledger.take(play.PlayResponse(tables=frames, results=results)))


def ask(ledger: Ledger, *frames: table_pb2.TableFrame) -> DecisionAsked:
    *_, item = take(ledger, *frames)
    assert isinstance(item, DecisionAsked)
    return item


def sent(ledger: Ledger, max_count: int = 1024, max_bytes: int = 10_000) -> list[list[str]]:
    requests = ledger.outgoing(max_count, max_bytes)
    return [[s.turn_id for s in request.submissions] for request in requests]


@pytest.fixture
def ledger() -> Ledger:
    books = Ledger()
    books.connect()
    return books


def answer(ledger: Ledger, action: Action) -> DecisionAsked:
    item = ask(ledger, shown())
    assert ledger.submit(item.decision, action)
    return item


def test_a_view_comes_before_its_events(ledger: Ledger) -> None:
    frame = new_frame("t", new_events(5, PASSED, PASSED), view=new_view("t", sequence=6))
    items = take(ledger, frame)
    assert [type(item) for item in items] == [TableShown, EventSeen, EventSeen]
    assert ledger.feed.sights["t"].sequence == 6


def test_the_sight_is_as_old_as_the_event(ledger: Ledger) -> None:
    frame = new_frame("t", new_events(1, PASSED, PASSED), view=new_view("t", sequence=2))
    items = ledger.take(play.PlayResponse(tables=[frame]))
    sequences = [item.sight.sequence for item in items if isinstance(item, EventSeen)]
    assert sequences == [1, 2]


def test_an_event_seen_before_is_skipped(ledger: Ledger) -> None:
    take(ledger, shown(None, sequence=3))
    assert len(take(ledger, new_frame("t", new_events(3, PASSED, PASSED)))) == 1


def test_a_gap_forgets_the_table(ledger: Ledger) -> None:
    take(ledger, shown(None, sequence=3))
    with pytest.raises(GapError):
        take(ledger, new_frame("t", new_events(5, PASSED)))
    assert ledger.positions(1000) == []


@pytest.mark.parametrize(
    "frame", [new_frame("t", new_events(1, PASSED)), asked_again()], ids=["event", "decision"]
)
def test_a_table_never_shown_is_a_gap(frame: table_pb2.TableFrame, ledger: Ledger) -> None:
    with pytest.raises(GapError, match="never shown"):
        take(ledger, frame)


def test_an_answer_is_sent_once(ledger: Ledger) -> None:
    answer(ledger, Pass())
    assert sent(ledger) == [["1"]]
    assert sent(ledger) == []


def test_a_second_answer_is_not_taken(ledger: Ledger) -> None:
    item = answer(ledger, Pass())
    assert not ledger.submit(item.decision, Bid(18))
    assert sent(ledger) == [["1"]]


def test_an_answer_to_a_replaced_decision_is_not_taken(ledger: Ledger) -> None:
    old = ask(ledger, shown("1"))
    ask(ledger, asked_again("2"))
    assert not ledger.submit(old.decision, Pass())


def test_a_repeated_question_under_way_is_nobodys_business(ledger: Ledger) -> None:
    answer(ledger, Pass())
    assert take(ledger, asked_again()) == []
    assert sent(ledger) == [["1"]]


def test_a_new_connection_sends_the_same_answer_again(ledger: Ledger) -> None:
    answer(ledger, Bid(18))
    sent(ledger)
    ledger.connect()
    assert take(ledger, asked_again()) == []
    (request,) = ledger.outgoing(1024, 10_000)
    assert request.submissions[0].action.bid.value == 18


def test_it_does_so_only_when_asked(ledger: Ledger) -> None:
    answer(ledger, Bid(18))
    ledger.connect()
    assert sent(ledger) == []


def test_a_question_still_thought_about_is_not_asked_twice(ledger: Ledger) -> None:
    item = ask(ledger, shown())
    ledger.connect()
    assert take(ledger, asked_again()) == []
    assert ledger.submit(item.decision, Pass())


def test_a_refusal_opens_the_question_again(ledger: Ledger) -> None:
    answer(ledger, Bid(18))
    refusal, again = take(
        ledger, asked_again(), results=(refused(error_pb2.ERROR_REASON_ILLEGAL_BID),)
    )
    assert isinstance(refusal, SubmissionRefused)
    assert (refusal.action, refusal.reason) == (Bid(18), ErrorReason.ILLEGAL_BID)
    assert isinstance(again, DecisionAsked)
    assert ledger.submit(again.decision, Pass())


def test_a_refusal_without_a_question_closes_the_turn(ledger: Ledger) -> None:
    item = answer(ledger, Pass())
    take(ledger, results=(refused(error_pb2.ERROR_REASON_STALE_TURN),))
    assert not ledger.submit(item.decision, Pass())


def test_a_repeated_submission_needs_nothing(ledger: Ledger) -> None:
    answer(ledger, Pass())
    result = play.SubmissionResult(table_id="t", turn_id="1", repeated=play.Repeated())
    assert take(ledger, results=(result,)) == []


def test_storage_that_is_down_gets_the_answer_again_after_a_pause(ledger: Ledger) -> None:
    answer(ledger, Bid(18))
    sent(ledger)
    down = refused(error_pb2.ERROR_REASON_STORE_UNAVAILABLE)
    assert take(ledger, asked_again(), results=(down,)) == []
    assert ledger.wants_pause
    assert sent(ledger) == [["1"]]


def test_a_limit_on_an_answer_leaves_it_recorded(ledger: Ledger) -> None:
    """RATE_LIMITED settles nothing: should the turn still be open, the same answer goes again."""
    item = answer(ledger, Bid(18))
    sent(ledger)
    limited = refused(error_pb2.ERROR_REASON_RATE_LIMITED)
    assert take(ledger, results=(limited,)) == []
    assert not ledger.submit(item.decision, Pass())
    assert take(ledger, asked_again()) == []
    assert sent(ledger) == [["1"]]


def test_a_limit_on_a_proposal_is_told(ledger: Ledger) -> None:
    answer(ledger, Pass())
    limited = refused(error_pb2.ERROR_REASON_RATE_LIMITED, turn_id="")
    (refusal,) = take(ledger, results=(limited,))
    assert isinstance(refusal, SubmissionRefused)
    assert refusal.reason is ErrorReason.RATE_LIMITED


DEFAULTED = event_pb2.DecisionDefaulted(seat=0)
VOIDED = event_pb2.DealVoided(reason="by the operator")


@pytest.mark.parametrize("settled", [DEFAULTED, VOIDED], ids=["time is up", "deal is void"])
def test_what_was_settled_otherwise_is_not_answered(settled: Message, ledger: Ledger) -> None:
    item = ask(ledger, shown())
    take(ledger, new_frame("t", new_events(1, settled)))
    assert not ledger.submit(item.decision, Pass())
    assert sent(ledger) == []


def test_the_fault_of_another_seat_settles_nothing_here(ledger: Ledger) -> None:
    item = ask(ledger, shown())
    take(ledger, new_frame("t", new_events(1, event_pb2.DecisionDefaulted(seat=2))))
    assert ledger.submit(item.decision, Pass())


def test_a_fault_told_once_more_after_a_view_does_not_open_the_next_turn(ledger: Ledger) -> None:
    """A turn is played once, though the view tells of an earlier one that was lost."""
    ask(ledger, shown("1"))
    again = new_frame("t", new_events(1, DEFAULTED), decision=bidding_decision("2", [18]))
    assert ledger.submit(ask(ledger, again).decision, Bid(18))
    ledger.connect()
    view = new_view("t", sequence=1)
    items = take(ledger, new_frame("t", again.events, view=view, decision=again.decision))
    assert [type(item) for item in items] == [TableShown, EventSeen]
    assert sent(ledger) == [["2"]]


def test_news_are_progress_and_repetitions_are_not(ledger: Ledger) -> None:
    frame = new_frame(
        "t", new_events(1, PASSED), view=new_view("t", sequence=1), decision=question("1")
    )
    take(ledger, frame)
    assert (ledger.take_advance(), ledger.take_advance()) == (True, False)
    ledger.connect()
    take(ledger, frame)
    assert not ledger.take_advance()
    take(ledger, new_frame("t", decision=question("2")))
    assert ledger.take_advance()


def question(turn_id: str) -> decision_pb2.Decision:
    return bidding_decision(turn_id, [18])


def held(ledger: Ledger) -> list[str]:
    return [position.turn_id for position in ledger.positions(1000, with_turns=True)]


def test_who_polls_names_the_questions_that_need_no_repetition(ledger: Ledger) -> None:
    assert held(ledger) == []
    item = ask(ledger, shown("1"))
    assert held(ledger) == ["1"]
    ledger.submit(item.decision, Pass())
    assert held(ledger) == ["1"]
    ledger.connect()
    assert held(ledger) == [""]


def test_a_question_that_needs_its_answer_again_is_not_named(ledger: Ledger) -> None:
    answer(ledger, Bid(18))
    take(ledger, results=(refused(error_pb2.ERROR_REASON_STORE_UNAVAILABLE),))
    assert held(ledger) == [""]


def test_a_proposal_names_what_was_seen(ledger: Ledger) -> None:
    take(ledger, shown(None, sequence=7))
    ledger.propose("t", GiveUp())
    (request,) = ledger.outgoing(1024, 10_000)
    assert (request.submissions[0].turn_id, request.submissions[0].last_sequence) == ("", 7)


def test_a_proposal_does_not_survive_the_connection(ledger: Ledger) -> None:
    take(ledger, shown(None))
    ledger.propose("t", GiveUp())
    ledger.connect()
    assert sent(ledger) == []


def test_a_refused_proposal_leaves_the_answer_alone(ledger: Ledger) -> None:
    answer(ledger, Pass())
    (refusal,) = take(ledger, results=(refused(error_pb2.ERROR_REASON_NOT_OFFERED, turn_id=""),))
    assert isinstance(refusal, SubmissionRefused)
    assert (refusal.action, refusal.turn_id) == (None, "")
    assert take(ledger, asked_again()) == []


def test_answers_of_many_tables_share_a_message(ledger: Ledger) -> None:
    for table_id in ("a", "b", "c"):
        ledger.submit(ask(ledger, shown(table_id, table_id)).decision, Pass())
    assert sent(ledger) == [["a", "b", "c"]]


@pytest.mark.parametrize(("max_count", "max_bytes"), [(2, 10_000), (1024, 40)])
def test_a_message_keeps_the_limits(ledger: Ledger, max_count: int, max_bytes: int) -> None:
    for table_id in ("a", "b", "c"):
        ledger.submit(ask(ledger, shown(table_id, table_id)).decision, Pass())
    assert sent(ledger, max_count, max_bytes) == [["a", "b"], ["c"]]


def test_positions_are_the_last_sequences_of_running_tables(ledger: Ledger) -> None:
    over = new_table("b", state=table_pb2.TABLE_STATE_FINISHED)
    take(ledger, shown(None, "a", 3), new_frame("b", view=new_view("b", table=over)))
    assert [(p.table_id, p.sequence) for p in ledger.positions(1000)] == [("a", 3)]


def test_positions_keep_the_limit(ledger: Ledger) -> None:
    take(ledger, shown(None, "a", 3), shown(None, "b", 3))
    assert len(ledger.positions(12)) == 1
