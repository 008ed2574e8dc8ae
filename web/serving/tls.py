"""The second entrance: connections over TLS."""

from __future__ import annotations

import asyncio
import socket
import ssl
from pathlib import Path
from typing import NamedTuple

HANDSHAKE = b"\x16"
"""The first byte of every TLS client (RFC 8446, 5.1)."""


class SecureEntrance(NamedTuple):
    """A socket that listens for TLS, and its certificate."""

    listener: socket.socket
    context: ssl.SSLContext


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return the TLS context for this certificate; raise `OSError` if the files cannot be used."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.load_cert_chain(certificate, key)
    return context


async def speaks_tls(connection: socket.socket) -> bool:
    """Peek at a client's first byte and return whether it speaks TLS; raise `OSError`."""
    loop, heard = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection, heard.set)
    try:
        await heard.wait()
    finally:
        loop.remove_reader(connection)
    return connection.recv(1, socket.MSG_PEEK) == HANDSHAKE
