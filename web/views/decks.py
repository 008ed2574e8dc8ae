"""The decks of the data folder: creating, using, exporting and importing.

The camera's service stores everything, so closing the page loses nothing.
"""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request

from companion.devices.camera_requests.camera_request import CameraRefusal
from companion.devices.camera_requests.decks import DecksAnswer, ExportDeck, ImportDeck, ListDecks, UseDeck
from companion.devices.frames import replace_file
from web.context import context
from web.presenters.camera_status import camera_sentence, deck_name
from web.presenters.card_names import card_groups_of
from web.presenters.enrolment import token_groups_of
from web.views import responses, viewer_pages
from web.views.camera import ask, explain
from web.words import language, package, words

bp = Blueprint("decks", __name__)
NAME = re.compile(r"[\w][\w +&'()-]{0,39}")
"""A deck's or a card's name."""
FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
"""A name in the frames folder."""
PICTURES = {".jpg": "image/jpeg", ".png": "image/png"}
FREE = b"free"
"""The stored value of a deck whose cards belong to no game."""
RENAMED = ("taken", "bad_name")
"""Refusals of an import that a different name would avoid."""


@bp.get("/export")
def export(token: str) -> Response:
    """Export a deck as one file."""
    viewer_pages.require_viewer("host")
    deck = requested_deck()
    try:
        file = ask(ExportDeck(deck)).file
        if not FILE.fullmatch(file):
            raise CameraRefusal("failed")
        data = (context().frames / file).read_bytes()
    except CameraRefusal as refusal:
        return Response(decks(explain(refusal)), 409)
    except OSError:
        return Response(decks(words(language())("answer.failed")), 409)
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", deck) or "deck"
    headers = {"Content-Disposition": f'attachment; filename="{plain}{Path(file).suffix}"'}
    return Response(data, mimetype="application/octet-stream", headers=headers)


@bp.get("/shelf/<name>")
def picture(token: str, name: str) -> Response:
    """Show a picture of a card."""
    viewer_pages.require_viewer("host")
    kind = PICTURES.get(Path(name).suffix)
    try:
        if kind is None or not FILE.fullmatch(name):
            raise FileNotFoundError
        data = (context().frames / name).read_bytes()
    except OSError:
        raise responses.PageGone("error.not_found") from None
    return Response(data, mimetype=kind)


def decks(wrong: str = "", bringing: bool = False) -> str:
    """Return the page of all decks; `bringing`: the form for importing a deck is open."""
    answer, refusal = DecksAnswer(), None
    try:
        answer = ask(ListDecks())
    except CameraRefusal as refused:
        refusal = refused
    return render_template(
        "decks.html",
        decks=[each for each in answer.decks if each.name],
        called=deck_label,
        used=answer.used,
        wrong=wrong or (explain(refusal) if refusal is not None else ""),
        absent=refusal is not None and refusal.key == "absent",
        there=refusal is None,
        tokens=bool(token_groups_of(context().snapshot().game, language())),
        bringing=bringing,
        typed=request.form.get("deck", "")[:40] if wrong else "",
        free=request.form.get("free") == "1",
        game=words(language(), package(context().snapshot().game))("game.title"),
    )


def deck_label(deck: str) -> str:
    """Return a deck's name for people."""
    return deck_name(deck, words(language()))


# --- the buttons' actions -------------------------------------------------------------------------


class EnrolmentError(Exception):
    """A button's action is impossible. The message is the sentence for the page."""


def requested_deck() -> str:
    """Return the deck that a request names; raise `PageGone` if it names none."""
    deck = request.values.get("deck", "").strip()
    if not NAME.fullmatch(deck):
        raise responses.PageGone("answer.bad_name", 422)
    return deck


def begin() -> str:
    """Create a new deck."""
    deck = request.form.get("deck", "").strip()
    say = words(language())
    if not NAME.fullmatch(deck):
        raise EnrolmentError(say("answer.bad_name"))
    if any(each.name == deck for each in ask(ListDecks()).decks):
        raise EnrolmentError(say("answer.taken"))
    context().table.keep(f"web.deck.{deck}", FREE if request.form.get("free") == "1" else None)
    return f"enrolment?{urlencode({'deck': deck})}"


def use() -> str:
    """Use a finished deck."""
    ask(UseDeck(requested_deck()))
    return "enrolment"


def import_deck() -> str:
    """Import a deck from a file, under its own name or the given one."""
    file = request.files.get("file")
    say = words(language())
    if file is None or not file.filename:
        raise EnrolmentError(say("enrolment.no_file"))
    deck = request.form.get("deck", "").strip()
    if deck and not NAME.fullmatch(deck):
        raise EnrolmentError(say("answer.bad_name"))
    name = f"import-{secrets.token_hex(6)}.deck"
    path = context().frames / name
    replace_file(path, file.read())
    try:
        ask(ImportDeck(name, deck))
    except CameraRefusal as refusal:
        if not deck and refusal.key in RENAMED:  # people cannot see the name inside the file
            raise EnrolmentError(camera_sentence(say, "answer", f"own_{refusal.key}", refusal.fields)) from None
        raise
    finally:
        path.unlink(missing_ok=True)
    return "enrolment"


def is_free(deck: str, cards: frozenset[str] = frozenset()) -> bool:
    """Whether the cards of a deck belong to no game and have their own names.

    `cards`: the deck's cards. An imported deck without any of the game's cards does not belong to the game.
    """
    if context().table.read_value(f"web.deck.{deck}") == FREE:
        return True
    known = {pick.card for group in card_groups_of(context().snapshot(), language()) for pick in group.picks}
    return bool(cards) and not cards & known
