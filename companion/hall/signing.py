"""A table's key and its signatures: Ed25519 over hall, round, match and sequence, and the result's own bytes.

A signature proves which table speaks, not that it speaks the truth: for that two seats or a judge confirm a result.
"""

from __future__ import annotations

import hashlib

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from companion.hall.messages import MessageError, Result, SignedResult, read_result

DOMAIN = b"table-companion hall result 1"
"""Keeps these signatures apart from any others that the same key may make one day."""


class TableKey:
    """A table's private key, kept in a file of its own."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key

    @classmethod
    def generate(cls) -> TableKey:
        """Return a new key."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_bytes(cls, raw: bytes) -> TableKey:
        """Return the key with these 32 bytes; raise `ValueError` for any other number."""
        return cls(Ed25519PrivateKey.from_private_bytes(raw))

    @property
    def raw(self) -> bytes:
        """The private key's 32 bytes, a secret of the table."""
        return self._key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())

    @property
    def public(self) -> bytes:
        """The public key's 32 bytes."""
        return self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, result: Result) -> SignedResult:
        """Return a result as it crosses."""
        payload = msgspec.json.encode(result)
        return SignedResult(payload, self._key.sign(_signed_bytes(result, payload)))


def verify(signed: SignedResult, public: bytes) -> Result:
    """Return the result that the owner of a public key has signed; raise `MessageError` if it has not."""
    result = read_result(signed.payload)
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signed.signature, _signed_bytes(result, signed.payload))
    except (InvalidSignature, ValueError) as error:
        raise MessageError("its signature is not the table's") from error
    return result


def fingerprint(public: bytes) -> str:
    """Return a public key as people compare it: `3F2A 91C0 77DE`."""
    text = hashlib.sha256(public).hexdigest()[:12].upper()
    return " ".join(text[at : at + 4] for at in range(0, 12, 4))


def _signed_bytes(result: Result, payload: bytes) -> bytes:
    """Return what is signed: each part with its length, so that none can be read as part of another."""
    parts = (
        DOMAIN,
        result.hall.encode(),
        str(result.round).encode(),
        result.match.encode(),
        str(result.sequence).encode(),
        payload,
    )
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
