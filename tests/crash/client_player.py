"""The Python client as a player whose history is checked like that of any other."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from skat_client import (
    Action,
    AsyncClient,
    Backoff,
    Connected,
    Decision,
    DecisionAsked,
    EventSeen,
    Session,
    SessionItem,
    SessionOptions,
    SubmissionRefused,
    TableEvent,
    TableShown,
    TableSight,
)
from skat_client._convert import action_to_proto, decision_from_proto
from skat_client._convert_events import event_from_proto
from skat_client.bots import BOTS
from skat_server.errors import Reason
from skat_server.rpc.convert.values import action_from_proto
from tests.crash.recording import Address, Progress
from tests.histories.model import (
    ClientHistory,
    Content,
    Frame,
    Opened,
    Question,
    Reading,
    Refused,
    Shown,
    Submitted,
)
from tests.written import written_decision, written_event

QUICK = SessionOptions(backoff=Backoff(first=0.02, longest=0.2))


class ClientPlayer:
    """A bot of the client's kit on the client's session, which reconnects by itself.

    Attributes:
        name: of the player; his token comes from it.
        history: what he did and was told.
    """

    def __init__(self, name: str, address: Address, progress: Progress, seed: int) -> None:
        """Draw its answers from a seed."""
        self.name = name
        self.history = ClientHistory("")
        self.progress = progress
        self._address = address
        self._bot = BOTS["random"](seed)
        self._over: set[str] = set()

    async def follow(self, table_ids: set[str]) -> None:
        """Play until these tables are over."""
        token = f"token-of-player-{self.name}"
        async with (
            AsyncClient(self._address(), token=token) as client,
            client.open_session(QUICK) as session,
        ):
            async for item in session:
                self._take(item, session)
                if self._over >= table_ids:
                    break
        self.history.at_rest = True

    def _take(self, item: SessionItem, session: Session) -> None:
        match item:
            case Connected(player_id=player_id):
                self.history.player_id = player_id
                self.history.items.append(Opened(_running(session)))
            case TableShown(sight):
                shown = Shown(sight.table_id, sight.seat, sight.sequence + 1)
                self.history.items.append(shown)
            case EventSeen(event, sight):
                self._note_event(event, sight)
            case DecisionAsked(decision, sight):
                self._answer(decision, sight, session)
            case SubmissionRefused(table_id, turn_id, _, reason):
                assert reason is not None
                self.history.items.append(Refused(table_id, turn_id, Reason[reason.name]))
            case _:
                pass

    def _note_event(self, event: TableEvent, sight: TableSight) -> None:
        events = ((event.sequence, event),)
        self.history.items.append(Frame(sight.table_id, None, None, events, None))
        if sight.is_over:
            self._over.add(sight.table_id)

    def _answer(self, decision: Decision, sight: TableSight, session: Session) -> None:
        question = Question(decision.turn_id, _timeless(decision))
        self.history.items.append(Frame(decision.table_id, None, None, (), question))
        action = cast("Action", self._bot.decide(decision, sight))
        text = str(action_from_proto(action_to_proto(action)))
        self.history.items.append(Submitted(decision.table_id, decision.turn_id, 0, text))
        self.progress.step()
        session.submit(decision, action)


def _running(session: Session) -> dict[str, int]:
    """From where the session goes on."""
    return {
        table_id: sight.sequence for table_id, sight in session.sights.items() if not sight.is_over
    }


def _timeless(decision: Decision) -> Content:
    """A question without what differs from one asking to the next."""
    return replace(decision, table_id="", clock=None)


IN_THE_CLIENT = Reading(
    event=lambda shown: event_from_proto(written_event(shown)),
    question=lambda decision: _timeless(decision_from_proto("", written_decision(decision))),
)
"""Bots that are handed the values of the Python client."""
