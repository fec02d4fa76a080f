"""Tells the service manager of the machine how the server is: systemd, with Type=notify.

The protocol is a datagram of `NAME=value` to the socket of NOTIFY_SOCKET. Without that variable
nobody asks, and nothing is said.
"""

import os
import re
import socket
from collections.abc import Mapping
from typing import Final

from skat_server.clock import Clock

_SOCKET: Final = "NOTIFY_SOCKET"
_WATCHDOG: Final = "WATCHDOG_USEC"
_NUMBER: Final = re.compile("[0-9]{1,18}")
_SIGNS: Final = 3
"""Signs of life in the time after which the manager gives up."""


def tell(state: str, environment: Mapping[str, str] = os.environ) -> None:
    """Say one thing, such as `READY=1`, to whoever asks.

    A manager that went away is no trouble, nor is one that does not read: nobody waits for it.
    """
    address = environment.get(_SOCKET, "")
    if not address:
        return
    # An @ stands for the zero byte of Linux's abstract names.
    name = f"\0{address[1:]}" if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.setblocking(False)
        try:
            channel.connect(name)
            channel.send(state.encode())
        except OSError:
            return


async def give_signs_of_life(clock: Clock, environment: Mapping[str, str] = os.environ) -> None:
    """Tell the manager that the event loop turns, as often as it wants, until cancelled.

    Returns at once where nobody wants to know.
    """
    microseconds = environment.get(_WATCHDOG, "")
    if not _NUMBER.fullmatch(microseconds) or not int(microseconds):
        return
    while True:
        tell("WATCHDOG=1", environment)
        await clock.sleep(int(microseconds) / 1_000_000 / _SIGNS)
