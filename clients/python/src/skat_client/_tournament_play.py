"""Playing a tournament to its end."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from skat_client._aio import AsyncClient
from skat_client._session_options import SessionOptions
from skat_client._tournaments import StandingsSeen, Tournament
from skat_client.bot import BatchBot, Bot, BotFactory, OnError, run
from skat_client.errors import AlreadySeatedError, ErrorReason, NotAllowedError, ProtocolError


async def enter_tournament(client: AsyncClient, tournament_id: str, name: str) -> Tournament:
    """Register, unless the player takes part already or everything has begun.

    Raises:
        NotAllowedError: the tournament is a draft or over, or has an entry of the same owner.
        ServerError: the server refused otherwise.
    """
    try:
        await client.register(tournament_id, name)
    except AlreadySeatedError:
        pass
    except NotAllowedError as error:
        tournament = await client.get_tournament(tournament_id)
        has_begun = error.reason is ErrorReason.TOURNAMENT_STATE and not tournament.is_over
        if not has_begun:
            raise
    return await client.get_tournament(tournament_id)


async def play_tournament(
    bot: Bot | BotFactory | BatchBot,
    client: AsyncClient,
    tournament_id: str,
    *,
    on_error: OnError = "raise",
    options: SessionOptions | None = None,
) -> StandingsSeen:
    """Play whatever tables a tournament brings, across lost connections, until it is over.

    The player has to take part (`enter_tournament`). All tables of the player are played, those
    of other tournaments too.

    Args:
        bot: one bot for all tables, or a function that makes the bot of a table from its id.
        client: the player.
        tournament_id: which one.
        on_error: with "first_option", a bot that raises or answers what cannot be played is
            overruled by the decision's first option, and a warning is logged.
        options: how the session behaves, for instance when it gives up.

    Returns:
        The tournament and its table in the end.

    Raises:
        BotError: the bot raised, or answered what cannot be played.
        SessionSupersededError: the same player opened another session.
        GaveUpError: there was no connection for longer than allowed.
        NotFoundError: no such tournament.
        ServerError: the server refused the session.
    """
    chosen = options or SessionOptions()
    watch = client.watch_standings(
        tournament_id, max_downtime=chosen.max_downtime, backoff=chosen.backoff
    )
    try:
        async with asyncio.TaskGroup() as tasks:
            playing = tasks.create_task(run(bot, client, on_error=on_error, options=chosen))
            last = await _last(watch)
            playing.cancel()
    except BaseExceptionGroup as group:
        # One failure ends everything; it is what the caller is to see.
        raise group.exceptions[0] from group.exceptions[0].__cause__
    return last


async def _last(watch: AsyncGenerator[StandingsSeen, None]) -> StandingsSeen:
    last: StandingsSeen | None = None
    async with aclosing(watch) as items:
        async for seen in items:
            last = seen
    if last is None:
        raise ProtocolError("the server ended a watch without a word")
    return last
