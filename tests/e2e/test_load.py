"""``skat-server load`` as a program, against a server that is another one."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner, Result

from skat_server.cli import app
from skat_server.remote.load import wire
from tests.certificates import Authority
from tests.e2e.server_process import COMMAND, LONGEST_WAIT, ServerProcess, environment, serving
from tests.e2e.test_probes import web_address

QUIET = ("--log-level", "warning")
"""Nobody reads the lines of many tables, and a pipe that is full stops whoever writes."""
INTERRUPTED, REFUSED, UNUSABLE = 130, 1, 2


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with serving("--port", "0", *QUIET) as process:
        yield process


def typed(*options: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, ["load", *options], env={"COLUMNS": "200"})


def test_figures_are_told_and_written(server: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "load.json"
    options = ["--sessions", "6", "--tables", "2", "--deals", "5", "--json", str(file)]
    done = typed("--target", server.address, *options)
    assert done.exit_code == 0, done.stderr
    assert "answer to next question" in done.stdout
    assert "no faults" in done.stdout
    assert done.stderr == ""
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document["throughput"]["deals"] >= 5
    assert document["server"]["deals_seen_here"] == document["server"]["deals_of_its_tables"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_tells_the_figures_so_far(
    server: ServerProcess, tmp_path: Path, number: signal.Signals
) -> None:
    """It is sent as soon as the first record of a deal is on the disk."""
    records = tmp_path / "deals.jsonl"
    os.mkfifo(records)
    options = ["--records", str(records), "--set", "session_deals=1", "--json", "-"]
    with subprocess.Popen(
        [COMMAND, "load", "--target", server.address, *options, "--seconds", "600"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as load:
        with records.open(encoding="utf-8") as lines:
            assert "skat-deal" in lines.readline()
            load.send_signal(number)
            lines.read()
        output, errors = load.communicate(timeout=LONGEST_WAIT)
    assert load.returncode == INTERRUPTED, errors
    told = json.loads(output)
    assert told["throughput"]["series"] >= 1
    assert told["at_the_end"]["left_behind"] == 0


def test_a_terminal_that_closes_ends_it_like_ctrl_c() -> None:
    """It is closed as soon as the panel shows a deal."""
    with serving("--port", "0", "--metrics-port", "0", *QUIET) as mortal:
        screen, terminal = pty.openpty()
        with subprocess.Popen(
            [COMMAND, "load", "--target", mortal.address, "--seconds", "600"],
            env=environment(TERM="xterm"),
            stdout=terminal,
            stderr=terminal,
        ) as load:
            os.close(terminal)
            shown = b""
            while not re.search(rb"deals +[1-9]", shown):
                shown += os.read(screen, 65_536)
            os.close(screen)
            load.send_signal(signal.SIGHUP)
            load.wait(LONGEST_WAIT)
        page = urlopen(f"http://{web_address(mortal)}/metrics").read().decode()
    assert load.returncode == INTERRUPTED
    assert 'skat_tables{state="playing"} 0.0' in page


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_before_anything_was_begun_end_it_as_well(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Its file of tokens is a pipe that says nothing."""
    tokens = tmp_path / "tokens"
    os.mkfifo(tokens)
    with (
        subprocess.Popen(
            [COMMAND, "load", "--tokens", str(tokens)],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as load,
        tokens.open("w", encoding="utf-8"),  # it waits for what comes
    ):
        load.send_signal(number)
        load.send_signal(number)
        _, errors = load.communicate(timeout=LONGEST_WAIT)
    assert load.returncode == INTERRUPTED, errors


def test_a_server_that_dies_for_good_is_said_in_the_end(tmp_path: Path) -> None:
    """It is killed as soon as the first record of a deal is on the disk."""
    records = tmp_path / "deals.jsonl"
    os.mkfifo(records)
    options = ["--records", str(records), "--set", "session_deals=1", "--seconds", "5"]
    with (
        serving("--port", "0", *QUIET) as mortal,
        subprocess.Popen(
            [COMMAND, "load", "--target", mortal.address, *options],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as load,
    ):
        with records.open(encoding="utf-8") as lines:
            assert "skat-deal" in lines.readline()
            mortal.process.kill()
            lines.read()
        output, errors = load.communicate(timeout=LONGEST_WAIT)
    assert load.returncode == REFUSED, errors
    assert "answer to next question" in output, "what was played is told all the same"
    last = errors.splitlines()[-1]
    assert last == f"the server at {mortal.address} went away and did not come back"


def test_every_session_has_a_token_of_the_file(server: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("\n".join(f"the-token-of-player-{n}" for n in range(2)), encoding="utf-8")
    options = ("--target", server.address, "--deals", "2", "--tokens", str(file))
    assert "2 tokens for 3 sessions" in typed(*options).stderr
    house = typed(*options, "--sessions", "2", "--bots", "random,random,house-random")
    assert house.exit_code == 0, house.stderr


def test_tokens_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_bytes(b"\xff\xfe")
    done = typed("--tokens", str(file))
    assert done.exit_code == UNUSABLE
    assert "no text in UTF-8" in done.stderr


def test_a_token_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("one\ntwo\none\n", encoding="utf-8")
    done = typed("--tokens", str(file))
    assert done.exit_code == UNUSABLE
    assert "twice" in done.stderr


@pytest.mark.parametrize("option", ["--records", "--json"])
def test_a_disk_that_is_full_is_said(server: ServerProcess, option: str) -> None:
    options = ("--deals", "2", "--set", "session_deals=1", option, "/dev/full")
    done = typed("--target", server.address, *options)
    assert done.exit_code == UNUSABLE
    assert "/dev/full: No space left on device" in done.stderr
    assert "answer to next question" in done.stdout, "what was played is told all the same"


def redirected(server: ServerProcess, to: str, *options: str) -> subprocess.CompletedProcess[str]:
    """A short load whose standard output is what the shell makes of this."""
    command = ["sh", "-c", f'exec "$0" "$@" {to}', COMMAND, "load", "--deals", "2", *options]
    return subprocess.run(
        command,
        env=environment(SKAT_SERVER=server.address),
        stderr=subprocess.PIPE,
        text=True,
        timeout=LONGEST_WAIT,
        check=False,
    )


def test_a_full_standard_output_is_said_and_the_document_kept(
    server: ServerProcess, tmp_path: Path
) -> None:
    file = tmp_path / "load.json"
    done = redirected(server, ">/dev/full", "--json", str(file))
    assert done.returncode == UNUSABLE, done.stderr
    assert done.stderr == "standard output: No space left on device\n"
    assert json.loads(file.read_text(encoding="utf-8"))["throughput"]["deals"] >= 2


def test_a_closed_standard_output_takes_no_tables(server: ServerProcess) -> None:
    done = redirected(server, ">&-")
    assert done.returncode == 0, done.stderr


def test_a_document_that_cannot_be_printed_is_refused(server: ServerProcess) -> None:
    done = redirected(server, ">&-", "--json", "-")
    assert done.returncode == UNUSABLE
    assert done.stderr == "--json -: standard output is closed; name a file\n"


def test_every_file_for_which_there_is_no_room_is_said(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = import_module("skat_server.cli.load")
    monkeypatch.setattr(command, "_require_two_files", lambda *_: None)  # this full disk is one
    records, document = tmp_path / "records", tmp_path / "document"
    for file in (records, document):
        file.symlink_to("/dev/full")
    options = ("--records", str(records), "--json", str(document), "--set", "session_deals=1")
    done = typed("--target", server.address, "--deals", "2", *options)
    assert done.exit_code == UNUSABLE
    assert f"{records}: No space left" in done.stderr
    assert f"{document}: No space left" in done.stderr


def test_a_run_in_which_nothing_was_played_has_failed(server: ServerProcess) -> None:
    done = typed("--target", server.address, "--think", "fixed:60000", "--seconds", "0.1")
    assert done.exit_code == REFUSED
    assert "of one core for this program" in done.stdout
    assert "nothing was played; take more --seconds" in done.stderr


@pytest.mark.parametrize("address", ["", "127.0.0.1", "http://127.0.0.1:7654", "127.0.0.1:70000"])
def test_an_address_that_is_none_is_said(address: str) -> None:
    done = typed("--target", address)
    assert done.exit_code == UNUSABLE
    assert "write host:port" in done.stderr


def test_a_server_without_tls_is_said(server: ServerProcess, tmp_path: Path) -> None:
    certificate, _ = Authority.new("root").server().write(tmp_path, "server")
    done = typed("--target", server.address, "--ca", str(certificate))
    assert done.exit_code == REFUSED
    assert "do not agree on TLS" in done.stderr


def test_sessions_without_a_seat_are_said(server: ServerProcess) -> None:
    done = typed("--target", server.address, "--sessions", "10", "--deals", "1")
    assert done.exit_code == 0
    assert "7 of 10 sessions have no seat" in done.stderr


def test_nobody_there_is_said() -> None:
    done = typed("--target", "127.0.0.1:1")
    assert done.exit_code == REFUSED
    assert "no server answers at 127.0.0.1:1" in done.stderr
    assert "--target" in done.stderr


def test_records_of_a_run_before_stay_where_nobody_is_there(tmp_path: Path) -> None:
    records = tmp_path / "deals.jsonl"
    records.write_text("of a run before\n", encoding="utf-8")
    done = typed("--target", "127.0.0.1:1", "--records", str(records))
    assert done.exit_code == REFUSED
    assert records.read_text(encoding="utf-8") == "of a run before\n"


def test_nobody_there_is_said_before_hundreds_have_asked() -> None:
    done = typed("--target", "127.0.0.1:1", "--sessions", "500", "--tables", "100")
    assert done.exit_code == REFUSED
    assert "no server answers at 127.0.0.1:1" in done.stderr
    assert "of one core" not in done.stdout, "no session was opened"


def test_somebody_who_takes_connections_and_says_nothing_is_no_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wire, "_ANSWERS_WITHIN", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        done = typed("--target", address, "--sessions", "6")
    assert done.exit_code == REFUSED
    assert f"no server answers at {address}: nothing has come" in done.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--sessions", "2"], "take 3 or more"),
        (["--bots", "nobody"], "random, first-option"),
        (["--bots", "random,random,random,random"], "a table has 3 seats"),
        (["--storm-share", "0.5"], "nothing without --storm-every"),
        (["--slow-pause", "1"], "nothing without --slow-readers"),
        (["--slow-readers", "1", "--slow-pause", "inf"], "--slow-pause"),
        (["--seconds", "nan"], "--seconds"),
        (["--think", "exp:0"], "exp:100"),
        (["--think", "long"], "lognormal:80,0.6"),
        (["--deal-source", "stacked"], "seed: and any text"),
        (["--set", "kontra"], "NAME=VALUE"),
        (["--tokens", "no-such-file"], "no-such-file"),
        (["--tokens", os.devnull], "a token a line"),
        (["--metrics", "127.0.0.1:9464"], "http://HOST:PORT/metrics"),
        (["--json", "no-such-folder/load.json"], "no-such-folder/load.json"),
    ],
)
def test_what_cannot_be_run_is_explained(options: list[str], says: str) -> None:
    done = typed(*options)
    assert done.exit_code == UNUSABLE
    assert says in done.stderr


def test_too_few_files_are_said_before_it_begins(server: ServerProcess) -> None:
    done = subprocess.run(
        ["sh", "-c", 'ulimit -n 40; exec "$0" "$@"', COMMAND, "load", "--sessions", "30"],
        env=environment(SKAT_SERVER=server.address),
        capture_output=True,
        text=True,
        timeout=LONGEST_WAIT,
        check=False,
    )
    assert done.returncode == UNUSABLE
    assert "62 open files and 40 are allowed" in done.stderr
    assert done.stdout == ""


def test_records_and_document_are_not_put_into_one_file(tmp_path: Path) -> None:
    records, document = tmp_path / "load.json", tmp_path / "same.json"
    records.write_text("of a run before\n", encoding="utf-8")
    document.symlink_to(records)
    done = typed("--records", str(records), "--json", str(document))
    assert done.exit_code == UNUSABLE
    assert "take a file for each" in done.stderr
    assert records.read_text(encoding="utf-8") == "of a run before\n"


def test_the_servers_own_counters_stand_beside_it() -> None:
    with serving("--port", "0", "--metrics-port", "0", *QUIET) as watched:
        url = f"http://{web_address(watched)}/metrics"
        options = ("--deals", "5", "--metrics", url, "--json", "-")
        done = typed("--target", watched.address, *options)
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    counters = told["server"]["counters"]
    assert counters["skat_stream_messages_total"] >= told["throughput"]["actions"]
    assert counters["process_cpu_seconds_total"] > 0
    assert told["server"]["gauges"]["skat_build_info"] == 1


def test_counters_that_do_not_answer_are_said() -> None:
    done = typed("--metrics", "http://127.0.0.1:1/metrics")
    assert done.exit_code == REFUSED
    assert "http://127.0.0.1:1/metrics does not answer" in done.stderr


def test_a_page_without_metrics_is_said(server: ServerProcess) -> None:
    done = typed("--metrics", f"http://{server.address}/metrics")
    assert done.exit_code == REFUSED
    assert "--metrics" in done.stderr
