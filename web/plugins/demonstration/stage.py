"""The stage: one page that shows a whole demonstration, sets its speed and lets people take over seats.

Only a companion started for a demonstration has one. The players are programs in another process, authenticated by a
key. They report their pages' addresses and the game's progress, and receive the watchers' wishes. The cards in their
hands never come here.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable

import msgspec
from flask import Blueprint, Response, current_app, render_template, request

from companion.demo_records import DOINGS, KEY_HEADER, StageReport, StageWishes
from companion.devices.frames import PICTURE_NAME
from web.context import context
from web.live.bundle import StreamBundle, Wanted
from web.presenters.match_log import players_of
from web.security.access import Viewer
from web.security.csrf import POLICY
from web.serving.slow_clients.stream_places import StreamsFull
from web.views import responses, viewer_pages
from web.views.camera import ask_for_pictures, live_facts
from web.views.pins_panel import buttons_now, pin_places
from web.views.streams import RETRY_AFTER, packing, stream_response
from web.words import language, package, words

bp = Blueprint("stage", __name__, url_prefix="/stage")
ALONE = 90.0
"""Seconds after which a table without watchers pauses, to save the machine."""
SPEEDS = (0.0, 1.0, 2.0, 4.0, 16.0)
"""The programs' speeds: 0 pauses them, the last is as fast as possible."""
STAGED = POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'; frame-src 'self'")
"""The content security policy of all pages shown within a stage."""
COUNTED = ("events", "cards", "questions")
"""The programs' counters, by their names in the report."""


