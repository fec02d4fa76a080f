"""Who is let in, and as whom (T1, T2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from skat_server.clock import ManualClock
from skat_server.errors import Reason, RefusedError
from skat_server.players.accounts import Accounts, By, Issued
from skat_server.players.doors import KNOWN_FOR, AccountDoor, OpenDoor
from skat_server.players.identity import GUEST, ORGANISING, PLAYING, Player, player_of
from skat_server.players.patience import Patience
from skat_server.players.tokens import TokenText
from skat_server.storage.accounts import DAY_MS, Account, Identity
from skat_server.storage.accounts_memory import MemoryAccounts
from skat_server.storage.protocols import StoreError
from tests.server.account_stores import counting_bytes

pytestmark = pytest.mark.asyncio

LOCAL = By("local", "test")
PATIENCE = Patience(burst=3, seconds_each=10.0)


class CountedAccounts(MemoryAccounts):
    """Counts how often a token is looked up, and fails when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.looked_up: list[str] = []
        self.is_failing = False

    async def identity(self, token_id: str) -> Identity | None:
        self.looked_up.append(token_id)
        if self.is_failing:
            raise StoreError("no disk")
        return await super().identity(token_id)


@dataclass
class House:
    """A door with an account, a bot, and a token of each."""

    store: CountedAccounts = field(default_factory=CountedAccounts)
    clock: ManualClock = field(default_factory=ManualClock)

    def __post_init__(self) -> None:
        self.accounts = Accounts(self.store, self.clock, counting_bytes())
        self.door = AccountDoor(self.store, self.clock, PATIENCE)
        self.ann: Account
        self.anns: Issued
        self.bot: Account
        self.bots: Issued

    async def furnish(self, lifetime_ms: int | None = None) -> House:
        """Make account, bot and tokens."""
        self.ann, self.anns = await self.accounts.create_account("ann", LOCAL)
        self.bot = await self.accounts.create_bot(self.ann, "a1", LOCAL)
        self.bots = await self.accounts.issue(self.bot, PLAYING, lifetime_ms, LOCAL)
        self.store.looked_up.clear()
        return self

    async def admit(self, text: str, address: str = "here") -> Player | None:
        """Come to the door with a token."""
        return await self.door.admit(f"Bearer {text}", address)

    async def refusal(self, text: str, address: str = "here") -> RefusedError:
        """Why somebody is not let in."""
        with pytest.raises(RefusedError) as caught:
            await self.admit(text, address)
        return caught.value


def other_secret(issued: Issued) -> str:
    """The right id with a wrong secret."""
    return TokenText(issued.text.token_id, "x" * 43).text


async def test_a_token_stands_for_its_bot() -> None:
    house = await House().furnish()
    player = await house.admit(house.bots.text.text)
    assert player == Player(
        house.bot.account_id,
        PLAYING,
        house.ann.account_id,
        house.bot.account_id,
        house.bots.token.token_id,
    )


async def test_a_token_stands_for_an_account() -> None:
    house = await House().furnish()
    player = await house.admit(house.anns.text.text)
    account_id = house.ann.account_id
    assert player == Player(account_id, ORGANISING, account_id, "", house.anns.token.token_id)


async def test_nobody_comes_without_a_token() -> None:
    house = await House().furnish()
    assert await house.door.admit(None, "here") is None


NO_TOKENS = ["", "short", "a-random-token-of-some-length", TokenText("0" * 16, "x" * 43).text]


async def test_unknown_and_wrong_are_answered_alike() -> None:
    """T2: nobody learns which tokens there are."""
    house = await House().furnish()
    texts = [*NO_TOKENS, other_secret(house.bots)]
    refusals = [await house.refusal(text, text) for text in texts]
    answers = {(one.reason, str(one), *one.metadata.items()) for one in refusals}
    assert {reason for reason, *_ in answers} == {Reason.UNAUTHENTICATED}
    assert len(answers) == 1


async def test_unknown_and_wrong_take_the_same_work() -> None:
    """T2: one look-up each, also for a token that was right a moment ago."""
    house = await House().furnish()
    await house.admit(house.bots.text.text)
    house.store.looked_up.clear()
    await house.refusal(other_secret(house.bots), "there")
    await house.refusal(TokenText("0" * 16, "x" * 43).text, "elsewhere")
    assert house.store.looked_up == [house.bots.text.token_id, "0" * 16]


async def test_no_refusal_repeats_a_token() -> None:
    """T6."""
    house = await House().furnish()
    for text in (*NO_TOKENS[1:], other_secret(house.bots)):
        assert text not in str(await house.refusal(text, text))


async def test_other_schemes_are_no_tokens() -> None:
    house = await House().furnish()
    with pytest.raises(RefusedError) as caught:
        await house.door.admit(f"Basic {house.bots.text.text}", "here")
    assert caught.value.reason is Reason.UNAUTHENTICATED


async def test_a_revoked_token_is_refused() -> None:
    """T1."""
    house = await House().furnish()
    await house.accounts.revoke(house.bots.token.token_id, LOCAL)
    assert (await house.refusal(house.bots.text.text)).reason is Reason.TOKEN_REVOKED


