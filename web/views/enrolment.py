"""Enrolling one's own cards and tokens: taking pictures, naming them with a tap, and comparing them.

The camera's service stores everything, so closing the page loses nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request

from companion.devices.camera_requests.camera_request import CameraRefusal
from companion.devices.camera_requests.decks import FinishDeck
from companion.devices.camera_requests.enrolment import CaptureAnswer
from web.presenters.enrolment import TaughtCard
from web.views import decks, photographs, responses, viewer_pages
from web.views.camera import ask, camera_now, explain
from web.views.decks import FILE, NAME, EnrolmentError, deck_label, requested_deck
from web.views.photographs import capture_photograph, why_unfit
from web.views.taught_kinds import CARDS, FAULTS, TOKENS, TaughtKind
from web.words import language, words

bp = Blueprint("enrolment", __name__)
MISSING_SHOWN = 6
"""Missing names shown before the rest is folded."""
CLEAR_SHOWN = 3
"""Pairs to show if all are clearly different: the closest ones."""


def kind_here() -> TaughtKind:
    """Return the deck and kind in the requested address."""
    return next(kind for kind in (CARDS, TOKENS) if request.path.rpartition("/")[2] in (kind.address, kind.report))


@bp.get("/enrolment", endpoint="page")
@bp.get("/tokens", endpoint="tokens")
def page(token: str) -> str | Response:
    """Show a deck's enrolled and unnamed pictures; for cards without a deck, all decks."""
    viewer_pages.require_viewer("host")
    kind = kind_here()
    if kind is CARDS and not NAME.fullmatch(request.args.get("deck", "")):
        return decks.decks()
    return teaching(kind, requested_deck())


@bp.get("/report", endpoint="report")
@bp.get("/tokens-report", endpoint="tokens_report")
def report(token: str) -> str | Response:
    """Show the look-alikes in a deck."""
    viewer_pages.require_viewer("host")
    kind, deck = kind_here(), requested_deck()
    try:
        pairs = kind.describe(deck, ask(kind.compare(deck)).pairs)
        facts = kind.report_facts(deck)
    except CameraRefusal as refusal:
        return teaching(kind, deck, explain(refusal))
    worth = [pair for pair in pairs if pair.how != "clear"]
    shown = worth or pairs[:CLEAR_SHOWN]
    return render_template(
        "report.html", kind=kind, deck=deck, called=deck_label(deck), worth=worth, pairs=shown, **facts
    )


@bp.post("/enrolment", endpoint="act")
@bp.post("/tokens", endpoint="act_tokens")
def act(token: str) -> Response:
    """Perform the pressed button's action; then show the page again, or the error."""
    viewer_pages.require_viewer("host")
    kind, wanted = kind_here(), request.form.get("do", "")
    action = ACTIONS.get(wanted)
    if action is None or kind not in action.kinds:
        raise responses.PageGone("error.malformed", 422)
    try:
        return responses.redirect_to(action.run(kind))
    except CameraRefusal as refusal:
        wrong = explain(refusal)
    except EnrolmentError as error:
        wrong = str(error)
    deck = request.form.get("deck", "")
    if (action.of_deck or kind is TOKENS) and NAME.fullmatch(deck):
        return teaching(kind, deck, wrong, naming=not action.takes_picture)
    return Response(decks.decks(wrong, bringing=wanted == "import"), 409)


def teaching(kind: TaughtKind, deck: str, wrong: str = "", naming: bool = True) -> Response:
    """Return a deck's page. With `naming`, show the pictures that wait for a name."""
    say = kind.sayer(deck)
    try:
        answer = ask(kind.read(deck))
    except CameraRefusal as refusal:
        return Response(decks.decks(wrong or explain(refusal)), 409)
    facts = kind.facts(deck, answer.pictures, answer.captured if naming else None)
    now = facts["now"]
    shown = render_template(
        kind.template,
        kind=kind,
        deck=deck,
        called=deck_label(deck),
        wrong=wrong,
        taught=[TaughtCard(name, say(name), tuple(files)) for name, files in answer.pictures.items()],
        shown=MISSING_SHOWN,
        faults=[fault for fault in now.faults if fault in FAULTS] if now is not None else [],
        camera=camera_now(),
        may_look=kind.may_look(),
        **facts,
    )
    return Response(shown, 409 if wrong else 200)


# --- the buttons' actions -------------------------------------------------------------------------


