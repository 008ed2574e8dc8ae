"""The hall's certificate: made once, and the only one that a table accepts."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
from cryptography import x509

from companion.hall import certificates
from companion.hall.certificates import HallCertificate, ensure_certificate


def shake(hall: HallCertificate, table: ssl.SSLContext, name: str) -> None:
    """Let a table and a hall agree on a connection, in memory."""
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
    """Return a context that checks everything, also what only newer Pythons check by default."""
    context = ssl.create_default_context(cadata=pem)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> HallCertificate:
    """A hall's certificate."""
    return ensure_certificate(tmp_path_factory.mktemp("hall") / "broker")


def test_it_is_made_once_and_its_key_is_secret(hall: HallCertificate) -> None:
    """A hall that starts again is known by the same certificate."""
    assert ensure_certificate(hall.file.parent) == hall and hall.file.read_text() == hall.pem
    assert hall.key_file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in hall.file.parent.iterdir()) == ["hall.crt", "hall.key"]


def test_it_is_accepted_by_whoever_checks_everything(hall: HallCertificate) -> None:
    """It is a certificate of its own name, signed by an authority that may sign it: itself."""
    shake(hall, strict_context(hall.pem), certificates.NAME)
    with pytest.raises(ssl.SSLCertVerificationError, match=r"[Hh]ostname"):
        shake(hall, strict_context(hall.pem), "hall.example")


def test_another_hall_is_refused_whatever_its_name(hall: HallCertificate, tmp_path: Path) -> None:
    """Two halls have the same name in their certificates; the key tells them apart, even where no name is compared."""
    another = ensure_certificate(tmp_path)
    unnamed = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    unnamed.check_hostname = False
    unnamed.load_verify_locations(cadata=hall.pem)
    shake(hall, unnamed, "10.0.0.1")
    with pytest.raises(ssl.SSLCertVerificationError):
        shake(another, unnamed, "10.0.0.1")


def test_no_clock_is_wrong_enough(hall: HallCertificate) -> None:
    """It holds from the first second that a Pi's clock can show, and outlives the Pi."""
    # ASN.1's forms: a time before 2050 has two digits for the year, a later one four.
    der = x509.load_pem_x509_certificate(hall.pem.encode()).tbs_certificate_bytes
    assert b"\x17\x0d700101000000Z\x18\x0f20991231000000Z" in der


@pytest.mark.parametrize("lost", ["hall.crt", "hall.key"])
def test_half_of_a_pair_is_made_anew(tmp_path: Path, lost: str) -> None:
    """If the power failed in between, the half that is left is replaced: both belong together again."""
    before = ensure_certificate(tmp_path)
    (tmp_path / lost).unlink()
    after = ensure_certificate(tmp_path)
    assert after.pem != before.pem
    shake(after, strict_context(after.pem), certificates.NAME)
