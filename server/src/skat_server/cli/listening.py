"""What the options of ``serve`` say about its ports, and what is wrong with them."""

from pathlib import Path

from skat_server.config import AdminSettings, Auth, TlsFiles, default_auth, is_loopback
from skat_server.storage.protocols import Durability


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
