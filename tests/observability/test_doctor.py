"""`skat-server doctor` finds what would stop a server, and says what to do."""

from __future__ import annotations

import errno
import inspect
import json
import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skat_server.cli import app as command_line
from skat_server.cli.doctor import doctor as doctor_command
from skat_server.cli.serve import serve
from skat_server.clock import ManualClock, SystemClock
from skat_server.config import (
    DATABASE,
    AdminSettings,
    Limits,
    Settings,
    TlsFiles,
    WebSettings,
)
from skat_server.doctor import data, machine, network
from skat_server.doctor.examine import examine
from skat_server.doctor.finding import Finding, Verdict
from skat_server.storage import revisions
from skat_server.storage.sqlite import lock
from tests.certificates import FIRST_DAY, LAST_DAY, Authority

NOW = datetime(2026, 6, 1, tzinfo=UTC).timestamp()


def settings(folder: Path | None = None, **others: object) -> Settings:
    return replace(Settings(port=0, data=folder), **others)  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The data folder of a server that ran before."""
    made = tmp_path / "data"
    revisions.create(made / DATABASE)
    return made


def only(findings: Iterator[Finding]) -> Finding:
    (found,) = findings
    return found


def test_a_server_in_good_order_is_good(folder: Path) -> None:
    found = list(examine(settings(folder, web=WebSettings()), SystemClock()))
    assert [one for one in found if one.verdict is not Verdict.GOOD] == []
    assert {"clock", "open files", "disk space", "database", "metrics port"} <= {
        one.what for one in found
    }


def test_a_server_in_memory_needs_no_disk() -> None:
    found = list(examine(settings(), SystemClock()))
    assert {one.verdict for one in found} == {Verdict.GOOD}


@pytest.mark.parametrize(
    ("now", "verdict"),
    [(0.0, Verdict.BAD), (NOW, Verdict.GOOD)],
    ids=["1970", "after it was written"],
)
def test_the_clock_is_after_the_server_was_written(now: float, verdict: Verdict) -> None:
    assert machine.look_at_clock(now, None).verdict is verdict


def test_a_clock_before_the_data_is_wrong(folder: Path) -> None:
    os.utime(folder / DATABASE, (NOW, NOW))
    assert machine.look_at_clock(NOW + 1, folder).verdict is Verdict.GOOD
    found = machine.look_at_clock(NOW - 3_600, folder)
    assert found.verdict is Verdict.BAD
    assert "3,600 s before" in found.text


def test_too_few_open_files_are_doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (1_024, 1_024))
    found = machine.look_at_open_files(settings())
    assert found.verdict is Verdict.DOUBTFUL
    assert found.advice.startswith("Raise the limit: LimitNOFILE=10256 ")
    assert found.advice.endswith("--max-connections 768 fits.")
    fitting = settings(limits=Limits(connections=768))
    assert machine.look_at_open_files(fitting).verdict is Verdict.GOOD


@pytest.mark.parametrize(
    ("most", "verdict"),
    [(16, Verdict.BAD), (271, Verdict.BAD), (272, Verdict.DOUBTFUL), (300, Verdict.DOUBTFUL)],
)
def test_so_few_open_files_that_no_number_of_connections_helps_are_to_be_more(
    monkeypatch: pytest.MonkeyPatch, most: int, verdict: Verdict
) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (most, most))
    found = machine.look_at_open_files(settings())
    assert found.verdict is verdict
    assert "LimitNOFILE=10256" in found.advice
    assert "--max-connections" not in found.advice


def test_a_folder_that_others_can_enter_is_doubtful(folder: Path) -> None:
    folder.chmod(0o755)
    found = data.look_at_folder(settings(folder))
    assert (found.verdict, found.advice) == (Verdict.DOUBTFUL, f"chmod 700 {folder}")


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    found = data.look_at_folder(settings(tmp_path / "data"))
    assert (found.verdict, found.text) == (Verdict.BAD, f"{tmp_path / 'data'} is no folder")


def test_a_folder_that_is_not_there_is_made_later(tmp_path: Path) -> None:
    found = data.look_at_folder(settings(tmp_path / "a" / "b"))
    assert found.verdict is Verdict.GOOD
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("least", "few", "verdict"),
    [(1 << 60, 1 << 61, Verdict.BAD), (0, 1 << 60, Verdict.DOUBTFUL), (0, 0, Verdict.GOOD)],
)
def test_space_on_the_disk_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, least: int, few: int, verdict: Verdict
) -> None:
    monkeypatch.setattr(data, "LEAST_FREE", least)
    monkeypatch.setattr(data, "FEW_FREE", few)
    assert data.look_at_space(settings(tmp_path / "not" / "yet")).verdict is verdict


@pytest.mark.parametrize(("seconds", "verdict"), [(0.001, "good"), (0.5, "doubtful")])
def test_a_slow_disk_is_doubtful(tmp_path: Path, seconds: float, verdict: str) -> None:
    clock = ManualClock()

    def stopwatch() -> float:
        clock.advance(seconds)
        return clock.monotonic()

    found = data.look_at_disk_speed(settings(tmp_path), stopwatch)
    assert found.verdict.value == verdict
    assert list(tmp_path.iterdir()) == []


def test_a_database_of_an_older_server_is_bad(tmp_path: Path) -> None:
    database = tmp_path / DATABASE
    revisions.upgrade(database, revisions.REVISIONS[0])
    found = data.look_at_database(settings(tmp_path))
    assert found.verdict is Verdict.BAD
    assert found.advice == f"skat-server store migrate --data {tmp_path}"
    assert data.look_at_database(settings(tmp_path, migrates=True)).verdict is Verdict.GOOD


def test_a_file_that_is_no_database_is_bad(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_text("nothing of ours")
    assert data.look_at_database(settings(tmp_path)).verdict is Verdict.BAD


def test_a_database_of_a_newer_server_says_which_server_it_needs(folder: Path) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    found = data.look_at_database(settings(folder))
    assert (found.verdict, "newer server" in found.advice) == (Verdict.BAD, True)
    assert "\n" not in found.text


@pytest.mark.parametrize("allowed", [0, os.R_OK])
def test_a_database_of_another_user_needs_no_restore(
    folder: Path, monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    """Root may read everything, so the answer of the machine is made up."""
    monkeypatch.setattr("os.access", lambda _, wanted: wanted & ~allowed == 0)
    found = data.look_at_database(settings(folder))
    assert (found.verdict, "chown" in found.advice) == (Verdict.BAD, True)


def test_links_that_lead_nowhere_are_no_crash(folder: Path, tmp_path: Path) -> None:
    (folder / "skat.db-journal").symlink_to(tmp_path / "nowhere")
    assert machine.look_at_clock(NOW + 10**9, folder).verdict is Verdict.GOOD
    (folder / DATABASE).unlink()
    (folder / DATABASE).symlink_to(tmp_path / "nowhere")
    assert data.look_at_database(settings(folder)).verdict is Verdict.BAD


@contextmanager
def taken() -> Iterator[int]:
    """A port that somebody else listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_port_in_use_is_bad(folder: Path) -> None:
    with taken() as port:
        found = only(network.look_at_ports(settings(folder, port=port)))
    assert found.verdict is Verdict.BAD
    assert "--port" in found.advice


