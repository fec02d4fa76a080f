"""One run: clients, the server's successive lives, the disk between them, and what goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from skat_engine.options import SessionEnd
from skat_server.errors import RefusedError
from skat_server.storage.protocols import Durability
from skat_server.tables.faults import FaultCause
from skat_server.tables.state import TableConfig
from tests.histories.model import IN_PROCESS, History
from tests.simulation.billing import overcharged
from tests.simulation.bots import Bot, Client, Spectator
from tests.simulation.disk import Disk
from tests.simulation.habits import Habits
from tests.simulation.machine import Machine
from tests.simulation.messages import ToClient, ToServer
from tests.simulation.network import Link, NetworkFaults, Wire
from tests.simulation.scenario import Scenario
from tests.simulation.server import Server, Stream
from tests.simulation.store import SimStore
from tests.simulation.timeline import Timeline

LONGEST: Final = 3_600.0
"""Seconds after the faults within which every table must be over (H8)."""


class World:
    """Everything of one run.

    Attributes:
        timeline: its time and its chance.
        disk: what survives.
        lives: how many servers there were.
        parked: tables whose logs a server could not fold.
    """

    def __init__(self, seed: int, scenario: Scenario) -> None:
        """Set everything up; nothing has happened yet."""
        self.timeline = Timeline(seed)
        self.disk = Disk()
        self.lives = 0
        self.parked: list[str] = []
        self._scenario = scenario
        self._network = scenario.network
        self._store_faults = scenario.store
        self._server: Server | None = None
        """The one that clients reach; None while nobody listens."""
        self._clients: list[Client] = [
            Bot(self, name, habits, scenario.places[name], is_sure=not self.forgets_actions)
            for name, habits in self._habits().items()
        ]
        watched = scenario.tables if scenario.is_watched else ()
        self._clients += [Spectator(self, table.table_id) for table in watched]

    def _habits(self) -> dict[str, Habits]:
        """Nobody goes for ever whose seat may be forgotten: it would wait for him."""
        habits = dict(self._scenario.habits)
        if self.forgets_actions:
            habits = {name: replace(own, die=0.0) for name, own in habits.items()}
        return habits

    def run(self) -> bool:
        """Let it happen, to the end of every table.

        Returns:
            Whether all clients have seen all their tables end.
        """
        scenario, timeline = self._scenario, self.timeline
        self._start_server()
        for client in self._clients:
            timeline.soon(1.0, client.connect)
        for moment in scenario.moments.kills:
            timeline.later(moment, self._kill)
        for moment in scenario.moments.freezes:
            timeline.later(moment, self._freeze)
        for moment in scenario.moments.clock_jumps:
            timeline.later(moment, self._jump)
        for moment in scenario.moments.orders:
            timeline.later(moment, self._order)
        timeline.later(timeline.chance.uniform(0.0, 10.0), lambda: self._end_series(20.0))
        timeline.later(scenario.calm_at, self._calm_down)
        return timeline.run(scenario.calm_at + LONGEST)

    def overcharged(self) -> list[tuple[str, str]]:
        """Tables at which somebody paid for what was not his time, and how."""
        return [
            (config.table_id, text)
            for config in self._scenario.tables
            for text in overcharged(config, self.disk.times)
        ]

    @property
    def forgets_actions(self) -> bool:
        """Whether only finished deals survive a power cut."""
        return self._scenario.store.durability is Durability.DEAL

    def history(self) -> History:
        """What was written down, for the checker."""
        for client in self._clients:
            is_told = client.over == self._tables_of(client)
            client.history.at_rest = is_told and not client.is_dead
        histories = [client.history for client in self._clients]
        return History(self.disk.histories(), histories, IN_PROCESS)

    def _tables_of(self, client: Client) -> set[str]:
        if isinstance(client, Spectator):
            return {client.table_id}
        return {table.table_id for table in self._scenario.tables}

    def seen_to_end(self) -> None:
        """A client knows that a table is over, or goes for ever.

        The run ends when all who stay know the end of all their tables.
        """
        waiting = [client for client in self._clients if not client.is_dead]
        if any(client.over != self._tables_of(client) for client in waiting):
            return
        if all(self.disk.is_over(table.table_id) for table in self._scenario.tables):
            self.timeline.stop()
        else:
            self.timeline.later(5.0, self.seen_to_end)  # nobody is left to tell

    # ------------------------------------------------------------------------------ the server

    def _start_server(self) -> None:
        self.lives += 1
        self.timeline.note("server", self.lives)
        machine = Machine(self.timeline)
        server = Server(machine, SimStore(machine, self.disk, self._store_faults))
        machine.on_death = lambda: self._is_dead(server)
        self._server = server
        for config in self._scenario.tables:
            self._create(server, config)

    def _create(self, server: Server, config: TableConfig) -> None:
        """Somebody makes a table, and asks again when that has failed."""
        if self._server is not server:
            return

        def done(refusal: RefusedError | None) -> None:
            if refusal is not None:
                self.timeline.later(1.0, lambda: self._create(server, config))

        if not self.disk.has(config.table_id):
            server.tables.create(config, done)
        elif not server.carries(config.table_id):
            self.parked.append(config.table_id)
            self.timeline.stop()

    def _kill(self) -> None:
        """The process dies, or the whole machine without power."""
        if self._server is None:
            return
        if self.timeline.chance.random() < 0.5:
            self.disk.cut_power(self.timeline.chance)
        self._server.machine.die("killed")

    def _is_dead(self, server: Server) -> None:
        """Its connections break; when it was the one that clients reach, another one follows."""
        for link in server.links:
            link.cut()
        if self._server is server:
            self._replace()

    def _freeze(self) -> None:
        """A server stands still, another one takes its place, and then it goes on for a while."""
        if self._server is None:
            return
        machine, chance = self._server.machine, self.timeline.chance
        frozen = chance.uniform(1.0, 60.0)
        machine.freeze(frozen)
        self.timeline.later(frozen + chance.uniform(0.0, 30.0), lambda: machine.die("put down"))
        self._replace()

    def _replace(self) -> None:
        self._server = None
        self.timeline.soon(self._scenario.moments.longest_downtime, self._start_server)

    def _jump(self) -> None:
        if self._server is not None:
            self._server.machine.skew += self.timeline.chance.uniform(-3600.0, 3600.0)

    def _order(self) -> None:
        """The operator decides something about a table; refused where it makes no sense."""
        chance = self.timeline.chance
        config = chance.choice(self._scenario.tables)
        if self._server is None or not self._server.carries(config.table_id):
            return
        table = self._server.tables.find(config.table_id)
        match chance.choice(["void", "void", "forfeit", "close"]):
            case "void":
                table.void_deal("an order", _nobody)
            case "forfeit":
                seat = chance.randrange(config.rules.seats)
                table.forfeit(seat, FaultCause.ADMIN, "an order", _nobody)
            case _:
                table.close("an order", _nobody)

    def _end_series(self, again: float) -> None:
        """Ask for the end of series that have no other, until they have heard it."""
        for config in self._scenario.tables:
            is_open = config.rules.session_end is SessionEnd.OPEN
            if is_open and self._server is not None and self._server.carries(config.table_id):
                self._server.tables.find(config.table_id).end_series("owner", _nobody)
        self.timeline.later(again, lambda: self._end_series(again))

    def _calm_down(self) -> None:
        """Nothing goes wrong any more."""
        self.timeline.note("calm")
        self._store_faults, self._network = self._store_faults.healed(), NetworkFaults()
        if self._server is not None:
            self._server.store.heal()
            for link in self._server.links:
                link.faults = self._network
        for client in self._clients:
            client.calm_down()

    # ------------------------------------------------------------------------------ the network

    def dial(
        self, receive: Callable[[ToClient], None], on_cut: Callable[[], None], slow_read: float
    ) -> _Connection | None:
        """Connect a client with the server that runs."""
        server = self._server
        if server is None:
            return None
        link = Link(self.timeline, self._network)
        to_bot = Wire(link, receive)
        stream = server.stream(to_bot.send)
        stream.slowest_write = max(stream.slowest_write, slow_read)
        to_server = Wire[ToServer](link, partial(_deliver, server, stream))
        link.on_cut = [on_cut, lambda: _close(server, stream)]
        server.links.append(link)
        return _Connection(link, to_server)


def _nobody(refusal: RefusedError | None) -> None:
    """Nobody waits for the outcome."""


class _Connection:
    """A client's end."""

    def __init__(self, link: Link, wire: Wire[ToServer]) -> None:
        self._link = link
        self._wire = wire

    def send(self, message: ToServer) -> None:
        self._wire.send(message)

    def hang_up(self) -> None:
        self._link.cut()


def _deliver(server: Server, stream: Stream, message: ToServer) -> None:
    """What arrives at a process that stands still waits; a dead one takes nothing."""
    server.machine.take(partial(stream.receive, message))


def _close(server: Server, stream: Stream) -> None:
    server.machine.take(stream.close)
