"""What blueprints share: who asks, what a page shows, and how a refusal is worded. Knows no rules."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Response, redirect, render_template, request
from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from companion.engine import Game, Refusal, Seat
from companion.i18n import LANGUAGES
from companion.match.history import HistoryEntry
from companion.table.service import TableAnswer
from web.context import context
from web.forms import InvalidForm, events_of, form_of
from web.game_pages import teller_of
from web.live.clocks import seat_in
from web.live.hub import ChannelKey
from web.presenters.scene import players_of, table_of
from web.security import known_devices
from web.security.access import Role, Viewer, digest
from web.words import language, package, words

DOORS: dict[str, Role] = {"h": "host", "t": "table", "s": "seat", "w": "watch"}
"""Whose pages lie behind the first letter of an address."""
LONGEST_NAME = 40
"""Characters of what a page calls itself."""
TOLD = 5
"""Changes that a stale page is told at most."""


class PageGone(Exception):
    """A request that cannot be answered; `key` names the sentence, `code` is HTTP's."""

    def __init__(self, key: str, code: int = 404, **fields: object) -> None:
        super().__init__(key)
        self.key = key
        self.code = code
        self.fields = fields


def scope() -> str:
    """Return the token in this page's address, empty for pages that are everybody's."""
    return str((request.view_args or {}).get("token", ""))


def asker(*roles: Role) -> Viewer:
    """Return whose page this is; raise `PageGone` for a token that is not, or not any more, one of these roles.

    A token opens its own door alone: a tablet's is nothing at the host's addresses, whatever both may do.
    """
    args = request.view_args or {}
    viewer = context().viewer(args.get("token", ""))
    under = digest(args["tablet"]) if "tablet" in args else ""
    door = "seat" if under else DOORS.get(request.path[1:2], "")
    if viewer is None or viewer.role not in roles or viewer.role != door or viewer.under != under:
        raise PageGone("error.gone")
    return viewer


def key_of(viewer: Viewer, lang: str = "") -> ChannelKey:
    """Return the channel that the viewer's page shows."""
    return ChannelKey(viewer.match, viewer.role, viewer.seat, lang if lang in LANGUAGES else language())


def show(template: str, viewer: Viewer, **more: Any) -> str:
    """Return a viewer's page with all its regions as they are now."""
    snapshot = context().snapshot()
    page = context().hub.page(key_of(viewer))
    if page is None:
        raise PageGone("error.gone")
    doors = context().access.doors(viewer.match)
    remember(viewer)
    return render_template(
        template,
        region=lambda name: section(name, page.regions[name]) if name in page.regions else "",
        shown=page.id,
        turn=page.turn,
        page=secrets.token_hex(8),
        viewer=viewer,
        seat=viewer.seat,
        players=players_of(snapshot),
        room=doors.room if doors else "",
        cue_words=cue_words(viewer),
        words=words(language(), package(snapshot.game)),
        **more,
    )


def remember(viewer: Viewer) -> None:
    """Have this browser keep which doors it has opened: strangers' wrong PINs do not slow it down there."""
    access = context().access
    known_devices.remember(access.door("room", viewer.match))
    if viewer.role == "seat" or viewer.role == "host":
        known_devices.remember(access.door(viewer.role, viewer.match, viewer.seat))


def cue_words(viewer: Viewer) -> dict[str, Any]:
    """Return what a page's script needs to show and say cues: words, and the players as everybody knows them."""
    say = words(language())
    return {
        "words": say.section("cue"),
        "players": [{"name": p.name, "colour": p.colour, "shape": p.shape} for p in players_of(context().snapshot())],
        "seat": viewer.seat,
    }


def clock(viewer: Viewer) -> Response:
    """Return what time it is here, as fast as can be: pages measure how their own clocks stand to ours.

    Of seats' pages alone it is remembered how long their way is: no other page presses a button.
    """
    clocks = context().clocks
    if viewer.seat is None:
        now, nonce = clocks.fresh()
    else:
        page = f"{scope()}/{request.args.get('page', '')[:LONGEST_NAME]}"
        said = request.args.get("nonce", "")[:LONGEST_NAME]
        now, nonce = clocks.answer(seat_in(viewer.match, viewer.seat), page, said)
    return Response(b'{"now":%d,"nonce":"%s"}' % (now, nonce.encode()), mimetype="application/json")


def section(name: str, html: str) -> Markup:
    """Return a region in its frame, which stays when what is in it changes. Its text is a template's, already safe."""
    return Markup(f'<section class="region region-{name}" id="region-{name}" data-region="{name}">{html}</section>')


# --- answers --------------------------------------------------------------------------------------


