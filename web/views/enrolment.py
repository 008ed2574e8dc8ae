"""Enrolling one's own cards: pictures are taken and named one by one; decks are made, used, exported and imported.

The camera's service keeps everything, so nothing is lost when the page is closed.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request

from companion.devices.camera_requests import (
    CameraRefusal,
    Capture,
    CaptureAnswer,
    CompareCards,
    DecksAnswer,
    EnrolPicture,
    ExportDeck,
    FinishDeck,
    ForgetPicture,
    ImportDeck,
    ListDecks,
    ReadUnfinishedDeck,
    UseDeck,
)
from companion.devices.frames import replace_file
from web.context import context
from web.presenters.camera_status import camera_sentence, deck_name
from web.presenters.card_names import BACK, card_groups_of
from web.presenters.lookalikes import TaughtCard, card_sayer, describe_pair, likely
from web.presenters.token_enrolment import token_groups_of
from web.views import answers, photographs, viewer_pages
from web.views.camera import ask, camera_now, explain
from web.views.photographs import capture_photograph, why_unfit
from web.words import language, package, words

bp = Blueprint("enrolment", __name__)
NAME = re.compile(r"[\w][\w +&'()-]{0,39}")
"""A deck's or a card's name."""
FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
"""A name in the frames folder."""
PICTURES = {".jpg": "image/jpeg", ".png": "image/png"}
FAULTS = ("several", "cut", "small", "blur", "dark", "glare")
"""Faults of a captured picture that the page has a sentence for."""
MOST_PHOTOGRAPHS = 12
"""Photographs in one upload."""
LEAST_CARDS = 2
"""A deck can be finished from so many cards on: of one card there is nothing to compare."""
FREE = b"free"
"""Stored for a deck whose cards belong to no game."""
MISSING_SHOWN = 6
"""Missing cards that are named before the rest is folded away."""
CLEAR_SHOWN = 3
"""Pairs that are shown where all are clearly different: the closest ones."""
RENAMED = ("taken", "bad_name")
"""Refusals of an import that another name would avoid."""


# --- pages ----------------------------------------------------------------------------------------


@bp.get("/enrolment")
def page(token: str) -> str | Response:
    """Show all decks, or the unfinished deck that the address names."""
    viewer_pages.require_viewer("host")
    deck = request.args.get("deck", "")
    return teaching(deck) if NAME.fullmatch(deck) else decks()


@bp.get("/report")
def report(token: str) -> str | Response:
    """Show which cards of a deck look alike."""
    viewer_pages.require_viewer("host")
    deck = requested_deck()
    try:
        answer = ask(CompareCards(deck))
    except CameraRefusal as refusal:
        return teaching(deck, explain(refusal))
    say = saying(deck)
    pairs = [describe_pair(pair, say) for pair in answer.pairs]
    worth = [pair for pair in pairs if pair.how != "clear"]
    return render_template(
        "report.html", deck=deck, called=deck_label(deck), worth=worth, pairs=worth or pairs[:CLEAR_SHOWN]
    )


@bp.get("/export")
def export(token: str) -> Response:
    """Hand out a deck as one file."""
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
        raise answers.PageGone("error.not_found") from None
    return Response(data, mimetype=kind)


@bp.post("/enrolment")
def act(token: str) -> Response:
    """Do what the pressed button asks for; then show the page again, or say what went wrong."""
    viewer_pages.require_viewer("host")
    wanted = request.form.get("do", "")
    action = ACTIONS.get(wanted)
    if action is None:
        raise answers.PageGone("error.malformed", 422)
    try:
        return answers.redirect_to(action.run())
    except CameraRefusal as refusal:
        wrong = explain(refusal)
    except EnrolmentError as error:
        wrong = str(error)
    deck = request.form.get("deck", "")
    if action.of_deck and NAME.fullmatch(deck):
        page = teaching(deck, wrong, naming=not action.takes_picture)
        return page if isinstance(page, Response) else Response(page, 409)
    return Response(decks(wrong, bringing=wanted == "import"), 409)


# --- what is shown --------------------------------------------------------------------------------


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


def teaching(deck: str, wrong: str = "", naming: bool = True) -> str | Response:
    """Return the page of an unfinished deck; `naming`: show the captured picture that waits for its name."""
    try:
        answer = ask(ReadUnfinishedDeck(deck))
    except CameraRefusal as refusal:
        return Response(decks(wrong or explain(refusal)), 409)
    say = saying(deck)
    cards = answer.cards
    groups = () if is_free(deck, frozenset(cards)) else card_groups_of(context().snapshot(), language())
    known = {pick.card for group in groups for pick in group.picks}
    taught = tuple([TaughtCard(card, say(card), tuple(pictures)) for card, pictures in cards.items()])
    captured = answer.captured if naming else None
    missing = [pick.name for group in groups for pick in group.picks if pick.card not in cards]
    return render_template(
        "teaching.html",
        deck=deck,
        called=deck_label(deck),
        wrong=wrong,
        groups=groups,
        taught=taught,
        done=frozenset(cards),
        there=len([card for card in cards if not groups or card in known]),
        captured=captured,
        faults=[fault for fault in captured.faults if fault in FAULTS] if captured is not None else [],
        likely=likely(captured, groups, frozenset(cards), request.args.get("last", ""), say),
        missing=missing,
        shown=MISSING_SHOWN,
        whole=sum(len(group.picks) for group in groups),
        enough=sum(not card.startswith(BACK) for card in cards) >= LEAST_CARDS,
        camera=camera_now(),
        photographs=MOST_PHOTOGRAPHS,
        tokens=bool(groups) and bool(token_groups_of(context().snapshot().game, language())),
    )


def deck_label(deck: str) -> str:
    """Return a deck's name for people."""
    return deck_name(deck, words(language()))


