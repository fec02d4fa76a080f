"""The command that shows and makes tokens."""

from argparse import Namespace
from datetime import timedelta
from pathlib import Path

from skat_client._aio import AsyncClient
from skat_client._commands import Say
from skat_client._tokens import write_token
from skat_client.errors import ConfigurationError


async def token(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Show the own token, or make one for a bot of the own account."""
    out = None if options.out is None else Path(options.out)
    if out is not None and out.exists():
        raise ConfigurationError(f"{out} is there already; nothing was changed")
    text = await _bot_token(client, options) if options.bot else client.token
    if out is None:
        say(text)
    elif write_token(out, text) != text:
        raise ConfigurationError(f"{out} has appeared meanwhile; nothing was changed")


async def _bot_token(client: AsyncClient, options: Namespace) -> str:
    lifetime = None if options.days is None else timedelta(days=options.days)
    bots = {bot.name: bot async for bot in client.list_bots()}
    bot = bots.get(options.bot) or await client.create_bot(options.bot)
    return (await client.issue_token(bot.bot_id, lifetime=lifetime)).text
