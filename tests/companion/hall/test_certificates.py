"""The hall's certificate is created once and is the only one that its tables accept."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
from cryptography import x509

from companion.hall import certificates
from companion.hall.certificates import HallCertificate, ensure_certificate


def shake(hall: HallCertificate, table: ssl.SSLContext, name: str) -> None:
    """Perform a TLS handshake between a table and a hall in memory."""
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(hall.file, hall.key_file)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = table.wrap_bio(back, there, server_hostname=name)
    server = server_side.wrap_bio(there, back, server_side=True)
    for end in (client, server, client, server):
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            continue
    assert client.version() == "TLSv1.3"


def strict_context(pem: str) -> ssl.SSLContext:
    """Return a strict context, with the checks that newer Pythons make by default."""
    context = ssl.create_default_context(cadata=pem)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> HallCertificate:
    """Return a hall's certificate."""
    return ensure_certificate(tmp_path_factory.mktemp("hall") / "broker")


def test_it_is_made_once_and_its_key_is_secret(hall: HallCertificate) -> None:
    """The certificate is created once, and only its owner can read the key."""
    assert ensure_certificate(hall.file.parent) == hall and hall.file.read_text() == hall.pem
    assert hall.key_file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in hall.file.parent.iterdir()) == ["hall.crt", "hall.key"]


def test_it_is_accepted_by_whoever_checks_everything(hall: HallCertificate) -> None:
    """The certificate passes strict checks for its own name and for no other."""
    shake(hall, strict_context(hall.pem), certificates.NAME)
    with pytest.raises(ssl.SSLCertVerificationError, match=r"[Hh]ostname"):
        shake(hall, strict_context(hall.pem), "hall.example")


def test_another_hall_is_refused_whatever_its_name(hall: HallCertificate, tmp_path: Path) -> None:
    """The certificate of another hall is refused, even without a comparison of names."""
    another = ensure_certificate(tmp_path)
    unnamed = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    unnamed.check_hostname = False
    unnamed.load_verify_locations(cadata=hall.pem)
    shake(hall, unnamed, "10.0.0.1")
    with pytest.raises(ssl.SSLCertVerificationError):
        shake(another, unnamed, "10.0.0.1")


def test_no_clock_is_wrong_enough(hall: HallCertificate) -> None:
    """The certificate is valid from 1970 to 2099, so that a wrong clock does no harm."""
    # In ASN.1 the year of a time before 2050 has two digits, and that of a later one four.
    der = x509.load_pem_x509_certificate(hall.pem.encode()).tbs_certificate_bytes
    assert b"\x17\x0d700101000000Z\x18\x0f20991231000000Z" in der


@pytest.mark.parametrize("lost", ["hall.crt", "hall.key"])
def test_half_of_a_pair_is_made_anew(tmp_path: Path, lost: str) -> None:
    """If the certificate or its key is missing, both are created again."""
    before = ensure_certificate(tmp_path)
    (tmp_path / lost).unlink()
    after = ensure_certificate(tmp_path)
    assert after.pem != before.pem
    shake(after, strict_context(after.pem), certificates.NAME)
