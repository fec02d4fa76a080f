"""The real server as a process that is killed, stopped and started again over one folder."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from tests.e2e.server_process import COMMAND, LISTENING, LONGEST_WAIT, environment

METRICS_OPTION = "--metrics-port"


class Supervisor:
    """Runs one server after the other on the same data.

    Attributes:
        address: where the last one listens; nobody may, at the moment.
        web_address: where its metrics are, if it was told to show them.
        starts: how many have listened.
    """

    def __init__(
        self,
        data: Path,
        options: tuple[str, ...] = (),
        variables: Mapping[str, str] | None = None,
        *,
        keeps_port: bool = False,
    ) -> None:
        """Know how to run them; `start` begins.

        Args:
            data: the folder of the database.
            options: of the command, beside folder and port.
            variables: of the environment.
            keeps_port: listen where the first one did, for clients that know no other address.
        """
        self.address = self.web_address = ""
        self.starts = 0
        self._data = data
        self._options = options
        self._variables = {"SKAT_DURABILITY": "action", **(variables or {})}
        self._keeps_port = keeps_port
        self._port = "0"
        self._log = data.with_name(f"{data.name}.log")
        self._process: asyncio.subprocess.Process | None = None
        self._replacing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start a server and wait until it listens."""
        process = await self._spawn()
        assert process.stdout is not None
        async with asyncio.timeout(LONGEST_WAIT):
            line = (await process.stdout.readline()).decode()
        assert line.startswith(LISTENING), (line, self.log)
        self.address = line.removeprefix(LISTENING).strip()
        if METRICS_OPTION in self._options:
            lines = [(await process.stdout.readline()).decode() for _ in range(2)]
            self.web_address = lines[-1].rpartition("//")[2].strip()
        if self._keeps_port:
            self._port = self.address.rpartition(":")[2]
        self.starts += 1

    async def replace(self, after_false_start: float | None = None) -> None:
        """Kill the server and start another, to the end even if the caller is cancelled.

        Args:
            after_false_start: seconds that another one lives between the two; None for no other.
        """
        await self.replaced()
        self._replacing = asyncio.create_task(self._replace(after_false_start))
        await asyncio.shield(self._replacing)

    async def _replace(self, after_false_start: float | None) -> None:
        await self.kill()
        if after_false_start is not None:
            await self._spawn()
            await asyncio.sleep(after_false_start)
            await self.kill()
        await self.start()

    async def _spawn(self) -> asyncio.subprocess.Process:
        place = ("--port", self._port, "--data", str(self._data))
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(COMMAND, "serve", *place, *self._options),
                env=environment(**self._variables),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        return self._process

    async def kill(self) -> None:
        """Send SIGKILL: nothing in the process can prepare for it."""
        await self._signal(signal.SIGKILL)

    async def stop(self) -> int:
        """Send SIGTERM to a server that listens and wait for the end; the exit code."""
        await self.replaced()
        return await self._signal(signal.SIGTERM)

    async def replaced(self) -> None:
        """Wait until a server that takes the place of another listens."""
        if self._replacing is not None:
            await self._replacing

    async def _signal(self, number: signal.Signals) -> int:
        assert self._process is not None
        self._process.send_signal(number)
        async with asyncio.timeout(LONGEST_WAIT):
            return await self._process.wait()

    @property
    def pid(self) -> int:
        """The number of the last process."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """What all of them have written on standard error."""
        return self._log.read_text() if self._log.exists() else ""

    async def end(self) -> None:
        """Leave nothing behind."""
        if self._replacing is not None:
            self._replacing.cancel()
        if self._process is not None and self._process.returncode is None:
            await self.kill()


@asynccontextmanager
async def supervised(
    data: Path,
    *options: str,
    variables: Mapping[str, str] | None = None,
    keeps_port: bool = False,
) -> AsyncIterator[Supervisor]:
    """A server that listens, and whatever follows it."""
    supervisor = Supervisor(data, options, variables, keeps_port=keeps_port)
    try:
        await supervisor.start()
        yield supervisor
    finally:
        await supervisor.end()
