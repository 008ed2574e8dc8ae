"""The stage: one page on which a demonstration is seen whole; how fast it goes, and who has taken a seat over.

Only a companion that was started for a demonstration has one. Its people are programs in a process of their own, which
prove who they are by a key; they tell here where their pages are and how it goes, and hear what the watchers want. What
they truly hold never comes here. Knows no rules.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
from flask import Blueprint, Response, current_app, render_template, request

from companion.devices.camera_requests import Watch
from companion.devices.frames import PICTURE
from companion.wire import DOINGS, HEADER, VARIABLE, StageReport, StageWishes
from web.context import house
from web.live.bundle import StreamBundle
from web.live.stream_limits import StreamsFull
from web.presenters.scene import players_of
from web.security.access import Viewer
from web.views import common
from web.views.camera import WATCH, live_facts, send
from web.views.pins_panel import buttons_now, places
from web.views.streams import RETRY_AFTER, streamed
from web.words import language, numbered, package, words

bp = Blueprint("stage", __name__, url_prefix="/stage")
ALONE = 90.0
"""Seconds after which a table that nobody watches stands still; a machine has better things to do."""
SPEEDS = (0.0, 1.0, 2.0, 4.0, 16.0)
"""How fast people act: 0 stops them, the last one is as fast as they can."""
COUNTED = ("events", "cards", "questions")
"""What is counted while people play, as their report calls it."""


class Stage:
    """What people and watchers tell one another. Every method may be called from any thread."""

    def __init__(self, key: str, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self.key = key
        self.report = StageReport()
        self.wishes = StageWishes()
        self.clock = clock
        self._watched = clock()
        self._lock = threading.Lock()

    def trusts(self, key: str) -> bool:
        """Whether somebody has shown the people's key."""
        return secrets.compare_digest(key.encode(), self.key.encode())

    def tell(self, report: StageReport) -> StageWishes:
        """Take in what the people tell; return what is wanted of them.

        At a new match nobody has a seat yet, and while nobody watches they stop.
        """
        with self._lock:
            if report.pages != self.report.pages:
                self.wishes = msgspec.structs.replace(self.wishes, taken=())
            self.report = report
            alone = self.clock() - self._watched > ALONE
            return msgspec.structs.replace(self.wishes, speed=0.0) if alone else self.wishes

    def watched(self) -> None:
        """Take note that somebody looks."""
        self._watched = self.clock()

    def want(self, **wishes: Any) -> None:
        """Take note of what the watchers want."""
        with self._lock:
            self.wishes = msgspec.structs.replace(self.wishes, **wishes)

    def take(self, seat: int, on: bool) -> None:
        """Let a person have a seat, or give it back."""
        with self._lock:
            others = tuple(each for each in self.wishes.taken if each != seat)
            self.wishes = msgspec.structs.replace(self.wishes, taken=tuple(sorted((*others, seat))) if on else others)


def made() -> Stage | None:
    """Return the stage of a companion that was started for a demonstration, else None."""
    key = os.environ.get(VARIABLE, "")
    return Stage(key) if key else None


def stage() -> Stage:
    """Return the stage; raise `Gone` in a companion that has none."""
    found = current_app.extensions.get("stage")
    if not isinstance(found, Stage):
        raise common.PageGone("error.not_found")
    return found


def staged() -> bool:
    """Whether this companion was started for a demonstration."""
    return isinstance(current_app.extensions.get("stage"), Stage)


def viewers() -> tuple[Viewer, ...]:
    """Return whose pages the stage shows: the seats', the shared tablet's, and the host's, for buttons and lamps."""
    report, home = stage().report, house()
    tokens = [each.strip("/").rpartition("/")[2] for each in (*report.pages, report.table, report.host)]
    found = [home.viewer(token) for token in tokens]
    return tuple([each for each in found if each is not None]) if all(found) else ()


# --- what watchers see ----------------------------------------------------------------------------


