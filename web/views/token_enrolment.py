"""Enrolling one's own tokens: one picture finds all tokens on a sheet of paper, and each is named with a tap.

The camera's service keeps every named token at once, so nothing is lost when the page is closed.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request

from companion.devices.camera_requests import (
    CameraRefusal,
    CaptureTokens,
    CompareTokens,
    EnrolToken,
    ForgetToken,
    ListDecks,
    ReadTokens,
    TokenCaptureAnswer,
    UseDeck,
)
from companion.devices.frames import replace_file
from web.context import context
from web.presenters.lookalikes import TaughtCard
from web.presenters.token_enrolment import (
    alike_tokens,
    likely_tokens,
    may_look,
    missing_tokens,
    token_groups_of,
    token_sayer,
    wanted_pictures,
)
from web.views import answers, photographs, viewer_pages
from web.views.camera import ask, camera_now, explain
from web.views.enrolment import FILE, MISSING_SHOWN, NAME, EnrolmentError, deck_label, decks, requested_deck
from web.views.photographs import why_unfit
from web.words import language, words

bp = Blueprint("token_enrolment", __name__)
FAULTS = ("several", "cut", "small", "blur", "dark", "glare")
"""Faults of a captured token that the page has a sentence for."""
CLEAR_SHOWN = 3
"""Pairs that are shown where all are clearly different: the closest ones."""


@bp.get("/tokens")
def page(token: str) -> str | Response:
    """Show the tokens of a deck, and those that wait for their names."""
    viewer_pages.require_viewer("host")
    return teaching(requested_deck())


@bp.get("/tokens-report")
def report(token: str) -> str | Response:
    """Show which tokens of a deck look alike."""
    viewer_pages.require_viewer("host")
    deck, game = requested_deck(), context().snapshot().game
    try:
        found = alike_tokens(ask(CompareTokens(deck)).pairs, game, token_sayer(token_groups_of(game, language())))
        made = any(each.name == deck and each.made for each in ask(ListDecks()).decks)
    except CameraRefusal as refusal:
        return Response(teaching(deck, explain(refusal)), 409)
    worth = [pair for pair in found if pair.how != "clear"]
    return render_template(
        "token_report.html",
        deck=deck,
        called=deck_label(deck),
        worth=worth,
        pairs=worth or found[:CLEAR_SHOWN],
        made=made,
    )


@bp.post("/tokens")
def act(token: str) -> Response:
    """Do what the pressed button asks for; then show the page again, or say what went wrong."""
    viewer_pages.require_viewer("host")
    action = ACTIONS.get(request.form.get("do", ""))
    if action is None:
        raise answers.PageGone("error.malformed", 422)
    deck = requested_deck()
    try:
        return answers.redirect_to(action.run(deck))
    except CameraRefusal as refusal:
        wrong = explain(refusal)
    except EnrolmentError as error:
        wrong = str(error)
    return Response(teaching(deck, wrong, naming=not action.takes_picture), 409)


def teaching(deck: str, wrong: str = "", naming: bool = True) -> str:
    """Return the page of a deck's tokens; `naming`: show the captured ones that wait for their names."""
    game = context().snapshot().game
    groups = token_groups_of(game, language())
    if not groups:
        raise answers.PageGone("error.not_found")
    try:
        answer = ask(ReadTokens(deck))
    except CameraRefusal as refusal:
        return decks(wrong or explain(refusal))
    say, wanted = token_sayer(groups), wanted_pictures(game)
    waiting = answer.captured.tokens if naming else ()
    at = min(request.args.get("at", 0, int) if request.args.get("at", "").isdecimal() else 0, max(0, len(waiting) - 1))
    none, one_face = missing_tokens(wanted, answer.tokens)
    taught = [TaughtCard(name, say(name), tuple(pictures)) for name, pictures in answer.tokens.items()]
    now = waiting[at] if waiting else None
    last = request.args.get("last", "")
    names = likely_tokens(now, wanted, answer.tokens, last) if now is not None else ()
    return render_template(
        "token_teaching.html",
        deck=deck,
        called=deck_label(deck),
        wrong=wrong,
        groups=groups,
        taught=taught,
        done=frozenset(answer.tokens) - frozenset(one_face),
        there=sum([min(len(answer.tokens.get(name, ())), most) for name, most in wanted.items()]),
        whole=sum(wanted.values()),
        missing=[say(name) for name in none],
        one_face=[say(name) for name in one_face],
        shown=MISSING_SHOWN,
        waiting=waiting,
        paper=answer.captured.picture,
        at=at,
        now=now,
        faults=[fault for fault in now.faults if fault in FAULTS] if now is not None else [],
        likely=[(name, say(name), name in answer.tokens) for name in names],
        last=last[: len(max(wanted, key=len))],
        camera=camera_now(),
        may_look=may_look(context().snapshot()),
    )


