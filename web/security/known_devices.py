"""The device that sent a request: its address, its browser's random name, and the doors that it has opened before."""

from __future__ import annotations

import secrets

from flask import Response, g, request

from web.security import client_network
from web.security.csrf import COOKIE
from web.security.knocks import Sort
from web.security.pin_limits import Device, Door

KNOWN = "known"
"""The cookie with the marks of doors that this browser has opened."""
MOST_MARKS = 24
MARK = 32
"""Characters of one mark."""
PAGES = "pages"
"""The cookie with the tokens of this browser's own pages, each after the letter of its address."""
OWN = ("l", "h", "s")
"""The pages that a browser can find again: its own in the lobby, the host's, and a seat's."""
LONGEST_TOKEN = 64
YEAR = 365 * 24 * 3600
SIGNS: tuple[tuple[str, Sort], ...] = (
    ("iPhone", "iphone"), ("iPad", "ipad"), ("Android", "android"),
    ("Windows", "computer"), ("Macintosh", "computer"), ("CrOS", "computer"), ("Linux", "computer"),
)  # fmt: skip
"""Names of systems in User-Agent headers; the first match counts."""


def marks() -> tuple[str, ...]:
    """Return the valid marks that this browser sent, the newest last."""
    sent = request.cookies.get(KNOWN, "").split(".", MOST_MARKS)[:MOST_MARKS]
    return tuple([each for each in sent if len(each) == MARK and each.isascii() and each.isalnum()])


def requesting_device() -> Device:
    """Return the device that sent this request."""
    return Device(client_network.request_address(), request.cookies.get(COOKIE, ""), frozenset(marks()))


def new_token() -> str:
    """Return a new token for a page of one device."""
    return secrets.token_urlsafe(32)


def remember(*doors: Door) -> None:
    """Remember that this browser has opened these doors; `store_marks` adds that to the response."""
    kept = list(g.get("marks") or marks())
    for door in doors:
        if door.mark and door.mark not in kept:
            kept.append(door.mark)
            g.marks = kept[-MOST_MARKS:]


def own_pages() -> dict[str, str]:
    """Return the tokens of this browser's own pages by the letter of their address, valid or not."""
    kept = dict(g.get("pages") or {})
    if not kept:
        for each in request.cookies.get(PAGES, "").split(".")[: len(OWN)]:
            letter, token = each[:1], each[1:]
            if letter in OWN and token.isascii() and token.replace("-", "").replace("_", "").isalnum():
                kept[letter] = token[:LONGEST_TOKEN]
    return kept


def remember_page(letter: str, token: str) -> None:
    """Let this browser find its own page again; `store_marks` adds that to the response."""
    if letter in OWN:
        g.pages = own_pages() | {letter: token}


def store_marks(response: Response) -> Response:
    """Add the marks and the browser's own pages to a response if there are new ones."""
    if "marks" in g:
        response.set_cookie(KNOWN, ".".join(g.marks), max_age=YEAR, httponly=True, samesite="Strict")
    if "pages" in g:
        kept = ".".join([f"{letter}{token}" for letter, token in g.pages.items()])
        response.set_cookie(PAGES, kept, max_age=YEAR, httponly=True, samesite="Strict")
    return response


def sort_of_device() -> Sort:
    """Return the kind of this device, from its browser's User-Agent."""
    agent = request.headers.get("User-Agent", "")
    return next((sort for sign, sort in SIGNS if sign in agent), "other")
