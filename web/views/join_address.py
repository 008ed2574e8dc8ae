"""The addresses that other devices open, and their QR codes."""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import segno
from flask import Response, request

from companion.ops.network_address import own_address
from companion.ops.network_address import page_address as first_page
from web.context import context

LOOPS = ("localhost", "127.0.0.1", "::1", "0.0.0.0")
"""Names by which only this machine reaches itself."""


def machine_address() -> str:
    """Return the address of this machine's pages as other devices reach it.

    A page on the machine's own screen, or one that was opened by a .local name (which not every phone understands),
    shows the machine's number instead. HTTPS is shown only where the address that was set at the start has it: nobody
    else's device need trust the certificate.
    """
    ours = request.host_url.rstrip("/")
    asked = urlsplit(ours)
    if asked.scheme == "https":
        ours = (context().address or first_page(own_address(), context().options.port)).rstrip("/")
    elif (asked.hostname or "") in LOOPS or (asked.hostname or "").endswith(".local"):
        ours = (context().address or first_page(own_address(), asked.port or 80)).rstrip("/")
    return ours


def join_address() -> str:
    """Return the address that devices open to join, with the PIN of the room in which people are now."""
    lobby = context().lobby.waiting
    credentials = context().access.credentials(context().snapshot().match_id)
    room = lobby.room if lobby is not None else credentials.room if credentials else ""
    return f"{machine_address()}/join?room={room}"


def qr_code(text: str) -> Response:
    """Return text as a QR code, an SVG picture of its own."""
    out = io.BytesIO()
    segno.make(text, error="m").save(out, kind="svg", border=2, xmldecl=True, svgns=True, omitsize=True, light="#fff")
    return Response(out.getvalue(), mimetype="image/svg+xml")
