"""Files for the pages on a device's home screen: the manifest, and over HTTPS a service worker."""

from __future__ import annotations

from importlib import resources

import msgspec
from flask import Blueprint, Response, render_template, request

from companion.i18n import LANGUAGES
from web.page_app import local_address
from web.serving import assets
from web.words import language, words

bp = Blueprint("device", __name__)
ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable.png", "512x512", "maskable"),
)
GROUND, BAR = "#ece5d4", "#0b2c44"
"""The colours of a page and of its bar, as in `layout.css`."""


@bp.get("/app.webmanifest")
def manifest() -> Response:
    """Return a page's manifest: it opens full screen, at the address from which it was installed."""
    asked = request.args.get("lang", "")
    say = words(asked if asked in LANGUAGES else language())
    found = {
        "name": say("page.title"),
        "short_name": say("device.short_name"),
        "lang": asked if asked in LANGUAGES else language(),
        "id": "/",
        "start_url": local_address(request.args.get("start", "/")),
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": BAR,
        "icons": [
            {"src": assets.hashed(f"/static/img/{name}"), "sizes": size, "type": "image/png", "purpose": purpose}
            for name, size, purpose in ICONS
        ],
    }
    return Response(msgspec.json.encode(found), mimetype="application/manifest+json")


@bp.get("/worker.js")
def worker() -> Response:
    """Return the service worker, at the root because it may serve only addresses below its own."""
    file = resources.files("web").joinpath("static", "workers", "offline.js")
    return Response(file.read_bytes(), mimetype="text/javascript")


@bp.get("/offline")
def offline() -> str:
    """Return the page that a device shows when it cannot reach the table. It contains nothing about a game."""
    return render_template("offline.html")
