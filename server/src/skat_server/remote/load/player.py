"""What one player of a load knows and says: frames in, answers out, no connection."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from skat.v1 import action_pb2, decision_pb2, error_pb2, fault_pb2, table_pb2
from skat.v1 import play_service_pb2 as play
from skat_server.clock import Clock
from skat_server.remote.load.choices import Choose
from skat_server.remote.load.plan import ThinkTime
from skat_server.remote.load.stopwatch import Stopwatch
from skat_server.remote.load.tally import Books

_PAUSE: Final = 1.0
"""Seconds before an answer that was refused for now is said again."""
_FOR_NOW: Final = frozenset(
    {error_pb2.ERROR_REASON_STORE_UNAVAILABLE, error_pb2.ERROR_REASON_RATE_LIMITED}
)


@dataclass(slots=True)
class _Chair:
    """A seat of this player's."""

    choose: Choose
    chance: Random
    """Its own, so that the same cards are played in the same way however tables interleave."""
    over: Callable[[], None] | None
    """Told when the series is over; only one player of a table tells, and counts its deals."""
    sequence: int = 0
    """Of the last event seen."""
    turn_id: str = ""
    """The last decision that was answered, and with what."""
    action: action_pb2.Action | None = None
    is_to_wait: bool = False
    """Whether the server has refused that answer for now."""


class Player:
    """Answers the decisions of every table at which it sits.

    Attributes:
        heartbeat: the server's, which waits for its answer; None for none.
    """

    def __init__(
        self,
        think: ThinkTime,
        stopwatch: Stopwatch,
        books: Books,
        clock: Clock,
        wake: Callable[[], None],
    ) -> None:
        """Sit nowhere yet.

        Args:
            think: how long it thinks.
            stopwatch: of the whole run.
            books: of the whole run.
            clock: for thoughts.
            wake: called when an answer was thought out.
        """
        self.heartbeat: play.Heartbeat | None = None
        self._think = think
        self._stopwatch = stopwatch
        self._books = books
        self._clock = clock
        self._wake = wake
        self._chairs: dict[str, _Chair] = {}
        self._outbox: list[play.Submission] = []
        self._connection = 0
        """Thoughts of an older one are forgotten: the server asks again."""

    def sit(
        self, table_id: str, choose: Choose, chance: Random, over: Callable[[], None] | None
    ) -> None:
        """Expect decisions of a table.

        Args:
            table_id: which one.
            choose: answers them.
            chance: of the answers, and of how long they take.
            over: told when the table is over; None where another player of it is told.
        """
        self._chairs[table_id] = _Chair(choose, chance, over)

    def rise(self, table_id: str) -> None:
        """Expect nothing of a table any more."""
        self._chairs.pop(table_id, None)

    def connect(self, most: int) -> Sequence[play.ResumePosition]:
        """Begin a new connection: what was not sent is forgotten.

        Returns:
            Where to go on, at no more than so many tables; of the others everything is told anew.
        """
        self._connection += 1
        self._outbox.clear()
        self.heartbeat = None
        positions = [
            play.ResumePosition(table_id=table_id, sequence=chair.sequence)
            for table_id, chair in self._chairs.items()
            if chair.sequence
        ]
        return positions[:most]

    def take(self, response: play.PlayResponse) -> None:
        """Take a message in."""
        self._books.tally.responses += 1
        now = self._clock.monotonic()
        for result in response.results:
            if result.HasField("refused"):
                self._take_refusal(result)
        for frame in response.tables:
            chair = self._chairs.get(frame.table_id)
            if chair is not None:
                self._take_frame(chair, frame, now)
        if response.HasField("heartbeat"):
            self.heartbeat = response.heartbeat

    def outgoing(self, most: int) -> Iterator[play.PlayRequest]:
        """The messages that are to be sent now, each taken out when it is asked for.

        Args:
            most: answers that fit into one.
        """
        if self.heartbeat is not None:
            heartbeat, self.heartbeat = self.heartbeat, None
            yield play.PlayRequest(heartbeat=heartbeat)
        while self._outbox:
            answers, self._outbox = self._outbox[:most], self._outbox[most:]
            now = self._clock.monotonic()
            for answer in answers:
                self._stopwatch.answered(answer.table_id, now)
            self._books.tally.actions += len(answers)
            yield play.PlayRequest(submissions=answers)

    def _take_refusal(self, result: play.SubmissionResult) -> None:
        reason = result.refused.reason
        name = error_pb2.ErrorReason.Name(reason).removeprefix("ERROR_REASON_")
        self._books.fault(f"answer refused: {name}")
        chair = self._chairs.get(result.table_id)
        if chair is not None and chair.turn_id == result.turn_id and reason in _FOR_NOW:
            chair.is_to_wait = True

    def _take_frame(self, chair: _Chair, frame: table_pb2.TableFrame, now: float) -> None:
        if frame.events:
            chair.sequence = frame.events[-1].sequence
            if chair.over is not None:
                self._score(chair.over, frame)
        if frame.HasField("decision"):
            self._answer(chair, frame.table_id, frame.decision, now)

    def _score(self, over: Callable[[], None], frame: table_pb2.TableFrame) -> None:
        """Count what one player of the table counts for all."""
        for event in frame.events:
            match event.WhichOneof("event"):
                case "deal_ended":
                    self._books.deal_ended()
                case "series_ended":
                    self._books.tally.series += 1
                    over()
                case "table_closed":
                    over()
                case "decision_defaulted":
                    self._books.fault(f"safe answer: {_cause(event.decision_defaulted.cause)}")
                case "seat_taken_over":
                    self._books.fault(f"seat taken over: {_cause(event.seat_taken_over.cause)}")
                case "deal_voided":
                    self._books.fault("deal voided")
                case _:
                    pass

    def _answer(
        self, chair: _Chair, table_id: str, decision: decision_pb2.Decision, now: float
    ) -> None:
        if chair.turn_id == decision.turn_id and chair.action is not None:
            # Its first answer was lost with a connection, was refused, or has crossed the question.
            self._say(chair, table_id, _PAUSE if chair.is_to_wait else 0.0)
            return
        self._stopwatch.asked(table_id, now, self._books.tally.decision)
        chair.turn_id, chair.action = decision.turn_id, chair.choose(decision, chair.chance)
        self._say(chair, table_id, self._think.sample(chair.chance))

    def _say(self, chair: _Chair, table_id: str, seconds: float) -> None:
        """Give the answer of a chair, at once or after so many seconds."""
        assert chair.action is not None
        chair.is_to_wait = False
        answer = partial(self._submit, self._connection, table_id, chair.turn_id, chair.action)
        if seconds:
            self._clock.call_later(seconds, partial(self._tell, answer))
        else:
            answer()

    def _tell(self, answer: Callable[[], None]) -> None:
        answer()
        self._wake()

    def _submit(
        self, connection: int, table_id: str, turn_id: str, action: action_pb2.Action
    ) -> None:
        if connection == self._connection:
            self._outbox.append(play.Submission(table_id=table_id, turn_id=turn_id, action=action))


def _cause(cause: fault_pb2.FaultCause.ValueType) -> str:
    return fault_pb2.FaultCause.Name(cause).removeprefix("FAULT_CAUSE_")
