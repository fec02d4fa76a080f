"""What must hold between a client and the log: H1, H2 and H7."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from skat_server.errors import Reason
from tests.histories.fold import LoggedAction, Replayed
from tests.histories.model import Acknowledged, ClientHistory, Frame, Refused, Submitted

Logs = Mapping[str, Replayed]
"""Every table, by id."""

Found = Iterator[tuple[str, str]]
"""Table and what is wrong there."""


def acknowledged_once(client: ClientHistory, logs: Logs) -> Found:
    """H1: every acknowledged action is in the log, at its turn and once, and no other is."""
    sent = _sent_by(client)
    for item in client.items:
        if isinstance(item, Acknowledged) and item.turn_id and item.table_id in logs:
            settled = _settled(client, logs, item.table_id, item.turn_id)
            if [action.text for action in settled] != [item.action]:
                yield item.table_id, f"turn {item.turn_id} has not the acknowledged {item.action}"
    for table_id, replayed in logs.items():
        yield from ((table_id, text) for text in _unsent(client, replayed, sent[table_id]))
    yield from _denied(client, logs, sent)


_Sent = Mapping[str, Counter[tuple[str, str]]]
"""By table: how often each action was sent for each turn; proposals have the empty turn."""


def _sent_by(client: ClientHistory) -> defaultdict[str, Counter[tuple[str, str]]]:
    sent: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for item in client.items:
        if isinstance(item, Submitted):
            sent[item.table_id][item.turn_id, item.action] += 1
    return sent


def _settled(client: ClientHistory, logs: Logs, table_id: str, turn_id: str) -> list[LoggedAction]:
    """What the log has of a turn of this player; what the server did for him is not his."""
    return [
        action
        for action in logs[table_id].actions
        if (action.player_id, action.turn_id) == (client.player_id, turn_id) and action.is_own
    ]


def _unsent(
    client: ClientHistory, replayed: Replayed, sent: Counter[tuple[str, str]]
) -> Iterator[str]:
    """Actions of the log that the player has not sent, or not as often."""
    proposed: Counter[str] = Counter()
    for action in replayed.actions:
        if action.player_id != client.player_id or not action.is_own:
            continue
        if (action.turn_id, action.text) in sent:
            continue
        proposed[action.text] += 1
        if proposed[action.text] > sent["", action.text]:
            yield f"turn {action.turn_id} has {action.text}, which its player never sent for it"


def _denied(client: ClientHistory, logs: Logs, sent: _Sent) -> Found:
    """Refusals of repeated actions that had settled their turn, in this deal or the last."""
    early = _sent_before_asked(client)
    for item in client.items:
        if not isinstance(item, Refused) or item.reason is not Reason.STALE_TURN:
            continue
        turn = item.table_id, item.turn_id
        if item.table_id not in logs or turn in early:
            continue
        tried = {text for turn_id, text in sent[item.table_id] if turn_id == item.turn_id}
        settled = _settled(client, logs, *turn)
        is_same = len(tried) == 1 and tried == {action.text for action in settled}
        if is_same and logs[item.table_id].dealt <= settled[0].dealt + 1:
            yield item.table_id, f"turn {item.turn_id} was refused, {tried} had settled it"


def _sent_before_asked(client: ClientHistory) -> set[tuple[str, str]]:
    """Turns that the client tried to answer before it was asked: refused with right then."""
    asked: set[tuple[str, str]] = set()
    early: set[tuple[str, str]] = set()
    for item in client.items:
        if isinstance(item, Frame) and item.question is not None:
            asked.add((item.table_id, item.question.turn_id))
        elif isinstance(item, Submitted) and (item.table_id, item.turn_id) not in asked:
            early.add((item.table_id, item.turn_id))
    return early
