"""Teaching the companion one's own cards: pictures taken one by one and named, a deck made, kept, handed on.

All that is taught lies with the camera's service, so nothing is lost by closing the page. Knows no picture's content.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request

from companion.devices.camera_link import ANSWER
from companion.devices.frames import put
from companion.messages import Answered
from web.context import context
from web.presenters.camera_status import camera_sentence, deck_name
from web.presenters.card_names import BACK, card_groups_of
from web.presenters.lookalikes import TaughtCard, card_sayer, likely, twins
from web.views import answers, pages, photographs
from web.views.camera import ask, camera_now
from web.views.photographs import LOOKS, looked_at, unfit
from web.words import language, package, words

bp = Blueprint("enrolment", __name__)
NAME = re.compile(r"[\w][\w +&'()-]{0,39}")
"""A deck's or a card's name."""
FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
"""A name on the shelf."""
PICTURES = {".jpg": "image/jpeg", ".png": "image/png"}
FAULTS = ("several", "cut", "small", "blur", "dark", "glare")
MOST_PHOTOGRAPHS = 12
"""Photographs that are taken in at once."""
LEAST_CARDS = 2
FREE = b"free"
"""Kept of a deck whose cards belong to no game."""
MISSING_SHOWN = 6
CLEAR_SHOWN = 3
"""Pairs that are shown where all are told apart well: the closest ones."""
RENAMED = ("taken", "bad_name")
"""Why a deck may not be taken in under its own name, though it may under another."""
MAKES = 120.0
"""Seconds that computing a whole deck may take on a small machine."""


# --- pages ----------------------------------------------------------------------------------------


@bp.get("/enrolment")
def page(token: str) -> str | Response:
    """Show the decks, or the one that is being taught."""
    pages.require_viewer("host")
    deck = request.args.get("deck", "")
    return teaching(deck) if NAME.fullmatch(deck) else decks()


@bp.get("/report")
def report(token: str) -> str | Response:
    """Show which cards of a deck look alike."""
    pages.require_viewer("host")
    deck = named()
    answer = ask("report", {"deck": deck}, MAKES)
    if not answer.done:
        return teaching(deck, why(answer))
    say = saying(deck)
    pairs = [pair for each in answer.fields.get("pairs", ()) if (pair := twins(each, say)) is not None]
    worth = [pair for pair in pairs if pair.how != "clear"]
    return render_template(
        "report.html", deck=deck, called=called(deck), worth=worth, pairs=worth or pairs[:CLEAR_SHOWN]
    )


@bp.get("/export")
def export(token: str) -> Response:
    """Hand out a deck as one file."""
    pages.require_viewer("host")
    deck = named()
    answer = ask("export", {"deck": deck}, MAKES)
    file = str(answer.fields.get("file", ""))
    if not answer.done or not FILE.fullmatch(file):
        return Response(decks(why(answer)), 409)
    try:
        data = (context().shelf / file).read_bytes()
    except OSError:
        return Response(decks(words(language())("answer.failed")), 409)
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", deck) or "deck"
    headers = {"Content-Disposition": f'attachment; filename="{plain}{Path(file).suffix}"'}
    return Response(data, mimetype="application/octet-stream", headers=headers)


@bp.get("/shelf/<name>")
def picture(token: str, name: str) -> Response:
    """Show a picture of a card."""
    pages.require_viewer("host")
    kind = PICTURES.get(Path(name).suffix)
    try:
        if kind is None or not FILE.fullmatch(name):
            raise FileNotFoundError
        data = (context().shelf / name).read_bytes()
    except OSError:
        raise answers.PageGone("error.not_found") from None
    return Response(data, mimetype=kind)


@bp.post("/enrolment")
def act(token: str) -> Response:
    """Do what a button of these pages says; then show the page as it is, or what was wrong."""
    pages.require_viewer("host")
    wanted = request.form.get("do", "")
    do = DOES.get(wanted)
    if do is None:
        raise answers.PageGone("error.malformed", 422)
    wrong, where = do()
    if not wrong:
        return answers.redirect_to(where)
    deck = request.form.get("deck", "")
    inside = wanted in WITHIN and NAME.fullmatch(deck)
    shown = teaching(deck, wrong, naming=wanted not in TAKES) if inside else decks(wrong, wanted == "import")
    return shown if isinstance(shown, Response) else Response(shown, 409)


# --- what is shown --------------------------------------------------------------------------------


def decks(wrong: str = "", bringing: bool = False) -> str:
    """Return the page of all decks; `bringing`: the form for a deck's file is open."""
    answer = ask("decks")
    found = [each for each in answer.fields.get("decks", ()) if isinstance(each, dict) and each.get("name")]
    return render_template(
        "decks.html",
        decks=found,
        called=called,
        used=answer.fields.get("used", ""),
        wrong=wrong or ("" if answer.done else why(answer)),
        absent=answer.key == "absent",
        there=answer.done,
        bringing=bringing,
        game=words(language(), package(context().snapshot().game))("game.title"),
    )


