"""What keeps a process from listening on an address."""

import errno
import socket


class ListenError(OSError):
    """An address cannot be had.

    Attributes:
        reason: what is in the way.
    """

    def __init__(self, text: str, reason: OSError) -> None:
        """Say which address, and why.

        Args:
            text: names the address.
            reason: what is in the way.
        """
        super().__init__(f"{text}: {reason.strerror or reason}")
        self.reason = reason


class AdminAddressError(ListenError):
    """The operator's port cannot be had."""


def why_not(host: str, port: int) -> OSError | None:
    """Try to listen, and give the port back.

    Args:
        host: a name or an address, one of IPv6 with or without brackets.
        port: 0 takes a free one.

    Returns:
        What is in the way; None when nothing is.
    """
    bare = host.strip("[]")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    try:
        with socket.socket(family) as attempt:
            # As servers do: connections that have just ended are nobody who listens.
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            attempt.bind((bare, port))
            attempt.listen()
    except OSError as error:
        return error
    return None


def is_about_the_host(error: OSError) -> bool:
    """Whether another port would not help: the host is unknown, or not one of this machine."""
    return isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
