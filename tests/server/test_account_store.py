"""What every store of accounts promises, for each implementation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
import pytest_asyncio

from skat_server.config import DATABASE
from skat_server.storage.accounts import DAY_MS, AccountStore, NameTakenError, TooManyError
from skat_server.storage.protocols import UnusableStoreError
from skat_server.storage.sqlite.visitor import Visitor
from tests.server.account_stores import (
    ACCOUNT_MAKERS,
    NOW_MS,
    account,
    beside_tables,
    bot,
    event,
    token,
    visiting,
)

pytestmark = pytest.mark.asyncio

ANN, BEN = account("ann"), account("ben")
ANNS_BOT = bot("a1", "ann")


@pytest_asyncio.fixture(params=list(ACCOUNT_MAKERS))
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[AccountStore]:
    """A store of one implementation with Ann, Ben, and a bot of Ann's."""
    async with ACCOUNT_MAKERS[request.param](tmp_path) as store:
        for one in (ANN, BEN, ANNS_BOT):
            await store.add_account(one, event(f"make {one.name}"), None)
        yield store


async def actions(store: AccountStore) -> list[str]:
    """What the audit log says after its first three lines, the newest first."""
    return [line.event.action for line in await store.audit_lines(None, 100)][:-3]


async def test_accounts_are_found_by_id_and_by_name(store: AccountStore) -> None:
    assert await store.account("account-ann") == ANN
    assert await store.account_named("a1") == ANNS_BOT
    assert await store.account("ann") is None
    assert await store.account_named("account-ann") is None


@pytest.mark.parametrize("taken", ["ann", "a1"])
async def test_a_name_is_taken_once_by_account_or_bot(store: AccountStore, taken: str) -> None:
    with pytest.raises(NameTakenError):
        await store.add_account(replace(account("x"), name=taken), event("again"), None)
    assert await store.account("account-x") is None
    assert await actions(store) == []


async def test_accounts_and_bots_are_listed_by_name(store: AccountStore) -> None:
    await store.add_account(bot("a0", "ann"), event("make"), None)
    assert [one.name for one in await store.accounts("", "", 10)] == ["ann", "ben"]
    assert [one.name for one in await store.accounts("account-ann", "", 10)] == ["a0", "a1"]
    assert [one.name for one in await store.accounts("account-ann", "a0", 10)] == ["a1"]
    assert [one.name for one in await store.accounts("account-ann", "", 1)] == ["a0"]


async def test_an_account_has_as_many_bots_as_it_may(store: AccountStore) -> None:
    """T21."""
    await store.add_account(bot("a2", "ann"), event("second"), 2)
    with pytest.raises(TooManyError):
        await store.add_account(bot("a3", "ann"), event("third"), 2)
    await store.add_account(bot("b1", "ben"), event("ben's"), 2)
    assert (await store.count_bots("account-ann"), await store.count_bots("account-ben")) == (2, 1)
    assert await actions(store) == ["ben's", "second"]


async def test_an_account_is_disabled_and_let_in_again(store: AccountStore) -> None:
    assert await store.disable("account-ann", NOW_MS + 5, event("ban"))
    assert await store.account("account-ann") == replace(ANN, disabled_ms=NOW_MS + 5)
    assert await store.disable("account-ann", None, event("unban"))
    assert await store.account("account-ann") == ANN
    assert await actions(store) == ["unban", "ban"]


async def test_nobody_can_be_disabled_who_is_not_there(store: AccountStore) -> None:
    assert not await store.disable("account-eva", NOW_MS, event("ban"))
    assert await actions(store) == []


async def test_a_token_is_found_with_its_holder(store: AccountStore) -> None:
    one = token("t1", "bot-a1", expires_ms=NOW_MS + 1)
    await store.add_token(one, event("issue"), None)
    identity = await store.identity("t1")
    assert identity is not None
    assert (identity.token, identity.holder, identity.is_disabled) == (one, ANNS_BOT, False)
    assert await store.identity("t2") is None


@pytest.mark.parametrize("banned", ["account-ann", "bot-a1"])
async def test_a_bot_is_disabled_with_its_account(store: AccountStore, banned: str) -> None:
    await store.add_token(token("t1", "bot-a1"), event("issue"), None)
    await store.disable(banned, NOW_MS, event("ban"))
    identity = await store.identity("t1")
    assert identity is not None
    assert identity.is_disabled


async def test_many_tokens_are_found_at_once(store: AccountStore) -> None:
    for token_id, holder in (("t1", "account-ann"), ("t2", "bot-a1"), ("t3", "account-ben")):
        await store.add_token(token(token_id, holder), event("issue"), None)
    found = await store.identities(["t1", "t3", "t4"])
    assert {key: one.holder for key, one in found.items()} == {"t1": ANN, "t3": BEN}
    assert await store.identities([]) == {}


