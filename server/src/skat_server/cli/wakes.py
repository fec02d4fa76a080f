"""Waking a loop once for all that gRPC has to tell it.

For everything that is done, gRPC's thread puts a byte into a socket. The loop is woken, gRPC reads
one byte, and tells of all that is done by then. Where twenty streams were written at once, nineteen
bytes are left: each costs a turn of the loop that finds nothing to do (ADR 0030). Here all that
wait are read with the first.
"""

from collections.abc import Callable
from functools import partial
from socket import MSG_PEEK, socket
from typing import Final

Reader = Callable[..., object]
"""Called when there is something to be read."""

_MOST_AT_ONCE: Final = 4_096
"""Bytes that are read at once; what is left wakes the loop again."""


def gathering(source: object, reader: Reader) -> Reader:
    """What to call instead of a reader when its source can be read.

    Args:
        source: as it is given to `add_reader`.
        reader: called for it; gRPC's is told once for many bytes, any other is left as it is.
    """
    if not isinstance(source, socket) or not _is_of_grpc(reader):
        return reader
    bytes_read = bytearray(_MOST_AT_ONCE)

    def read_all_at_once(*args: object) -> None:
        # gRPC knows of a thing before its byte is there, so no byte is taken too early; the last
        # one is for gRPC, which would not find any otherwise.
        waiting = source.recv_into(bytes_read, 0, MSG_PEEK)
        if waiting > 1:
            source.recv_into(bytes_read, waiting - 1)
        reader(*args)

    return read_all_at_once


def _is_of_grpc(reader: Reader) -> bool:
    """Whether a reader is a method of gRPC's, whatever it is called in this version."""
    method = reader.func if isinstance(reader, partial) else reader
    return type(getattr(method, "__self__", None)).__module__.startswith("grpc.")