@bp.get("/")
def page() -> str:
    """Show the stage, or that people are coming."""
    now, shown = stage(), viewers()
    players = players_of(house().snapshot()) if shown else ()
    say = words(language(), package(house().snapshot().game)) if shown else words(language())
    return render_template(
        "stage.html",
        report=now.report,
        wishes=now.wishes,
        ready=bool(shown),
        players=players,
        places=places(buttons_now(), len(players)),
        speeds=SPEEDS,
        page=secrets.token_hex(8),
        words=say,
    )


@bp.get("/stream")
def stream() -> Response:
    """Stream what changes on all pages of the stage."""
    lang = language()
    keys = [common.key_of(each, lang) for each in viewers()]
    if not keys:
        raise common.PageGone("error.gone")
    try:
        # Each page is its own token: nobody's seat may be closed to make room for a watcher's other window.
        bundle = StreamBundle(house().hub, keys, f"stage {request.args.get('page', '')[: common.LONGEST_NAME]}")
    except StreamsFull:
        text = render_template("said.html", sentence=words(lang)("error.too_many_screens"), good=False)
        return Response(text, 503, {"Retry-After": str(RETRY_AFTER)})
    except LookupError:
        raise common.PageGone("error.gone") from None
    return streamed(bundle)


@bp.get("/now.json")
def now() -> Response:
    """Say how it goes, and what the camera sees."""
    here = stage()
    here.watched()
    say = words(language())
    report = here.report
    told = {
        "ready": bool(viewers()),
        "match": "|".join(report.pages),
        "doing": say(f"stage.doing_{report.doing if report.doing in DOINGS else 'playing'}"),
        "state": report.doing,
        "counts": ", ".join([numbered(say, f"stage.{each}", getattr(report, each)) for each in COUNTED]),
        "wrong": numbered(say, "stage.wrong", report.wrong) if report.wrong else "",
        "speed": here.wishes.speed,
        "taken": here.wishes.taken,
        "camera": live_facts() if house().snapshot().match_id else None,
    }
    return Response(msgspec.json.encode(told), mimetype="application/json")


@bp.get("/live.jpg")
def picture() -> Response:
    """Show the live picture."""
    stage()
    try:
        data = (house().shelf / PICTURE).read_bytes()
    except OSError:
        raise common.PageGone("error.not_found") from None
    return Response(data, mimetype="image/jpeg")


# --- what watchers want ---------------------------------------------------------------------------


@bp.post("/watch")
def watch() -> Response:
    """Have pictures put on the shelf for a while."""
    stage()
    return send(Watch(WATCH))


@bp.post("/speed")
def speed() -> Response:
    """Have people act faster, slower, or stop."""
    here, said = stage(), request.form.get("speed", "")
    wanted = next((each for each in SPEEDS if f"{each:g}" == said), None)
    if wanted is None:
        raise common.PageGone("error.malformed", 422)
    here.want(speed=wanted)
    return Response(status=204)


@bp.post("/take")
def take() -> Response:
    """Take a seat over, or give it back."""
    here = stage()
    seat = int(common.seat_named())
    here.take(seat, request.form.get("on") == "1")
    return Response(status=204)


@bp.post("/again")
def again() -> Response:
    """Have another match played, once this one is over."""
    here = stage()
    here.want(again=here.wishes.again + 1)
    return Response(status=204)


# --- what the people tell -------------------------------------------------------------------------


@bp.post("/people")
def people() -> Response:
    """Take in where the people's pages are and how it goes; answer with what the watchers want."""
    here = stage()
    if not here.trusts(request.headers.get(HEADER, "")):
        raise common.PageGone("error.not_found")
    try:
        report = msgspec.json.decode(request.get_data(), type=StageReport)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise common.PageGone("error.malformed", 422) from None
    return Response(msgspec.json.encode(here.tell(report)), mimetype="application/json")


def keyed() -> bool:
    """Whether a request is the people's own, which have no form of ours to send."""
    return request.endpoint == "stage.people" and staged()
