"""A server is held to what the chance of its tables was bound to."""

import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from skat.v1 import deal_pb2, event_pb2, record_service_pb2, table_pb2
from skat.v1.record_service_pb2 import ListDealRecordsRequest, ListDealRecordsResponse
from skat.v1.table_service_pb2 import GetTableResponse, TakeSeatRequest, TakeSeatResponse
from skat_client import (
    Action,
    AsyncClient,
    DealRecord,
    Decision,
    FairnessError,
    SessionOptions,
    TableSight,
    UnavailableError,
    run,
)
from skat_client._chance_book import ChanceBook, Promise
from skat_client._convert_events import event_from_proto
from skat_client._convert_tables import table_from_proto
from skat_client._record_checks import FIRST, chain_fault, chance_in
from skat_client._results import DealtCards
from skat_client._shuffle import (
    deal_commitment,
    deal_from_seed,
    table_commitment,
    table_deal_seed,
)
from skat_client.errors import ProtocolError
from skat_client.testing import (
    ExpectHello,
    Failure,
    ScriptedServer,
    SendFrames,
    new_events,
    new_frame,
    new_table,
    new_view,
    series_end,
)

TABLE_SEED = bytes(range(32))
COMMITMENT = table_commitment(TABLE_SEED, "t")
NONCES = (b"mine", b"", b"theirs")
PROMISE = Promise(COMMITMENT, seat=0, nonce=b"mine", is_from_start=True)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Dealing:
    """One time that cards were dealt, and what a server says of it."""

    number: int = 1
    dealing: int = 1
    nonces: tuple[bytes, ...] = NONCES

    @property
    def deal_id(self) -> str:
        return f"t/{self.number}"

    @property
    def seed(self) -> bytes:
        return table_deal_seed(TABLE_SEED, self.dealing, self.nonces)

    @property
    def commitment(self) -> bytes:
        return deal_commitment(self.seed, self.deal_id)

    @property
    def dealt(self) -> DealtCards:
        return deal_from_seed(self.seed)

    def start(self) -> event_pb2.DealStarted:
        return event_pb2.DealStarted(
            deal_number=self.number,
            dealer=2,
            active_seats=[0, 1, 2],
            deal_id=self.deal_id,
            commitment=self.commitment,
        )

    def end(self, seed: bytes | None = None) -> event_pb2.DealEnded:
        hands = {
            name: [card.value for card in getattr(self.dealt, name)]
            for name in ("forehand", "middlehand", "rearhand", "skat")
        }
        result = deal_pb2.DealResult(
            ending=deal_pb2.ENDING_PASSED_IN, scores=[0, 0, 0], tricks=[0, 0, 0]
        )
        for name, cards in hands.items():
            getattr(result.dealt, name).extend(cards)
        return event_pb2.DealEnded(
            result=result,
            changes=[0, 0, 0],
            totals=[0, 0, 0],
            seed=self.seed if seed is None else seed,
        )

    def row(self) -> dict[str, Any]:
        hands = (self.dealt.forehand, self.dealt.middlehand, self.dealt.rearhand, self.dealt.skat)
        return {
            "id": self.deal_id,
            "dealt": "|".join(".".join(str(card) for card in cards) for cards in hands),
            "seed": self.seed.hex(),
            "commitment": self.commitment.hex(),
            "chance": {
                "table_commitment": COMMITMENT.hex(),
                "nonces": [nonce.hex() for nonce in self.nonces],
                "dealing": self.dealing,
            },
        }

    def record(self, **changes: Any) -> DealRecord:
        return DealRecord("t", self.number, json.dumps({**self.row(), **changes}))


FIRST_DEAL, SECOND_DEAL = Dealing(), Dealing(2, 2)
SAT = event_pb2.SeatTaken(seat=1, player_name="another")


@dataclass
class Seen:
    """A book that has seen a table to its end."""

    events: Iterable[Message] = (SAT, FIRST_DEAL.start(), FIRST_DEAL.end())
    promise: Promise = PROMISE
    first: int = 1
    book: ChanceBook = field(init=False)

    def __post_init__(self) -> None:
        self.book = ChanceBook("t", self.promise)
        for event in new_events(self.first, *self.events):
            self.book.observe(event_from_proto(event))

    def check(self, *records: DealRecord, seed: bytes = TABLE_SEED) -> None:
        self.book.check_over(table_from_proto(over(seed)), records)


def bound(table: table_pb2.Table, seed: bytes = b"") -> table_pb2.Table:
    table.chance.commitment, table.chance.seed = COMMITMENT, seed
    return table


