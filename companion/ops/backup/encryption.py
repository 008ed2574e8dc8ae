"""A stream behind a passphrase: authenticated encryption in pieces.

scrypt derives the key from the passphrase. ChaCha20-Poly1305 encrypts the pieces, which are numbered, with the last one
marked: nobody can change, drop, swap or cut off a piece unnoticed (the STREAM construction, as in age). The cipher
comes from the package `cryptography`; without it, nothing can be encrypted or decrypted.
"""

from __future__ import annotations

import hashlib
import io
import secrets
import unicodedata
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

MAGIC = b"table-companion sealed 1\n"
"""The first bytes of an encrypted file."""
SALT, PIECE, TAG = 16, 64 * 1024, 16
"""Sizes in bytes of the salt, of an unencrypted piece, and of the tag added to each piece."""
HARDNESS = 16
"""scrypt's cost for new files, as a power of two: each guess takes 64 MB and some tenths of a second."""
HARDEST = 20
"""The highest cost accepted from a file: a forged file must not use up all memory."""
SHORTEST = 8
"""Minimum length of a passphrase."""


class EncryptionError(ValueError):
    """An encrypted file that cannot be made or opened; the message gives the reason and the fix."""


def check_passphrase(passphrase: str) -> str:
    """Return a valid passphrase; raise `EncryptionError` if it is too short or encryption is unavailable."""
    if len(passphrase) < SHORTEST:
        raise EncryptionError(f"The passphrase is too short: use {SHORTEST} characters or more.")
    if find_spec("cryptography") is None:
        raise EncryptionError(
            "A backup with a passphrase needs the package cryptography, which is not installed: "
            "sudo apt install python3-cryptography, or pip install cryptography."
        )
    return passphrase


def cipher(passphrase: str, salt: bytes, hardness: int) -> ChaCha20Poly1305:
    """Return the cipher for a file's salt and cost."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    said = unicodedata.normalize("NFC", check_passphrase(passphrase)).encode()
    key = hashlib.scrypt(said, salt=salt, n=1 << hardness, r=8, p=1, maxmem=(1 << hardness) * 1100, dklen=32)
    return ChaCha20Poly1305(key)


def nonce(number: int, last: bool) -> bytes:
    """Return the nonce of a piece: its number and whether it is the last. Every file has its own key."""
    return number.to_bytes(11, "big") + bytes([last])


class EncryptingWriter(io.RawIOBase):
    """A writable stream that encrypts into `file`. Closing it encrypts the last piece."""

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        self._file, self._held, self._number = file, bytearray(), 0
        salt = secrets.token_bytes(SALT)
        self._cipher = cipher(passphrase, salt, HARDNESS)
        self._head = MAGIC + salt + bytes([HARDNESS])
        file.write(self._head)

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:
        """Accept bytes; encrypt each full piece after more data follows it."""
        self._held += data
        while len(self._held) > PIECE:
            self._seal(bytes(self._held[:PIECE]), False)
            del self._held[:PIECE]
        return len(data)

    def close(self) -> None:
        """Encrypt the rest; leave the underlying file open."""
        if not self.closed:
            self._seal(bytes(self._held), True)
        super().close()

    def _seal(self, piece: bytes, last: bool) -> None:
        self._file.write(self._cipher.encrypt(nonce(self._number, last), piece, self._head))
        self._number += 1


class DecryptingReader(io.RawIOBase):
    """A readable stream of an encrypted `file`. It authenticates every piece before it returns any of its bytes."""

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        self._file, self._number, self._clear, self._end = file, 0, b"", False
        head = file.read(len(MAGIC) + SALT + 1)
        if len(head) < len(MAGIC) + SALT + 1 or not head.startswith(MAGIC) or head[-1] > HARDEST:
            raise EncryptionError("The beginning of the file is damaged, or it is not a backup of the companion.")
        self._head = head
        self._cipher = cipher(passphrase, head[len(MAGIC) : -1], head[-1])
        self._next = file.read(PIECE + TAG)
        self._open()

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes, fewer only at the end."""
        while not self._end and (size < 0 or len(self._clear) < size):
            self._open()
        given = self._clear if size < 0 else self._clear[:size]
        self._clear = self._clear[len(given) :]
        return given

    def _open(self) -> None:
        """Decrypt the next piece."""
        from cryptography.exceptions import InvalidTag

        piece, self._next = self._next, self._file.read(PIECE + TAG)
        try:
            self._clear += self._cipher.decrypt(nonce(self._number, not self._next), piece, self._head)
        except InvalidTag:
            if not self._number:
                raise EncryptionError("The passphrase is wrong (or the file is damaged).") from None
            raise EncryptionError("The file is damaged or cut off: use another backup.") from None
        self._number += 1
        self._end = not self._next