def test_a_port_in_use_by_the_server_of_this_data_is_good(folder: Path) -> None:
    held = lock.acquire(folder / DATABASE)
    try:
        with taken() as port:
            found = only(network.look_at_ports(settings(folder, port=port)))
    finally:
        held.release()
    assert (found.verdict, "a server runs" in found.text) == (Verdict.GOOD, True)


def test_an_address_of_another_machine_is_bad_whatever_the_port(folder: Path) -> None:
    held = lock.acquire(folder / DATABASE)
    try:
        # Addresses that are for documents, and nobody's.
        wanted = settings(folder, web=WebSettings("192.0.2.7", 9464))
        found = list(network.look_at_ports(wanted))[-1]
    finally:
        held.release()
    assert found.verdict is Verdict.BAD
    assert found.advice == "Name an address of this machine with --metrics-host."


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "CAP_NET_BIND_SERVICE"),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "--host"),
        (OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address"), "--host"),
        (OSError(errno.EADDRINUSE, "Address already in use"), "ss -ltnp"),
    ],
)
def test_the_advice_fits_what_is_wrong_with_a_port(
    monkeypatch: pytest.MonkeyPatch, error: OSError, advice: str
) -> None:
    monkeypatch.setattr(network, "why_not", lambda host, port: error)
    found = only(network.look_at_ports(settings(port=7_654)))
    assert (found.verdict, advice in found.advice) == (Verdict.BAD, True)


