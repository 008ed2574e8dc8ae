"""The hall's own certificate, made once. Tables get it while they join, and accept no other from then on.

It signs itself, so no authority's key can be lost or lent; nobody has to know the hall's name or address, which change
with the network; and no table's clock has to be right.
"""

from __future__ import annotations

import datetime
import hashlib
import ssl
from pathlib import Path

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.files.atomic_file import replace_file

KEY, CERTIFICATE = "hall.key", "hall.crt"
"""File names."""
NAME = "hall.companion.invalid"
"""The certified name, which no host can have (RFC 2606): it leads to nobody."""
BEGINS = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
ENDS = datetime.datetime(2099, 12, 31, tzinfo=datetime.UTC)
"""Valid by every clock: a Pi without a network may start in 1970."""


class HallCertificate(msgspec.Struct, frozen=True):
    """The files of the certificate and its key for broker and pages, and the certificate for tables."""

    file: Path
    key_file: Path
    pem: str

    @property
    def fingerprint(self) -> str:
        """Its SHA-256 as browsers show it, such as `3F:2A:…`; raises `ValueError` if the file holds no certificate."""
        return hashlib.sha256(ssl.PEM_cert_to_DER_cert(self.pem)).digest().hex(":").upper()


def ensure_certificate(folder: Path) -> HallCertificate:
    """Return the certificate kept in a folder, making it if there is none; raise `OSError` if that fails."""
    file, key_file = folder / CERTIFICATE, folder / KEY
    if not file.exists() or not key_file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        key, certificate = _make()
        # The certificate is written last, so its presence proves the key's.
        file.unlink(missing_ok=True)
        replace_file(key_file, key, 0o600)
        replace_file(file, certificate, 0o644)
    return HallCertificate(file, key_file, file.read_text(encoding="ascii"))


def _make() -> tuple[bytes, bytes]:
    """Return a new private key and a certificate signed with it, both as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    public = key.public_key()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    identifier = x509.SubjectKeyIdentifier.from_public_key(public)
    usage = x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=True,  # it signs itself (RFC 5280, 4.2.1.3)
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(BEGINS)
        .not_valid_after(ENDS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(identifier, critical=False)
    )
    made = builder.sign(key, SHA256())
    kept = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return kept, made.public_bytes(Encoding.PEM)
