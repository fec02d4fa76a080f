"""Taking part in tournaments: calls, values, the loop to the end, and the commands."""

import asyncio
import shlex
from pathlib import Path

import grpc
import pytest

from skat.v1 import spectate_service_pb2, table_pb2, tournament_pb2
from skat.v1 import tournament_service_pb2 as pb
from skat_client import (
    AlreadySeatedError,
    AsyncClient,
    Backoff,
    GaveUpError,
    HouseBot,
    NotAllowedError,
    NotFoundError,
    SessionOptions,
    TournamentState,
    enter_tournament,
    play_tournament,
)
from skat_client._cli import FAILED, run_command
from skat_client.bots import FirstOptionBot
from skat_client.errors import ErrorReason
from skat_client.testing import (
    Failure,
    Reached,
    ScriptedServer,
    Silence,
    Wait,
    passed_deal,
)

pytestmark = pytest.mark.asyncio

RUNNING = tournament_pb2.TOURNAMENT_STATE_RUNNING
FINISHED = tournament_pb2.TOURNAMENT_STATE_FINISHED
OPEN = tournament_pb2.TOURNAMENT_STATE_OPEN
Captured = pytest.CaptureFixture[str]


def tournament(state: tournament_pb2.TournamentState.ValueType) -> tournament_pb2.Tournament:
    """What the server says of a tournament."""
    is_over = state == FINISHED
    done = tournament_pb2.TOURNAMENT_END_SCHEDULE_DONE
    return tournament_pb2.Tournament(
        tournament_id="t",
        name="Cup",
        state=state,
        end=done if is_over else tournament_pb2.TOURNAMENT_END_UNSPECIFIED,
        entries=[
            tournament_pb2.Entry(number=0, name="ann", connected=True, client_nonce=b"n"),
            tournament_pb2.Entry(
                number=1, name="ref", house=True, house_bot=table_pb2.HOUSE_BOT_RANDOM
            ),
        ],
        games_done=18 if is_over else 3,
        games_planned=18,
    )


def shown(
    state: tournament_pb2.TournamentState.ValueType,
) -> spectate_service_pb2.WatchStandingsResponse:
    """What somebody sees who watches."""
    row = tournament_pb2.StandingRow(
        entry=0, name="ann", place=1, strength=2.5, low=-1.0, high=6.0, games=18
    )
    return spectate_service_pb2.WatchStandingsResponse(
        tournament=tournament(state),
        standings=tournament_pb2.Standings(rows=[row], confidence=0.95, blocks=6, games=18),
    )


def found(state: tournament_pb2.TournamentState.ValueType) -> pb.GetTournamentResponse:
    return pb.GetTournamentResponse(tournament=tournament(state))


def refused(reason: ErrorReason) -> Failure:
    return Failure(grpc.StatusCode.FAILED_PRECONDITION, reason)


LOST = Failure(grpc.StatusCode.UNAVAILABLE)


# ------------------------------------------------------------------------------------------- calls


async def test_a_tournament_comes_as_values(server: ScriptedServer, client: AsyncClient) -> None:
    server.reply("GetTournament", found(FINISHED))
    got = await client.get_tournament("t")
    assert (got.state, got.end, got.is_over) == (TournamentState.FINISHED, "schedule_done", True)
    assert [entry.house_bot for entry in got.entries] == [None, HouseBot.RANDOM]


async def test_who_registers_brings_a_nonce(server: ScriptedServer, client: AsyncClient) -> None:
    """T9: so the organiser alone cannot choose the boards."""
    answer = pb.RegisterResponse(entry=tournament_pb2.Entry(number=0, name="ann"))
    server.reply("Register", answer, answer)
    await client.register("t", "ann")
    await client.register("t", "ann", client_nonce=b"mine")
    nonces = [request.client_nonce for request in server.requests_of(pb.RegisterRequest)]
    assert (len(nonces[0]), nonces[1]) == (32, b"mine")


async def test_who_withdraws_names_the_tournament(
    server: ScriptedServer, client: AsyncClient
) -> None:
    server.reply("Withdraw", pb.WithdrawResponse())
    await client.withdraw("t")
    assert server.requests_of(pb.WithdrawRequest)[0].tournament_id == "t"


async def test_a_watch_goes_on_after_a_lost_connection(
    server: ScriptedServer, client: AsyncClient, backoff: Backoff
) -> None:
    server.show_standings(shown(RUNNING), LOST, shown(RUNNING), shown(FINISHED))
    seen = [one.tournament.state async for one in client.watch_standings("t", backoff=backoff)]
    assert seen == [TournamentState.RUNNING, TournamentState.RUNNING, TournamentState.FINISHED]


async def test_a_watch_of_nothing_is_refused(server: ScriptedServer, client: AsyncClient) -> None:
    gone = Failure(grpc.StatusCode.NOT_FOUND, ErrorReason.TOURNAMENT_NOT_FOUND)
    server.show_standings(gone)
    with pytest.raises(NotFoundError):
        await anext(client.watch_standings("t"))


async def test_a_watch_gives_up_when_it_is_told_to(
    server: ScriptedServer, client: AsyncClient, backoff: Backoff
) -> None:
    server.show_standings(*[LOST] * 50)
    with pytest.raises(GaveUpError, match="watch of tournament t"):
        await anext(client.watch_standings("t", max_downtime=5.0, backoff=backoff))


# ----------------------------------------------------------------------------------------- playing


async def test_who_takes_part_already_goes_on(server: ScriptedServer, client: AsyncClient) -> None:
    server.reply("Register", refused(ErrorReason.ALREADY_SEATED))
    server.reply("GetTournament", found(RUNNING))
    assert (await enter_tournament(client, "t", "ann")).state is TournamentState.RUNNING