def over(seed: bytes = TABLE_SEED) -> table_pb2.Table:
    return bound(new_table("t", state=table_pb2.TABLE_STATE_FINISHED), seed)


# ----------------------------------------------------------------------------------- what is seen


def test_who_keeps_his_word_is_fair() -> None:
    Seen((SAT, *told(FIRST_DEAL, SECOND_DEAL))).check(FIRST_DEAL.record(), SECOND_DEAL.record())


def told(*dealings: Dealing) -> list[Message]:
    return [event for dealing in dealings for event in (dealing.start(), dealing.end())]


def test_a_seed_that_was_not_bound_is_found_at_once() -> None:
    with pytest.raises(FairnessError, match="table t is not fair: deal 1: the seed is not the one"):
        Seen((FIRST_DEAL.start(), FIRST_DEAL.end(seed=bytes(32))))


def test_a_seed_that_is_kept_secret_is_found_at_once() -> None:
    with pytest.raises(FairnessError, match="the seed is not the one"):
        Seen((FIRST_DEAL.start(), FIRST_DEAL.end(seed=b"")))


def test_cards_that_are_not_those_of_the_seed_are_found_at_once() -> None:
    ended = SECOND_DEAL.end(seed=FIRST_DEAL.seed)
    with pytest.raises(FairnessError, match="the cards are not those of the seed"):
        Seen((FIRST_DEAL.start(), ended))


def test_a_deal_that_is_bound_to_nothing_is_found_at_once() -> None:
    started = FIRST_DEAL.start()
    started.commitment = b""
    with pytest.raises(FairnessError, match="deal 1 is bound to no seed"):
        Seen((started,))


def test_a_view_may_tell_the_same_once_more_and_nothing_else() -> None:
    seen = Seen((FIRST_DEAL.start(),))
    (again,) = new_events(1, FIRST_DEAL.start())
    seen.book.observe(event_from_proto(again))
    again.deal_started.commitment = SECOND_DEAL.commitment
    with pytest.raises(FairnessError, match="bound to another seed than it was"):
        seen.book.observe(event_from_proto(again))


def test_the_end_of_a_deal_that_was_not_seen_from_its_start_cannot_be_checked() -> None:
    Seen((FIRST_DEAL.end(seed=bytes(32)),))


def test_a_void_deal_uses_up_its_dealing() -> None:
    void = event_pb2.DealVoided(reason="by the operator")
    again = Dealing(1, 2)
    Seen((SAT, FIRST_DEAL.start(), void, *told(again))).check(again.record())


# ------------------------------------------------------------------------------ when it is all over


@pytest.mark.parametrize(
    ("record", "what"),
    [
        (FIRST_DEAL.record(seed=bytes(32).hex()), "the seed is not the one"),
        (FIRST_DEAL.record(dealt=SECOND_DEAL.row()["dealt"]), "the cards are not those"),
        (FIRST_DEAL.record(chance={**FIRST_DEAL.row()["chance"], "dealing": 2}), "does not come"),
        (Dealing(nonces=(b"", b"", b"")).record(), "none of the deals"),
        (Dealing(1, 7).record(), "none of the deals"),
        (DealRecord("t", 1, "{}"), "the record of deal 1 has no seed"),
        (DealRecord("t", 1, "[" * 9000), "no record"),
        (FIRST_DEAL.record(chance={"nonces": [1]}), "no record"),
        (FIRST_DEAL.record(dealt="CJ|D7"), "no record"),
    ],
    ids=range(9),
)
def test_a_record_that_does_not_fit_is_found(record: DealRecord, what: str) -> None:
    with pytest.raises(FairnessError, match=what):
        Seen((SAT, *told(FIRST_DEAL))).check(FIRST_DEAL.record(), record)


def test_a_nonce_that_was_left_out_is_found() -> None:
    alone = Dealing(nonces=(b"", b"", b"theirs"))
    with pytest.raises(FairnessError, match="leaves out the nonce of this player"):
        Seen((SAT, *told(alone))).check(alone.record())


def test_a_nonce_of_an_earlier_time_cannot_be_compared() -> None:
    earlier = Promise(COMMITMENT, seat=0, nonce=None, is_from_start=True)
    alone = Dealing(nonces=(b"unknown", b"", b"theirs"))
    Seen((SAT, *told(alone)), promise=earlier).check(alone.record())


