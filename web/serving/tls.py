"""Connections over TLS in the event loop: they block nobody, and its thread and the pool's may use one at once."""

from __future__ import annotations

import errno
import socket
import ssl
import threading
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

RECORD = 16 * 1024
"""Bytes of a TLS record, at most: so much is sent at a time, so that progress shows."""
HANDSHAKE = b"\x16"
"""The first byte of everybody who speaks TLS (RFC 8446, 5.1)."""
LATER = (ssl.SSLWantReadError, ssl.SSLWantWriteError)


class SecureEntrance(NamedTuple):
    """A socket that listens for TLS, and the certificate that it shows."""

    listener: socket.socket
    context: ssl.SSLContext


class TlsSocket(ssl.SSLSocket):
    """A client's connection over TLS. A client that speaks plain HTTP is understood, too, and is not `secure`."""

    guard = threading.Lock()
    """OpenSSL allows only one thread at a time on a connection."""
    secure: bool | None = None
    """Whether the client speaks TLS; None before it has said anything."""
    came = b""
    """What was read and not yet received."""

    def has_news(self) -> bool:
        """Read from the network; whether `recv` has something to return now, be it the end. Raises `OSError`."""
        if self.secure is None:
            with suppress(BlockingIOError):
                self.secure = socket.socket.recv(self, 1, socket.MSG_PEEK) == HANDSHAKE
        if not self.secure:
            return self.secure is not None
        with self.guard:
            try:
                self.came = super().recv(RECORD)
                while more := self.pending():
                    self.came += super().recv(more)
            except LATER:
                return False
        return True

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """Return what `has_news` has read; nothing at the end."""
        if not self.secure:
            return socket.socket.recv(self, buflen, flags)
        came, self.came = self.came, b""
        return came

    def send(self, data: bytes, flags: int = 0) -> int:  # type: ignore[override]
        """Send as much as the network takes at once; raise `OSError`."""
        if not self.secure:
            return socket.socket.send(self, data, flags)
        try:
            with self.guard:
                return super().send(data[:RECORD])
        except LATER as error:
            raise BlockingIOError(errno.EWOULDBLOCK, "later") from error

    def close(self) -> None:
        """Say goodbye if the network takes it, and close."""
        with suppress(OSError, ValueError), self.guard:
            if self._sslobj is not None:  # type: ignore[attr-defined]
                self._sslobj.shutdown()  # type: ignore[attr-defined]
        super().close()


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return how a server with this certificate speaks TLS; raise `OSError` if the files cannot be used."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.load_cert_chain(certificate, key)
    context.sslsocket_class = TlsSocket
    return context


def secured(context: ssl.SSLContext, connection: socket.socket) -> TlsSocket:
    """Return a client's connection as one over TLS; it says nothing before the client does. Raises `OSError`."""
    connection.setblocking(False)
    found = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
    assert isinstance(found, TlsSocket)
    found.guard = threading.Lock()
    return found
