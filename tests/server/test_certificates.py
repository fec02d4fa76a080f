"""Certificates that cannot be used: the sentence names the file and says what to do."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from skat_server.certificates import CertificateError, read_certificate
from skat_server.config import TlsFiles
from tests.certificates import Authority


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority.new("the root")


def problem(*files: Path) -> str:
    """Why files cannot be used."""
    with pytest.raises(CertificateError) as caught:
        read_certificate(TlsFiles(*files))
    return str(caught.value)


def test_a_pair_is_read(authority: Authority, tmp_path: Path) -> None:
    server = authority.server()
    certificate, key = server.write(tmp_path, "server")
    root, _ = authority.pair.write(tmp_path, "root")
    found = read_certificate(TlsFiles(certificate, key, root))
    assert found.chain == server.chain
    assert found.client_ca == authority.pair.chain
    assert "PRIVATE" not in repr(found)


def test_without_roots_no_client_is_asked(authority: Authority, tmp_path: Path) -> None:
    assert read_certificate(TlsFiles(*authority.server().write(tmp_path, "s"))).client_ca is None


@pytest.mark.parametrize("missing", [0, 1, 2], ids=["certificate", "key", "root"])
def test_a_file_that_is_missing_is_named(
    authority: Authority, tmp_path: Path, missing: int
) -> None:
    files = [*authority.server().write(tmp_path, "server"), tmp_path / "root.crt"]
    files[2].write_bytes(authority.pair.chain)
    files[missing].unlink()
    text = problem(*files)
    assert str(files[missing]) in text
    assert "No such file" in text


def test_a_key_of_another_certificate_is_refused(authority: Authority, tmp_path: Path) -> None:
    certificate, _ = authority.server().write(tmp_path, "one")
    _, key = authority.server().write(tmp_path, "two")
    assert f"the key in {key} is not that of the first certificate" in problem(certificate, key)


def test_a_key_with_a_pass_phrase_is_refused(authority: Authority, tmp_path: Path) -> None:
    certificate, key = authority.server().write(tmp_path, "server", pass_phrase="secret")
    text = problem(certificate, key)
    assert "has a pass phrase" in text
    assert "openssl pkey" in text


def test_a_file_that_is_not_pem_is_refused(authority: Authority, tmp_path: Path) -> None:
    certificate, key = authority.server().write(tmp_path, "server")
    certificate.write_bytes(b"no certificate")
    assert "-----BEGIN CERTIFICATE" in problem(certificate, key)


def test_certificate_and_key_in_the_wrong_order_are_refused(
    authority: Authority, tmp_path: Path
) -> None:
    certificate, key = authority.server().write(tmp_path, "server")
    assert "-----BEGIN CERTIFICATE" in problem(key, certificate)


def test_a_root_that_is_not_pem_is_refused(authority: Authority, tmp_path: Path) -> None:
    root = tmp_path / "root.crt"
    root.write_bytes(b"no certificate")
    text = problem(*authority.server().write(tmp_path, "server"), root)
    assert f"{root} has no certificate" in text


def test_a_key_that_is_too_short_is_called_so(authority: Authority, tmp_path: Path) -> None:
    """The library refuses it, and the files are in PEM form all the same."""
    files = authority.server(curve=ec.SECP192R1()).write(tmp_path, "old")
    text = problem(*files)
    assert "too weak" in text
    assert str(files[0]) in text
