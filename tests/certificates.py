"""Certificates for tests, made when they are needed."""

from __future__ import annotations

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

FIRST_DAY = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
LAST_DAY = datetime.datetime(2120, 1, 1, tzinfo=datetime.UTC)


@dataclass(frozen=True)
class Pair:
    """A certificate and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def chain(self) -> bytes:
        """The certificate in PEM form."""
        return self.certificate.public_bytes(Encoding.PEM)

    def key_bytes(self, pass_phrase: str = "") -> bytes:
        """The key in PEM form."""
        hidden = BestAvailableEncryption(pass_phrase.encode()) if pass_phrase else NoEncryption()
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, hidden)

    def write(self, folder: Path, name: str, pass_phrase: str = "") -> tuple[Path, Path]:
        """Write both into a folder; the paths of certificate and key."""
        certificate, key = folder / f"{name}.crt", folder / f"{name}.key"
        certificate.write_bytes(self.chain)
        key.write_bytes(self.key_bytes(pass_phrase))
        return certificate, key


class Authority:
    """Somebody who signs certificates."""

    def __init__(self, pair: Pair) -> None:
        """Sign with this."""
        self.pair = pair

    @classmethod
    def new(cls, name: str) -> Self:
        """A root of its own."""
        return cls(_signed(name, None, is_authority=True))

    def server(
        self, last_day: datetime.datetime = LAST_DAY, curve: ec.EllipticCurve | None = None
    ) -> Pair:
        """A certificate for a server on the loopback."""
        return _signed("localhost", self.pair, is_authority=False, last_day=last_day, curve=curve)

    def client(self, name: str) -> Pair:
        """A certificate for somebody with a name."""
        return _signed(name, self.pair, is_authority=False)


def _signed(
    name: str,
    issuer: Pair | None,
    *,
    is_authority: bool,
    last_day: datetime.datetime = LAST_DAY,
    curve: ec.EllipticCurve | None = None,
) -> Pair:
    key = ec.generate_private_key(curve or ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    names: list[x509.GeneralName] = [
        x509.DNSName("localhost"),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
    ]
    signing_key = key if issuer is None else issuer.key
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer.certificate.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(FIRST_DAY)
        .not_valid_after(last_day)
        .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        # From Python 3.13 on `ssl` wants all three, as RFC 5280 does.
        .add_extension(_usage(is_authority=is_authority), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signing_key.public_key()),
            critical=False,
        )
    )
    return Pair(builder.sign(signing_key, SHA256()), key)


def _usage(*, is_authority: bool) -> x509.KeyUsage:
    """What a key is for: an authority signs certificates, anybody else what he says."""
    return x509.KeyUsage(
        digital_signature=not is_authority,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
