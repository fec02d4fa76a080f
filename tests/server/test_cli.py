"""``skat-server serve`` up to the moment it would listen."""

import pytest
from typer.testing import CliRunner

from skat_server.cli import app
from skat_server.cli.serve import USAGE_ERROR
from skat_server.config import is_loopback

OTHER_MACHINES = ["0.0.0.0", "::", "192.0.2.7", "skat.example"]


@pytest.mark.parametrize("host", OTHER_MACHINES)
def test_an_address_that_others_can_reach_needs_insecure(host: str) -> None:
    """Section 10.1: plain text elsewhere than on loopback is asked for by name."""
    result = CliRunner().invoke(app, ["serve", "--host", host, "--port", "0"])
    assert result.exit_code == USAGE_ERROR
    assert "--insecure" in result.stderr
    assert host in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost"])
def test_loopback_is_known_in_all_its_forms(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", OTHER_MACHINES)
def test_other_addresses_are_not_loopback(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    "options",
    [
        ["--port", "65536"],
        ["--port", "-1"],
        ["--grace", "-1"],
        ["--grace", "inf"],
        ["--grace", "nan"],
        ["--max-tables", "0"],
    ],
)
def test_a_number_out_of_range_is_refused(options: list[str]) -> None:
    result = CliRunner().invoke(app, ["serve", *options])
    assert result.exit_code == USAGE_ERROR
    assert options[0] in result.stderr


def test_without_a_command_the_help_is_shown() -> None:
    result = CliRunner().invoke(app, [])
    assert "serve" in result.output
    assert "records" in result.output
