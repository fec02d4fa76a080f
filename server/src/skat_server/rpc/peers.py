"""Where a call comes from."""

import ipaddress
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote

_IPV6_SITE: Final = 64
"""Bits of an IPv6 address that a site is given; it can make up the rest at will."""


def address_of(peer: str) -> str:
    """The address in gRPC's name of a peer, without the port.

    >>> address_of("ipv4:192.0.2.7:50312")
    '192.0.2.7'
    >>> address_of("ipv6:%5B2001:db8:1:2:3::4%5D:50312")
    '2001:db8:1:2::/64'
    >>> address_of("unix:")
    'unix:'
    """
    text = unquote(peer)
    family, _, rest = text.partition(":")
    if family not in ("ipv4", "ipv6"):
        return text
    host = rest.rpartition(":")[0].strip("[]").partition("%")[0]
    address = ipaddress.ip_address(host)
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    if address.is_loopback:
        return str(address)
    return str(ipaddress.IPv6Network((address, _IPV6_SITE), strict=False))


class Networks:
    """Addresses that belong together.

    >>> "127.0.0.1" in Networks(["127.0.0.0/8"]), "2001:db8:1::/64" in Networks(["2001:db8::/32"])
    (True, True)
    """

    def __init__(self, networks: Sequence[str]) -> None:
        """Join these networks, such as ``10.0.0.0/8``.

        Raises:
            ValueError: one cannot be read.
        """
        self._networks = tuple(ipaddress.ip_network(network) for network in networks)

    def __contains__(self, address: str) -> bool:
        """Whether an address, as `address_of` gives it, is in one of them."""
        try:
            found = ipaddress.ip_network(address)
        except ValueError:  # not an address of the internet
            return False
        return any(
            found.version == network.version and found.subnet_of(network)  # type: ignore[arg-type]  # same version
            for network in self._networks
        )