async def test_an_entry_of_the_file_joins_what_has_begun(
    server: ScriptedServer, client: AsyncClient
) -> None:
    server.reply("Register", refused(ErrorReason.TOURNAMENT_STATE))
    server.reply("GetTournament", found(RUNNING), found(RUNNING))
    assert (await enter_tournament(client, "t", "ann")).state is TournamentState.RUNNING


@pytest.mark.parametrize("reason", [ErrorReason.TOURNAMENT_STATE, ErrorReason.NOT_ALLOWED])
async def test_who_may_not_enter_is_told(
    server: ScriptedServer, client: AsyncClient, reason: ErrorReason
) -> None:
    server.reply("Register", refused(reason))
    server.reply("GetTournament", found(FINISHED))
    with pytest.raises(NotAllowedError):
        await enter_tournament(client, "t", "ann")


async def test_a_player_goes_home_when_the_tournament_is_over(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    played = asyncio.Event()
    server.play(*passed_deal("t"), Reached(played))
    server.show_standings(shown(RUNNING), Wait(played), shown(FINISHED))
    seen = await play_tournament(FirstOptionBot(), client, "t", options=options)
    assert seen.tournament.is_over
    assert [row.name for row in seen.standings.rows] == ["ann"]


async def test_a_tournament_that_is_gone_ends_the_play(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    begun = asyncio.Event()
    server.play(Reached(begun), Silence())
    gone = Failure(grpc.StatusCode.NOT_FOUND, ErrorReason.TOURNAMENT_NOT_FOUND)
    server.show_standings(Wait(begun), gone)
    with pytest.raises(NotFoundError):
        await play_tournament(FirstOptionBot(), client, "t", options=options)


# ---------------------------------------------------------------------------------------- commands


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's own settings count."""
    for name in ("SKAT_SERVER", "SKAT_TOKEN", "SKAT_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)


async def command(server: ScriptedServer, *words: str) -> int:
    return await run_command(["tournament", *words, "--server", server.address])


async def test_register_says_as_whom(
    server: ScriptedServer, tmp_path: Path, capsys: Captured
) -> None:
    entry = tournament_pb2.Entry(number=2, name="ann")
    server.reply("Register", pb.RegisterResponse(entry=entry))
    status = await command(server, "register", "t", "ann", "--token-file", str(tmp_path / "token"))
    assert status == 0
    assert "ann is entry 2 of t" in capsys.readouterr().out


async def test_what_register_says_to_type_plays(
    server: ScriptedServer, tmp_path: Path, capsys: Captured
) -> None:
    entry = tournament_pb2.Entry(number=2, name="ann")
    server.reply("Register", pb.RegisterResponse(entry=entry), refused(ErrorReason.ALREADY_SEATED))
    server.reply("GetTournament", found(RUNNING))
    begun = asyncio.Event()
    server.play(Reached(begun), Silence())
    server.show_standings(Wait(begun), shown(FINISHED))
    await command(server, "register", "t", "ann", "--token-file", str(tmp_path / "ann's token"))
    program, *words = shlex.split(capsys.readouterr().out.partition("play with: ")[2])
    assert program == "skat-client"
    assert await run_command(words) == 0
    assert server.metadata[0]["authorization"] == server.metadata[-1]["authorization"]


async def test_a_token_that_was_typed_is_not_shown(
    server: ScriptedServer, capsys: Captured
) -> None:
    server.reply("Register", pb.RegisterResponse(entry=tournament_pb2.Entry(number=2, name="ann")))
    await command(server, "register", "t", "ann", "--token", "a-token-of-our-own", "--plaintext")
    out = capsys.readouterr().out
    assert out.endswith("--plaintext --token TOKEN --bot rules\n")
    assert "a-token-of-our-own" not in out


@pytest.mark.parametrize("words", [("register", "t", "ann"), ("withdraw", "t"), ("play", "t")])
async def test_an_entry_needs_a_token_that_stays(
    server: ScriptedServer, capsys: Captured, words: tuple[str, ...]
) -> None:
    assert await command(server, *words) == FAILED
    assert "--token-file" in capsys.readouterr().err


async def test_play_shows_the_table_at_the_end(server: ScriptedServer, capsys: Captured) -> None:
    server.reply("Register", refused(ErrorReason.ALREADY_SEATED))
    server.reply("GetTournament", found(RUNNING))
    begun = asyncio.Event()
    server.play(Reached(begun), Silence())
    server.show_standings(Wait(begun), shown(FINISHED))
    status = await command(server, "play", "t", "--token", "a-token-of-our-own")
    out = capsys.readouterr().out.splitlines()
    assert status == 0
    assert out[0] == "t 'Cup': running, 3 of 18 games, 2 entries"
    assert out[1].startswith("t 'Cup': finished (schedule done), 18 of 18 games")
    assert out[2] == "1. ann: +2.50 points a game (-1.00 to +6.00), 18 games"


async def test_a_refusal_has_a_hint(server: ScriptedServer, capsys: Captured) -> None:
    gone = Failure(grpc.StatusCode.NOT_FOUND, ErrorReason.TOURNAMENT_NOT_FOUND)
    server.reply("Withdraw", gone)
    assert await command(server, "withdraw", "t", "--token", "a-token-of-our-own") == FAILED
    assert "skat-server tournament list" in capsys.readouterr().err


async def test_already_seated_is_an_error_of_its_own(
    server: ScriptedServer, client: AsyncClient
) -> None:
    server.reply("Register", refused(ErrorReason.ALREADY_SEATED))
    with pytest.raises(AlreadySeatedError):
        await asyncio.wait_for(client.register("t", "ann"), 10)
