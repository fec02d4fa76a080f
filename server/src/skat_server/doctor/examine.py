"""Everything that is looked at, in the order in which it is told."""

from collections.abc import Iterator

from skat_server.clock import Clock
from skat_server.config import Settings
from skat_server.doctor import data, machine, network
from skat_server.doctor.finding import Finding


def examine(settings: Settings, clock: Clock) -> Iterator[Finding]:
    """Look at what a server with these settings would need.

    Args:
        settings: how it would be run.
        clock: the machine's.
    """
    yield machine.look_at_libraries()
    yield machine.look_at_clock(clock.now(), settings.data)
    yield machine.look_at_open_files(settings)
    yield data.look_at_folder(settings)
    yield data.look_at_space(settings)
    yield data.look_at_disk_speed(settings, clock.monotonic)
    yield data.look_at_database(settings)
    yield from network.look_at_certificates(settings, clock.now())
    yield from network.look_at_ports(settings)
