"""What is said where this process may have too few files open."""

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