def teaching(deck: str, wrong: str = "", naming: bool = True) -> str | Response:
    """Return the page of the deck that is being taught; without `naming` no picture taken before waits for its name."""
    answer = ask("making", {"deck": deck}, LOOKS)
    if not answer.done:
        return Response(decks(wrong or why(answer)), 409)
    say = saying(deck)
    cards = dict(answer.fields.get("cards", {}))
    groups = () if is_free(deck, frozenset(cards)) else card_groups_of(context().snapshot(), language())
    known = {pick.card for group in groups for pick in group.picks}
    taught = tuple([TaughtCard(card, say(card), tuple(pictures)) for card, pictures in cards.items()])
    captured = (naming and answer.fields.get("captured")) or {}
    missing = [(pick.card, pick.name) for group in groups for pick in group.picks if pick.card not in cards]
    return render_template(
        "teaching.html",
        deck=deck,
        called=called(deck),
        wrong=wrong,
        groups=groups,
        taught=taught,
        done=frozenset(cards),
        there=len([card for card in cards if not groups or card in known]),
        captured=captured,
        faults=[fault for fault in captured.get("faults", ()) if fault in FAULTS],
        likely=likely(captured, groups, frozenset(cards), request.args.get("last", ""), say),
        missing=[name for _, name in missing],
        shown=MISSING_SHOWN,
        whole=sum(len(group.picks) for group in groups),
        enough=sum(not card.startswith(BACK) for card in cards) >= LEAST_CARDS,
        camera=camera_now(),
        photographs=MOST_PHOTOGRAPHS,
    )


def called(deck: str) -> str:
    """Return a deck's name as people say it."""
    return deck_name(deck, words(language()))


def why(answer: Answered) -> str:
    """Return why something could not be done."""
    return camera_sentence(words(language()), "answer", answer.key or "failed", answer.fields)


# --- what is done ---------------------------------------------------------------------------------

Done = tuple[str, str]
"""What was wrong, or nothing; and which page follows."""


def named() -> str:
    """Return the deck that a request names; raise `Gone` where it names none."""
    deck = request.values.get("deck", "").strip()
    if not NAME.fullmatch(deck):
        raise answers.PageGone("answer.bad_name", 422)
    return deck


def back(deck: str = "", last: str = "") -> str:
    """Return the address of a deck's page, as seen from there; `last` is the card that was named last."""
    if not deck:
        return "enrolment"
    return f"enrolment?{urlencode({'deck': deck} | ({'last': last} if last else {}))}"


def asked(what: str, fields: dict[str, Any], timeout: float = ANSWER, deck: str = "") -> Done:
    """Ask the camera, and go back to the deck's page."""
    answer = ask(what, fields, timeout)
    return ("" if answer.done else why(answer)), back(deck)


def begin() -> Done:
    """Begin a new deck."""
    deck = request.form.get("deck", "").strip()
    say = words(language())
    if not NAME.fullmatch(deck):
        return say("answer.bad_name"), ""
    answer = ask("decks")
    if not answer.done:
        return why(answer), ""
    if any(each.get("name") == deck for each in answer.fields.get("decks", ())):
        return say("answer.taken"), ""
    context().table.keep(f"web.deck.{deck}", FREE if request.form.get("free") == "1" else None)
    return "", back(deck)


def capture() -> Done:
    """Take a picture with the camera."""
    deck = named()
    answer = ask("capture", {"deck": deck}, LOOKS)
    return empty(answer), back(deck, request.form.get("last", ""))


