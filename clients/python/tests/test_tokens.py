"""Tokens in files: a bot that is started again is the same player."""

import logging
import stat
from pathlib import Path

import pytest

from skat_client import AsyncClient, ConfigurationError
from skat_client._tokens import player_token, token_in, write_token

TOKEN = "a-token-of-our-own"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "skat" / "token"


def test_a_file_is_made_once_and_read_afterwards(path: Path) -> None:
    first = token_in(path)
    assert (len(first), token_in(path)) == (64, first)


def test_nobody_else_can_read_it(path: Path) -> None:
    token_in(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["token"]


def test_a_file_that_others_can_read_is_complained_of(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    path.write_text(f"{TOKEN}\n", encoding="ascii")
    path.chmod(0o644)
    with caplog.at_level(logging.WARNING, "skat_client"):
        assert token_in(path) == TOKEN
    assert "others can read" in caplog.text
    assert TOKEN not in caplog.text


def test_who_comes_second_takes_the_token_of_the_first(path: Path) -> None:
    assert write_token(path, TOKEN) == TOKEN
    assert write_token(path, "another-token-of-ours") == TOKEN


@pytest.mark.parametrize("text", ["", "short", "with a blank in it", "höchst-geheim-geheim"])
def test_a_file_without_a_token_is_said_to_have_none(text: str, path: Path) -> None:
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(ConfigurationError, match="token"):
        token_in(path)


def test_a_folder_is_no_token(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot read the token"):
        token_in(tmp_path)


def test_a_link_that_leads_nowhere_is_said_to_do_so(path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(path.with_name("gone"))
    with pytest.raises(ConfigurationError, match="not there"):
        token_in(path)


def test_a_file_that_cannot_be_made_is_said_to_be_so(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(ConfigurationError, match="cannot"):
        token_in(blocked / "token")


@pytest.mark.parametrize(
    ("given", "variables", "expected"),
    [
        ("an-argument-given", {"SKAT_TOKEN": TOKEN}, "an-argument-given"),
        (None, {"SKAT_TOKEN": TOKEN}, TOKEN),
        (None, {}, "of-the-file-itself"),
    ],
    ids=["argument", "variable", "file"],
)
def test_the_file_comes_last(
    given: str | None, variables: dict[str, str], expected: str, path: Path
) -> None:
    write_token(path, "of-the-file-itself")
    environment = {"SKAT_TOKEN_FILE": str(path), **variables}
    assert player_token(given, environment) == expected


@pytest.mark.asyncio
async def test_a_program_that_is_started_again_is_the_same_player(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SKAT_TOKEN", raising=False)
    monkeypatch.setenv("SKAT_TOKEN_FILE", str(path))
    tokens = []
    for _ in range(2):
        async with AsyncClient("127.0.0.1:1") as client:
            tokens.append(client.token)
    assert tokens[0] == tokens[1]
