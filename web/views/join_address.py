"""The addresses for other devices, and their QR codes."""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import segno
from flask import Response, request

from companion.ops.network_address import own_address
from companion.ops.network_address import page_address as first_page
from web.context import context

LOOPS = ("localhost", "127.0.0.1", "::1", "0.0.0.0")
"""Names for this machine that only it can use."""


def machine_address() -> str:
    """Return the address of this machine's pages for other devices.

    A page opened on the machine itself, or by a .local name (which not every phone understands), shows the machine's IP
    address instead. HTTPS appears only if the address set at the start has it, because other devices need not trust the
    certificate.
    """
    ours = request.host_url.rstrip("/")
    asked = urlsplit(ours)
    if asked.scheme == "https":
        ours = (context().address or first_page(own_address(), context().options.port)).rstrip("/")
    elif (asked.hostname or "") in LOOPS or (asked.hostname or "").endswith(".local"):
        ours = (context().address or first_page(own_address(), asked.port or 80)).rstrip("/")
    return ours


def join_address() -> str:
    """Return the address for joining, with the PIN of the room that people are in now."""
    lobby = context().lobby.waiting
    credentials = context().access.credentials(context().snapshot().match_id)
    room = lobby.room if lobby is not None else credentials.room if credentials else ""
    return f"{machine_address()}/join?room={room}"


def qr_code(text: str) -> Response:
    """Return a text as a QR code, a separate SVG picture."""
    out = io.BytesIO()
    segno.make(text, error="m").save(out, kind="svg", border=2, xmldecl=True, svgns=True, omitsize=True, light="#fff")
    return Response(out.getvalue(), mimetype="image/svg+xml")
