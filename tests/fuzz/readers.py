"""Everything that reads text or bytes from outside, with samples of what it reads well.

Each of them may refuse what it is given with an exception of its own, and with no other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from skat_engine import (
    NotationError,
    option_text,
    parse_action,
    parse_cards,
    parse_contract,
    parse_dealt,
    parse_option,
)
from skat_engine.errors import RuleSetError
from skat_engine.notation import dealt_text
from skat_engine.records import FileForm, replay_lines
from skat_engine.records.converting import convert_lines
from skat_engine.records.oracle import score_lines
from skat_engine.records.own import to_json_line
from skat_engine.records.verifying import verify
from skat_engine.ruleset import DEFAULTS, OPTION_TYPES
from skat_engine.shuffling import deal_from_seed
from skat_server.clock import ManualClock
from skat_server.errors import RefusedError
from skat_server.players.identity import player_of
from skat_server.players.tokens import parse_token_text
from skat_server.rpc.pages import page_start
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Entry, EntryKind, LoggedEntry, TableLog
from skat_server.tables.reading import EntryError
from skat_server.tables.recovery import RecoveryError
from tests.records.playing import random_record
from tests.records.samples import iss_line, whole_clubs_game, xskat_ramsch_row, xskat_row
from tests.server.playing import full_table
from tests.server.recovering import Mischief, again, log_of_table

STEPS: Final = 120
"""Things that are done at a table whose log is a sample."""
KIND_ENDS: Final = " "
"""Between kind and payload of an entry in the text of a log."""


@dataclass(frozen=True)
class Reader:
    """One way in."""

    name: str
    read: Callable[[bytes], object]
    samples: Callable[[], Sequence[bytes]]
    refuses_with: tuple[type[Exception], ...] = field(default=(NotationError,))
    is_logged: bool = False
    """Its refusals stand in the server's log, and so must not repeat what they refuse (T6)."""

    def __str__(self) -> str:
        """Its name."""
        return self.name


def _text(parse: Callable[[str], object]) -> Callable[[bytes], object]:
    """A reader of text as one of bytes."""
    return lambda data: parse(data.decode(errors="replace"))


def _lines(form: FileForm) -> Callable[[bytes], object]:
    return lambda data: list(replay_lines(data.split(b"\n"), form))


def _converted(form: FileForm, wanted: FileForm) -> Callable[[bytes], object]:
    return lambda data: list(convert_lines(data.split(b"\n"), form, wanted))


def _option(text: str) -> object:
    name, _, value = text.partition("=")
    return parse_option(name, value)


def _recovered(text: str) -> object:
    """The table of a log; a line that is no entry at all no store can have kept."""
    lines = []
    for line in text.split("\n"):
        kind, _, payload = line.partition(KIND_ENDS)
        if kind not in EntryKind._value2member_map_:
            raise NotationError("no kind of entry")
        lines.append(LoggedEntry(0.0, Entry(EntryKind(kind), payload)))
    return again(TableLog("table-1", tuple(lines)))


@cache
def _own() -> Sequence[bytes]:
    return [to_json_line(random_record(seed)).encode() for seed in range(6)]


@cache
def _sgf() -> Sequence[bytes]:
    moves = f"1 p 2 p 0 18 0 CH {' '.join(whole_clubs_game())}"
    result = "d:0 win v:144 m:0 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0 l:-1 to:-1 r:0"
    return [iss_line(moves, result).encode()]


@cache
def _xskat() -> Sequence[bytes]:
    return [json.dumps(row()).encode() for row in (xskat_row, xskat_ramsch_row)]


def _summaries() -> Sequence[bytes]:
    game = {
        "contract": "grand",
        "playing_hand": ["CJ", "SJ", "HJ", "DJ", "CA", "CT", "CK", "CQ", "C9", "C8"],
        "skat": ["C7", "D7"],
        "bid": 18,
        "declarer_points": 120,
        "declarer_tricks": 10,
        "defender_tricks": 0,
        "expected": {"score": 168},
    }
    ramsch = {"card_points": [60, 40, 20], "trick_counts": [4, 4, 2], "expected": {"scores": []}}
    return [json.dumps(row).encode() for row in (game, ramsch)]


@cache
def _logs() -> Sequence[bytes]:
    """Logs of tables at which people did everything that people do."""
    return [_log(preset).encode() for preset in ("proskat_pub", "xskat_extras")]


def _log(preset: str) -> str:
    clock, store = ManualClock(), MemoryStore()
    table = full_table(None, store=store, clock=clock, preset=preset)
    mischief = Mischief(preset, clock)
    for _ in range(STEPS):
        mischief.step(table)
    lines = log_of_table(store).lines
    return "\n".join(f"{one.entry.kind.value}{KIND_ENDS}{one.entry.payload}" for one in lines)


def _said(*texts: str) -> Callable[[], Sequence[bytes]]:
    return lambda: [text.encode() for text in texts]


READERS: Final = (
    Reader("action", _text(parse_action), _said("18", "CJ", "C.H8.D7", "down:C7.D7", "hold")),
    Reader("cards", _text(parse_cards), _said("CJ SJ", "C7.D7")),
    Reader("contract", _text(parse_contract), _said("CH", "NO", "GSZ", "NOR", "CP")),
    Reader("deal", _text(parse_dealt), _said(dealt_text(deal_from_seed(bytes(32))))),
    Reader(
        "option",
        _text(_option),
        lambda: [f"{name}={option_text(DEFAULTS[name])}".encode() for name in OPTION_TYPES],
        (NotationError, RuleSetError),
    ),
    Reader("own records", _lines(FileForm.JSON_LINES), _own),
    Reader("records of ISS", _lines(FileForm.SGF), _sgf),
    Reader("records of XSkat", _lines(FileForm.JSON_LINES), _xskat),
    Reader("own records as those of ISS", _converted(FileForm.JSON_LINES, FileForm.SGF), _own),
    Reader("records of ISS as our own", _converted(FileForm.SGF, FileForm.JSON_LINES), _sgf),
    Reader(
        "summaries", lambda data: list(score_lines(data.split(b"\n"), explain=True)), _summaries
    ),
    Reader("a record to verify", lambda data: verify(data, bytes(32), bytes(32)), _own),
    Reader(
        "log of a table",
        _text(_recovered),
        _logs,
        (NotationError, EntryError, RecoveryError),
        is_logged=True,
    ),
    Reader("token", _text(parse_token_text), _said(f"skat_{'0' * 16}_{'A' * 43}")),
    Reader("authorization", _text(player_of), _said("Bearer token-of-player-ann"), (RefusedError,)),
    Reader("page token", _text(page_start), _said("50", "0"), (RefusedError,)),
)
