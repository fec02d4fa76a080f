"""A deal on a real server, everything that leaves it kept by viewer.

Nothing has to be cleaned before two recordings are compared: the clock is moved by hand, ids and
other chance come from a counter, and nobody acts before everybody has read everything.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Final
from unittest.mock import patch

import grpc
import structlog
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2

from skat.v1 import (
    account_service_pb2,
    play_service_pb2,
    record_service_pb2,
    rule_set_pb2,
    table_service_pb2,
)
from skat_engine import Action, Position, RuleSet, Seat, option_text
from skat_engine.events import ConcessionOffered, ConcessionRefused
from skat_engine.ruleset import OPTION_TYPES
from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Settings
from skat_server.rpc import spectate_servicer
from skat_server.rpc.convert.deals import dealt_to_proto
from skat_server.rpc.convert.values import action_to_proto
from skat_server.tables.outbox import LONGEST_WAIT
from skat_server.tables.table import Table
from tests.leaks.ears import REFUSED, Seated, Watching, answer
from tests.leaks.probes import everything_illegal
from tests.strategies import Playthrough

NAMES: Final = ("ann", "ben", "cem", "dia", "eva")
STEP: Final = LONGEST_WAIT + 1.0
"""Seconds between two actions: everything that waits for a decision has left by then."""
SETTINGS: Final = Settings(port=0, grace=0.0, heartbeat=100 * STEP)
"""No sign of life comes between: when it is read is chance."""
MANY: Final = 100
"""Illegal actions and safe answers that are borne: the curious try everything and play on."""
DELIVERIES: Final = (
    play_service_pb2.DELIVERY_LIVE,
    play_service_pb2.DELIVERY_WITH_DECISIONS,
)

SPECTATOR: Final = "spectator"
LATE: Final = "late spectator"
ANYBODY: Final = "anybody"
LOG: Final = "log"


class WatchedClock(ManualClock):
    """A manual clock that says how many spectators wait for their next message."""

    def __init__(self) -> None:
        super().__init__()
        self.ticking = 0

    async def sleep(self, seconds: float) -> None:
        """Wait, and be counted."""
        is_tick = seconds == spectate_servicer.TICK
        self.ticking += is_tick
        try:
            await super().sleep(seconds)
        finally:
            self.ticking -= is_tick


@contextmanager
def counted_chance() -> Iterator[None]:
    """Ids and whatever else is drawn come from a counter."""
    numbers = count(1)

    def token_hex(size: int) -> str:
        return f"{next(numbers):0{2 * size}x}"

    def token_bytes(size: int) -> bytes:
        return next(numbers).to_bytes(size, "big")

    with patch.multiple(secrets, token_hex=token_hex, token_bytes=token_bytes):
        yield


@dataclass
class Recording:
    """What left the server, by who heard it."""

    heard: dict[str, list[bytes]] = field(default_factory=dict)
    seats: tuple[Seat, Seat, Seat] = (0, 1, 2)
    """Of the positions in the last deal."""

    def stream_of(self, viewer: Position | None) -> list[bytes]:
        """The stream of a position, or of the spectator."""
        return self.heard[SPECTATOR if viewer is None else seat_name(self.seats[viewer])]


def seat_name(seat: Seat) -> str:
    """Under which name a recording has a seat's stream; what follows it has this in front."""
    return f"seat {seat}"


async def recorded(
    deals: Sequence[Playthrough],
    *,
    curious: Position | None,
    slow: frozenset[int] = frozenset(),
    seeds: int | None = None,
) -> Recording:
    """Play these deals, the last of them as far as it goes, and keep what everybody hears.

    Args:
        deals: under the same rules; all but the last to their end.
        curious: who tries everything that must be refused, before every action.
        slow: moves of the last deal for which nobody answers, so that they are safe answers.
        seeds: draws the seeds that the deals pretend to come from; None lists the deals.
    """
    with counted_chance(), structlog.testing.capture_logs() as logged:
        clock = WatchedClock()
        entropy = secrets.token_bytes if seeds is None else random.Random(seeds).randbytes
        async with (
            App(SETTINGS, clock=clock, entropy=entropy) as app,
            grpc.aio.insecure_channel(app.address) as channel,
        ):
            room = Room(app, clock, channel, deals)
            await room.enter(_request(deals, is_fresh=seeds is not None, is_slow=bool(slow)))
            for deal in deals[:-1]:
                await room.play(deal, None)
            await room.play(deals[-1], curious, slow)
            recording = await room.leave()
    recording.heard[LOG] = [repr(line).encode() for line in logged]
    return recording


