"""All figures by name: how each is measured, what it says, and what it takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from bench import engine, recovery
from bench.figures import admission, fanout, idle, observed, playing
from bench.files import files_for
from bench.plan import Plan, Values
from bench.seating import SEATS


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that is measured."""

    measure: Callable[[Plan], Values]
    says: str
    players: int | None = 0
    """Connections to a server of it, where nothing is made smaller; None without any server."""

    def files(self, plan: Plan) -> int:
        """How many open files each of its processes needs."""
        return 0 if self.players is None else files_for(plan.sized(self.players))


FIGURES: Final[Mapping[str, Figure]] = {
    "raw": Figure(
        playing.raw,
        "the yardstick: round trips of a bare echo over 64 streams",
        playing.RAW_STREAMS,
    ),
    "engine": Figure(
        engine.figure, "deals on the rules alone; a decision with projection and log", None
    ),
    "single": Figure(
        playing.single, "one table: from a bot's answer to the next bot's decision", SEATS
    ),
    "tables-64": Figure(
        playing.tables_64, "64 tables on a disk, a session a seat", SEATS * playing.SOME_TABLES
    ),
    "tables-1000": Figure(
        playing.tables_1000,
        "1,000 tables on a disk, a session a seat",
        SEATS * playing.MANY_TABLES,
    ),
    "batched": Figure(playing.batched, "three sessions with 256 tables each, on a disk", SEATS),
    "durability": Figure(playing.durability, "the same in memory and on a disk", SEATS),
    "observed": Figure(observed.observed, "what metrics and log lines cost", SEATS),
    "fan-out": Figure(
        fanout.fan_out, "one table watched by 100 spectators", SEATS + fanout.SPECTATORS
    ),
    "idle": Figure(idle.idle, "memory of an idle session and of an idle table", idle.SESSIONS),
    "closing": Figure(idle.closing, "memory kept of streams that have come and gone"),
    "admission": Figure(
        admission.admission,
        "how soon a session is let in at 70 % of saturation",
        SEATS * admission.TABLES,
    ),
    "recovery": Figure(recovery.figure, "the start of a server with 1,000 open tables"),
}