# --- what the buttons do --------------------------------------------------------------------------


class EnrolmentError(Exception):
    """A button's action cannot be done. The message is the sentence for the page."""


def requested_deck() -> str:
    """Return the deck that a request names; raise `PageGone` where it names none."""
    deck = request.values.get("deck", "").strip()
    if not NAME.fullmatch(deck):
        raise answers.PageGone("answer.bad_name", 422)
    return deck


def back(deck: str = "", last: str = "") -> str:
    """Return the address of a deck's page, relative to it; `last` is the card that was named last."""
    if not deck:
        return "enrolment"
    return f"enrolment?{urlencode({'deck': deck} | ({'last': last} if last else {}))}"


def begin() -> str:
    """Begin a new deck."""
    deck = request.form.get("deck", "").strip()
    say = words(language())
    if not NAME.fullmatch(deck):
        raise EnrolmentError(say("answer.bad_name"))
    if any(each.name == deck for each in ask(ListDecks()).decks):
        raise EnrolmentError(say("answer.taken"))
    context().table.keep(f"web.deck.{deck}", FREE if request.form.get("free") == "1" else None)
    return back(deck)


def capture() -> str:
    """Take a picture with the camera."""
    deck = requested_deck()
    require_card(ask(Capture(deck)))
    return back(deck, request.form.get("last", ""))


def require_card(answer: CaptureAnswer) -> CaptureAnswer:
    """Return a capture; raise `EnrolmentError` where there is no card in the picture."""
    if not answer.picture:
        raise EnrolmentError(words(language())("enrolment.fault_none"))
    return answer


def photograph() -> str:
    """Use uploaded photographs: a single one may get its name later, several need the card's name now."""
    deck = requested_deck()
    files = [file for file in request.files.getlist("file") if file.filename]
    say = words(language())
    if not files:
        raise EnrolmentError(say("enrolment.no_file"))
    if len(files) > MOST_PHOTOGRAPHS:
        raise EnrolmentError(say("enrolment.too_many", most=MOST_PHOTOGRAPHS))
    for file in files:
        wrong = why_unfit(file.read(photographs.LARGEST + 1))
        if wrong:
            raise EnrolmentError(say(wrong, file=(file.filename or "")[:60], most=photographs.LARGEST // 2**20))
    card = request.form.get("card", "").strip()
    if len(files) > 1 and not NAME.fullmatch(card):
        raise EnrolmentError(say("enrolment.one_card"))
    for file in files:
        answer = require_card(capture_photograph(file, deck))
        if NAME.fullmatch(card):
            ask(EnrolPicture(deck, card, answer.picture))
    return back(deck, card or request.form.get("last", ""))


def enrol() -> str:
    """Keep the captured picture under a card's name."""
    deck, card, file = requested_deck(), request.form.get("card", "").strip(), request.form.get("picture", "")
    if not NAME.fullmatch(card) or not FILE.fullmatch(file):
        raise EnrolmentError(words(language())("answer.bad_name"))
    ask(EnrolPicture(deck, card, file))
    return back(deck, card)


def forget() -> str:
    """Remove a picture of a card, or all of them."""
    deck = requested_deck()
    ask(ForgetPicture(deck, request.form.get("card", ""), request.form.get("picture", "")))
    return back(deck)


def finish() -> str:
    """Make the deck and use it."""
    ask(FinishDeck(requested_deck()))
    return back()


def use() -> str:
    """Use a finished deck."""
    ask(UseDeck(requested_deck()))
    return back()


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
        if not deck and refusal.key in RENAMED:  # nobody sees the name that is inside the file
            raise EnrolmentError(camera_sentence(say, "answer", f"own_{refusal.key}", refusal.fields)) from None
        raise
    finally:
        path.unlink(missing_ok=True)
    return back()


class EnrolmentAction(NamedTuple):
    """What a button does, by its field `do`."""

    run: Callable[[], str]
    """Does it and returns the address of the next page; raises `CameraRefusal` or `EnrolmentError`."""
    of_deck: bool = True
    """Whether the button is on the page of one deck."""
    takes_picture: bool = False
    """Whether it takes a new picture: where that fails, the picture before it must not be named instead."""


ACTIONS = {
    "begin": EnrolmentAction(begin, of_deck=False),
    "capture": EnrolmentAction(capture, takes_picture=True),
    "photograph": EnrolmentAction(photograph, takes_picture=True),
    "enrol": EnrolmentAction(enrol),
    "forget": EnrolmentAction(forget),
    "finish": EnrolmentAction(finish),
    "use": EnrolmentAction(use, of_deck=False),
    "import": EnrolmentAction(import_deck, of_deck=False),
}


def saying(deck: str) -> Callable[[str], str]:
    """Return a function from a deck's card to its name for people: the game's, or for cards of no game their own."""
    return str if is_free(deck) else card_sayer(context().snapshot(), language())


def is_free(deck: str, cards: frozenset[str] = frozenset()) -> bool:
    """Whether the cards of a deck belong to no game, and have names of their own.

    cards: the cards that it has. An imported deck with none of the game's cards is not of the game.
    """
    if context().table.read_value(f"web.deck.{deck}") == FREE:
        return True
    known = {pick.card for group in card_groups_of(context().snapshot(), language()) for pick in group.picks}
    return bool(cards) and not cards & known
