"""Where a call comes from."""

import ipaddress
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
