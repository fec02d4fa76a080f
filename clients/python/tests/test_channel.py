"""Where the server is, and who calls."""

from typing import Any

import pytest

from skat_client import AsyncClient, ConfigurationError, Tls, UnavailableError, new_token
from skat_client._channel import is_loopback, server_address
from skat_client._tokens import player_token
from skat_client.testing import ScriptedServer

TOKEN = "a-token-of-the-environment"


@pytest.mark.parametrize(
    ("target", "loopback"),
    [
        ("localhost:7654", True),
        ("127.0.0.1:1", True),
        ("127.9.9.9:1", True),
        ("[::1]:7654", True),
        ("unix:/run/skat", True),
        ("192.168.0.1:7654", False),
        ("skat.example:443", False),
        ("localhost.example:443", False),
    ],
)
def test_only_this_machine_is_spoken_to_in_the_clear(target: str, loopback: bool) -> None:
    assert is_loopback(target) is loopback


@pytest.mark.parametrize(
    "target", ["skat.example", "http://skat.example:80", ":7654", "host:port", "localhost:99999"]
)
def test_what_is_no_address_is_refused(target: str) -> None:
    with pytest.raises(ConfigurationError, match="host:port, for instance localhost:7654"):
        AsyncClient(target)


@pytest.mark.parametrize(
    ("given", "environment", "address"),
    [
        ("a:1", {"SKAT_SERVER": "b:2"}, "a:1"),
        (None, {"SKAT_SERVER": "b:2"}, "b:2"),
        (None, {}, "127.0.0.1:7654"),
    ],
    ids=["argument", "environment", "default"],
)
def test_the_server_is_the_one_named_first(
    given: str | None, environment: dict[str, str], address: str
) -> None:
    assert server_address(given, environment) == address


def test_a_token_is_argument_before_environment() -> None:
    assert player_token("an-argument-given", {"SKAT_TOKEN": TOKEN}) == "an-argument-given"
    assert player_token(None, {"SKAT_TOKEN": TOKEN}) == TOKEN


def test_without_a_token_every_client_is_a_new_player() -> None:
    first, second = player_token(None, {}), player_token(None, {})
    assert first != second
    assert len(first) >= 40


def test_new_tokens_differ_and_can_be_used() -> None:
    first, second = new_token(), new_token()
    assert first != second
    assert player_token(first, {"SKAT_TOKEN": TOKEN}) == first


@pytest.mark.parametrize("token", ["short", "x" * 201, "with a blank in it", "with\nnewline-in-it"])
def test_a_token_that_no_server_takes_is_refused(token: str) -> None:
    with pytest.raises(ConfigurationError, match="token"):
        player_token(token, {})


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "options",
    [{"plaintext": False}, {"tls": Tls()}, {"tls": Tls(server_name="skat.example")}],
    ids=["asked for", "with authorities", "with a name"],
)
async def test_a_client_that_wants_tls_speaks_to_no_plain_server(
    options: dict[str, Any], server: ScriptedServer
) -> None:
    async with AsyncClient(server.address, **options) as client:
        with pytest.raises(UnavailableError, match="use plaintext=True"):
            await client.get_table("t")
    assert server.requests == []
