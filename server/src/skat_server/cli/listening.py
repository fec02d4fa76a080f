"""What the options of ``serve`` say about its ports, and what is wrong with them."""

import ipaddress
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Final

from skat_server.cli.loops import Loop, is_installed
from skat_server.config import (
    DEFAULT_DATA,
    AdminSettings,
    Auth,
    Limits,
    TlsFiles,
    WebSettings,
    default_auth,
    is_loopback,
)
from skat_server.storage.protocols import Durability

EVERYWHERE: Final = frozenset({"0.0.0.0", "::", "[::]"})  # noqa: S104  # only compared with
"""Addresses that are all of the machine's."""


class OptionError(Exception):
    """Options that do not fit together; the text says what to do."""


def player_tls(
    host: str, certificate: Path | None, key: Path | None, *, insecure: bool
) -> TlsFiles | None:
    """How the players' port speaks: None for plain text.

    Raises:
        OptionError: plain text where others could read it, or options that contradict.
    """
    if certificate is None and key is None:
        if not insecure and not is_loopback(host):
            raise OptionError(
                f"{host} can be reached from other machines, which could read every token in plain "
                "text.\nName a certificate with --tls-cert and --tls-key, listen on 127.0.0.1, or "
                "add --insecure if the network is yours."
            )
        return None
    if insecure:
        raise OptionError("--insecure asks for plain text and --tls-cert for TLS: leave one out.")
    if certificate is None or key is None:
        raise OptionError(
            "--tls-cert and --tls-key belong together: name the certificate and its private key."
        )
    return TlsFiles(certificate, key)


def admin_settings(
    host: str, port: int | None, certificate: Path | None, key: Path | None, client_ca: Path | None
) -> AdminSettings | None:
    """The operator's port: None for none.

    Raises:
        OptionError: plain text where others could reach it, or options that contradict.
    """
    files = (certificate, key, client_ca)
    if port is None:
        if any(files):
            raise OptionError("--admin-cert, --admin-key and --admin-ca need --admin-port.")
        return None
    if certificate is not None and key is not None and client_ca is not None:
        return AdminSettings(host, port, TlsFiles(certificate, key, client_ca))
    if any(files):
        raise OptionError(
            "--admin-cert, --admin-key and --admin-ca belong together: the operator's port knows "
            "its callers by certificates that --admin-ca has signed."
        )
    if not is_loopback(host):
        raise OptionError(
            f"{host} can be reached from other machines, and whoever reaches the operator's port "
            "may do everything.\nName --admin-cert, --admin-key and --admin-ca, or leave it on "
            "127.0.0.1."
        )
    return AdminSettings(host, port)


def who_may_play(host: str, auth: Auth | None, durability: Durability) -> Auth:
    """Who may play: on the loopback everybody unless it is said otherwise.

    Raises:
        OptionError: accounts without a folder to keep them in.
    """
    chosen = default_auth(host) if auth is None else auth
    if chosen is Auth.ACCOUNTS and durability is Durability.MEMORY:
        raise OptionError(
            "Accounts are kept in a folder: leave out --durability memory, or add --auth open to "
            "let everybody play who makes up a token."
        )
    return chosen


def require_ports_of_their_own(
    host: str, port: int, admin: AdminSettings | None, web: WebSettings | None
) -> None:
    """Refuse one port for two things.

    Raises:
        OptionError: two of them would meet.
    """
    wanted = [("--port", host, port)]
    if admin is not None:
        wanted.append(("--admin-port", admin.host, admin.port))
    if web is not None:
        wanted.append(("--metrics-port", web.host, web.port))
    for (option, one_host, one), (other_option, other_host, other) in combinations(wanted, 2):
        if one == other != 0 and _meet(one_host, other_host):
            raise OptionError(
                f"{option} and {other_option} are both {one}.\nGive each a port of its own."
            )


def _meet(host: str, other: str) -> bool:
    """Whether one of two addresses is, or includes, the other."""
    return host == other or not EVERYWHERE.isdisjoint((host, other))


def require_loop(loop: Loop) -> None:
    """Refuse an event loop that is not here.

    Raises:
        OptionError: it is not installed.
    """
    if not is_installed(loop):
        raise OptionError(
            "--loop uvloop: it is not installed.\n"
            "Add it with `pip install 'skat-server[speed]'`, or leave out --loop."
        )


def folder_of(data: Path | None, durability: Durability) -> Path | None:
    """Where tables are kept: None for nowhere.

    Raises:
        OptionError: a folder for a server that keeps nothing.
    """
    if durability is not Durability.MEMORY:
        return data or DEFAULT_DATA
    if data is not None:
        raise OptionError("Memory needs no folder: leave out --data, or --durability memory.")
    return None


def limits_of(
    calls_per_second: int,
    unasked_per_second: int,
    connections: int,
    trusted_networks: Sequence[str] | None,
) -> Limits:
    """What callers may ask, in the proportions of the defaults.

    Raises:
        OptionError: a network that is none.
    """
    limits = Limits()
    for network in trusted_networks or ():
        try:
            ipaddress.ip_network(network)
        except ValueError as error:
            raise OptionError(
                f"--trusted-network {network}: {error}. Write an address or a network, such as "
                "10.0.0.5 or 10.0.0.0/8."
            ) from error
    return replace(
        limits,
        calls_per_second=calls_per_second,
        calls_burst=calls_per_second * limits.calls_burst // limits.calls_per_second,
        unasked_per_second=unasked_per_second,
        unasked_burst=unasked_per_second * limits.unasked_burst // limits.unasked_per_second,
        connections=connections,
        trusted_networks=(*limits.trusted_networks, *(trusted_networks or ())),
    )
