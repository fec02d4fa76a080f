"""One bot, in the arena and on a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from skat_arena import ArenaTable
from skat_arena.playing import play
from skat_client import (
    Action,
    AsyncClient,
    BatchBot,
    Bot,
    BotError,
    CardOptions,
    Decision,
    DecisionAsked,
    HouseBot,
    PlayCard,
    RuleSet,
    TableSight,
    new_token,
    run,
)
from skat_client.bots import FirstOptionBot
from skat_server.app import App
from skat_server.config import Settings
from tests.arena.random_play import rules_of

PRESET = "terse_english_ramsch"
"""Who passes plays a Ramsch, so that every deal has cards."""

Named = Callable[[int], Any]


class Numbers:
    """Passes, and names cards in its own way."""

    def __init__(self, named: Named) -> None:
        self._named = named
        self.played = 0

    def decide(self, decision: Decision, sight: TableSight) -> Action:
        if not isinstance(decision.options, CardOptions):
            return decision.first_option
        self.played += 1
        return PlayCard(self._named(int(decision.options.cards[0])))


async def in_the_arena(bot: Bot | BatchBot) -> None:
    table = ArenaTable(rules_of(PRESET, 1), bytes(32))
    play([bot, FirstOptionBot(), FirstOptionBot()], [table])


async def on_a_server(bot: Bot | BatchBot) -> None:
    rules = RuleSet(PRESET, {"session_end": "fixed_deals", "session_deals": "1"})
    house = [HouseBot.FIRST_OPTION, HouseBot.FIRST_OPTION]
    async with (
        App(Settings(port=0, grace=0)) as app,
        AsyncClient(app.address, token=new_token()) as client,
    ):
        table = await client.create_table(rules, house_bots=house)
        await run(bot, client, [table.table_id])


PLACES = [in_the_arena, on_a_server]


@pytest.mark.asyncio
@pytest.mark.parametrize("played", PLACES)
@pytest.mark.parametrize("named", [int, np.int64])
async def test_a_card_may_be_named_by_its_number(played: Any, named: Named) -> None:
    bot = Numbers(named)
    await played(bot)
    assert bot.played == 10


@pytest.mark.asyncio
@pytest.mark.parametrize("played", PLACES)
@pytest.mark.parametrize("named", [str, float, lambda _: 33])
async def test_what_names_no_card_is_said_in_the_same_words(played: Any, named: Named) -> None:
    says = r"table \S+, play: Numbers answered PlayCard\(.*\), which is no action: .*CardOptions"
    with pytest.raises(BotError, match=says):
        await played(Numbers(named))


class Arrays:
    """Answers with an array where a list is asked for."""

    def decide_batch(self, asked: Sequence[DecisionAsked]) -> Any:
        return np.array([one.decision.first_option for one in asked])


@pytest.mark.asyncio
@pytest.mark.parametrize("played", PLACES)
async def test_an_array_of_actions_is_told_how_to_be_a_list(played: Any) -> None:
    with pytest.raises(BotError, match=r"ndarray, which is no list \(say \.tolist\(\)\), to 1"):
        await played(Arrays())
