"""Inputs of the fuzzer: which door they are for stands in their first byte.

A door is a reader, a method, or the play stream. What goes to the stream is frames, each with its
length in two bytes before it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from skat.v1 import action_pb2, play_service_pb2
from skat_engine import parse_action
from skat_server.errors import Reason
from skat_server.observability.logging import LogLevel
from skat_server.rpc.convert.values import action_to_proto
from skat_server.rpc.services import ADMIN_SERVICES, PLAYER_SERVICES
from tests.fuzz.dispatch import NAMES, Dispatch, served
from tests.fuzz.readers import READERS
from tests.leaks.eavesdropping import server_log
from tests.leaks.oracle import questions
from tests.rpc.rights import MATRIX, Scene

PLAY: Final = "/skat.v1.PlayService/Play"
TABLE: Final = "table-1"
LENGTH: Final = 2
METHODS: Final = tuple(
    f"/{service.full_name}/{method.name}"
    for service in (*PLAYER_SERVICES, *ADMIN_SERVICES)
    for method in service.methods
)
CALLERS: Final = (*NAMES, "dia", "")


class BrokenError(Exception):
    """The server has answered as it never may."""


def framed(frames: Sequence[bytes]) -> bytes:
    """Frames as one text."""
    return b"".join(len(frame).to_bytes(LENGTH, "big") + frame for frame in frames)


def frames_in(data: bytes) -> Iterator[bytes]:
    """The frames of a text; the last one may be cut."""
    while len(data) > LENGTH:
        length = int.from_bytes(data[:LENGTH], "big")
        yield data[LENGTH : LENGTH + length]
        data = data[LENGTH + length :]


@dataclass
class Doors:
    """Takes inputs, one at a time."""

    loop: asyncio.AbstractEventLoop
    _there: Dispatch | None = None

    def take(self, data: bytes) -> None:
        """Bring an input to its door.

        Raises:
            Exception: what must never happen.
        """
        if not data:
            return
        door, rest = data[0] % (len(READERS) + len(METHODS)), data[1:]
        if door < len(READERS):
            self._read(door, rest)
        else:
            self.loop.run_until_complete(self._call(METHODS[door - len(READERS)], rest))

    @staticmethod
    def _read(door: int, data: bytes) -> None:
        reader = READERS[door]
        with suppress(*reader.refuses_with):
            reader.read(data)

    async def _call(self, method: str, data: bytes) -> None:
        """One call on a server that nobody has changed: an input means the same every time."""
        if self._there is None or self._there.has_changed:
            self._there = Dispatch()
        caller = CALLERS[data[0] % len(CALLERS)] if data else ""
        messages = list(frames_in(data[1:])) if method == PLAY else [data[1:]]
        with server_log(LogLevel.WARNING) as log:
            refused = await served(self._there.call(method, messages, caller))
        if log.getvalue():
            raise BrokenError(f"{method}: {log.getvalue()}")
        if refused is not None and refused.reason not in Reason.__members__:
            raise BrokenError(f"{method}: {refused}")


def seeds() -> Iterator[tuple[str, bytes]]:
    """Names and bytes of inputs that are in order: what is mutated is made of them."""
    for door, reader in enumerate(READERS):
        for number, sample in enumerate(reader.samples()):
            yield f"{reader.name} {number}".replace(" ", "-"), bytes([door]) + sample
    scene = Scene(TABLE, "1.0", 2, "bot-1", "token-1")
    for name, (_, ask) in MATRIX.items():
        service, _, method = name.rpartition(".")
        yield name, _to_method(f"/{service}/{method}", ask(scene).SerializeToString())
    for number, (method, question) in enumerate(questions()):
        path = f"/skat.v1.RulesService/{method}"
        yield f"{method}-{number}", _to_method(path, question.SerializeToString())
    for caller, name in enumerate(NAMES):
        yield f"play-{name}", _to_method(PLAY, framed(_talk()), caller)


def _to_method(path: str, data: bytes, caller: int = 0) -> bytes:
    return bytes([len(READERS) + METHODS.index(path), caller]) + data


def _talk() -> list[bytes]:
    """A stream with a hello, and what the three seats might say in turn."""
    hello = play_service_pb2.PlayRequest(hello=play_service_pb2.Hello(client_name="fuzz"))
    said = [("1.0", "18"), ("1.1", "hold"), ("1.2", "pass"), ("1.3", "pass"), ("1.4", "take")]
    answers = [
        play_service_pb2.Submission(
            table_id=TABLE, turn_id=turn, action=action_to_proto(parse_action(text))
        )
        for turn, text in said
    ]
    give_up = play_service_pb2.Submission(
        table_id=TABLE, last_sequence=4, action=action_pb2.Action(give_up=action_pb2.GiveUp())
    )
    requests = [hello, *(play_service_pb2.PlayRequest(submissions=[one]) for one in answers)]
    requests.append(play_service_pb2.PlayRequest(submissions=[give_up]))
    return [request.SerializeToString() for request in requests]