def empty(answer: Answered) -> str:
    """Return why there is no card to be named: the picture could not be taken or read, or there is none in it."""
    if not answer.done:
        return why(answer)
    return "" if answer.fields.get("picture") else words(language())("enrolment.fault_none")


def photograph() -> Done:
    """Take in photographs from this device: one is looked at and named, of several each that is already named."""
    deck = named()
    files = [file for file in request.files.getlist("file") if file.filename]
    say = words(language())
    if not files:
        return say("enrolment.no_file"), ""
    if len(files) > MOST_PHOTOGRAPHS:
        return say("enrolment.too_many", most=MOST_PHOTOGRAPHS), ""
    for file in files:
        data = file.read(photographs.LARGEST + 1)
        wrong = unfit(data)
        if wrong:
            return say(wrong, file=(file.filename or "")[:60], most=photographs.LARGEST // 2**20), ""
    card = request.form.get("card", "").strip()
    if len(files) > 1 and not NAME.fullmatch(card):
        return say("enrolment.one_card"), ""
    for file in files:
        answer = looked_at(file, deck)
        wrong = empty(answer)
        if not wrong and NAME.fullmatch(card):
            fields = {"deck": deck, "card": card, "picture": str(answer.fields["picture"])}
            answer = ask("enrol", fields, LOOKS)
            wrong = "" if answer.done else why(answer)
        if wrong:
            return wrong, ""
    return "", back(deck, card or request.form.get("last", ""))


def enrol() -> Done:
    """Keep the captured picture under a card's name."""
    deck, card, file = named(), request.form.get("card", "").strip(), request.form.get("picture", "")
    if not NAME.fullmatch(card) or not FILE.fullmatch(file):
        return words(language())("answer.bad_name"), ""
    wrong, _ = asked("enrol", {"deck": deck, "card": card, "picture": file}, LOOKS, deck)
    return wrong, back(deck, card)


def forget() -> Done:
    """Take a picture of a card out again."""
    deck, card, file = named(), request.form.get("card", ""), request.form.get("picture", "")
    fields = {"deck": deck, "card": card} | ({"picture": file} if file else {})
    return asked("forget", fields, deck=deck)


def finish() -> Done:
    """Make the deck and use it."""
    return asked("finish", {"deck": named()}, MAKES)


def use() -> Done:
    """Use a deck that is made."""
    return asked("use", {"deck": named()}, LOOKS)


def bring() -> Done:
    """Take a deck in from a file, under its own name or the one that is given."""
    file = request.files.get("file")
    if file is None or not file.filename:
        return words(language())("enrolment.no_file"), ""
    say, deck = words(language()), request.form.get("deck", "").strip()
    if deck and not NAME.fullmatch(deck):
        return say("answer.bad_name"), ""
    name = f"import-{secrets.token_hex(6)}.deck"
    path = context().shelf / name
    put(path, file.read())
    try:
        answer = ask("import", {"file": name} | ({"deck": deck} if deck else {}), MAKES)
    finally:
        path.unlink(missing_ok=True)
    if answer.done:
        return "", back()
    if not deck and answer.key in RENAMED:  # nobody sees what a file's deck calls itself
        return camera_sentence(say, "answer", f"own_{answer.key}", answer.fields), ""
    return why(answer), ""


DOES: dict[str, Callable[[], Done]] = {
    "begin": begin,
    "capture": capture,
    "photograph": photograph,
    "enrol": enrol,
    "forget": forget,
    "finish": finish,
    "use": use,
    "import": bring,
}
WITHIN = ("capture", "photograph", "enrol", "forget", "finish")
"""What is done on the page of one deck."""
TAKES = ("capture", "photograph")
"""What takes a new picture: where that fails, the one before it must not be named in its stead."""


def saying(deck: str) -> Callable[[str], str]:
    """Return how the cards of a deck are called: as the game calls them, or by their own names."""
    return str if is_free(deck) else card_sayer(context().snapshot(), language())


def is_free(deck: str, cards: frozenset[str] = frozenset()) -> bool:
    """Whether the cards of a deck are of no game, and called whatever people like.

    cards: those that it has; a deck that was brought in, and has none of the game's cards, is not of the game.
    """
    if context().table.kept(f"web.deck.{deck}") == FREE:
        return True
    known = {pick.card for group in card_groups_of(context().snapshot(), language()) for pick in group.picks}
    return bool(cards) and not cards & known
