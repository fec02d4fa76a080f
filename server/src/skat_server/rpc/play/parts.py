"""What all sessions of the server share."""

from dataclasses import dataclass

from skat_server.clock import Clock
from skat_server.rpc.endings import Endings
from skat_server.rpc.play.results import Waiting
from skat_server.rpc.play.unasked import UnaskedLimits
from skat_server.tables.sessions import Sessions


@dataclass(frozen=True, slots=True)
class PlayParts:
    """What streams and polls work with."""

    sessions: Sessions
    clock: Clock
    endings: Endings
    unasked: UnaskedLimits
    waiting: Waiting
    heartbeat: float
    """Seconds without a message after which a stream gives a sign of life."""