class Stage:
    """The programs' reports and the watchers' wishes. Any thread may call any method."""

    def __init__(self, key: str, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self.key = key
        self.report = StageReport()
        self.wishes = StageWishes()
        self.clock = clock
        self._watched = clock()
        self._lock = threading.Lock()

    def trusts(self, key: str) -> bool:
        """Whether this is the programs' key."""
        return secrets.compare_digest(key.encode(), self.key.encode())

    def update(self, report: StageReport) -> StageWishes:
        """Accept a report; return the watchers' wishes. Without watchers, the programs pause."""
        with self._lock:
            if report.pages != self.report.pages:
                self.wishes = msgspec.structs.replace(self.wishes, taken=())
            self.report = report
            alone = self.clock() - self._watched > ALONE
            return msgspec.structs.replace(self.wishes, speed=0.0) if alone else self.wishes

    def note_watcher(self) -> None:
        """Record that somebody is watching."""
        self._watched = self.clock()

    def want(self, **wishes: object) -> None:
        """Record the watchers' wishes."""
        with self._lock:
            self.wishes = msgspec.structs.replace(self.wishes, **wishes)

    def take(self, seat: int, on: bool) -> None:
        """Let a person take over a seat, or give it back."""
        with self._lock:
            others = tuple(each for each in self.wishes.taken if each != seat)
            self.wishes = msgspec.structs.replace(self.wishes, taken=tuple(sorted((*others, seat))) if on else others)


def require_stage() -> Stage:
    """Return the stage; raise `PageGone` in a companion without one."""
    found = current_app.extensions.get("stage")
    if not isinstance(found, Stage):
        raise responses.PageGone("error.not_found")
    return found


def viewers() -> tuple[Viewer, ...]:
    """Return the pages that the stage shows: the seats, the shared tablet, and the host for buttons and lamps."""
    report = require_stage().report
    tokens = [each.strip("/").rpartition("/")[2] for each in (*report.pages, report.table, report.host)]
    found = [context().viewer(token) for token in tokens]
    return tuple([each for each in found if each is not None]) if all(found) else ()


# --- all pages of this companion ------------------------------------------------------------------


@bp.app_context_processor
def note_stage() -> dict[str, object]:
    """Tell every template that this is a demonstration."""
    return {"staged": True}


@bp.before_app_request
def lead_to_stage() -> Response | None:
    """Show the stage instead of the first page."""
    return responses.redirect_to("/stage/") if request.endpoint == "start.page" else None


@bp.after_app_request
def allow_frames(response: Response) -> Response:
    """Let the stage embed all other pages."""
    response.headers["Content-Security-Policy"] = STAGED
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


# --- the watchers' view ---------------------------------------------------------------------------


@bp.get("/")
def page() -> str:
    """Show the stage, or that the players are still coming."""
    now, shown = require_stage(), viewers()
    players = players_of(context().snapshot()) if shown else ()
    say = words(language(), package(context().snapshot().game)) if shown else words(language())
    return render_template(
        "demonstration/stage.html",
        report=now.report,
        wishes=now.wishes,
        ready=bool(shown),
        players=players,
        places=pin_places(buttons_now(), len(players)),
        speeds=SPEEDS,
        page=secrets.token_hex(8),
        words=say,
    )


@bp.get("/stream")
def stream() -> Response:
    """Stream the changes of all pages on the stage."""
    lang = language()
    keys = [viewer_pages.channel_of(each, lang) for each in viewers()]
    if not keys:
        raise responses.PageGone("error.gone")
    try:
        # Each page counts under its own token: a watcher's other window must not close anybody's seat.
        page = f"stage {request.args.get('page', '')[: viewer_pages.LONGEST_NAME]}"
        bundle = StreamBundle(context().hub, [Wanted(key, page) for key in keys], packing())
    except StreamsFull:
        text = render_template("message.html", sentence=words(lang)("error.too_many_screens"), good=False)
        return Response(text, 503, {"Retry-After": str(RETRY_AFTER)})
    except LookupError:
        raise responses.PageGone("error.gone") from None
    return stream_response(bundle)


@bp.get("/now.json")
def now() -> Response:
    """Return the game's progress, and the camera's view."""
    here = require_stage()
    here.note_watcher()
    say = words(language())
    report = here.report
    counted = msgspec.structs.asdict(report)
    status = {
        "ready": bool(viewers()),
        "match": "|".join(report.pages),
        "doing": caption(report.doing if report.doing in DOINGS else "playing"),
        "state": report.doing,
        "counts": ", ".join([say.plural(f"stage.{each}", counted[each]) for each in COUNTED]),
        "wrong": say.plural("stage.wrong", report.wrong) if report.wrong else "",
        "speed": here.wishes.speed,
        "taken": here.wishes.taken,
        "camera": live_facts() if context().snapshot().match_id else None,
    }
    return Response(msgspec.json.encode(status), mimetype="application/json")


def caption(doing: str) -> str:
    """Return the caption: the last event while the programs play, else their current activity."""
    snapshot, lang = context().snapshot(), language()
    if doing == "playing" and snapshot.match_id and not snapshot.over:
        for line in context().renderer.teller.log(snapshot, lang, 1):
            return " ".join(line.sentences)
    return words(lang)(f"stage.doing_{doing}")


@bp.get("/live.jpg")
def picture() -> Response:
    """Show the live picture."""
    require_stage()
    try:
        data = (context().frames / PICTURE_NAME).read_bytes()
    except OSError:
        raise responses.PageGone("error.not_found") from None
    return Response(data, mimetype="image/jpeg")


# --- the watchers' wishes -------------------------------------------------------------------------


@bp.post("/watch")
def watch() -> Response:
    """Ask the camera for pictures for a while."""
    require_stage()
    return ask_for_pictures()


@bp.post("/speed")
def speed() -> Response:
    """Set the programs' speed, or pause them."""
    here, said = require_stage(), request.form.get("speed", "")
    wanted = next((each for each in SPEEDS if f"{each:g}" == said), None)
    if wanted is None:
        raise responses.PageGone("error.malformed", 422)
    here.want(speed=wanted)
    return Response(status=204)


@bp.post("/take")
def take() -> Response:
    """Take over a seat, or give it back."""
    here = require_stage()
    seat = int(viewer_pages.read_seat())
    here.take(seat, request.form.get("on") == "1")
    return Response(status=204)


@bp.post("/again")
def play_again() -> Response:
    """Play another match after this one."""
    here = require_stage()
    here.want(again=here.wishes.again + 1)
    return Response(status=204)


# --- the programs' reports ------------------------------------------------------------------------


@bp.post("/people")
def people() -> Response:
    """Accept the programs' report; answer with the watchers' wishes."""
    here = require_stage()
    if not here.trusts(request.headers.get(KEY_HEADER, "")):
        raise responses.PageGone("error.not_found")
    try:
        report = msgspec.json.decode(request.get_data(), type=StageReport)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise responses.PageGone("error.malformed", 422) from None
    return Response(msgspec.json.encode(here.update(report)), mimetype="application/json")
