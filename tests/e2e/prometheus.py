"""A real Prometheus beside a real server."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.programs import program

ROOT = Path(__file__).parents[2]
RULES = ROOT / "deploy" / "prometheus" / "rules.yml"
LONGEST_WAIT = 30.0
EVERY = "200ms"
"""Between two scrapes."""
POLL = 0.1


def run(*command: str) -> str:
    """Run a command that has to be content; what it says."""
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


class Prometheus:
    """One that scrapes, and can be asked."""

    def __init__(self, port: int) -> None:
        """Know where it listens."""
        self._url = f"http://127.0.0.1:{port}"

    async def ask(self, path: str, **parameters: str) -> Any:
        """The data of an answer of its interface."""
        url = f"{self._url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        answer = await asyncio.to_thread(_fetched, url)
        assert answer["status"] == "success", answer
        return answer["data"]

    async def values(self, expr: str) -> list[float]:
        """The values of a query now, one for each series."""
        data = await self.ask("query", query=expr)
        return [float(series["value"][1]) for series in data["result"]]

    async def until(self, expr: str) -> None:
        """Wait until a query has an answer."""
        async with asyncio.timeout(LONGEST_WAIT):
            while not await self.values(expr):  # noqa: ASYNC110  # another process tells nobody
                await asyncio.sleep(POLL)

    async def until_ready(self) -> None:
        """Wait until it takes questions."""
        async with asyncio.timeout(LONGEST_WAIT):
            while True:
                try:
                    await self.values("vector(1)")
                    return
                except (OSError, AssertionError):
                    await asyncio.sleep(POLL)


def _fetched(url: str) -> Any:
    try:
        with urllib.request.urlopen(url, timeout=LONGEST_WAIT) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        return {"status": error.read().decode()}


def config_for(target: str) -> str:
    """Scrapes one server all the time, with our rules."""
    return "\n".join(
        [
            f"global: {{scrape_interval: {EVERY}, evaluation_interval: 1s}}",
            f'rule_files: ["{RULES}"]',
            "scrape_configs:",
            f'  - {{job_name: skat, static_configs: [{{targets: ["{target}"]}}]}}',
            "",
        ]
    )


def free_port() -> int:
    """A port that nobody has at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@asynccontextmanager
async def scraping(target: str, folder: Path) -> AsyncIterator[Prometheus]:
    """A Prometheus that scrapes a server; ended afterwards.

    Args:
        target: `host:port` of the server's metrics.
        folder: an empty one for what it keeps.
    """
    config, port = folder / "prometheus.yml", free_port()
    config.write_text(config_for(target), encoding="utf-8")
    with (folder / "prometheus.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            program("prometheus"),
            f"--config.file={config}",
            f"--storage.tsdb.path={folder / 'tsdb'}",
            f"--web.listen-address=127.0.0.1:{port}",
            stdout=log,
            stderr=log,
        )
    try:
        prometheus = Prometheus(port)
        await prometheus.until_ready()
        yield prometheus
    finally:
        process.terminate()
        await process.wait()
