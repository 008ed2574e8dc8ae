"""Pages behind a token: access, rendering, and redirecting a device to its page."""

from __future__ import annotations

import re
import secrets

from flask import Response, g, render_template, request
from markupsafe import Markup

from companion.engine import Seat
from companion.i18n import LANGUAGES
from web.context import context
from web.live.channels import ChannelKey
from web.presenters.guide import guide_steps
from web.presenters.match_log import players_of
from web.security import known_devices
from web.security.access import Role, Viewer, digest
from web.views.responses import PageGone, redirect_to
from web.words import language, package, words

ROLE_OF: dict[str, Role] = {"h": "host", "t": "table", "s": "seat", "w": "watch"}
"""Roles by the first letter of an address."""
PLACE = re.compile(r"(?:/t/([\w-]{1,99}))?/([hstw])/([\w-]{1,99})/", re.ASCII)
"""Addresses of live pages: `/LETTER/TOKEN/`, or a seat's on a tablet that people pass around."""
LONGEST_NAME = 40
"""The most characters of a page's own name."""


def page_token() -> str:
    """Return the token in this page's address; empty for public pages."""
    return str((request.view_args or {}).get("token", ""))


def token_viewer() -> Viewer | None:
    """Return the viewer of the token in this page's address; looked up once per request."""
    if "viewer" not in g:
        token = page_token()
        g.viewer = context().viewer(token) if token else None
    found: Viewer | None = g.viewer
    return found


def require_viewer(*roles: Role) -> Viewer:
    """Return this page's viewer; raise `PageGone` for a token that does not (or no longer) have one of these roles.

    A token opens only its own role's addresses: a tablet's token is worthless on the host's pages.
    """
    args = request.view_args or {}
    viewer = token_viewer()
    under = digest(args["tablet"]) if "tablet" in args else ""
    role = "seat" if under else ROLE_OF.get(request.path[1:2], "")
    if viewer is None and context().locked_out():
        raise PageGone("error.doors_lost", command=context().host_pin_command())
    if viewer is None or viewer.role not in roles or viewer.role != role or viewer.under != under:
        raise PageGone("error.gone")
    return viewer


def viewer_of(path: str) -> Viewer | None:
    """Return the viewer of the live page at a path; None for an invalid or expired one."""
    found = PLACE.fullmatch(path)
    if found is None:
        return None
    tablet, letter, token = found.groups()
    viewer = context().viewer(token)
    under = digest(tablet) if tablet else ""
    fits = viewer is not None and (viewer.role, viewer.under) == (ROLE_OF[letter], under)
    return viewer if fits and (letter == "s" or not tablet) else None


def channel_of(viewer: Viewer, lang: str = "") -> ChannelKey:
    """Return the channel of the viewer's page."""
    return ChannelKey(viewer.match, viewer.role, viewer.seat, lang if lang in LANGUAGES else language())


def render_page(template: str, viewer: Viewer, **more: object) -> str:
    """Return a viewer's page with all its current regions."""
    snapshot = context().snapshot()
    page = context().hub.page(channel_of(viewer))
    if page is None:
        raise PageGone("error.gone")
    credentials = context().access.credentials(viewer.match)
    said = words(language(), package(snapshot.game))
    remember_doors(viewer)
    return render_template(
        template,
        region=lambda name: region_section(name, page.regions[name]) if name in page.regions else "",
        shown=page.id,
        shown_as=snapshot.shown_as,
        turn=page.turn,
        page=secrets.token_hex(8),
        viewer=viewer,
        seat=viewer.seat,
        players=players_of(snapshot),
        room=credentials.room if credentials else "",
        cue_words=cue_words(viewer),
        words=said,
        guide=guide_steps(said) if viewer.role == "seat" else (),
        game=snapshot.game.name,
        seed_hash=snapshot.setup.seed_hash if snapshot.setup is not None else "",
        **more,
    )


def remember_doors(viewer: Viewer) -> None:
    """Let this browser remember the doors that it opened, so that strangers' wrong PINs do not slow it down there."""
    access = context().access
    known_devices.remember(access.door("room", viewer.match))
    if viewer.role == "seat" or viewer.role == "host":
        known_devices.remember(access.door(viewer.role, viewer.match, viewer.seat))


def cue_words(viewer: Viewer) -> dict[str, object]:
    """Return the words and the players' public names that a page's script needs for cues."""
    say = words(language())
    players = players_of(context().snapshot())
    return {
        "words": say.section("cue") | say.section("sound"),
        "players": [{"name": p.name, "colour": p.colour, "shape": p.shape} for p in players],
        "seat": viewer.seat,
    }


def region_section(name: str, html: str) -> Markup:
    """Return a region in its frame, which stays when its content changes. The template has escaped the content."""
    return Markup(f'<section class="region region-{name}" id="region-{name}" data-region="{name}">{html}</section>')


def open_page(viewer: Viewer) -> Response:
    """Give this device its own page and redirect there."""
    return redirect_to_page(viewer, context().access.admit(viewer))


def redirect_to_page(viewer: Viewer, token: str) -> Response:
    """Redirect this device to the page of its token, and let it remember the doors that it opened."""
    remember_doors(viewer)
    return redirect_to(f"/{remember_page(viewer, token)}/{token}/")


def remember_page(viewer: Viewer, token: str) -> str:
    """Let this device find its token's page again, and return the letter of the page's address."""
    letter = next(letter for letter, role in ROLE_OF.items() if role == viewer.role)
    known_devices.remember_page(letter, token)
    return letter


def read_seat() -> Seat:
    """Return the seat that a form names; raise `PageGone` if nobody sits there."""
    text = request.form.get("seat", "")
    snapshot = context().snapshot()
    if not snapshot.match_id:
        raise PageGone("error.no_match", 409)
    count = len(players_of(snapshot))
    if not (text.isascii() and text.isdecimal() and len(text) < 3 and int(text) < count):
        raise PageGone("error.no_seat", 422, players=count)
    return Seat(int(text))
