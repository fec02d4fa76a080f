"""Open files of this process: every connection is one."""

import resource

from skat_server.config import OWN_FILES
from skat_server.doctor.machine import how_to_allow_files


class FewFilesError(Exception):
    """This process may open so few files that hardly anybody could connect."""

    def __init__(self, allowed: int, wanted: int) -> None:
        """Say how many there are, and what to do.

        Args:
            allowed: how many the machine allows.
            wanted: how many are enough for all connections that there may be.
        """
        super().__init__(
            f"Only {allowed:,} open files are allowed, too few for players to connect: a server "
            f"keeps {OWN_FILES} for itself, and wants {wanted:,}.\n{how_to_allow_files(wanted)}"
        )


def raise_file_limit(wanted: int) -> int:
    """Ask the machine for so many open files, where it allows fewer.

    Returns:
        How many it allows now; fewer where it does not allow more.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft
