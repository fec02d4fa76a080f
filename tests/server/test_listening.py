"""Which ports the options of ``serve`` ask for, and which mixtures are refused (T18)."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from skat_server.cli import app
from skat_server.cli.listening import (
    OptionError,
    admin_settings,
    limits_of,
    player_tls,
    require_loop,
    require_ports_of_their_own,
    who_may_play,
)
from skat_server.cli.loops import Loop
from skat_server.cli.serve import USAGE_ERROR
from skat_server.config import AdminSettings, Auth, Limits, TlsFiles, WebSettings
from skat_server.storage.protocols import Durability

CERT, KEY, CA = Path("server.crt"), Path("server.key"), Path("root.crt")


def test_loopback_speaks_plain_text() -> None:
    assert player_tls("127.0.0.1", None, None, insecure=False) is None


def test_others_are_spoken_to_in_plain_text_only_when_asked() -> None:
    assert player_tls("0.0.0.0", None, None, insecure=True) is None
    with pytest.raises(OptionError, match="--tls-cert"):
        player_tls("0.0.0.0", None, None, insecure=False)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_certificate_means_tls(host: str) -> None:
    assert player_tls(host, CERT, KEY, insecure=False) == TlsFiles(CERT, KEY)


@pytest.mark.parametrize(("certificate", "key"), [(CERT, None), (None, KEY)])
def test_half_a_certificate_is_refused(certificate: Path | None, key: Path | None) -> None:
    with pytest.raises(OptionError, match="belong together"):
        player_tls("127.0.0.1", certificate, key, insecure=False)


def test_tls_and_plain_text_at_once_are_refused() -> None:
    with pytest.raises(OptionError, match="leave one out"):
        player_tls("0.0.0.0", CERT, KEY, insecure=True)


def test_the_operator_has_no_port_unless_one_is_named() -> None:
    assert admin_settings("127.0.0.1", None, None, None, None) is None


def test_the_operators_port_is_plain_on_the_loopback() -> None:
    assert admin_settings("127.0.0.1", 7655, None, None, None) == AdminSettings(port=7655)


def test_the_operators_port_is_reached_from_elsewhere_with_certificates_only() -> None:
    with pytest.raises(OptionError, match="may do everything"):
        admin_settings("0.0.0.0", 7655, None, None, None)
    tls = TlsFiles(CERT, KEY, CA)
    assert admin_settings("0.0.0.0", 7655, CERT, KEY, CA) == AdminSettings("0.0.0.0", 7655, tls)


@pytest.mark.parametrize("files", [(CERT, None, None), (CERT, KEY, None), (None, None, CA)])
def test_the_operators_port_never_asks_nobody(
    files: tuple[Path | None, Path | None, Path | None],
) -> None:
    """A certificate without a root for clients would let everybody in."""
    with pytest.raises(OptionError, match="belong together"):
        admin_settings("0.0.0.0", 7655, *files)


def test_certificates_of_a_port_that_is_not_there_are_refused() -> None:
    with pytest.raises(OptionError, match="need --admin-port"):
        admin_settings("127.0.0.1", None, CERT, KEY, CA)


def test_the_sentence_reaches_the_user() -> None:
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--tls-cert", "server.crt"])
    assert result.exit_code == USAGE_ERROR
    assert "--tls-key" in result.stderr
    assert result.stdout == ""


def test_a_certificate_that_is_not_there_is_named(tmp_path: Path) -> None:
    files = ["--tls-cert", str(tmp_path / "a.crt"), "--tls-key", str(tmp_path / "a.key")]
    options = ["--port", "0", "--durability", "memory", *files]
    result = CliRunner().invoke(app, ["serve", *options])
    assert result.exit_code == USAGE_ERROR
    assert f"cannot read {tmp_path / 'a.crt'}" in result.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_everybody_may_play_on_the_loopback(host: str) -> None:
    assert who_may_play(host, None, Durability.MEMORY) is Auth.OPEN
    assert who_may_play(host, Auth.ACCOUNTS, Durability.ACTION) is Auth.ACCOUNTS


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "skat.example"])
def test_elsewhere_players_need_a_token_of_the_server(host: str) -> None:
    """T3: a server that others reach is never open by accident."""
    assert who_may_play(host, None, Durability.ACTION) is Auth.ACCOUNTS
    assert who_may_play(host, Auth.OPEN, Durability.ACTION) is Auth.OPEN


def test_accounts_need_a_folder() -> None:
    with pytest.raises(OptionError, match="--auth open"):
        who_may_play("0.0.0.0", None, Durability.MEMORY)
    assert who_may_play("0.0.0.0", Auth.OPEN, Durability.MEMORY) is Auth.OPEN


def test_limits_keep_their_proportions() -> None:
    assert limits_of(200, 50, 10_000, None) == Limits()
    tighter = limits_of(20, 10, 100, None)
    assert (tighter.calls_burst, tighter.unasked_burst, tighter.connections) == (100, 20, 100)


def test_proxies_are_trusted_besides_the_loopback() -> None:
    networks = limits_of(200, 50, 10_000, ["10.0.0.0/8"]).trusted_networks
    assert networks == (*Limits().trusted_networks, "10.0.0.0/8")


@pytest.mark.parametrize("network", ["10.0.0.1/8", "proxy", ""])
def test_a_network_that_is_none_is_refused(network: str) -> None:
    with pytest.raises(OptionError, match="--trusted-network"):
        limits_of(200, 50, 10_000, [network])


@pytest.mark.parametrize(
    ("host", "web"),
    [
        ("127.0.0.1", WebSettings("127.0.0.1", 7654)),
        ("0.0.0.0", WebSettings("127.0.0.1", 7654)),
        ("127.0.0.1", WebSettings("::", 7654)),
    ],
)
def test_two_things_do_not_share_a_port(host: str, web: WebSettings) -> None:
    with pytest.raises(OptionError, match="--port and --metrics-port are both 7654"):
        require_ports_of_their_own(host, 7654, None, web)


def test_free_ports_and_those_of_other_addresses_are_their_own() -> None:
    require_ports_of_their_own("127.0.0.1", 0, AdminSettings(port=0), WebSettings(port=0))
    require_ports_of_their_own("192.0.2.7", 7654, None, WebSettings("127.0.0.1", 7654))


def test_a_loop_that_is_not_installed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    require_loop(Loop.AUTO)
    monkeypatch.setattr("skat_server.cli.loops.find_spec", lambda _: None)
    require_loop(Loop.AUTO)
    with pytest.raises(OptionError, match="not installed"):
        require_loop(Loop.UVLOOP)