def test_every_port_is_looked_at() -> None:
    wanted = settings(admin=AdminSettings(), web=WebSettings())
    assert len(list(network.look_at_ports(wanted))) == 3


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority.new("the root")


def with_certificate(authority: Authority, folder: Path, last_day: datetime) -> Settings:
    return settings(tls=TlsFiles(*authority.server(last_day).write(folder, "server")))


@pytest.mark.parametrize(("days_left", "verdict"), [(100.0, Verdict.GOOD), (5.0, Verdict.DOUBTFUL)])
def test_the_end_of_a_certificate_is_seen_coming(
    authority: Authority, tmp_path: Path, days_left: float, verdict: Verdict
) -> None:
    wanted = with_certificate(authority, tmp_path, LAST_DAY)
    now = LAST_DAY.timestamp() - days_left * network.DAY
    found = only(network.look_at_certificates(wanted, now))
    assert found.verdict is verdict
    assert f"{days_left:.0f} days" in found.text


def test_a_certificate_that_has_ended_is_bad(authority: Authority, tmp_path: Path) -> None:
    wanted = with_certificate(authority, tmp_path, FIRST_DAY.replace(year=2021))
    found = only(network.look_at_certificates(wanted, NOW))
    assert (found.verdict, "expired" in found.text) == (Verdict.BAD, True)
    assert found.advice.startswith("Renew")


def test_a_key_of_another_certificate_is_bad(authority: Authority, tmp_path: Path) -> None:
    certificate, _ = authority.server().write(tmp_path, "one")
    _, key = authority.server().write(tmp_path, "other")
    wanted = settings(tls=TlsFiles(certificate, key))
    found = only(network.look_at_certificates(wanted, NOW))
    assert found.verdict is Verdict.BAD
    assert str(key) in found.text


def test_plain_text_that_others_reach_is_doubtful() -> None:
    found = only(network.look_at_certificates(settings(host="0.0.0.0"), NOW))
    assert found.verdict is Verdict.DOUBTFUL


def doctor(*arguments: str) -> tuple[int, str]:
    """Run the command; exit code and output."""
    result = CliRunner().invoke(
        command_line, ["doctor", "--port", "0", *arguments], env={"COLUMNS": "200"}
    )
    return result.exit_code, result.output


def test_the_command_says_what_it_has_found(folder: Path) -> None:
    code, output = doctor("--data", str(folder))
    assert code == 0
    assert "database" in output
    assert revisions.HEAD in output


def test_the_command_ends_with_1_and_what_to_do(folder: Path) -> None:
    (folder / DATABASE).write_text("nothing of ours")
    code, output = doctor("--data", str(folder))
    assert code == 1
    assert "skat-server store restore" in output


def test_options_that_do_not_fit_are_findings_too(folder: Path) -> None:
    code, output = doctor("--data", str(folder), "--host", "192.0.2.7", "--json")
    found = {one["what"]: one for one in json.loads(output)}
    assert code == 1
    assert found["configuration"]["verdict"] == "bad"
    assert "--insecure" in found["configuration"]["advice"]


def test_the_command_takes_every_option_of_serve() -> None:
    of_serve = inspect.signature(serve).parameters
    own = inspect.signature(doctor_command).parameters
    assert {name: one.annotation for name, one in of_serve.items()}.items() <= {
        name: one.annotation for name, one in own.items()
    }.items()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--metrics-port", "9464", "--admin-port", "9464"), "are both 9464"),
        (("--trusted-network", "10.0.0.0/99"), "10.0.0.0/99"),
        (("--durability", "memory", "--data", "."), "Memory needs no folder"),
    ],
)
def test_what_serve_refuses_is_a_finding(arguments: tuple[str, ...], said: str) -> None:
    code, output = doctor(*arguments, "--json")
    found = {one["what"]: one for one in json.loads(output)}
    assert (code, found["configuration"]["verdict"]) == (1, "bad")
    assert said in found["configuration"]["text"]