@pytest.mark.parametrize("events", [(SAT,), ()], ids=["from the start", "from the first deal"])
def test_cards_that_were_dealt_in_secret_are_found(events: tuple[Message, ...]) -> None:
    """Whoever deals until he likes the cards uses up dealings that nobody has seen."""
    later = Dealing(2, 5)
    with pytest.raises(FairnessError, match="cards were dealt in between that nobody saw"):
        Seen((*events, *told(FIRST_DEAL, later))).check(FIRST_DEAL.record(), later.record())


def test_the_first_deal_is_the_first_dealing() -> None:
    later = Dealing(1, 3)
    with pytest.raises(FairnessError, match="dealt in between"):
        Seen((SAT, *told(later))).check(later.record())


def test_who_missed_something_does_not_count_dealings() -> None:
    later = Dealing(2, 5)
    seen = Seen((SAT, *told(FIRST_DEAL)))
    for event in new_events(40, *told(later)):
        seen.book.observe(event_from_proto(event))
    seen.check(FIRST_DEAL.record(), Dealing(2, 4).record(), later.record())


@pytest.mark.parametrize(
    ("seed", "what"),
    [(bytes(32), "not the one that it was bound to"), (b"", "does not show its seed")],
    ids=["another", "none"],
)
def test_a_table_shows_the_seed_that_it_was_bound_to(seed: bytes, what: str) -> None:
    with pytest.raises(FairnessError, match=what):
        Seen().check(FIRST_DEAL.record(), seed=seed)


def test_a_table_keeps_its_commitment() -> None:
    other = Promise(bytes(32), seat=0, nonce=None, is_from_start=False)
    with pytest.raises(FairnessError, match="another seed than it was"):
        Seen(promise=other).check(FIRST_DEAL.record())


# ------------------------------------------------------------------------------------- the records


def test_cards_that_were_given_have_no_chance() -> None:
    assert chance_in(DealRecord("t", 1, '{"id": "t/1"}')) is None


def test_a_seed_without_shares_has_none() -> None:
    row = FIRST_DEAL.row()
    del row["chance"]
    chance = chance_in(DealRecord("t", 1, json.dumps(row)))
    assert chance is not None
    assert (chance.table_commitment, chance.nonces, chance.dealing) == (b"", (), 0)


@pytest.mark.parametrize("text", ["", "null", "3", '{"seed": 3}', '{"seed": "zz", "dealt": "|||"}'])
def test_what_is_no_record_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ProtocolError, match="no record"):
        chance_in(DealRecord("t", 1, text))


def test_records_are_a_chain() -> None:
    seal = sha256(FIRST + b"{}").digest()
    first = DealRecord("t", 1, "{}", seal, FIRST)
    second = DealRecord("t", 2, "[]", sha256(seal + b"[]").digest(), seal)
    assert chain_fault(first, FIRST) == ""
    assert chain_fault(second, seal) == ""
    assert chain_fault(second, FIRST) == "it does not follow the record before it"
    changed = DealRecord("t", 2, "[1]", second.sha256, seal)
    assert chain_fault(changed, seal) == "it is not what was sealed"


# ----------------------------------------------------------------------------------------- the run


class Mute:
    def decide(self, decision: Decision, sight: TableSight) -> Action:
        return decision.first_option


def prepare(
    server: ScriptedServer, *events: Message, before: table_pb2.Table | None = None
) -> None:
    """A table of one deal that is over when it is shown."""
    server.reply("GetTable", GetTableResponse(table=before or bound(new_table("t"))))
    server.reply("TakeSeat", TakeSeatResponse(table=bound(new_table("t")), seat=0))
    frame = new_frame("t", new_events(1, *events, series_end()), view=new_view("t", sequence=9))
    server.play(ExpectHello(), SendFrames(frame))
    server.reply("GetTable", GetTableResponse(table=over()))


def records(*dealings: Dealing) -> ListDealRecordsResponse:
    rows = [record_service_pb2.DealRecord(json=dealing.record().json) for dealing in dealings]
    return ListDealRecordsResponse(records=rows)


@pytest.mark.asyncio
async def test_a_run_checks_its_tables_to_the_end(
    server: ScriptedServer, client: AsyncClient
) -> None:
    prepare(server, *told(FIRST_DEAL))
    server.reply("ListDealRecords", records(FIRST_DEAL))
    await run(Mute(), client, ["t"])
    assert len(server.requests_of(ListDealRecordsRequest)) == 1


@pytest.mark.asyncio
async def test_a_run_ends_at_a_seed_that_was_not_bound(
    server: ScriptedServer, client: AsyncClient
) -> None:
    prepare(server, FIRST_DEAL.start(), FIRST_DEAL.end(seed=bytes(32)))
    with pytest.raises(FairnessError, match="not the one that the deal was bound to") as caught:
        await run(Mute(), client, ["t"])
    assert caught.value.table_id == "t"


