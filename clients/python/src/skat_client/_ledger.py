"""What a session knows over all its connections: who was asked what, and what was answered.

Pure: messages in, items and messages out. The rule it keeps is that a turn is played once.
An answer stays recorded until the server has moved on; when a new connection repeats the
decision, the recorded answer is sent again and nobody is asked a second time.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from skat.v1 import play_service_pb2 as play
from skat.v1 import table_pb2
from skat_client._actions import Action
from skat_client._convert import action_to_proto, decision_from_proto, reason_from_proto
from skat_client._decisions import Decision
from skat_client._events import DealVoided, DecisionDefaulted
from skat_client._feed import Feed
from skat_client._items import DecisionAsked, EventSeen, SessionItem, SubmissionRefused
from skat_client._plausible import check_decision
from skat_client.errors import ErrorReason


@dataclass(slots=True)
class _Answer:
    turn_id: str
    action: Action
    connection: int
    """The connection on which it was sent last."""


class Ledger:
    """The books of a session."""

    def __init__(self) -> None:
        self.feed = Feed()
        self.wants_pause = False
        """The server's storage could not take an action; wait before sending it again."""
        self._has_advanced = False
        self._connection = 0
        self._highest: dict[str, int] = {}
        self._asked: dict[str, str] = {}
        self._answers: dict[str, _Answer] = {}
        self._outbox: list[play.Submission] = []

    def connect(self) -> None:
        """A new connection begins: what was not sent is not sent blindly on it."""
        self._connection += 1
        self._outbox.clear()

    def take_advance(self) -> bool:
        """Whether anything new was learnt since this was asked last."""
        advanced, self._has_advanced = self._has_advanced, False
        return advanced

    def positions(self, max_bytes: int, *, with_turns: bool = False) -> list[play.ResumePosition]:
        """Where to continue: running tables, as many as fit; the server shows the others anew.

        Args:
            max_bytes: how much room there is.
            with_turns: also name the decisions that are thought about or whose answer is under
                way, so that they are not asked again.
        """
        positions: list[play.ResumePosition] = []
        for sight in self.feed.sights.values():
            if sight.is_over:
                continue
            position = play.ResumePosition(table_id=sight.table_id, sequence=sight.sequence)
            if with_turns:
                position.turn_id = self._held_turn(sight.table_id)
            max_bytes -= position.ByteSize() + 4
            if max_bytes < 0:
                break
            positions.append(position)
        return positions

    def awaits(self, decision: Decision) -> bool:
        """Whether a decision is open, and not answered yet."""
        answer = self._answers.get(decision.table_id)
        is_answered = answer is not None and answer.turn_id == decision.turn_id
        return not is_answered and self._asked.get(decision.table_id) == decision.turn_id

    def submit(self, decision: Decision, action: Action) -> bool:
        """Answer a decision; False when it is answered already or another one replaced it."""
        if not self.awaits(decision):
            return False
        table_id, turn_id = decision.table_id, decision.turn_id
        message = _submission(table_id, turn_id, action)
        self._answers[table_id] = _Answer(turn_id, action, self._connection)
        self._outbox.append(message)
        return True

    def propose(self, table_id: str, action: Action) -> None:
        """Propose out of turn to end the deal.

        Raises:
            KeyError: the session does not know the table.
        """
        message = _submission(table_id, "", action)
        message.last_sequence = self.feed.sights[table_id].sequence
        self._outbox.append(message)

    def outgoing(self, max_count: int, max_bytes: int) -> Iterator[play.PlayRequest]:
        """What waits to be sent, in as few messages as the limits allow."""
        waiting, self._outbox = self._outbox, []
        request, size = play.PlayRequest(), 0
        for message in waiting:
            cost = message.ByteSize() + 4
            if request.submissions and (
                len(request.submissions) == max_count or size + cost > max_bytes
            ):
                yield request
                request, size = play.PlayRequest(), 0
            request.submissions.append(message)
            size += cost
        if request.submissions:
            yield request

    def take(self, response: play.PlayResponse) -> Iterator[SessionItem]:
        """What a response says, in its order.

        Raises:
            GapError: events are missing; the connection has to be opened again.
        """
        for result in response.results:
            yield from self._take_result(result)
        for frame in response.tables:
            for item in self.feed.take(frame):
                if isinstance(item, EventSeen):
                    self._take_event(item)
                yield item
            yield from self._take_decision(frame)

    def _held_turn(self, table_id: str) -> str:
        turn_id, answer = self._asked.get(table_id, ""), self._answers.get(table_id)
        if answer is not None and answer.turn_id == turn_id:
            return turn_id if answer.connection == self._connection else ""
        return turn_id

    def _take_event(self, item: EventSeen) -> None:
        sight, event = item.sight, item.event
        if event.sequence <= self._highest.get(sight.table_id, 0):
            # Told once more after a view; what is asked now was asked after it.
            return
        self._highest[sight.table_id] = event.sequence
        self._has_advanced = True
        match event.event:
            case DealVoided():
                self._close_turn(sight.table_id)
            case DecisionDefaulted(seat) if seat == sight.seat:
                self._close_turn(sight.table_id)
            case _:
                pass

    def _close_turn(self, table_id: str) -> None:
        """Whatever was asked there is settled, and not by an answer."""
        self._asked.pop(table_id, None)
        self._answers.pop(table_id, None)

    def _take_result(self, result: play.SubmissionResult) -> Iterator[SessionItem]:
        if not result.HasField("refused"):
            return
        reason = reason_from_proto(result.refused.reason)
        answer = self._answers.get(result.table_id)
        if answer is None or not result.turn_id or answer.turn_id != result.turn_id:
            answer = None
        elif reason is ErrorReason.STORE_UNAVAILABLE:
            answer.connection = -1
            self.wants_pause = True
            return
        elif reason is ErrorReason.RATE_LIMITED:
            # It settled nothing, so it came late; should it still be asked, it is sent again.
            answer.connection = -1
            return
        else:
            self._close_turn(result.table_id)
        yield SubmissionRefused(
            table_id=result.table_id,
            turn_id=result.turn_id,
            action=answer.action if answer else None,
            reason=reason,
            message=result.refused.message,
        )

    def _take_decision(self, frame: table_pb2.TableFrame) -> Iterator[SessionItem]:
        if not frame.HasField("decision"):
            return
        message = frame.decision
        answer = self._answers.get(frame.table_id)
        if answer is not None and answer.turn_id == message.turn_id:
            self._send_again(frame.table_id, answer)
        elif self._asked.get(frame.table_id) != message.turn_id:
            decision = decision_from_proto(frame.table_id, message)
            sight = self.feed.known(frame.table_id)
            check_decision(sight, decision)
            self._asked[frame.table_id] = message.turn_id
            self._answers.pop(frame.table_id, None)
            self._has_advanced = True
            yield DecisionAsked(decision, sight)

    def _send_again(self, table_id: str, answer: _Answer) -> None:
        # On the same connection the answer is under way: the decision crossed it.
        if answer.connection != self._connection:
            answer.connection = self._connection
            self._outbox.append(_submission(table_id, answer.turn_id, answer.action))


def _submission(table_id: str, turn_id: str, action: Action) -> play.Submission:
    return play.Submission(table_id=table_id, turn_id=turn_id, action=action_to_proto(action))