class Room:
    """A table with its players and a spectator, one step at a time."""

    def __init__(
        self,
        app: App,
        clock: WatchedClock,
        channel: grpc.aio.Channel,
        deals: Sequence[Playthrough],
    ) -> None:
        self._app = app
        self._clock = clock
        self._channel = channel
        self._deals = deals
        self._seats = deals[0].rules.seats
        self._asked: list[bytes] = []
        """Answers to whoever may ask."""

    async def enter(self, request: table_service_pb2.CreateTableRequest) -> None:
        """Make the table, seat everybody, open all streams."""
        made = await self._call("TableService/CreateTable", request, seat=0)
        assert not made.startswith(REFUSED), made
        table_id = table_service_pb2.CreateTableResponse.FromString(made).table.table_id
        self.table: Table = self._app.tables.find(table_id)
        self.spectator = Watching(self._channel, table_id)
        self.ears: list[Seated] = []
        await self.spectator.until(lambda: bool(self.spectator.heard))
        await self._server_ticks()
        self._clock.advance(STEP)
        for seat in range(self._seats):
            ear = Seated(self._channel, _metadata(seat), DELIVERIES[seat % 2])
            await ear.greet()
            sitting = table_service_pb2.TakeSeatRequest(
                table_id=table_id, seat=seat, player_name=NAMES[seat]
            )
            await self._call("TableService/TakeSeat", sitting, seat=seat)
            self.ears.append(ear)
            await self._everybody_reads()

    async def play(
        self,
        deal: Playthrough,
        curious: Position | None,
        slow: frozenset[int] = frozenset(),
    ) -> None:
        """Let everybody act in turn, or out of turn where the deal says so.

        What the defenders ask each other takes no time, and is asked when the curious one has
        tried nothing yet since the last card (R-END-5).
        """
        beside, is_due = deal.start(), curious is not None
        for index, (position, action) in enumerate(deal.moves):
            happened = beside.apply(position, action)
            is_offer = any(isinstance(event, ConcessionOffered) for event in happened)
            is_refusal = any(isinstance(event, ConcessionRefused) for event in happened)
            if curious is not None and is_due and not is_offer:
                await self._be_curious(self._seat(curious))
            if index in slow:
                await self._wait_for_the_clock()
            else:
                await self._act(position, action, takes_time=not (is_offer or is_refusal))
            is_due = curious is not None and not is_refusal

    async def _be_curious(self, seat: Seat) -> None:
        await self.ears[seat].refused(everything_illegal(self.table, seat))
        await self._everybody_reads()

    async def _act(self, position: Position, action: Action, *, takes_time: bool) -> None:
        state = before = self.table.state
        seat = self._seat(position)
        assert state.deal is not None
        is_asked = state.deal.to_act == position
        submission = play_service_pb2.Submission(
            table_id=self.table.table_id,
            turn_id=state.turn_id(position) if is_asked else "",
            last_sequence=0 if is_asked else self.table.log.last(seat),
            action=action_to_proto(action),
        )
        await self.ears[seat].send(play_service_pb2.PlayRequest(submissions=[submission]))
        while self.table.state is before:
            await self._yield()
        await self._everybody_reads(takes_time=takes_time)

    async def _wait_for_the_clock(self) -> None:
        """Let the time of whoever is asked run out."""
        before = self.table.state
        while self.table.state is before:
            self._clock.advance(STEP / 8)
        await self._everybody_reads()

    async def _everybody_reads(self, *, takes_time: bool = True) -> None:
        """Wait until everybody has everything, before and after the seconds of a step."""
        for seat, ear in enumerate(self.ears):
            await self._reads(seat, ear, held=True)
        if not takes_time:
            return
        await self._spectator_reads()
        self._clock.advance(STEP)
        for seat, ear in enumerate(self.ears):
            await self._reads(seat, ear, held=False)

    async def _spectator_reads(self) -> None:
        """Wait until the spectator has everything, and the server waits for more to send."""
        before = len(self.spectator.heard)
        await self.spectator.until(lambda: self.spectator.last == self.table.log.last(None))
        if len(self.spectator.heard) > before:
            await self._server_ticks()

    async def _server_ticks(self) -> None:
        """Wait until the server waits before it sends the spectator more."""
        while not (self._clock.ticking or self.table.is_over):
            await self._yield()

    async def _reads(self, seat: Seat, ear: Seated, *, held: bool) -> None:
        last, decision = self.table.log.last(seat), self.table.decision
        if decision is not None and decision.seat == seat:
            await ear.until(lambda: ear.turn_id == decision.turn_id and ear.last == last)
        elif ear.is_live or not held:
            await ear.until(lambda: ear.last == last)

    async def leave(self) -> Recording:
        """Ask whatever may be asked, come back as somebody new, and go."""
        heard = {seat_name(seat): ear.heard for seat, ear in enumerate(self.ears)}
        heard[SPECTATOR] = self.spectator.heard
        for seat in range(self._seats):
            heard[f"{seat_name(seat)} asks"] = await self._ask_everything(seat)
            heard[f"{seat_name(seat)} again"] = await self._come_back(seat)
        heard[ANYBODY] = await self._ask_everything(None)
        heard[LATE] = await self._watch_anew()
        return Recording(heard, self.table.state.seating.active)

    async def _come_back(self, seat: Seat) -> list[bytes]:
        """A new session begins with a view of the deal under way."""
        again = Seated(self._channel, _metadata(seat), DELIVERIES[0])
        await again.greet()
        if not self.table.is_over:
            await self._reads(seat, again, held=False)
        poll = play_service_pb2.PollDecisionsRequest()
        return [*again.heard, await self._call("PlayService/PollDecisions", poll, seat=seat)]

    async def _watch_anew(self) -> list[bytes]:
        late = Watching(self._channel, self.table.table_id)
        await late.until(lambda: late.last == self.table.log.last(None))
        return late.heard

    async def _ask_everything(self, seat: Seat | None) -> list[bytes]:
        """The unary answers about the table, refusals too."""
        table_id, number = self.table.table_id, self.table.state.deal_number
        questions: list[tuple[str, Message]] = [
            ("TableService/GetTable", table_service_pb2.GetTableRequest(table_id=table_id)),
            ("TableService/ListTables", table_service_pb2.ListTablesRequest()),
            (
                "TableService/TakeSeat",
                table_service_pb2.TakeSeatRequest(table_id=table_id, seat=0, player_name="x"),
            ),
            (
                "RecordService/GetDealRecord",
                record_service_pb2.GetDealRecordRequest(table_id=table_id, deal_number=number),
            ),
            (
                "RecordService/ListDealRecords",
                record_service_pb2.ListDealRecordsRequest(table_id=table_id),
            ),
            ("AccountService/GetCaller", account_service_pb2.GetCallerRequest()),
            (
                "PlayService/SubmitAction",
                play_service_pb2.SubmitActionRequest(
                    submission=play_service_pb2.Submission(table_id=table_id, turn_id="9.9")
                ),
            ),
        ]
        answers = [await self._call(name, request, seat=seat) for name, request in questions]
        answers.append(await self._yield())
        return answers

    async def _call(self, name: str, request: Message, *, seat: Seat | None) -> bytes:
        metadata = () if seat is None else _metadata(seat)
        return await answer(self._channel, f"/skat.v1.{name}", request, metadata)

    async def _yield(self) -> bytes:
        """Let the server run: it answers a probe."""
        request = health_pb2.HealthCheckRequest()
        return await answer(self._channel, "/grpc.health.v1.Health/Check", request)

    def _seat(self, position: Position) -> Seat:
        return self.table.state.seating.active[position]


def _metadata(seat: Seat) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer token-of-player-{NAMES[seat]}"),)


def _request(
    deals: Sequence[Playthrough], *, is_fresh: bool, is_slow: bool
) -> table_service_pb2.CreateTableRequest:
    request = table_service_pb2.CreateTableRequest(rule_set=rule_set_of(deals[0].rules))
    if not is_fresh:
        request.deal_source.listed.deals.extend(dealt_to_proto(deal.dealt) for deal in deals)
    if is_slow:  # a step, one for the curious, and in the third one the time is up
        request.clock.decision_ms = round(2.5 * STEP * 1_000)
    request.faults.illegal_actions = MANY
    request.faults.safe_answers = MANY
    return request


def rule_set_of(rules: RuleSet) -> rule_set_pb2.RuleSet:
    """Rules on the wire, option by option; the deals are listed, so that is the series' end."""
    options = {name: option_text(getattr(rules, name)) for name in OPTION_TYPES}
    return rule_set_pb2.RuleSet(preset="terse_english", overrides=options)
