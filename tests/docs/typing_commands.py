"""Types the commands of a page, as somebody does who follows it from its top to its end.

Blocks marked `console` hold what is typed: lines that begin with `$ `, and those with `> ` that go
on. All commands of a page run in one shell, in a folder of its own, beside the server that the page
has them start. Files that the page has its reader save are there from the beginning.
"""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
BIN: Final = Path(sys.executable).parent
LONGEST: Final = 150
"""Seconds after which a page counts as hung; it takes a few."""
PORTS: Final = ("7654", "7655", "9464")
"""Those of the examples: players, the operator, metrics."""
ELSEWHERE: Final = (
    *("amtool ", "curl ", "docker ", "grpcurl ", "haproxy ", "journalctl ", "kubectl "),
    *("prometheus ", "prometheus-alertmanager ", "promtool ", "sudo ", "systemctl "),
)
"""Programs that this machine may not have, or that would change it; their files are looked for."""

PRELUDE: Final = r"""
set -euo pipefail
trap 'echo "failed: $BASH_COMMAND" >&2; cat server.log >&2 2>/dev/null || true' ERR
SERVER=
stop() {
    [ -z "$SERVER" ] && return
    kill "$SERVER" 2>/dev/null || true
    wait "$SERVER" || true
    SERVER=
}
trap stop EXIT
# A server in a terminal beside this one, until the page starts another.
serve() {
    stop
    exec {lines}< <(exec skat-server serve "$@" 2>>server.log)
    SERVER=$!
    read -r -u "$lines" first
    export SKAT_SERVER="${first#skat-server listening on }"
}
"""


def commands(page: str) -> list[str]:
    """What a page has its reader type, in order."""
    found: list[str] = []
    for block in re.findall(r"^```console\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append(line.removeprefix("$ "))
            elif line.startswith("> ") and found:
                found[-1] += "\n" + line.removeprefix("> ")
    return found


def files(page: str) -> dict[str, str]:
    """The files that a page has its reader save, by name."""
    saved = r"[Ss]aved?(?: this| it)? as\s+`([\w.]+)`[^`]*?```(?:python|toml)\n(.*?)^```"
    return dict(re.findall(saved, page, re.MULTILINE | re.DOTALL))


def is_elsewhere(command: str) -> bool:
    """Whether a command is for another machine than this one."""
    return command.startswith(ELSEWHERE)


def adapted(command: str) -> str:
    """A command as it is run here: a short demo, a server beside it, nothing built anew."""
    if command.startswith("make demo"):
        return f"python {ROOT / 'clients/python/examples/play_cup.py'} --boards 2"
    if command.startswith(("make serve", "skat-server serve")):
        return command.replace("make serve", "serve").replace("skat-server serve", "serve", 1)
    if command.startswith(("make ", "pip install", ". .venv")) or is_elsewhere(command):
        return ":"
    return command


def on_this_machine(page: str, ports: dict[str, str]) -> str:
    """A page with the names and ports of its examples replaced by ours."""
    for port, ours in ports.items():
        page = page.replace(port, ours)
    return page.replace("skat.example:", "localhost:").replace("host 0.0.0.0", "host 127.0.0.1")


def free_ports() -> dict[str, str]:
    """For each port of the examples one that nobody uses at this moment."""
    found = {}
    probes = [socket.socket() for _ in PORTS]
    for port, probe in zip(PORTS, probes, strict=True):
        probe.bind(("127.0.0.1", 0))
        found[port] = str(probe.getsockname()[1])
    for probe in probes:
        probe.close()
    return found


def typed(page: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Type all commands of a page in an empty folder that has the repository's files in it."""
    for name in ("clients", "deploy", "docs", "proto"):
        (folder / name).symlink_to(ROOT / name)
    ports = free_ports()
    page = on_this_machine(page, ports)
    for name, text in files(page).items():
        (folder / name).write_text(text, encoding="utf-8")
    own = {name: text for name, text in os.environ.items() if not name.startswith("SKAT_")}
    plain = {"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
    ours = {"PATH": f"{BIN}:{os.environ['PATH']}", "SKAT_PORT": ports["7654"], "SKAT_GRACE": "0"}
    ours["SKAT_ADMIN_SERVER"] = f"127.0.0.1:{ports['7655']}"
    return subprocess.run(
        ["bash", "-c", PRELUDE + "\n".join(map(adapted, commands(page)))],
        cwd=folder,
        env={**own, **plain, **ours},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
