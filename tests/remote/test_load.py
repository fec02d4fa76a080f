"""A load on a real server in this process, bounded by a number of deals."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from skat_engine.records import is_verified, verify
from skat_server.app import App
from skat_server.clock import SystemClock
from skat_server.config import Auth, Settings
from skat_server.remote.connection import RemoteError, Target
from skat_server.remote.load.plan import LoadBot, LoadPlan, Storms, parse_think_time
from skat_server.remote.load.report import remarks
from skat_server.remote.load.run import Glance, LoadRun, Outcome, Stage
from skat_server.remote.load.tally import Tally
from tests.rpc.members import LOCAL

pytestmark = pytest.mark.asyncio

MOST_SECONDS = 30.0
"""More than any of these takes; a number of deals ends them."""
SHORT = LoadPlan(
    sessions=3, tables=2, seconds=MOST_SECONDS, deals=6, overrides=(("session_deals", "2"),)
)
LASTING = replace(
    SHORT, tables=1, deals=None, slow_seconds=0.2, overrides=(("session_deals", "1000"),)
)
"""A table that is there for as long as somebody watches."""


@pytest_asyncio.fixture
async def app() -> AsyncIterator[App]:
    async with App(Settings(port=0, grace=0)) as running:
        yield running


async def loaded(
    app: App, plan: LoadPlan, show: Callable[[Glance], None] = lambda _: None
) -> Outcome:
    return await LoadRun(plan, Target(app.address), SystemClock(), show).run()


async def test_tables_are_played_and_replaced_until_there_are_enough_deals(app: App) -> None:
    outcome = await loaded(app, SHORT)
    tally = outcome.tally
    assert tally.deals >= 6
    assert tally.series >= 1
    assert tally.actions > tally.deals
    assert tally.decision.count > tally.deals
    assert not tally.faults


async def test_nothing_is_left_behind(app: App) -> None:
    await loaded(app, SHORT)
    assert app.tables.deals_under_way == 0


async def test_the_server_counts_the_same_deals(app: App) -> None:
    books = (await loaded(app, SHORT)).books
    assert books.deals == books.server_deals > 0


async def test_records_are_kept_and_hold(app: App, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    outcome = await loaded(app, replace(SHORT, records=file))
    lines = file.read_bytes().splitlines()
    assert len(lines) == outcome.records == outcome.books.server_deals
    assert all(is_verified(verify(line)) for line in lines)


async def test_the_same_text_plays_the_same_deals(app: App, tmp_path: Path) -> None:
    """Cards and actions of a table do not depend on how fast the others are."""
    plan = replace(SHORT, sessions=6, deal_source="again", seed=3)
    played = []
    for number in range(2):
        file = tmp_path / f"{number}.jsonl"
        await loaded(app, replace(plan, records=file))
        played.append({_cards_and_actions(line) for line in file.read_text().splitlines()})
    first, second = played
    assert len(first & second) >= 2


def _cards_and_actions(line: str) -> str:
    return line.partition('"dealt":')[2].partition(',"think_ms"')[0]


async def test_sessions_come_back_after_storms(app: App) -> None:
    plan = replace(SHORT, storms=Storms(every=0.1, share=1.0), think=parse_think_time("fixed:5"))
    tally = (await loaded(app, plan)).tally
    assert tally.reconnect.count >= 3
    assert tally.deals >= 6


@pytest.mark.parametrize(
    "plan",
    [replace(LASTING, spectators=2), replace(LASTING, slow_readers=2)],
    ids=["spectators", "slow readers"],
)
async def test_who_watches_is_told(app: App, plan: LoadPlan) -> None:
    outcome = await watched_until(app, plan, lambda tally: tally.watched)
    assert outcome.tally.watched > 0


async def test_spectators_who_fall_behind_are_counted(app: App) -> None:
    plan = replace(LASTING, slow_readers=1)
    outcome = await watched_until(app, plan, lambda tally: tally.fell_behind)
    assert outcome.tally.fell_behind > 0


async def watched_until(app: App, plan: LoadPlan, count: Callable[[Tally], int]) -> Outcome:
    """A load that is stopped once this is more than nothing."""
    run: LoadRun

    def stop(glance: Glance) -> None:
        if count(glance.books.tally):
            run.stop()

    run = LoadRun(plan, Target(app.address), SystemClock(), stop)
    return await run.run()


async def test_bots_of_the_house_fill_seats(app: App) -> None:
    plan = replace(SHORT, sessions=2, bots=(LoadBot.RANDOM, LoadBot.HOUSE_RANDOM))
    outcome = await loaded(app, plan)
    assert outcome.tally.deals >= 6
    assert not outcome.tally.faults


async def test_the_first_option_passes_every_deal_in(app: App) -> None:
    tally = (await loaded(app, replace(SHORT, bots=(LoadBot.FIRST_OPTION,)))).tally
    assert tally.actions < 4 * (tally.deals + 2)


async def test_what_the_server_refuses_for_good_ends_the_run(app: App) -> None:
    with pytest.raises(RemoteError, match=r"CreateTable: .*nobodys_rules"):
        await loaded(app, replace(SHORT, preset="nobodys_rules"))


async def test_what_the_server_refuses_for_now_is_counted() -> None:
    async with App(Settings(port=0, grace=0, max_tables=1)) as app:
        tally = (await loaded(app, SHORT)).tally
    assert tally.deals >= 6
    assert set(tally.faults) <= {"CreateTable: QUOTA_EXCEEDED"}


async def test_tables_that_have_not_come_are_counted() -> None:
    async with App(Settings(port=0, grace=0, max_tables=1)) as app:
        plan = replace(SHORT, tables=3, overrides=(("session_deals", "1000"),))
        outcome = await loaded(app, plan)
    assert (outcome.sessions_missing, outcome.tables_missing) == (0, 2)
    assert "0 of 3 sessions and 2 of 3 tables had not come" in " ".join(remarks(outcome))


async def test_whoever_has_come_and_gone_is_not_missing(app: App) -> None:
    outcome = await loaded(app, SHORT)
    assert (outcome.sessions_missing, outcome.tables_missing) == (0, 0)
    assert "had not come" not in " ".join(remarks(outcome))


async def test_a_server_with_accounts_wants_tokens() -> None:
    async with App(Settings(port=0, grace=0, auth=Auth.ACCOUNTS)) as app:
        with pytest.raises(RemoteError, match="token"):
            await loaded(app, SHORT)


async def test_a_token_that_is_revoked_ends_the_run_with_its_figures() -> None:
    async with App(Settings(port=0, grace=0, auth=Auth.ACCOUNTS)) as app:
        accounts = [
            await app.accounts.create_account(name, LOCAL) for name in ("ann", "ben", "cem")
        ]
        tokens = tuple(issued.text.text for _, issued in accounts)
        has_played = asyncio.Event()

        def show(glance: Glance) -> None:
            if glance.books.deals:
                has_played.set()

        plan = replace(SHORT, deals=None, tokens=tokens)
        playing = asyncio.ensure_future(
            LoadRun(plan, Target(app.address), SystemClock(), show).run()
        )
        await has_played.wait()
        await app.accounts.revoke(accounts[1][1].token.token_id, LOCAL)
        outcome = await playing
    assert isinstance(outcome.failure, RemoteError)
    assert outcome.failure.reason == "TOKEN_REVOKED"
    assert outcome.tally.deals > 0


async def test_it_ends_early_when_it_is_stopped(app: App) -> None:
    run: LoadRun

    def stop(glance: Glance) -> None:
        if glance.books.deals:
            run.stop()

    run = LoadRun(replace(SHORT, deals=None), Target(app.address), SystemClock(), stop)
    outcome = await asyncio.wait_for(run.run(), MOST_SECONDS)
    assert outcome.books.deals > 0


async def stopped_while_waiting_for(mute: socket.socket, run: LoadRun) -> Outcome:
    """The outcome of a run that is stopped once it has reached somebody who never answers."""
    running = asyncio.ensure_future(run.run())
    held, _ = await asyncio.to_thread(mute.accept)
    with held:
        run.stop()
        return await running


async def test_it_can_be_stopped_while_nobody_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        target = Target(f"127.0.0.1:{mute.getsockname()[1]}")
        run = LoadRun(SHORT, target, SystemClock(), lambda _: None)
        outcome = await stopped_while_waiting_for(mute, run)
    assert outcome.is_of_ramp_up
    assert outcome.tally.welcome.count == 0


async def test_it_can_be_stopped_while_the_metrics_do_not_come(app: App) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"http://127.0.0.1:{mute.getsockname()[1]}/metrics"
        plan = replace(SHORT, metrics=url)
        run = LoadRun(plan, Target(app.address), SystemClock(), lambda _: None)
        outcome = await stopped_while_waiting_for(mute, run)
    assert outcome.is_of_ramp_up


async def test_the_ramp_up_does_not_count(app: App) -> None:
    seen: list[tuple[Stage, Any]] = []
    plan = replace(SHORT, ramp_up=0.4)
    outcome = await loaded(app, plan, lambda g: seen.append((g.stage, g.books.tally)))
    assert list(dict.fromkeys(stage for stage, _ in seen)) == list(Stage)
    assert outcome.tally is not seen[0][1]
    assert outcome.books.deals >= outcome.tally.deals


async def test_stopped_in_the_ramp_up_it_tells_of_that(app: App) -> None:
    run: LoadRun

    def stop(glance: Glance) -> None:
        if glance.books.tally.deals:
            run.stop()

    plan = replace(SHORT, deals=None, ramp_up=1.0, tables=60)
    run = LoadRun(plan, Target(app.address), SystemClock(), stop)
    outcome = await run.run()
    assert outcome.is_of_ramp_up
    assert outcome.tally.deals > 0


async def test_a_second_stop_leaves_tables_behind(app: App) -> None:
    run: LoadRun

    def stop(glance: Glance) -> None:
        if glance.books.deals:
            run.stop()
            run.stop()

    run = LoadRun(LASTING, Target(app.address), SystemClock(), stop)
    assert (await run.run()).left_behind > 0


async def test_a_server_that_goes_for_good_is_noticed_in_the_end() -> None:
    has_played = asyncio.Event()
    run: LoadRun

    def show(glance: Glance) -> None:
        if glance.books.deals:
            has_played.set()
        if has_played.is_set() and not glance.books.sessions:
            run.stop()

    async with App(Settings(port=0, grace=0)) as app:
        run = LoadRun(LASTING, Target(app.address), SystemClock(), show)
        playing = asyncio.ensure_future(run.run())
        await has_played.wait()
    outcome = await playing
    assert outcome.is_server_gone
    assert outcome.tally.deals > 0
    assert outcome.left_behind == 1


async def test_tables_that_a_new_server_does_not_know_are_replaced() -> None:
    plan = replace(SHORT, deals=None, overrides=(("session_deals", "1000"),))
    has_played = asyncio.Event()
    run: LoadRun

    def show(glance: Glance) -> None:
        if glance.books.deals:
            has_played.set()
        if _unknown(glance.books.tally) == plan.tables:
            run.stop()

    async with App(Settings(port=0, grace=0)) as first:
        run = LoadRun(plan, Target(first.address), SystemClock(), show)
        playing = asyncio.ensure_future(run.run())
        await has_played.wait()
    port = int(first.address.rpartition(":")[2])
    async with App(Settings(port=port, grace=0)):
        outcome = await playing
    assert _unknown(outcome.tally) == plan.tables
    assert outcome.left_behind == 0
    assert not outcome.is_server_gone


def _unknown(tally: Tally) -> int:
    return sum(n for cause, n in tally.faults.items() if cause.endswith(": TABLE_NOT_FOUND"))


async def test_tables_with_more_seats_are_refused(app: App) -> None:
    with pytest.raises(RemoteError, match="4 seats"):
        await loaded(app, replace(SHORT, overrides=(("seats", "4"),)))


async def test_certificates_that_are_not_there_are_said(app: App, tmp_path: Path) -> None:
    target = Target(app.address, ca=tmp_path / "none.pem")
    with pytest.raises(FileNotFoundError):
        await LoadRun(SHORT, target, SystemClock(), lambda _: None).run()
