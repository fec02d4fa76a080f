"""The Python client against a real server: clocks, house bots, accounts, chance, notices, TLS."""

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from skat_client import (
    Action,
    AsyncClient,
    Backoff,
    BidPassed,
    ClockPolicy,
    Connected,
    DealCheckKind,
    DealCheckOutcome,
    DealRecord,
    Decision,
    DecisionAsked,
    DecisionDefaulted,
    Delivery,
    EventSeen,
    FaultCause,
    FaultConsequence,
    FaultPolicy,
    GoingAway,
    HouseBot,
    NotAllowedError,
    NotFoundError,
    RuleSet,
    Scope,
    SeatReturned,
    SeatTakenOver,
    Session,
    SessionOptions,
    Table,
    TableSight,
    Tls,
    UnauthenticatedError,
    UnavailableError,
    new_token,
    run,
)
from skat_client._cli import run_command
from skat_client._record_checks import FIRST, chain_fault
from skat_client.bots import BOTS
from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Auth, Settings, TlsFiles
from tests.certificates import Authority
from tests.rpc.members import LOCAL

pytestmark = pytest.mark.asyncio

TWO_DEALS = RuleSet("isko", {"session_end": "fixed_deals", "session_deals": "2"})
HOUSE = (HouseBot.RANDOM, HouseBot.FIRST_OPTION)
QUICK = SessionOptions(backoff=Backoff(first=0.01, longest=0.05))
LIVE = SessionOptions(delivery=Delivery.LIVE)
OPEN = Settings(port=0, grace=0.0)


def player(app: App) -> AsyncClient:
    return AsyncClient(app.address, token=new_token())


async def until(session: Session, *kinds: type) -> list[object]:
    """Go on until each of these has come, in this order; the events or items."""
    found: list[object] = []
    async for item in session:
        thing = item.event.event if isinstance(item, EventSeen) else item
        if isinstance(thing, kinds[len(found)]):
            found.append(thing)
        if len(found) == len(kinds):
            return found
    raise AssertionError(f"only {found} came")


# ------------------------------------------------------------------------------- clocks and house


async def test_a_player_alone_plays_against_the_house() -> None:
    clock = ClockPolicy(decision_ms=20_000, bank_ms=7_000, increment_ms=5, grace_ms=9_000)
    faults = FaultPolicy(5, 6, FaultConsequence.NONE)
    decisions: list[Decision] = []

    class Alone:
        def decide(self, decision: Decision, sight: TableSight) -> Action:
            decisions.append(decision)
            return decision.first_option

    async with App(OPEN) as app, player(app) as client:
        table = await client.create_table(TWO_DEALS, clock=clock, faults=faults, house_bots=HOUSE)
        assert (table.clock, table.faults) == (clock, faults)
        assert [seat.house_bot for seat in table.seats] == [None, *HOUSE]
        sights = await run(Alone(), client, [table.table_id])
    assert sights[table.table_id].is_over
    clocks = [decision.clock for decision in decisions]
    assert all(left is not None and 0 < left.decision_ms <= 20_000 for left in clocks)
    assert all(left is not None and 0 < left.grace_ms <= 9_000 for left in clocks)


async def first_asked(sessions: list[Session]) -> int:
    """Wait until one of them is asked; which one."""
    waiting = [asyncio.create_task(until(session, DecisionAsked)) for session in sessions]
    done, pending = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    return waiting.index(done.pop())


