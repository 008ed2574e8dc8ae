"""A stream behind a passphrase: authenticated encryption in pieces. Knows nothing of what is in it.

The key is made from the passphrase by scrypt; the pieces are ChaCha20-Poly1305, numbered, the last one marked, so that
none can be changed, left out, swapped or cut off unnoticed (the STREAM construction, as in age). The cipher is the
package `cryptography`'s; without that package nothing is sealed and nothing opened.
"""

from __future__ import annotations

import hashlib
import io
import secrets
import unicodedata
from importlib.util import find_spec
from typing import IO, Any

MAGIC = b"table-companion sealed 1\n"
"""How a sealed file begins."""
SALT, PIECE, TAG = 16, 64 * 1024, 16
"""Bytes of the salt, of a piece before it is sealed, and by which sealing makes it longer."""
HARDNESS = 16
"""scrypt's cost for new files, as a power of two: 64 MB and some tenths of a second for each guess."""
HARDEST = 20
"""The highest cost that is taken from a file: a forged one must not ask for all memory."""
SHORTEST = 8
"""Characters that a passphrase has at least."""


class EncryptionError(ValueError):
    """A sealed file that cannot be made or opened; the message says why and what to do."""


def available() -> bool:
    """Whether anything can be sealed and opened here."""
    return find_spec("cryptography") is not None


def checked(passphrase: str) -> str:
    """Return a passphrase that may be used; raise `EncryptionError` where it is too short or nothing can be sealed."""
    if len(passphrase) < SHORTEST:
        raise EncryptionError(f"The passphrase is too short: take {SHORTEST} characters or more.")
    if not available():
        raise EncryptionError(
            "A backup with a passphrase needs the package cryptography, which is not installed: "
            "sudo apt install python3-cryptography, or pip install cryptography."
        )
    return passphrase


def cipher(passphrase: str, salt: bytes, hardness: int) -> Any:
    """Return the cipher of a file."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    said = unicodedata.normalize("NFC", checked(passphrase)).encode()
    key = hashlib.scrypt(said, salt=salt, n=1 << hardness, r=8, p=1, maxmem=(1 << hardness) * 1100, dklen=32)
    return ChaCha20Poly1305(key)


def nonce(number: int, last: bool) -> bytes:
    """Return the nonce of a piece: its number and whether it is the last. The key is new for every file."""
    return number.to_bytes(11, "big") + bytes([last])


class EncryptingWriter(io.RawIOBase):
    """A stream to write into; what is written goes to `file`, sealed. Close it to seal the last piece."""

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        self._file, self._held, self._number = file, bytearray(), 0
        salt = secrets.token_bytes(SALT)
        self._cipher = cipher(passphrase, salt, HARDNESS)
        self._head = MAGIC + salt + bytes([HARDNESS])
        file.write(self._head)

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, data: Any) -> int:
        """Take bytes; whole pieces are sealed once more follows them."""
        self._held += data
        while len(self._held) > PIECE:
            self._seal(bytes(self._held[:PIECE]), False)
            del self._held[:PIECE]
        return len(data)

    def close(self) -> None:
        """Seal what is left; the file below stays open."""
        if not self.closed:
            self._seal(bytes(self._held), True)
        super().close()

    def _seal(self, piece: bytes, last: bool) -> None:
        self._file.write(self._cipher.encrypt(nonce(self._number, last), piece, self._head))
        self._number += 1


class DecryptingReader(io.RawIOBase):
    """A stream to read from, out of a sealed `file`. Every piece is checked before a byte of it is given."""

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        self._file, self._number, self._clear, self._end = file, 0, b"", False
        head = file.read(len(MAGIC) + SALT + 1)
        if len(head) < len(MAGIC) + SALT + 1 or not head.startswith(MAGIC) or head[-1] > HARDEST:
            raise EncryptionError("The file is damaged at its beginning, or is no backup of the companion.")
        self._head = head
        self._cipher = cipher(passphrase, head[len(MAGIC) : -1], head[-1])
        self._next = file.read(PIECE + TAG)
        self._open()

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return up to so many bytes, fewer only at the end."""
        while not self._end and (size < 0 or len(self._clear) < size):
            self._open()
        given = self._clear if size < 0 else self._clear[:size]
        self._clear = self._clear[len(given) :]
        return given

    def _open(self) -> None:
        """Open the next piece."""
        from cryptography.exceptions import InvalidTag

        piece, self._next = self._next, self._file.read(PIECE + TAG)
        try:
            self._clear += self._cipher.decrypt(nonce(self._number, not self._next), piece, self._head)
        except InvalidTag:
            if not self._number:
                raise EncryptionError("The passphrase is not the right one (or the file is damaged).") from None
            raise EncryptionError("The file is damaged or cut off: take another backup.") from None
        self._number += 1
        self._end = not self._next
