"""The host's page: the public table, and mending. The host usually plays too, so it shows no secrets."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, render_template, request
from werkzeug.datastructures import MultiDict

from companion.engine import Event
from companion.match.history import AmendConflict, HistoryEntry
from companion.table.snapshot import Snapshot, TableAnswer
from web.context import house
from web.forms import InvalidForm, built, kinds, read, shape
from web.presenters.corrections import differences, editor
from web.presenters.scene import editable, players_of
from web.security.access import Viewer
from web.views import common, table
from web.views import knock as knocking
from web.views.collection import sheet_of
from web.views.streams import open_stream
from web.words import language, package, words

bp = Blueprint("host", __name__)


@bp.get("/")
def page(token: str) -> str:
    """Show the host's page."""
    viewer = common.asker("host")
    listed = sheet_of(house().snapshot().game) is not None
    return common.show("host.html", viewer, join=table.join_address(), listed=listed)


@bp.get("/stream")
def stream(token: str) -> Response:
    """Stream what changes for the host."""
    return open_stream(common.asker("host"))


@bp.get("/clock")
def clock(token: str) -> Response:
    """Say what time it is."""
    return common.clock(common.asker("host"))


@bp.get("/qr.svg")
def code(token: str) -> Response:
    """Show the address for joining as a QR code."""
    common.asker("host")
    return table.drawn(table.join_address())


@bp.post("/propose")
def propose(token: str) -> Response:
    """Enter what turned up for all to see."""
    return common.propose(common.asker("host"))


@bp.post("/draw")
def draw(token: str) -> Response:
    """Draw the token."""
    return common.draw(common.asker("host"))


@bp.post("/tablet")
def tablet(token: str) -> Response:
    """Open the shared tablet's page on this device."""
    viewer = common.asker("host")
    return common.to(f"/t/{house().access.admit(Viewer('table', viewer.match))}/")


# --- undo, redo, pause ----------------------------------------------------------------------------


@bp.post("/undo")
def undo(token: str) -> Response:
    """Take back what happened from one line of the log on; past something turned up, all seats are asked."""
    viewer = common.asker("host")
    home = house()
    snapshot, at = chosen(viewer)
    answer = home.table.ask_undo(snapshot.entries[at - 1].seq if at else 0, viewer.by)
    home.consent_for_nobody()
    return common.answered(answer, viewer)


@bp.get("/log")
def whole_log(token: str) -> str:
    """Show the whole log, to go back to any line of it or to put it right."""
    viewer = common.asker("host")
    home = house()
    snapshot = home.snapshot()
    page = home.hub.page(common.key_of(viewer))
    with home.hub.lock:
        log = home.teller.log(snapshot, language(), len(snapshot.entries))
    return render_template("hostlog.html", log=log, shown=page.id if page else "")


@bp.post("/redo")
def redo(token: str) -> Response:
    """Take back the last undo."""
    viewer = common.asker("host")
    return common.answered(house().table.redo(viewer.by), viewer)


@bp.post("/pause")
def pause(token: str) -> Response:
    """Stop the game, or let it go on."""
    viewer = common.asker("host")
    companion = house().table
    answer = companion.pause(viewer.by) if request.form.get("on") == "1" else companion.unpause(viewer.by)
    return common.answered(answer, viewer)