# --- what the buttons do --------------------------------------------------------------------------


def back(deck: str, last: str = "") -> str:
    """Return the address of the page, relative to it; `last` is the token that was named last."""
    return f"tokens?{urlencode({'deck': deck} | ({'last': last} if last else {}))}"


def capture(deck: str) -> str:
    """Take a picture with the camera."""
    if not may_look(context().snapshot()):
        raise EnrolmentError(words(language())("token_enrolment.hidden"))
    require_tokens(ask(CaptureTokens(deck)))
    return back(deck, request.form.get("last", ""))


def require_tokens(answer: TokenCaptureAnswer) -> None:
    """Raise `EnrolmentError` where no token was found."""
    if not answer.tokens:
        fault = "no_sheet" if "no_sheet" in answer.faults else "none"
        raise EnrolmentError(words(language())(f"token_enrolment.fault_{fault}"))


def photograph(deck: str) -> str:
    """Use an uploaded photograph."""
    file = request.files.get("file")
    say = words(language())
    if file is None or not file.filename:
        raise EnrolmentError(say("enrolment.no_file"))
    data = file.read(photographs.LARGEST + 1)
    wrong = why_unfit(data)
    if wrong:
        raise EnrolmentError(say(wrong, file=file.filename[:60], most=photographs.LARGEST // 2**20))
    name = f"photograph-{secrets.token_hex(6)}.upload"
    path = context().frames / name
    replace_file(path, data)
    try:
        require_tokens(ask(CaptureTokens(deck, name)))
    except CameraRefusal as refusal:
        raise CameraRefusal("no_picture") from None if refusal.key == "bad_file" else refusal
    finally:
        path.unlink(missing_ok=True)
    return back(deck, request.form.get("last", ""))


def enrol(deck: str) -> str:
    """Keep a captured token under a name; without one leave it out."""
    name, picture = request.form.get("token", ""), request.form.get("picture", "")
    if (name and not NAME.fullmatch(name)) or not FILE.fullmatch(picture):
        raise EnrolmentError(words(language())("answer.bad_name"))
    ask(EnrolToken(deck, picture, name))
    return back(deck, name or request.form.get("last", ""))


def leave(deck: str) -> str:
    """Leave out all captured tokens that have no name yet."""
    for each in ask(ReadTokens(deck)).captured.tokens:
        ask(EnrolToken(deck, each.picture))
    return back(deck, request.form.get("last", ""))


def forget(deck: str) -> str:
    """Remove a picture of an enrolled token."""
    ask(ForgetToken(deck, request.form.get("token", ""), request.form.get("picture", "")))
    return back(deck)


def use(deck: str) -> str:
    """Read the table with the deck and its tokens."""
    ask(UseDeck(deck))
    return "enrolment"


class TokenEnrolmentAction(NamedTuple):
    """What a button does, by its field `do`."""

    run: Callable[[str], str]
    """Does it for a deck and returns the address of the next page; raises `CameraRefusal` or `EnrolmentError`."""
    takes_picture: bool = False
    """Whether it takes a new picture: where that fails, the tokens before it must not be named instead."""


ACTIONS = {
    "capture": TokenEnrolmentAction(capture, takes_picture=True),
    "photograph": TokenEnrolmentAction(photograph, takes_picture=True),
    "enrol": TokenEnrolmentAction(enrol),
    "leave": TokenEnrolmentAction(leave),
    "forget": TokenEnrolmentAction(forget),
    "use": TokenEnrolmentAction(use),
}