def said(sentence: str, code: int = 200) -> Response:
    """Return a sentence: to our own script as a piece of the page, else as a page of its own."""
    script = bool(request.headers.get("HX-Request"))
    if not sentence:
        return Response(status=204) if script else to("./")
    return Response(render_template("said.html" if script else "error.html", sentence=sentence, good=code < 400), code)


def page_of(key: str, code: int, **fields: object) -> Response:
    """Return a page that says one sentence."""
    return Response(render_template("error.html", sentence=words(language())(key, **fields), good=False), code)


def to(where: str) -> Response:
    """Go to another page: our own script is told in a header, a plain form is sent there."""
    if request.headers.get("HX-Request"):
        return Response(status=204, headers={"HX-Redirect": where})
    answer = redirect(where, 303)
    assert isinstance(answer, Response)
    answer.autocorrect_location_header = False
    return answer


def enter(viewer: Viewer) -> Response:
    """Give this device a page of its own and lead there."""
    return entered(viewer, context().access.admit(viewer))


def entered(viewer: Viewer, token: str) -> Response:
    """Lead this device to the page of its token, and have it remember the doors that it opened."""
    remember(viewer)
    letter = next(letter for letter, role in DOORS.items() if role == viewer.role)
    return to(f"/{letter}/{token}/")


def answered(answer: TableAnswer, viewer: Viewer) -> Response:
    """Return what became of a proposal, as far as this viewer may know."""
    context().hub.refresh()
    if answer.accepted:
        return said("")
    return said(refusal(answer, viewer), 409)


def refusal(answer: TableAnswer, viewer: Viewer) -> str:
    """Return why something was refused, in the reader's language, or only that it was."""
    snapshot = context().snapshot()
    why = answer.refusal
    assert why is not None
    if not snapshot.match_id:
        return words(language())(f"refusal.{why.rule}.{why.key}", **why.fields)
    say, teller = words(language(), package(snapshot.game)), teller_of(snapshot.game)
    if answer.stale:
        return teller.stale(changes(answer.changes), say)
    if why.audience is not None and (viewer.role != "seat" or why.audience != viewer.seat):
        return say("mend.not_accepted")
    return teller.refused(why, players_of(snapshot), say, table_of(snapshot))


def plainly(why: Refusal, game: Game[Any]) -> str:
    """Return a game's refusal that came before there was a table."""
    return words(language(), package(game))(f"refusal.{why.rule}.{why.key}", **why.fields)


def changes(entries: Sequence[HistoryEntry]) -> list[str]:
    """Return what happened meanwhile, as everybody may hear it, the latest last."""
    fresh = {id(entry) for entry in entries}
    snapshot = context().snapshot()
    if not snapshot.match_id:
        return []
    with context().hub.lock:
        places = context().teller.places(snapshot)
        count = sum(id(snapshot.entries[at]) in fresh for at in places)
        lines = context().teller.log(snapshot, language(), min(count, TOLD)) if count else ()
    return [sentence for line in reversed(lines) for sentence in line.sentences]


# --- proposals ------------------------------------------------------------------------------------


def sent() -> MultiDict[str, str]:
    """Return what a page sent, as a form or as JSON; raise `InvalidForm` where it is neither."""
    if request.mimetype == "application/json":
        try:
            return form_of(msgspec.json.decode(request.get_data()))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise InvalidForm("refused.no_json") from None
    return request.form


def seen(viewer: Viewer, form: MultiDict[str, str]) -> int | None:
    """Return the last record that the page knew of; None where it does not say, -1 where it is too old to tell."""
    shown = form.get("seen", "")
    return context().hub.seq(viewer.match, viewer.role, viewer.seat, shown) if shown else None


def propose(viewer: Viewer) -> Response:
    """Propose the event that a page sent, with those that follow it at once."""
    say = words(language(), package(context().snapshot().game))
    try:
        form = sent()
        event, *more = events_of(context().snapshot().game, form, viewer)
    except InvalidForm as error:
        return said(say(error.key, **error.fields), 422)
    answer = context().table.propose(event, viewer.by, seen(viewer, form), viewer.match, tuple(more))
    return answered(answer, viewer)


def draw(viewer: Viewer) -> Response:
    """Let chance decide what a person sets off."""
    return answered(context().table.draw(viewer.by, seen(viewer, request.form), viewer.match), viewer)


def seat_named(field: str = "seat") -> Seat:
    """Return the seat that a form names; raise `PageGone` where nobody sits."""
    text = request.form.get(field, "")
    snapshot = context().snapshot()
    if not snapshot.match_id:
        raise PageGone("error.no_match", 409)
    count = len(players_of(snapshot))
    if not (text.isascii() and text.isdecimal() and len(text) < 3 and int(text) < count):
        raise PageGone("error.no_seat", 422, players=count)
    return Seat(int(text))