def chosen(viewer: Viewer) -> tuple[Snapshot, int]:
    """Return the snapshot and the place in its line of play of the log's line that the form names."""
    home = house()
    snapshot = home.snapshot()
    if common.seen(home, viewer, request.values) == -1:
        raise common.PageGone("error.look_again", 409)
    with home.hub.lock:
        places = home.teller.places(snapshot)
    text = request.values.get("line", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
    if not 1 <= number <= len(places):
        raise common.PageGone("error.no_line", 422)
    return snapshot, places[number - 1]


# --- amending -------------------------------------------------------------------------------------


@bp.get("/amend")
def amending(token: str) -> str:
    """Show an old event's fields, to be put right."""
    viewer = common.asker("host")
    snapshot, at = chosen(viewer)
    return amend_page(snapshot, at)


def amend_page(snapshot: Snapshot, at: int, form: MultiDict[str, str] | None = None, **more: Any) -> str:
    """Return the page for one event, with what an amendment would change."""
    entry = snapshot.entries[at]
    if not editable(snapshot, entry) or still_secret(snapshot, at):
        raise common.PageGone("error.not_editable", 409)
    home = house()
    with home.hub.lock:
        places = home.teller.places(snapshot)
        nth = places.index(at)
        before = places[nth - 1] if nth else at
        line = home.teller.line(snapshot, at, 0, language())
        if not line.sentences and nth + 1 < len(places):  # it is told by what followed
            line = home.teller.line(snapshot, places[nth + 1], 0, language())
        silent = nth > 0 and not home.teller.line(snapshot, before, 0, language()).sentences
    also = silent and editable(snapshot, snapshot.entries[before]) and not still_secret(snapshot, before)
    return render_template(
        "amend.html",
        line=line,
        also=nth if also else 0,
        number=request.values.get("line", ""),
        seen=request.values.get("seen", ""),
        fields=editor(snapshot, entry, language(), form),
        words=words(language(), package(snapshot.game)),
        **more,
    )


def still_secret(snapshot: Snapshot, at: int) -> bool:
    """Whether an entry holds what not everybody may know yet: not even the host's page may show its fields."""
    game, entries = snapshot.game, snapshot.entries
    assert snapshot.setup is not None
    before = entries[at - 1].after if at else game.begin(snapshot.setup)
    if snapshot.over or not game.secret(before, entries[at].event):
        return False
    return not any(
        last - back == at
        for last in range(at, len(entries))
        for back in game.told((entry.event for entry in reversed(entries[: last + 1])), entries[last].effects)
    )


@bp.post("/amend")
def amend(token: str) -> Response:
    """Say what an amendment would change, and make it once that has been read."""
    viewer = common.asker("host")
    home = house()
    snapshot, at = chosen(viewer)
    entry = snapshot.entries[at]
    say = words(language(), package(snapshot.game))
    if not editable(snapshot, entry) or still_secret(snapshot, at):
        raise common.PageGone("error.not_editable", 409)
    try:
        event = amended(snapshot, entry)
    except InvalidForm as error:
        return Response(amend_page(snapshot, at, request.form, wrong=say(error.key, **error.fields)), 422)
    ask = request.form.get("sure") != "1"
    answer = home.table.amend(entry.seq, event, viewer.by, dry_run=ask)
    if not answer.accepted:
        wrong = misfit(snapshot, answer, viewer)
        return Response(amend_page(snapshot, at, request.form, wrong=wrong), 409)
    changes = differences(snapshot, answer.outcome, language())
    if ask:
        return Response(amend_page(snapshot, at, request.form, changes=changes, sure=True))
    home.hub.refresh()
    return Response(amend_page_done(changes))


def amend_page_done(changes: list[str]) -> str:
    """Return what everybody does now with cards and money."""
    return render_template("amended.html", changes=changes)


def amended(snapshot: Snapshot, entry: HistoryEntry) -> Event:
    """Return the event that the form puts in the old one's place: of the same kind, by the same seat."""
    kind = type(entry.event)
    name = next(name for name, each in kinds(snapshot.game.events).items() if each is kind)
    data: dict[str, Any] = {"event": name}
    for field, wanted in shape(kind).items():
        found = read(field, wanted, request.form)
        data[field] = getattr(entry.event, field) if not request.form.getlist(field) and found != [] else found
        if field == "seat" and name != "starter_named":
            data[field] = entry.event.seat  # type: ignore[attr-defined]
    return built(kind, data)


def misfit(snapshot: Snapshot, answer: TableAnswer, viewer: Viewer) -> str:
    """Return why an amendment cannot be: the first later event that no longer fits."""
    say = words(language(), package(snapshot.game))
    why = common.refusal(answer, viewer)
    if not isinstance(answer.outcome, AmendConflict):
        return why
    home = house()
    with home.hub.lock:
        places = home.teller.places(snapshot)
        at = next((p for p in places if snapshot.entries[p].seq == answer.outcome.seq), None)
        told = home.teller.line(snapshot, at, 0, language()).sentences if at is not None else ()
    return say("host.misfit", what=" ".join(told) or say("host.something_secret"), why=why)


# --- seats ----------------------------------------------------------------------------------------


@bp.post("/ask")
def ask(token: str) -> Response:
    """Ask a seat to count its money, on its own page."""
    common.asker("host")
    if not house().snapshot().game.money:
        return common.page_of("refusal.R-00.no_money", 409)
    house().ask(common.seat_named(), "cash" if request.form.get("on", "1") == "1" else "")
    return common.said("")


@bp.post("/free")
def free(token: str) -> Response:
    """Take a seat back from whoever has it, for everybody to see."""
    viewer = common.asker("host")
    home = house()
    seat = common.seat_named()
    home.free(viewer.match, seat, viewer.by)
    return common.said("")


@bp.post("/knock")
def knock(token: str) -> Response:
    """Let a newcomer in whom the limits on PINs hold up, or refuse."""
    viewer = common.asker("host")
    knocking.answer(viewer.match, request.form.get("number", ""), request.form.get("on") == "1")
    return common.said("")


@bp.post("/bot")
def bot(token: str) -> Response:
    """Let a bot play a seat that nobody has, or stop it."""
    viewer = common.asker("host")
    home = house()
    seat = common.seat_named()
    doors = home.access.doors(viewer.match)
    on = request.form.get("on") == "1"
    if on and doors is not None and seat in doors.pins:
        name = players_of(home.snapshot())[seat].name
        return common.said(words(language())("refused.seat_taken", name=name), 409)
    home.seat_bot(seat, on)
    home.consent_for_nobody()
    return common.said("")


@bp.post("/leave")
def leave(token: str) -> Response:
    """Take the game off the table, to be continued another day."""
    common.asker("host")
    home = house()
    if request.form.get("sure") != "1":
        return common.said(words(language())("host.leave_sure"), 409)
    home.table.leave()
    home.new_match()
    return common.to("/")
