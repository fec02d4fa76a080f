"""Every command says what it does and how it is called."""

import pytest

from tests.e2e.server_process import run

COMMANDS = [
    pytest.param([], ["Skat server", "serve", "records"], id="skat-server"),
    pytest.param(["serve"], ["Run a server", "--port", "SKAT_PORT", "--insecure"], id="serve"),
    pytest.param(["records"], ["Recorded deals", "replay"], id="records"),
    pytest.param(["records", "replay"], ["Replay every record", "Exit code"], id="replay"),
]


@pytest.mark.parametrize(("command", "words"), COMMANDS)
def test_help_says_what_a_command_does(command: list[str], words: list[str]) -> None:
    result = run(*command, "--help")
    assert result.returncode == 0
    assert result.stderr == ""
    for word in words:
        assert word in result.stdout


def test_an_unknown_command_is_refused() -> None:
    result = run("deal")
    assert result.returncode == 2
    assert "deal" in result.stderr


def test_an_address_that_others_can_reach_is_refused() -> None:
    result = run("serve", "--host", "192.0.2.7")
    assert result.returncode == 2
    assert "--insecure" in result.stderr