async def test_only_who_has_the_secret_hears_that_a_token_was_revoked() -> None:
    house = await House().furnish()
    await house.accounts.revoke(house.bots.token.token_id, LOCAL)
    assert (await house.refusal(other_secret(house.bots))).reason is Reason.UNAUTHENTICATED


async def test_a_token_expires() -> None:
    house = await House().furnish(lifetime_ms=10_000)
    house.clock.advance(9.999)
    await house.admit(house.bots.text.text)
    house.clock.advance(0.001)
    assert (await house.refusal(house.bots.text.text)).reason is Reason.TOKEN_REVOKED


@pytest.mark.parametrize("banned", ["bot", "account"])
async def test_who_is_banned_is_refused_until_he_is_let_in(banned: str) -> None:
    house = await House().furnish()
    account_id = (house.bot if banned == "bot" else house.ann).account_id
    await house.accounts.disable(account_id, "rude", LOCAL)
    assert (await house.refusal(house.bots.text.text)).reason is Reason.BANNED
    await house.accounts.enable(account_id, LOCAL)
    house.clock.advance(KNOWN_FOR)
    assert await house.admit(house.bots.text.text)


async def test_a_bot_that_is_banned_leaves_its_account_in() -> None:
    house = await House().furnish()
    await house.accounts.disable(house.bot.account_id, "rude", LOCAL)
    assert await house.admit(house.anns.text.text)


async def test_a_good_token_is_looked_up_once_in_a_while() -> None:
    house = await House().furnish()
    for _ in range(5):
        await house.admit(house.bots.text.text)
    assert len(house.store.looked_up) == 1
    house.clock.advance(KNOWN_FOR)
    await house.admit(house.bots.text.text)
    assert len(house.store.looked_up) == 2


async def test_what_was_known_is_forgotten_when_something_changes() -> None:
    house = await House().furnish()
    await house.admit(house.bots.text.text)
    await house.accounts.revoke(house.bots.token.token_id, LOCAL)
    house.door.forget()
    assert (await house.refusal(house.bots.text.text)).reason is Reason.TOKEN_REVOKED


async def test_an_address_that_guesses_has_to_wait() -> None:
    """T2: nothing is looked up any more, and the answer says when to come back."""
    house = await House().furnish()
    for _ in range(PATIENCE.burst):
        await house.refusal(other_secret(house.bots))
    house.store.looked_up.clear()
    refused = await house.refusal(other_secret(house.bots))
    assert refused.reason is Reason.RATE_LIMITED
    assert refused.metadata["limit"] == "failed_authentications"
    assert refused.metadata["retry_ms"] == "10000"
    assert house.store.looked_up == []
    assert (await house.refusal(other_secret(house.bots), "there")).reason is Reason.UNAUTHENTICATED
    house.clock.advance(10.0)
    assert (await house.refusal(other_secret(house.bots))).reason is Reason.UNAUTHENTICATED


async def test_who_guesses_does_not_lock_out_who_is_known() -> None:
    """T13: a guesser behind the same address leaves good bots in, also after a moment."""
    house = await House().furnish()
    await house.admit(house.bots.text.text)
    for _ in range(PATIENCE.burst):
        await house.refusal(other_secret(house.bots))
    house.clock.advance(KNOWN_FOR)
    assert await house.admit(house.bots.text.text)


async def test_good_tokens_and_a_failing_store_are_no_guesses() -> None:
    house = await House().furnish()
    house.store.is_failing = True
    for _ in range(9):
        with pytest.raises(StoreError):
            await house.admit(house.bots.text.text)
    house.store.is_failing = False
    assert await house.admit(house.bots.text.text)


async def test_the_door_says_which_tokens_are_good_no_more() -> None:
    house = await House().furnish(lifetime_ms=10_000)
    tokens: Sequence[Issued] = (house.anns, house.bots)
    ids = [issued.token.token_id for issued in tokens]
    assert set(await house.door.refused([*ids, "unknown"])) == {"unknown"}
    house.clock.advance(10.0)
    await house.accounts.disable(house.ann.account_id, "rude", LOCAL)
    refused = await house.door.refused(ids)
    assert [refused[token_id].reason for token_id in ids] == [Reason.BANNED, Reason.TOKEN_REVOKED]


async def test_the_day_of_use_is_noted() -> None:
    house = await House().furnish()
    await house.admit(house.bots.text.text)
    await house.door.note_uses()
    identity = await house.store.identity(house.bots.token.token_id)
    assert identity is not None
    assert identity.token.last_used_day == int(house.clock.now() * 1000) // DAY_MS


async def test_an_open_server_lets_everybody_in() -> None:
    door = OpenDoor(has_guests=False)
    player = await door.admit("Bearer a-random-token-of-my-own", "here")
    assert player == player_of("Bearer a-random-token-of-my-own")
    assert player.scopes == ORGANISING
    assert await door.admit(None, "here") is None
    assert await door.refused([""]) == {}


async def test_all_guests_are_one_player() -> None:
    door = OpenDoor(has_guests=True)
    assert await door.admit(None, "here") == await door.admit(None, "there") == GUEST
