"""What a player was told, as text that two runs can be compared by."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.message import Message

from tests.rpc.player import Player

TIMES = ("seconds:", "nanos:", "decision_ms:")
"""Fields that tell a moment, new in every run; what a bank has left is none of them."""


def cleaned(messages: Iterable[Message], table_id: str) -> list[str]:
    """The messages as text without ids and times, which are new in every run."""
    texts = []
    for message in messages:
        text = str(message).replace(table_id, "TABLE")
        lines = [line for line in text.splitlines() if not any(time in line for time in TIMES)]
        texts.append("\n".join(lines))
    return texts


def told(player: Player, table_id: str) -> list[str]:
    """Everything that a player was sent about a table, frame borders aside."""
    messages: list[Message] = []
    story = player.story(table_id)
    messages += [*story.views, *story.events, *story.decisions]
    for response in player.responses:
        messages += response.results
    return cleaned(messages, table_id)
