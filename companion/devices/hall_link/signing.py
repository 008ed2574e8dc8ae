"""A table's keys and signatures: for results (Ed25519 over hall, round, match, sequence and bytes), and for joining.

A signature proves the sender, not that its message is true: the hall also relies on the table for the seats'
confirmations. `cryptography` takes 4 MB, so only functions that need it import it: most tables join no hall.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from companion.devices.hall_link.messages import MessageError, Result, SignedResult, read_result

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

DOMAIN, JOIN_DOMAIN, KEY_DOMAIN = [b"table-companion hall %s 1" % use for use in (b"result", b"proof", b"key")]
"""Keep the uses of a key apart."""


class TableKey:
    """A table's private key, kept in its own file."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key

    @classmethod
    def generate(cls) -> TableKey:
        """Return a new key."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_bytes(cls, raw: bytes) -> TableKey:
        """Return the key with these 32 bytes; raise `ValueError` for any other number."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.from_private_bytes(raw))

    @property
    def raw(self) -> bytes:
        """The private key's 32 bytes, a secret of the table."""
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        return self._key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())

    @property
    def public(self) -> bytes:
        """The public key's 32 bytes."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        return self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def for_hall(self, hall: str) -> TableKey:
        """Return the key for one hall: two halls cannot tell that the same table was in both."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        return TableKey.from_bytes(HKDF(SHA256(), 32, None, framed(KEY_DOMAIN, hall.encode())).derive(self.raw))

    def prove(self, transcript: bytes, hall: str) -> bytes:
        """Return the signature by which a joining table proves that the key is its own."""
        return self._key.sign(framed(JOIN_DOMAIN, hall.encode(), transcript))

    def sign(self, result: Result) -> SignedResult:
        """Return a result with its signature."""
        payload = msgspec.json.encode(result)
        return SignedResult(payload, self._key.sign(_signed_bytes(result, payload)))


def verify(signed: SignedResult, public: bytes) -> Result:
    """Return the result signed by the owner of a public key; raise `MessageError` if the signature is not theirs."""
    result = read_result(signed.payload)
    if not _is_signed(public, signed.signature, _signed_bytes(result, signed.payload)):
        raise MessageError("its signature is not the table's")
    return result


def proves(public: bytes, signature: bytes, transcript: bytes, hall: str) -> bool:
    """Return whether the owner of a public key signed this attempt to join this hall."""
    return _is_signed(public, signature, framed(JOIN_DOMAIN, hall.encode(), transcript))


def _is_signed(public: bytes, signature: bytes, content: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: bytes) -> str:
    """Return a public key in a form for people to compare: `3F2A 91C0 77DE`."""
    text = hashlib.sha256(public).hexdigest()[:12].upper()
    return " ".join(text[at : at + 4] for at in range(0, 12, 4))


def _signed_bytes(result: Result, payload: bytes) -> bytes:
    texts = (result.hall, str(result.round), result.match, str(result.sequence))
    return framed(DOMAIN, *[text.encode() for text in texts], payload)


def framed(*parts: bytes) -> bytes:
    """Return parts with their lengths, so that no part can be taken for another."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
