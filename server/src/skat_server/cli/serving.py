"""From the options of ``serve`` to a server's settings: for who runs it and who examines it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from skat_server.cli.listening import (
    OptionError,
    admin_settings,
    folder_of,
    limits_of,
    player_tls,
    require_loop,
    require_ports_of_their_own,
    who_may_play,
)
from skat_server.cli.loops import Loop
from skat_server.config import DEFAULT_DATA, Auth, Settings, WebSettings, is_loopback
from skat_server.storage.protocols import Durability


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """How a server is to be run, as somebody says it: `cli/options.py` explains each."""

    host: str
    port: int
    insecure: bool
    auth: Auth | None
    tls_cert: Path | None
    tls_key: Path | None
    admin_port: int | None
    admin_host: str
    admin_cert: Path | None
    admin_key: Path | None
    admin_ca: Path | None
    metrics_port: int | None
    metrics_host: str
    reflection: bool | None
    grace: float
    max_tables: int
    calls_per_second: int
    unasked_per_second: int
    max_connections: int
    trusted_networks: Sequence[str] | None
    data: Path | None
    durability: Durability
    loop: Loop


def settings_of(given: ServeOptions) -> tuple[Settings, OptionError | None]:
    """What the options come to.

    Returns:
        The settings, and what is wrong with the options. Where something is, no server can be run
        with the settings: they are only as much as can be said.
    """
    settings = _unquestioned(given)
    try:
        return _checked(settings, given), None
    except OptionError as error:
        return settings, error


def _unquestioned(given: ServeOptions) -> Settings:
    """What each option says for itself."""
    limits = replace(Settings().limits, connections=given.max_connections)
    is_kept = given.durability is not Durability.MEMORY
    port = given.metrics_port
    return Settings(
        host=given.host,
        port=given.port,
        web=None if port is None else WebSettings(given.metrics_host, port),
        reflection=is_loopback(given.host) if given.reflection is None else given.reflection,
        grace=given.grace,
        limits=limits,
        max_tables=given.max_tables,
        data=(given.data or DEFAULT_DATA) if is_kept else None,
        durability=given.durability,
        # A folder that somebody has named is changed only when he says so.
        migrates=given.data is None,
    )


def _checked(settings: Settings, given: ServeOptions) -> Settings:
    """With what options say together.

    Raises:
        OptionError: they do not fit together, or not this machine.
    """
    tls = player_tls(given.host, given.tls_cert, given.tls_key, insecure=given.insecure)
    admin = admin_settings(
        given.admin_host, given.admin_port, given.admin_cert, given.admin_key, given.admin_ca
    )
    auth = who_may_play(given.host, given.auth, given.durability)
    limits = limits_of(
        given.calls_per_second,
        given.unasked_per_second,
        given.max_connections,
        given.trusted_networks,
    )
    require_ports_of_their_own(given.host, given.port, admin, settings.web)
    require_loop(given.loop)
    folder = folder_of(given.data, given.durability)
    return replace(settings, tls=tls, admin=admin, auth=auth, limits=limits, data=folder)
