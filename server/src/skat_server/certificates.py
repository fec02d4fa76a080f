"""Certificates and keys from files, with sentences that say what to do about them."""

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skat_server.config import TlsFiles

_WEAK: Final = {"EE_KEY_TOO_SMALL", "CA_KEY_TOO_SMALL", "CA_MD_TOO_WEAK", "UNKNOWN_GROUP"}
"""What the library says of keys and signatures that it does not take any more."""


class CertificateError(Exception):
    """A certificate or key cannot be used; the text says which file and what to do."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a listener shows and whom it trusts, in PEM form."""

    chain: bytes
    key: bytes = field(repr=False)
    client_ca: bytes | None
    """Roots of the clients' certificates; None asks for none."""


def read_certificate(files: TlsFiles) -> Certificate:
    """Read the files of a listener and see that they belong together.

    Raises:
        CertificateError: one is missing, is not PEM, or does not fit the others.
    """
    chain, key = _content(files.certificate), _content(files.key)
    client_ca = None if files.client_ca is None else _content(files.client_ca)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _require_pair(context, files)
    if files.client_ca is not None:
        _require_roots(context, files.client_ca)
    return Certificate(chain, key, client_ca)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise CertificateError(
            f"cannot read {file}: {error.strerror}. Name a PEM file that this user may read."
        ) from error


def _require_pair(context: ssl.SSLContext, files: TlsFiles) -> None:
    try:
        context.load_cert_chain(files.certificate, files.key, password=_no_pass_phrase)
    except _PassPhraseError as error:
        raise CertificateError(
            f"the key in {files.key} has a pass phrase, which nobody could type in when the server "
            f"starts by itself. Write it without one: openssl pkey -in {files.key} -out KEY"
        ) from error
    except ssl.SSLError as error:
        raise CertificateError(_pair_problem(files, error)) from error


class _PassPhraseError(Exception):
    """The library asks for a pass phrase."""


def _no_pass_phrase() -> str:
    raise _PassPhraseError


def _pair_problem(files: TlsFiles, error: ssl.SSLError) -> str:
    if error.reason == "KEY_VALUES_MISMATCH":
        return (
            f"the key in {files.key} is not that of the first certificate in {files.certificate}. "
            "Name the pair that was made together, and the server's own certificate first."
        )
    if error.reason in _WEAK:
        return (
            f"{files.certificate} is too weak for clients of today: its key is too short, or it "
            "was signed in an old way. Make a new pair, with RSA of 2048 bits or more, or P-256."
        )
    return (
        f"{files.certificate} and {files.key} are no certificate and key in PEM form. Such files "
        "have lines that begin with -----BEGIN CERTIFICATE and -----BEGIN PRIVATE KEY."
    )


def _require_roots(context: ssl.SSLContext, file: Path) -> None:
    try:
        context.load_verify_locations(file)
    except ssl.SSLError as error:
        raise CertificateError(
            f"{file} has no certificate in PEM form. Name the one that signs those of the clients."
        ) from error
