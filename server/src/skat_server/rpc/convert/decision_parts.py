"""Decisions as bytes, put together from parts (ADR 0030)."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from skat.v1 import decision_pb2
from skat_engine.actions import PLAY_CARDS, Action, PlayCard
from skat_engine.phases import Phase
from skat_engine.seats import Seat
from skat_server.rpc.convert.deals import PHASES_TO_PROTO
from skat_server.rpc.convert.decisions import decision_to_proto
from skat_server.rpc.convert.parts import framed, tag
from skat_server.rpc.convert.policies import time_left_to_proto
from skat_server.rpc.convert.values import CARDS_TO_PROTO, action_to_proto
from skat_server.tables.clocks import TimeLeft
from skat_server.tables.state import OpenDecision

_TURN: Final = tag(decision_pb2.Decision, "turn_id")
_CLOCK: Final = tag(decision_pb2.Decision, "clock")
_CARDS: Final = tag(decision_pb2.Decision, "cards")
_CARDS_OF: Final = tag(decision_pb2.CardOptions, "cards")
_PLAY: Final = Phase.PLAY
_KNOWN: Final = 1_024


def decision_part(decision: OpenDecision, left: TimeLeft) -> bytes:
    """The bytes of a `Decision` with the clock as it stands now (R19)."""
    clock = _clock_part(left)
    if decision.phase is not _PLAY:
        return decision_to_proto(decision).SerializeToString() + clock
    turn = framed(_TURN, decision.turn_id.encode())
    return turn + _to_play_part(decision.seat) + _play_part(decision.options) + clock


@lru_cache(maxsize=_KNOWN)
def _clock_part(left: TimeLeft) -> bytes:
    return framed(_CLOCK, time_left_to_proto(left).SerializeToString())


@cache
def _to_play_part(seat: Seat) -> bytes:
    return decision_pb2.Decision(seat=seat, phase=PHASES_TO_PROTO[_PLAY]).SerializeToString()


def _play_part(options: Sequence[Action]) -> bytes:
    """Cards that may be played, the first of them once more, and what may be said instead."""
    cards = [option.card for option in options if type(option) is PlayCard]
    numbers = bytes([CARDS_TO_PROTO[card] for card in cards])
    said = _said_part(tuple(options[len(cards) :]))
    return _first_part(cards[0]) + framed(_CARDS, framed(_CARDS_OF, numbers)) + said


@cache
def _first_part(card: int) -> bytes:
    first = action_to_proto(PLAY_CARDS[card])
    return decision_pb2.Decision(first_option=first).SerializeToString()


@lru_cache(maxsize=_KNOWN)
def _said_part(actions: tuple[Action, ...]) -> bytes:
    said = [action_to_proto(action) for action in actions]
    return decision_pb2.Decision(interventions=said).SerializeToString()
