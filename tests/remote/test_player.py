"""One player of a load: what it answers, and what it says again after a lost connection."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from skat.v1 import action_pb2, decision_pb2, error_pb2, event_pb2, fault_pb2, table_pb2
from skat.v1 import play_service_pb2 as play
from skat_server.clock import ManualClock
from skat_server.remote.load.choices import NAMES_A_NUMBER, first_option, random_option
from skat_server.remote.load.plan import AT_ONCE, ThinkTime, parse_think_time
from skat_server.remote.load.player import Player
from skat_server.remote.load.stopwatch import Stopwatch
from skat_server.remote.load.tally import Books

PASS = action_pb2.Action(pass_auction=action_pb2.Pass())
MOST = 100


class Seated:
    """A player at one table, and everything around it."""

    def __init__(self, think: ThinkTime = AT_ONCE) -> None:
        self.clock = ManualClock()
        self.books = Books()
        self.stopwatch = Stopwatch()
        self.woken = 0
        self.ended: list[str] = []
        self.player = Player(think, self.stopwatch, self.books, self.clock, self._wake)
        self.player.sit("t", first_option, Random(1), lambda: self.ended.append("t"))
        self.player.connect(MOST)

    def _wake(self) -> None:
        self.woken += 1

    def hears(self, *events: event_pb2.TableEvent, turn_id: str = "") -> Sequence[play.Submission]:
        """What it answers to a frame."""
        frame = table_pb2.TableFrame(table_id="t", events=events)
        if turn_id:
            frame.decision.CopyFrom(decision_pb2.Decision(turn_id=turn_id, first_option=PASS))
        self.player.take(play.PlayResponse(tables=[frame]))
        return self.says()

    def says(self) -> Sequence[play.Submission]:
        """What it sends now."""
        return [one for request in self.player.outgoing(MOST) for one in request.submissions]


def answer(turn_id: str) -> play.Submission:
    return play.Submission(table_id="t", turn_id=turn_id, action=PASS)


def event(sequence: int, **what: object) -> event_pb2.TableEvent:
    return event_pb2.TableEvent(sequence=sequence, **what)  # type: ignore[arg-type]


def test_it_answers_every_decision_once() -> None:
    seated = Seated()
    assert seated.hears(turn_id="1") == [answer("1")]
    assert seated.hears(turn_id="2") == [answer("2")]
    assert seated.says() == []
    assert seated.books.tally.actions == 2


def test_a_lost_answer_is_said_again_and_counts_no_second_time() -> None:
    seated = Seated()
    seated.hears(turn_id="1")
    seated.player.connect(MOST)
    assert seated.hears(turn_id="1") == [answer("1")]
    assert seated.books.tally.decision.count == 0


@pytest.mark.parametrize("reason", ["STORE_UNAVAILABLE", "RATE_LIMITED"])
def test_an_answer_that_is_refused_for_now_waits_before_it_is_said_again(reason: str) -> None:
    seated = Seated()
    seated.hears(turn_id="1")
    refused = play.Refused(reason=error_pb2.ErrorReason.Value(f"ERROR_REASON_{reason}"))
    result = play.SubmissionResult(table_id="t", turn_id="1", refused=refused)
    seated.player.take(play.PlayResponse(results=[result]))
    assert seated.hears(turn_id="1") == []
    seated.clock.advance(0.9)
    assert (seated.woken, seated.says()) == (0, [])
    seated.clock.advance(0.2)
    assert (seated.woken, seated.says()) == (1, [answer("1")])


def test_the_time_to_the_next_question_is_measured() -> None:
    seated = Seated()
    seated.hears(turn_id="1")
    seated.clock.advance(0.25)
    seated.hears(turn_id="2")
    times = seated.books.tally.decision
    assert (times.count, times.longest) == (1, 0.25)


def test_it_thinks_before_it_answers() -> None:
    seated = Seated(parse_think_time("fixed:100"))
    assert seated.hears(turn_id="1") == []
    seated.clock.advance(0.09)
    assert (seated.woken, seated.says()) == (0, [])
    seated.clock.advance(0.02)
    assert (seated.woken, seated.says()) == (1, [answer("1")])


def test_thoughts_of_an_older_connection_are_forgotten() -> None:
    """The server asks again; both answers would be one too many."""
    seated = Seated(parse_think_time("fixed:100"))
    seated.hears(turn_id="1")
    seated.player.connect(MOST)
    assert seated.hears(turn_id="1") == [answer("1")]
    seated.clock.advance(1.0)
    assert seated.says() == []


def test_it_goes_on_where_it_has_read() -> None:
    seated = Seated()
    seated.hears(event(1), event(7))
    assert list(seated.player.connect(MOST)) == [play.ResumePosition(table_id="t", sequence=7)]
    assert seated.player.connect(0) == []


def test_many_answers_are_several_messages() -> None:
    seated = Seated()
    for number in range(5):
        table_id = f"t{number}"
        seated.player.sit(table_id, first_option, Random(1), None)
        decision = decision_pb2.Decision(turn_id="1", first_option=PASS)
        frame = table_pb2.TableFrame(table_id=table_id, decision=decision)
        seated.player.take(play.PlayResponse(tables=[frame]))
    assert [len(request.submissions) for request in seated.player.outgoing(2)] == [2, 2, 1]


def test_a_heartbeat_is_answered_as_it_came() -> None:
    seated, beat = Seated(), play.Heartbeat()
    beat.server_time.seconds = 5
    seated.player.take(play.PlayResponse(heartbeat=beat))
    assert list(seated.player.outgoing(MOST)) == [play.PlayRequest(heartbeat=beat)]


def test_one_player_counts_for_its_table() -> None:
    seated = Seated()
    seated.hears(event(1, deal_ended=event_pb2.DealEnded()), event(2))
    seated.hears(event(3, series_ended=event_pb2.SeriesEnded()))
    tally = seated.books.tally
    assert (tally.deals, tally.series, seated.ended) == (1, 1, ["t"])


def test_the_others_do_not_count() -> None:
    seated = Seated()
    seated.player.sit("t", first_option, Random(1), None)
    seated.hears(event(1, deal_ended=event_pb2.DealEnded()))
    assert seated.books.tally.deals == 0


def test_a_table_that_was_left_is_not_answered() -> None:
    seated = Seated()
    seated.player.rise("t")
    assert seated.hears(turn_id="1") == []


@pytest.mark.parametrize(
    ("what", "cause"),
    [
        (
            {
                "decision_defaulted": event_pb2.DecisionDefaulted(
                    cause=fault_pb2.FAULT_CAUSE_TIMEOUT
                )
            },
            "safe answer: TIMEOUT",
        ),
        (
            {"seat_taken_over": event_pb2.SeatTakenOver(cause=fault_pb2.FAULT_CAUSE_DISCONNECTED)},
            "seat taken over: DISCONNECTED",
        ),
        ({"deal_voided": event_pb2.DealVoided()}, "deal voided"),
    ],
    ids=["default", "taken over", "voided"],
)
def test_faults_are_counted_by_cause(what: dict[str, object], cause: str) -> None:
    seated = Seated()
    seated.hears(event(1, **what))
    assert seated.books.tally.faults == {cause: 1}


def test_refusals_are_counted_by_reason() -> None:
    seated = Seated()
    refused = play.Refused(reason=error_pb2.ERROR_REASON_STALE_TURN)
    result = play.SubmissionResult(table_id="t", turn_id="1", refused=refused)
    again = play.SubmissionResult(table_id="t", turn_id="1", repeated=play.Repeated())
    seated.player.take(play.PlayResponse(results=[result, again]))
    assert seated.books.tally.faults == {"answer refused: STALE_TURN": 1}


def test_random_players_bid_now_and_then() -> None:
    chance = Random(1)
    options = decision_pb2.BiddingOptions(bids=[18, 20])
    decision = decision_pb2.Decision(turn_id="1", first_option=PASS, bidding=options)
    said = [random_option(decision, chance).WhichOneof("action") for _ in range(2000)]
    assert said.count("bid") / len(said) == pytest.approx(NAMES_A_NUMBER, abs=0.05)
    assert set(said) == {"bid", "pass_auction"}
