"""The commands of those who take part in tournaments."""

import shlex
from argparse import Namespace

from skat_client._aio import AsyncClient
from skat_client._commands import Say, has_own_token
from skat_client._playing import bundled_bot
from skat_client._session_options import SessionOptions
from skat_client._tokens import TOKEN_FILE_VARIABLE
from skat_client._tournament_play import enter_tournament, play_tournament
from skat_client._tournaments import Standing, StandingsSeen, Tournament
from skat_client.errors import ConfigurationError


async def register(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Enter a tournament, and say as whom."""
    _need_own_token(options)
    entry = await client.register(options.tournament, options.name)
    say(f"{entry.name} is entry {entry.number} of {options.tournament}")
    say(f"play with: {_play_command(options)}")


async def withdraw(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Take the own entry back."""
    _need_own_token(options)
    await client.withdraw(options.tournament)
    say(f"you do not take part in {options.tournament} any more")


async def play(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Enter, if need be, and play until the tournament is over."""
    _need_own_token(options)
    bot = bundled_bot(options.bot, options.seed)
    tournament = await enter_tournament(client, options.tournament, options.name or options.bot)
    say(tournament_text(tournament))
    seen = await play_tournament(
        bot,
        client,
        options.tournament,
        options=SessionOptions(max_downtime=options.max_downtime),
    )
    for line in standings_lines(seen):
        say(line)


def tournament_text(tournament: Tournament) -> str:
    """A tournament in one line."""
    text = f"{tournament.tournament_id} {tournament.name!r}: {tournament.state}"
    if tournament.end:
        text += f" ({tournament.end.replace('_', ' ')})"
    if tournament.reason:
        text += f", {tournament.reason}"
    if tournament.games_planned:
        text += f", {tournament.games_done} of {tournament.games_planned} games"
    return f"{text}, {len(tournament.entries)} entries"


def standings_lines(seen: StandingsSeen) -> list[str]:
    """A tournament with its table, a line for each entry."""
    return [tournament_text(seen.tournament), *map(_row, seen.standings.rows)]


def _play_command(options: Namespace) -> str:
    """What to type to play; a token that was typed is not repeated."""
    command = ["skat-client", "tournament", "play", options.tournament]
    for name in ("server", "token_file", "ca", "server_name"):
        value = getattr(options, name)
        if value is not None:
            command += ["--" + name.replace("_", "-"), value]
    if options.plaintext:
        command.append("--plaintext")
    if options.token is not None:
        command += ["--token", "TOKEN"]
    return shlex.join([*command, "--bot", "rules"])


def _row(row: Standing) -> str:
    return (
        f"{row.place}. {row.name}: {row.strength:+.2f} points a game "
        f"({row.low:+.2f} to {row.high:+.2f}), {row.games} games"
    )


def _need_own_token(options: Namespace) -> None:
    if not has_own_token(options):
        raise ConfigurationError(
            "an entry is played under the token that has registered it: keep one in a file with "
            f"--token-file FILE, or name it in {TOKEN_FILE_VARIABLE}"
        )