async def test_who_does_not_answer_is_replaced_until_he_comes_back() -> None:
    """A safe answer first, then the house, and the seat again with the next session."""
    clock = ManualClock()
    policy = ClockPolicy(decision_ms=1_000, bank_ms=0, grace_ms=0)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(App(OPEN, clock=clock))
        clients = [await stack.enter_async_context(player(app)) for _ in range(3)]
        table = await clients[0].create_table(
            TWO_DEALS, clock=policy, faults=FaultPolicy(safe_answers=0)
        )
        for seat, client in enumerate(clients):
            await client.take_seat(table.table_id, f"player {seat}", seat=seat)
        sessions = [
            await stack.enter_async_context(client.open_session(LIVE)) for client in clients
        ]
        slow = await first_asked(sessions)
        clock.advance(1.5)
        events = await until(sessions[slow], DecisionDefaulted, SeatTakenOver)
        cause = FaultCause.STALLED
        assert events == [DecisionDefaulted(slow, cause), SeatTakenOver(slow, cause)]
        sight = sessions[slow].sights[table.table_id]
        assert sight.table.seats[slow].taken_over
        watching = sessions[slow - 1]
        await until(watching, SeatTakenOver)
        again = await stack.enter_async_context(clients[slow].open_session(LIVE))
        assert await until(again, SeatReturned) == [SeatReturned(slow)]
        assert await until(watching, SeatReturned) == [SeatReturned(slow)]
        assert not again.sights[table.table_id].table.seats[slow].taken_over


# --------------------------------------------------------------------------------------- accounts


async def test_an_account_makes_bots_and_tokens_and_takes_them_back() -> None:
    settings = replace(OPEN, auth=Auth.ACCOUNTS)
    async with App(settings) as app:
        _, first = await app.accounts.create_account("ann", LOCAL)
        async with AsyncClient(app.address, token=first.text.text) as owner:
            caller = await owner.get_caller()
            assert (caller.bot_id, Scope.ORGANISE in caller.scopes) == ("", True)
            bot = await owner.create_bot("hal")
            assert [found async for found in owner.list_bots()] == [bot]
            issued = await owner.issue_token(bot.bot_id, lifetime=timedelta(days=1))
            assert issued.token.scopes == (Scope.PLAY, Scope.SPECTATE)
            tokens = [token.token_id async for token in owner.list_tokens()]
            assert issued.token.token_id in tokens
            async with AsyncClient(app.address, token=issued.text) as client:
                await check_bot(client, owner, bot.bot_id, issued.token.token_id)


async def check_bot(client: AsyncClient, owner: AsyncClient, bot_id: str, token_id: str) -> None:
    caller = await client.get_caller()
    assert (caller.player_id, caller.bot_id) == (bot_id, bot_id)
    with pytest.raises(NotAllowedError):
        await client.create_bot("another")
    async with client.open_session() as session:
        connected = await anext(session)
        assert isinstance(connected, Connected)
        assert connected.player_id == bot_id
        assert (await owner.revoke_token(token_id)).is_revoked
        with pytest.raises(UnauthenticatedError, match="TOKEN_REVOKED"):
            await anext(session)


async def test_a_server_without_accounts_says_so() -> None:
    async with App(OPEN) as app, player(app) as client:
        with pytest.raises(NotAllowedError, match="NO_ACCOUNTS"):
            await client.create_bot("hal")


# ----------------------------------------------------------------------------------------- chance


async def played(client: AsyncClient) -> tuple[Table, list[DealRecord]]:
    """A table that is over, checked by `run` on the way."""
    made = await client.create_table(TWO_DEALS, house_bots=HOUSE)
    await run(BOTS["rules"](1), client, [made.table_id])
    records = [record async for record in client.list_deal_records(made.table_id)]
    return await client.get_table(made.table_id), records


async def test_records_are_verified_and_changed_ones_are_not() -> None:
    async with App(OPEN) as app, player(app) as client:
        table, records = await played(client)
        previous = FIRST
        for record in records:
            assert chain_fault(record, previous) == ""
            verdict = await client.verify_deal(record.json, table_seed=table.chance.seed)
            assert verdict.ok
            previous = record.sha256
        row = json.loads(records[0].json)
        row["result"]["scores"] = [1, 2, 3]
        verdict = await client.verify_deal(json.dumps(row), table_seed=bytes(32))
        failed = {
            check.kind for check in verdict.checks if check.outcome is DealCheckOutcome.FAILED
        }
        assert {DealCheckKind.DERIVATION, DealCheckKind.RESULT} <= failed