@pytest.mark.asyncio
async def test_it_ends_at_records_that_do_not_fit(
    server: ScriptedServer, client: AsyncClient
) -> None:
    prepare(server, *told(FIRST_DEAL))
    server.reply("ListDealRecords", records(FIRST_DEAL, Dealing(2, 2, (b"", b"", b""))))
    with pytest.raises(FairnessError, match="none of the deals"):
        await run(Mute(), client, ["t"])


@pytest.mark.asyncio
async def test_it_ends_at_a_table_that_took_another_seed_for_the_nonce(
    server: ScriptedServer, client: AsyncClient
) -> None:
    before = new_table("t")
    before.chance.commitment = bytes(32)
    server.reply("GetTable", GetTableResponse(table=before))
    server.reply("TakeSeat", TakeSeatResponse(table=bound(new_table("t")), seat=0))
    with pytest.raises(FairnessError, match="another seed when somebody sat down"):
        await run(Mute(), client, ["t"])


@pytest.mark.asyncio
async def test_it_may_only_complain(
    server: ScriptedServer, client: AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    prepare(server, FIRST_DEAL.start(), FIRST_DEAL.end(seed=bytes(32)))
    server.reply("ListDealRecords", records(FIRST_DEAL))
    with caplog.at_level(logging.ERROR, "skat_client"):
        sights = await run(Mute(), client, ["t"], on_unfair="warn")
    assert sights["t"].is_over
    assert "table t is not fair: deal 1" in caplog.text


@pytest.mark.asyncio
async def test_it_may_look_away(server: ScriptedServer, client: AsyncClient) -> None:
    server.reply("TakeSeat", TakeSeatResponse(table=bound(new_table("t")), seat=0))
    events = new_events(1, FIRST_DEAL.start(), FIRST_DEAL.end(seed=bytes(32)), series_end())
    frame = new_frame("t", events, view=new_view("t", sequence=3))
    server.play(ExpectHello(), SendFrames(frame))
    sights = await run(Mute(), client, ["t"], on_unfair="off")
    assert sights["t"].is_over
    assert [type(request) for request in server.requests] == [TakeSeatRequest]


@pytest.mark.asyncio
async def test_records_that_cannot_be_had_are_no_proof(
    server: ScriptedServer, client: AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    prepare(server, *told(FIRST_DEAL))
    await run(Mute(), client, ["t"])
    assert "table t: its chance cannot be checked" in caplog.text


LOST = Failure(grpc.StatusCode.UNAVAILABLE, message="connection lost, as scripted")


@pytest.mark.asyncio
async def test_a_seat_whose_answer_was_lost_is_asked_for_with_the_same_nonce(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    """F12: it may have been taken, and a second nonce would change nothing there."""
    server.reply("GetTable", GetTableResponse(table=bound(new_table("t"))))
    server.reply("TakeSeat", LOST, TakeSeatResponse(table=over(), seat=0))
    await run(Mute(), client, ["t"], options=options)
    first, second = server.requests_of(TakeSeatRequest)
    assert first == second


@pytest.mark.asyncio
async def test_a_server_that_is_not_there_from_the_beginning_is_not_waited_for(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    server.reply("GetTable", LOST)
    with pytest.raises(UnavailableError):
        await run(Mute(), client, ["t"], options=options)


@pytest.mark.asyncio
async def test_records_are_asked_for_again_and_not_for_ever(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions, waits: Any
) -> None:
    prepare(server, *told(FIRST_DEAL))
    server.reply("GetTable", *[LOST] * 3, *[GetTableResponse(table=over())])
    server.reply("ListDealRecords", LOST, records(FIRST_DEAL))
    await run(Mute(), client, ["t"], options=options)
    assert len(server.requests_of(ListDealRecordsRequest)) == 2
    assert waits.time < 10.0


@pytest.mark.asyncio
async def test_everybody_brings_a_nonce_of_his_own(
    server: ScriptedServer, client: AsyncClient
) -> None:
    table = TakeSeatResponse(table=new_table("t"), seat=0)
    server.reply("TakeSeat", table, table, table)
    await client.take_seat("t", "me")
    await client.take_seat("t", "me")
    await client.take_seat("t", "me", client_nonce=b"")
    nonces = [request.client_nonce for request in server.requests_of(TakeSeatRequest)]
    assert [len(nonce) for nonce in nonces] == [32, 32, 0]
    assert nonces[0] != nonces[1]