def back(kind: TaughtKind, deck: str, last: str | None = None) -> str:
    """Return the address of a deck's page, relative to it; `last` is the last given name, else the form's."""
    last = request.form.get("last", "") if last is None else last
    return f"{kind.address}?{urlencode({'deck': deck} | ({'last': last} if last else {}))}"


def capture(kind: TaughtKind) -> str:
    """Take a picture with the camera."""
    deck = requested_deck()
    if not kind.may_look():
        raise EnrolmentError(words(language())("token_enrolment.hidden"))
    require_found(kind, ask(kind.capture(deck)))
    return back(kind, deck)


def require_found(kind: TaughtKind, captured: CaptureAnswer) -> CaptureAnswer:
    """Return a capture; raise `EnrolmentError` if the picture shows nothing to name."""
    fault = kind.fault_of(captured)
    if fault:
        raise EnrolmentError(words(language())(f"{kind.words}.fault_{fault}"))
    return captured


def photograph(kind: TaughtKind) -> str:
    """Use uploaded photographs. A single one may be named later and show many cards; several need their name now."""
    deck, say = requested_deck(), words(language())
    files = [file for file in request.files.getlist("file") if file.filename]
    if not files:
        raise EnrolmentError(say("enrolment.no_file"))
    if len(files) > kind.most_photographs:
        raise EnrolmentError(say("enrolment.too_many", most=kind.most_photographs))
    for file in files:
        wrong = why_unfit(file.read(photographs.LARGEST + 1))
        if wrong:
            size = -(-file.stream.seek(0, os.SEEK_END) // 2**20)
            most = photographs.LARGEST // 2**20
            raise EnrolmentError(say(wrong, file=(file.filename or "")[:60], size=size, most=most))
    name = request.form.get(kind.field, "").strip()
    if len(files) > 1 and not NAME.fullmatch(name):
        raise EnrolmentError(say("enrolment.one_card"))
    for file in files:
        found = require_found(kind, capture_photograph(file, lambda sent: kind.capture(deck, sent)))
        if len(found.waiting) > 1 and len(files) > 1:
            raise EnrolmentError(say("enrolment.many_alone", file=(file.filename or "")[:60]))
        if NAME.fullmatch(name) and len(found.waiting) == 1:
            ask(kind.enrol(deck, found.waiting[0], name))
    return back(kind, deck, name or None)


def enrol(kind: TaughtKind) -> str:
    """Store the capture under a name."""
    deck, name, file = requested_deck(), request.form.get(kind.field, "").strip(), request.form.get("picture", "")
    if not (NAME.fullmatch(name) or not name) or not FILE.fullmatch(file):
        raise EnrolmentError(words(language())("answer.bad_name"))
    ask(kind.enrol(deck, file, name))
    return back(kind, deck, name or None)


def leave(kind: TaughtKind) -> str:
    """Discard all pictures without a name."""
    deck = requested_deck()
    captured = ask(kind.read(deck)).captured
    for picture in captured.waiting if captured is not None else ():
        ask(kind.enrol(deck, picture, ""))
    return back(kind, deck)


def forget(kind: TaughtKind) -> str:
    """Remove an enrolled picture, or all of a name."""
    deck = requested_deck()
    ask(kind.forget(deck, request.form.get(kind.field, ""), request.form.get("picture", "")))
    return back(kind, deck, "")


def finish(kind: TaughtKind) -> str:
    """Make the deck and use it."""
    ask(FinishDeck(requested_deck()))
    return "enrolment"


class EnrolmentAction(NamedTuple):
    """A button's action, by its field `do`."""

    run: Callable[[TaughtKind], str]
    """Does the action and returns the address of the next page; raises `CameraRefusal` or `EnrolmentError`."""
    kinds: tuple[TaughtKind, ...] = (CARDS, TOKENS)
    of_deck: bool = True
    """Whether the button is on one deck's page."""
    takes_picture: bool = False
    """Whether it takes a new picture: if that fails, the previous picture must not be named instead."""


ACTIONS = {
    "begin": EnrolmentAction(lambda _: decks.begin(), (CARDS,), of_deck=False),
    "capture": EnrolmentAction(capture, takes_picture=True),
    "photograph": EnrolmentAction(photograph, takes_picture=True),
    "enrol": EnrolmentAction(enrol),
    "leave": EnrolmentAction(leave),
    "forget": EnrolmentAction(forget),
    "finish": EnrolmentAction(finish, (CARDS,)),
    "use": EnrolmentAction(lambda _: decks.use(), of_deck=False),
    "import": EnrolmentAction(lambda _: decks.import_deck(), (CARDS,), of_deck=False),
}
