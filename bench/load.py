"""A light load on a server: three players at many tables, one session each.

The players use the bare stubs and the decision's own options, so that what is measured is the
server, not a client library.
"""

import asyncio
import random
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import grpc

from skat.v1 import action_pb2, decision_pb2, rule_set_pb2, table_pb2
from skat.v1 import play_service_pb2 as wire
from skat.v1 import play_service_pb2_grpc as wire_grpc
from skat.v1 import table_service_pb2 as tables
from skat.v1 import table_service_pb2_grpc as tables_grpc

Metadata = tuple[tuple[str, str], ...]

SEATS = 3
NAMES_A_NUMBER = 0.4
"""How often a player bids or holds instead of passing."""


@dataclass(frozen=True, slots=True)
class Load:
    """What three players did."""

    actions: int
    deals: int
    requests: int
    """Messages from the players to the server."""
    responses: int
    """Messages from the server to the players."""


async def play_tables(address: str, count: int, deals: int, seed: int) -> Load:
    """Let three players play a series at each of so many tables.

    Args:
        address: where the server listens.
        count: tables.
        deals: deals of each series.
        seed: of the players' choices.
    """
    tokens = [secrets.token_urlsafe() for _ in range(SEATS)]
    async with grpc.aio.insecure_channel(address) as channel:
        service = tables_grpc.TableServiceStub(channel)
        ids = [await _new_table(service, tokens, deals) for _ in range(count)]
    players = [_Player(token, ids, random.Random(seed + i)) for i, token in enumerate(tokens)]
    await asyncio.gather(*(player.play(address) for player in players))
    return Load(
        actions=sum(player.actions for player in players),
        deals=count * deals,
        requests=sum(player.requests for player in players),
        responses=sum(player.responses for player in players),
    )


async def _new_table(
    service: "tables_grpc.TableServiceAsyncStub", tokens: Sequence[str], deals: int
) -> str:
    rules = rule_set_pb2.RuleSet(preset="isko", overrides={"session_deals": str(deals)})
    request = tables.CreateTableRequest(rule_set=rules)
    made = await service.CreateTable(request, metadata=_metadata(tokens[0]))
    for token in tokens:
        seat = tables.TakeSeatRequest(table_id=made.table.table_id, player_name="load")
        await service.TakeSeat(seat, metadata=_metadata(token))
    return made.table.table_id


def _metadata(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


class _Player:
    """One session at all tables."""

    def __init__(self, token: str, table_ids: Iterable[str], chance: random.Random) -> None:
        self._token = token
        self._left = set(table_ids)
        self._chance = chance
        self.actions = 0
        self.requests = 0
        self.responses = 0

    async def play(self, address: str) -> None:
        """Play until every series has ended."""
        async with grpc.aio.insecure_channel(address) as channel:
            stream = wire_grpc.PlayServiceStub(channel).Play(metadata=_metadata(self._token))
            try:
                await self._answer_all(stream)
                await stream.done_writing()
            finally:
                stream.cancel()

    async def _answer_all(
        self, stream: "grpc.aio.StreamStreamCall[wire.PlayRequest, wire.PlayResponse]"
    ) -> None:
        await stream.write(wire.PlayRequest(hello=wire.Hello(client_name="load")))
        async for response in stream:
            self.responses += 1
            answers = [self._answer(frame) for frame in response.tables if self._asks(frame)]
            if answers:
                self.requests += 1
                self.actions += len(answers)
                await stream.write(wire.PlayRequest(submissions=answers))
            if not self._left:
                return

    def _asks(self, frame: table_pb2.TableFrame) -> bool:
        if any(event.HasField("series_ended") for event in frame.events):
            self._left.discard(frame.table_id)
        return frame.HasField("decision")

    def _answer(self, frame: table_pb2.TableFrame) -> wire.Submission:
        decision = frame.decision
        return wire.Submission(
            table_id=frame.table_id, turn_id=decision.turn_id, action=self._choice(decision)
        )

    def _choice(self, decision: decision_pb2.Decision) -> action_pb2.Action:
        match decision.WhichOneof("options"):
            case "cards":
                card = self._chance.choice(decision.cards.cards)
                return action_pb2.Action(play_card=action_pb2.PlayCard(card=card))
            case "bidding" if self._chance.random() < NAMES_A_NUMBER:
                return _number(decision.bidding)
            case _:
                return decision.first_option


def _number(options: decision_pb2.BiddingOptions) -> action_pb2.Action:
    if options.may_hold:
        return action_pb2.Action(hold=action_pb2.Hold())
    if options.bids:
        return action_pb2.Action(bid=action_pb2.Bid(value=options.bids[0]))
    return action_pb2.Action(pass_auction=action_pb2.Pass())
