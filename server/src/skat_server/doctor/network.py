"""Looks at ports and certificates."""

import errno
import ssl
from collections.abc import Iterator
from typing import Final

from skat_server.certificates import CertificateError, read_certificate
from skat_server.config import DATABASE, Settings, TlsFiles, is_loopback
from skat_server.doctor.finding import Finding, bad, doubtful, good
from skat_server.ports import is_about_the_host, why_not
from skat_server.storage.sqlite import lock

DAY: Final = 86_400.0
RENEW_WITHIN: Final = 14.0
"""Days before the end of a certificate in which somebody should think of it."""
_EXPIRED: Final = 10
_NOT_YET: Final = 9
"""Codes of the library for what is wrong with a certificate."""


def look_at_ports(settings: Settings) -> Iterator[Finding]:
    """Whether every port can be listened on."""
    yield _port(settings, "port", settings.host, settings.port, "--port")
    if settings.admin is not None:
        admin = settings.admin
        yield _port(settings, "operator's port", admin.host, admin.port, "--admin-port")
    if settings.web is not None:
        web = settings.web
        yield _port(settings, "metrics port", web.host, web.port, "--metrics-port")


def _port(settings: Settings, what: str, host: str, port: int, option: str) -> Finding:
    place = f"{host}:{port}"
    if port == 0:
        return good(what, f"a free one on {host}")
    reason = why_not(host, port)
    if reason is None:
        return good(what, f"{place} is free")
    is_ours = settings.data is not None and lock.is_held(settings.data / DATABASE)
    if is_ours and reason.errno == errno.EADDRINUSE:
        return good(what, f"{place} is in use, and a server runs on this data")
    why = reason.strerror or str(reason)
    return bad(what, f"{place} cannot be listened on: {why}", _advice(reason, option))


def _advice(reason: OSError, option: str) -> str:
    if isinstance(reason, PermissionError):
        return (
            f"Ports below 1024 are for root: name another with {option}, let a proxy listen there, "
            "or add AmbientCapabilities=CAP_NET_BIND_SERVICE to the unit."
        )
    if is_about_the_host(reason):
        return f"Name an address of this machine with {option.replace('port', 'host')}."
    return f"See who has it with `ss -ltnp`, or name another with {option}."


def look_at_certificates(settings: Settings, now: float) -> Iterator[Finding]:
    """Whether certificates can be used, and for how long.

    Args:
        settings: name the files.
        now: seconds since 1970.
    """
    if settings.tls is not None:
        yield _certificate("certificate", settings.tls, now)
    elif not is_loopback(settings.host):
        yield doubtful(
            "certificate",
            f"{settings.host} speaks plain text: whoever is on the way reads every token",
            "Name --tls-cert and --tls-key, or let a proxy before it speak TLS.",
        )
    if settings.admin is not None and settings.admin.tls is not None:
        yield _certificate("operator's certificate", settings.admin.tls, now)


def _certificate(what: str, files: TlsFiles, now: float) -> Finding:
    advice = f"Renew {files.certificate}, then start the server anew."
    try:
        read_certificate(files)
        ends_at = _end_of(files)
    except CertificateError as error:
        return bad(what, str(error), "Mend what it says.")
    except ssl.SSLCertVerificationError as error:
        if error.verify_code in {_EXPIRED, _NOT_YET}:
            return bad(what, f"{files.certificate}: {error.verify_message}", advice)
        return doubtful(what, f"{files.certificate}: {error.verify_message}", advice)
    days = (ends_at - now) / DAY
    text = f"{files.certificate} is good for {days:,.0f} days"
    return good(what, text) if days > RENEW_WITHIN else doubtful(what, text, advice)


def _end_of(files: TlsFiles) -> float:
    """When a certificate ends, in seconds since 1970: read by shaking hands with ourselves.

    Raises:
        ssl.SSLCertVerificationError: a client that trusts it alone would not accept it.
    """
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    client = ssl.create_default_context()
    server.load_cert_chain(files.certificate, files.key)
    client.check_hostname = False
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    client.load_verify_locations(files.certificate)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (
        client.wrap_bio(to_client, to_server),
        server.wrap_bio(to_server, to_client, server_side=True),
    )
    waiting = set(ends)
    while waiting:
        for end in tuple(waiting):
            try:
                end.do_handshake()
                waiting.discard(end)
            except ssl.SSLWantReadError:
                continue
    found = ends[0].getpeercert()
    assert found is not None
    return ssl.cert_time_to_seconds(str(found["notAfter"]))
