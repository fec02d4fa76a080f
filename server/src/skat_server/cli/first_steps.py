"""What the operator of a new server has to do before anybody can play."""

import shlex
from collections.abc import Callable

from skat_server.app import App
from skat_server.config import Auth


async def explain_first_steps(app: App, say: Callable[[str], None]) -> None:
    """Say how to make the first token, as long as there is no account."""
    settings = app.settings
    if settings.auth is Auth.OPEN or settings.data is None:
        return
    if await app.accounts.store.accounts("", "", 1):
        return
    folder = f"--data {shlex.quote(str(settings.data.absolute()))}"
    say(
        "This server plays with those who have a token of it, and nobody has one yet.\n"
        "Make an account with its first token, a bot of it, and a token for the bot; the server\n"
        "may run meanwhile:\n\n"
        f"    skat-server accounts create ann {folder}\n"
        f"    skat-server bots create ann hal {folder}\n"
        f"    skat-server tokens issue hal {folder}\n"
    )
