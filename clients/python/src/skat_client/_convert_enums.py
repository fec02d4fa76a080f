"""Numbers of the contract's enums to members."""

from enum import Enum
from typing import TypeVar

from skat_client.errors import ProtocolError

_E = TypeVar("_E", bound=Enum)


def enum_from_proto(kind: type[_E], number: int) -> _E:
    """The member that has the number of the message.

    Raises:
        ProtocolError: the enum has no such member here.
    """
    try:
        return kind(number)
    except ValueError as error:
        raise ProtocolError(
            f"the server sent {kind.__name__} {number}, which this client does not know: update it"
        ) from error
