"""Protection against other sites' pages: signed form tokens, the origin of a request, headers and size limits."""

from __future__ import annotations

import hashlib
import secrets
from urllib.parse import urlsplit

from flask import Request, Response, g, request
from itsdangerous import BadData, URLSafeSerializer

COOKIE = "visit"
"""A random name of this browser, which form tokens are bound to. It identifies nobody."""
MAX_BODY, MAX_PARTS = 64 * 1024, 400
"""The most bytes of a request and fields of a form."""
MAX_UPLOAD = 96 * 1024 * 1024
"""The most bytes of a request with photographs or a deck."""
MAX_PIECE = 512 * 1024
"""Bytes of such a request that its parser holds at once: the chunk being read, and the unprocessed rest."""
MAX_FIELD = 256
"""The most characters of one field."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Robots-Tag": "noindex",
}


TRUSTED = {"Cross-Origin-Opener-Policy": "same-origin"}
"""A header sent only if the browser trusts the address. Elsewhere the browser ignores it and logs a warning."""


class FormTokens:
    """Signs form tokens and checks them.

    They contain no time: a Raspberry Pi without a network does not know it, and pages opened before the clock was set
    must go on working.
    """

    def __init__(self, secret: bytes) -> None:
        self.signer = URLSafeSerializer(secret, salt="form")

    def token(self, scope: str) -> str:
        """Return a token for the forms of one page; `scope` is that page's own token, or empty.

        It differs in every answer, so that the lengths of compressed pages never reveal it bit by bit.
        """
        return str(self.signer.dumps([secrets.token_urlsafe(9), browser_name(), scope_mark(scope)]))

    def good(self, token: str, scope: str | None) -> bool:
        """Whether the token was given to this browser for this page (None: for any page)."""
        try:
            signed = self.signer.loads(token)
        except BadData:
            return False
        if not isinstance(signed, list) or len(signed) < 2:
            return False
        browser, page = signed[-2:]  # older companions issued tokens without a random part
        return browser == request.cookies.get(COOKIE) and (scope is None or page == scope_mark(scope))


def scope_mark(scope: str) -> str:
    """Return a short hash of a page's token."""
    return hashlib.sha256(scope.encode()).hexdigest()[:16] if scope else ""


def browser_name() -> str:
    """Return this browser's random name, making one at the first visit."""
    name = request.cookies.get(COOKIE) or g.get("visit")
    if not name:
        name = g.visit = secrets.token_urlsafe(16)
    return str(name)


def is_cross_site(asked: Request) -> bool:
    """Whether another site's page sent this request."""
    if asked.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = asked.headers.get("Origin", "null")
    # Our own pages send "null" because their policy is no-referrer; then the form token decides.
    return origin != "null" and urlsplit(origin).netloc != asked.host


def is_trusted(asked: Request) -> bool:
    """Whether the browser considers this address secure: HTTPS or localhost; only there does it send Sec-Fetch."""
    return asked.is_secure or "Sec-Fetch-Mode" in asked.headers


def add_headers(response: Response) -> Response:
    """Add the headers that every page needs, unless a page sets its own."""
    for name, value in (HEADERS | TRUSTED if is_trusted(request) else HEADERS).items():
        response.headers.setdefault(name, value)
    if (request.endpoint or "").rpartition(".")[2] != "static" and not g.get("kept_for_good"):
        response.headers["Cache-Control"] = "no-store"
    if "visit" in g:
        # Not "Strict": a link from another site would create a new name, and open pages' forms would become invalid.
        response.set_cookie(COOKIE, g.visit, max_age=365 * 24 * 3600, httponly=True, samesite="Lax")
    return response