async def test_the_command_line_verifies_records(capsys: pytest.CaptureFixture[str]) -> None:
    async with App(OPEN) as app, player(app) as client:
        table, _ = await played(client)
        command = ["records", "verify", table.table_id, "--server", app.address]
        assert await run_command([*command, "--token", client.token]) == 0
    assert capsys.readouterr().out.splitlines() == ["deal 1: ok", "deal 2: ok", "2 records hold"]


# ---------------------------------------------------------------------------------------- notices


async def answered(session: Session, asked: object) -> None:
    """Go on until a question is answered on a new connection."""
    assert isinstance(asked, DecisionAsked)
    assert session.submit(asked.decision, asked.decision.first_option)
    await until(session, Connected, BidPassed)


async def test_a_session_moves_to_the_server_that_takes_over(tmp_path: Path) -> None:
    """R23: the tables are in the folder, and the next server has another address."""
    settings = replace(OPEN, data=tmp_path)
    resume_by = datetime(2030, 1, 1, tzinfo=UTC)
    patient = ClockPolicy(decision_ms=600_000)
    async with App(settings) as first:
        client = player(first)
        table = await client.create_table(TWO_DEALS, clock=patient, house_bots=HOUSE)
        await client.take_seat(table.table_id, "mover")
        session = client.open_session(QUICK)
        (asked,) = await until(session, DecisionAsked)
        async with App(OPEN) as spare:
            address = spare.address
        first.sessions.announce_going_away(resume_by.timestamp(), address)
        assert await until(session, GoingAway) == [GoingAway(resume_by, address)]
        first.sessions.end_all()
        moving = asyncio.create_task(answered(session, asked))
        while client.server == first.address:
            await asyncio.wait({moving}, timeout=0.01)
    port = int(address.rpartition(":")[2])
    async with client, session, App(replace(settings, port=port)) as second:
        await moving
        assert client.server == second.address
        assert (await client.get_table(table.table_id)).table_id == table.table_id


async def test_a_draining_server_opens_no_table() -> None:
    async with App(replace(OPEN, grace=60.0)) as app, player(app) as client:
        table = await client.create_table(TWO_DEALS, house_bots=HOUSE)
        await client.take_seat(table.table_id, "last")
        async with client.open_session() as session:
            await until(session, DecisionAsked)
            app.drain.start()
            await until(session, GoingAway)
            with pytest.raises(UnavailableError, match="DRAINING"):
                await client.create_table("isko")
            app.drain.hurry()


# -------------------------------------------------------------------------------------------- TLS


async def test_a_certificate_is_checked_and_its_authority_named(tmp_path: Path) -> None:
    authority = Authority.new("ours")
    root = authority.pair.write(tmp_path, "root")[0]
    files = TlsFiles(*authority.server().write(tmp_path, "server"))
    async with App(replace(OPEN, tls=files)) as app:
        tls = Tls(root.read_bytes(), server_name="localhost")
        async with AsyncClient(app.address, token=new_token(), tls=tls) as client:
            assert (await client.get_caller()).player_id
        async with AsyncClient(app.address, plaintext=False, timeout=2.0) as stranger:
            with pytest.raises(UnavailableError):
                await stranger.get_caller()
        options = ("--server", app.address, "--server-name", "localhost", "--ca", str(root))
        assert await run_command(["tables", *options]) == 0


# ----------------------------------------------------------------------------------- the same bot


async def test_a_bot_with_a_token_file_comes_back_to_its_seat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with App(OPEN) as app, player(app) as owner:
        table = await owner.create_table(TWO_DEALS)
        file = tmp_path / "token"
        command = ["play", "--server", app.address, "--table", table.table_id]
        arguments = [*command, "--token-file", str(file), "--bot", "first-option"]
        for _ in range(2):
            playing = asyncio.create_task(run_command(arguments))
            while "plays at" not in capsys.readouterr().out:
                await asyncio.wait({playing}, timeout=0.01)
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing
        seats = (await owner.get_table(table.table_id)).seats
    assert [seat.taken for seat in seats] == [True, False, False]


async def test_a_table_of_another_server_is_not_found() -> None:
    async with App(OPEN) as app, player(app) as client:
        with pytest.raises(NotFoundError):
            await run(BOTS["rules"](1), client, ["table-of-nobody"])