async def test_tokens_of_a_family_are_listed_newest_first(store: AccountStore) -> None:
    made = [("t2", "account-ann", 0), ("t1", "bot-a1", 0), ("t3", "bot-a1", 9)]
    for token_id, holder, later in made:
        one = token(token_id, holder, created_ms=NOW_MS + later)
        await store.add_token(one, event("issue"), None)
    await store.add_token(token("t4", "account-ben"), event("issue"), None)
    ids = [one.token_id for one in await store.tokens("account-ann", None, 10)]
    assert ids == ["t3", "t2", "t1"]
    rest = await store.tokens("account-ann", (NOW_MS, "t2"), 10)
    assert [one.token_id for one in rest] == ["t1"]
    assert [one.token_id for one in await store.tokens("", None, 2)] == ["t3", "t4"]


async def test_a_token_is_revoked_once(store: AccountStore) -> None:
    one = token("t1", "bot-a1")
    await store.add_token(one, event("issue"), None)
    gone = replace(one, revoked_ms=NOW_MS + 5)
    assert await store.revoke("t1", NOW_MS + 5, event("revoke")) == gone
    assert await store.revoke("t1", NOW_MS + 9, event("revoke again")) == gone
    assert await store.revoke("t2", NOW_MS, event("revoke nothing")) is None
    assert await actions(store) == ["revoke", "issue"]


async def test_a_family_has_as_many_tokens_as_it_may(store: AccountStore) -> None:
    """T21: those of the bots count, and so do those that ended today."""
    await store.add_token(token("t1", "bot-a1"), event("issue"), 2)
    await store.add_token(token("t2", "account-ann", expires_ms=NOW_MS), event("issue"), 2)
    with pytest.raises(TooManyError):
        await store.add_token(token("t3", "bot-a1"), event("issue"), 2)
    await store.add_token(token("t4", "account-ben"), event("issue"), 2)
    assert await store.count_tokens("account-ann", NOW_MS) == 2


async def test_a_token_that_has_ended_counts_for_a_day(store: AccountStore) -> None:
    await store.add_token(token("t1", "bot-a1"), event("issue"), 1)
    await store.revoke("t1", NOW_MS, event("revoke"))
    late = token("t2", "bot-a1", created_ms=NOW_MS + DAY_MS - 1)
    with pytest.raises(TooManyError):
        await store.add_token(late, event("issue"), 1)
    await store.add_token(replace(late, created_ms=NOW_MS + DAY_MS), event("issue"), 1)


async def test_the_day_of_the_last_use_is_kept(store: AccountStore) -> None:
    one = token("t1", "bot-a1")
    await store.add_token(one, event("issue"), None)
    await store.mark_used(["t1", "t2"], 19_675)
    identity = await store.identity("t1")
    assert identity is not None
    assert identity.token == replace(one, last_used_day=19_675)


async def test_the_audit_log_is_read_backwards(store: AccountStore) -> None:
    await store.note(event("drain", "server"))
    newest, *rest = await store.audit_lines(None, 2)
    assert newest.event == event("drain", "server")
    assert [line.audit_id for line in (newest, *rest)] == [4, 3]
    earlier = await store.audit_lines(3, 10)
    assert [line.event.action for line in earlier] == ["make ben", "make ann"]


async def test_a_visitor_and_the_server_see_each_others_changes_at_once(tmp_path: Path) -> None:
    """The operator's commands work beside a running server."""
    async with beside_tables(tmp_path) as here, visiting(tmp_path) as there:
        await here.add_account(ANN, event("make"), None)
        assert await there.account("account-ann") == ANN
        await there.disable("account-ann", NOW_MS, event("ban"))
        assert (await here.account("account-ann")) == replace(ANN, disabled_ms=NOW_MS)


async def test_a_visitor_and_the_server_write_in_turn(tmp_path: Path) -> None:
    names = [f"{letter}{number}" for letter in "ab" for number in range(20)]
    async with beside_tables(tmp_path) as here, visiting(tmp_path) as there:
        await asyncio.gather(
            *(
                store.add_account(account(name), event("make"), None)
                for name, store in zip(names, cycle((here, there)))
            )
        )
        assert [one.name for one in await there.accounts("", "", 99)] == sorted(names)
        (newest,) = await here.audit_lines(None, 1)
        assert newest.audit_id == len(names)


async def test_a_visitor_leaves_a_server_in_charge(tmp_path: Path) -> None:
    """F7: he takes neither lock nor epoch; the server goes on to write."""
    async with beside_tables(tmp_path) as here:
        async with visiting(tmp_path):
            await here.add_account(ANN, event("make"), None)
        await here.add_account(BEN, event("make"), None)


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database at all" * 100)
    with pytest.raises(UnusableStoreError):
        Visitor(tmp_path / DATABASE)
