"""The host's page: the public table, and corrections. The host usually plays, too, so it shows no secrets."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request
from werkzeug.datastructures import MultiDict

from companion.engine import Event, event_kinds, fields_of, seat_of
from companion.games import definition_of
from companion.match.history import AmendConflict, HistoryEntry
from companion.mechanics.definition import nothing
from companion.ops import host_pin as pins
from companion.table.snapshot import Snapshot, TableAnswer
from web.context import context
from web.forms import InvalidForm, build_event, event_fields, read_field
from web.names import check_alike, read_name
from web.presenters.corrections import correction_inputs, difference_sentences
from web.presenters.match_log import is_amendable, players_of
from web.security.access import Viewer
from web.views import knock as knocking
from web.views import responses, viewer_pages
from web.views.join_address import join_address, qr_code
from web.views.live_pages import add_live_routes, seen_record
from web.views.lobby_visits import own_page
from web.views.own_wifi import own_wifi
from web.words import language, package, words

bp = Blueprint("host", __name__)


def render(viewer: Viewer) -> str:
    """Return the host's page."""
    game = context().snapshot().match_game
    listed = game is not None and definition_of(game).sheet is not nothing
    occupancy = context().seating.occupancy(context().snapshot())
    credentials = context().access.credentials(viewer.match)
    return viewer_pages.render_page(
        "host.html",
        viewer,
        join=join_address(),
        wifi=own_wifi(),
        listed=listed,
        waiting=bool(occupancy.awaited()),
        own_seat=own_page("s"),
        pin_set=credentials is not None and bool(credentials.host),
    )


add_live_routes(bp, "host", render)


@bp.get("/qr.svg")
def code(token: str) -> Response:
    """Show the address for joining as a QR code."""
    viewer_pages.require_viewer("host")
    return qr_code(join_address())


@bp.post("/tablet")
def tablet(token: str) -> Response:
    """Open the shared tablet's page on this device."""
    viewer = viewer_pages.require_viewer("host")
    return responses.redirect_to(f"/t/{context().access.admit(Viewer('table', viewer.match))}/")


# --- undo, redo, pause ----------------------------------------------------------------------------


@bp.post("/undo")
def undo(token: str) -> Response:
    """Undo everything from a line of the log on; if that includes a revealed card, all seats are asked."""
    viewer = viewer_pages.require_viewer("host")
    snapshot, at = chosen_line(viewer, context().snapshot())
    answer = context().table.ask_undo(snapshot.entries[at - 1].seq if at else 0, viewer.by)
    context().seating.consent_for_unused_seats()
    return responses.proposal_outcome(answer, viewer)


@bp.get("/log")
def whole_log(token: str) -> str:
    """Show the whole log, for undoing from any line or amending it."""
    viewer = viewer_pages.require_viewer("host")
    snapshot = context().snapshot().shown()
    page = context().hub.page(viewer_pages.channel_of(viewer))
    log = context().renderer.teller.log(snapshot, language(), len(snapshot.entries))
    return render_template("hostlog.html", log=log, shown=page.id if page else "")


@bp.post("/redo")
def redo(token: str) -> Response:
    """Redo the events that the last undo took back."""
    viewer = viewer_pages.require_viewer("host")
    return responses.proposal_outcome(context().table.redo(viewer.by), viewer)


@bp.post("/pause")
def pause(token: str) -> Response:
    """Pause the game, or continue it."""
    viewer = viewer_pages.require_viewer("host")
    companion = context().table
    answer = companion.pause(viewer.by) if request.form.get("on") == "1" else companion.unpause(viewer.by)
    return responses.proposal_outcome(answer, viewer)


def chosen_line(viewer: Viewer, snapshot: Snapshot | None = None) -> tuple[Snapshot, int]:
    """Return a snapshot, and the position in its line of play of the log line that the form names.

    By default it is the snapshot that the log shows. An undo passes the current one, so that it can go back to before
    an end whose ceremony is not over.
    """
    snapshot = snapshot or context().snapshot().shown()
    if seen_record(viewer, request.values) == -1:
        raise responses.PageGone("error.look_again", 409)
    places = context().renderer.teller.places(snapshot)
    text = request.values.get("line", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
    if not 1 <= number <= len(places):
        raise responses.PageGone("error.no_line", 422)
    return snapshot, places[number - 1]


# --- amending -------------------------------------------------------------------------------------


@bp.get("/amend")
def amending(token: str) -> Response:
    """Show an old event's fields for amending; with `check`, the consequences of the address's amendment."""
    viewer = viewer_pages.require_viewer("host")
    snapshot, at = chosen_line(viewer)
    if "check" not in request.args:
        return Response(amend_page(snapshot, at))
    answer = tried_amendment(viewer, snapshot, at, request.args)
    if isinstance(answer, Response):
        return answer
    changes = difference_sentences(snapshot, answer.outcome, language())
    return Response(amend_page(snapshot, at, request.args, changes=changes, sure=True))


def amend_page(snapshot: Snapshot, at: int, form: MultiDict[str, str] | None = None, **more: object) -> str:
    """Return the page for one event, with an amendment's consequences."""
    entry = snapshot.entries[at]
    if not is_amendable(snapshot, entry) or is_still_secret(snapshot, at):
        raise responses.PageGone("error.not_editable", 409)
    places = context().renderer.teller.places(snapshot)
    nth = places.index(at)
    before = places[nth - 1] if nth else at
    line = context().renderer.teller.line(snapshot, at, 0, language())
    if not line.sentences and nth + 1 < len(places):  # the next entry has its sentence
        line = context().renderer.teller.line(snapshot, places[nth + 1], 0, language())
    silent = nth > 0 and not context().renderer.teller.line(snapshot, before, 0, language()).sentences
    also = silent and is_amendable(snapshot, snapshot.entries[before]) and not is_still_secret(snapshot, before)
    fields = correction_inputs(snapshot, entry, language(), form)
    if not fields:
        raise responses.PageGone("amend_page.nothing_else", 409)
    return render_template(
        "amend.html",
        line=line,
        also=nth if also else 0,
        number=request.values.get("line", ""),
        seen=request.values.get("seen", ""),
        fields=fields,
        players=players_of(snapshot),
        words=words(language(), package(snapshot.game)),
        **more,
    )


def is_still_secret(snapshot: Snapshot, at: int) -> bool:
    """Whether an entry holds a secret that is not public yet; then not even the host may see its fields."""
    game, entries = snapshot.game, snapshot.entries
    assert snapshot.setup is not None
    before = entries[at - 1].after if at else game.begin(snapshot.setup)
    if snapshot.over or not game.secret(before, entries[at].event):
        return False
    return not any(
        last - back == at
        for last in range(at, len(entries))
        for back in game.newly_public((entry.event for entry in reversed(entries[: last + 1])), entries[last].effects)
    )


@bp.post("/amend")
def amend(token: str) -> Response:
    """Redirect to an amendment's consequences, or make the amendment if the host has confirmed it."""
    viewer = viewer_pages.require_viewer("host")
    snapshot, at = chosen_line(viewer)
    ask = request.form.get("sure") != "1"
    answer = tried_amendment(viewer, snapshot, at, request.form, ask)
    if isinstance(answer, Response):
        return answer
    if ask:
        typed = [each for each in request.form.items(multi=True) if each[0] not in ("csrf", "sure")]
        return responses.redirect_to(f"amend?{urlencode([*typed, ('check', '1')])}")
    context().amended = (viewer.match, snapshot, answer.outcome)
    context().hub.refresh()
    return responses.redirect_to("amended")


def tried_amendment(
    viewer: Viewer, snapshot: Snapshot, at: int, form: MultiDict[str, str], dry_run: bool = True
) -> TableAnswer | Response:
    """Return the table's answer to a form's amendment, or the form again with the reason for a refusal."""
    entry = snapshot.entries[at]
    say = words(language(), package(snapshot.game))
    if not is_amendable(snapshot, entry) or is_still_secret(snapshot, at):
        raise responses.PageGone("error.not_editable", 409)
    try:
        event = read_amendment(snapshot, entry, form)
    except InvalidForm as error:
        return Response(amend_page(snapshot, at, form, wrong=say(error.key, **error.fields)), 422)
    answer = context().table.amend(entry.seq, event, viewer.by, dry_run=dry_run)
    if answer.accepted:
        return answer
    return Response(amend_page(snapshot, at, form, wrong=conflict_sentence(snapshot, answer, viewer, entry.seq)), 409)


@bp.get("/amended")
def amended(token: str) -> Response:
    """Return the sentences about what to do with cards and money after the last amendment."""
    viewer = viewer_pages.require_viewer("host")
    last = context().amended
    if last is None or last[0] != viewer.match:
        return responses.redirect_to("./")
    return Response(render_template("amendment_done.html", changes=difference_sentences(*last[1:], language())))


def read_amendment(snapshot: Snapshot, entry: HistoryEntry, form: MultiDict[str, str]) -> Event:
    """Return the form's replacement for the old event: of the same kind, by the same seat."""
    kind = type(entry.event)
    name = next(name for name, each in event_kinds(snapshot.game.events).items() if each is kind)
    data: dict[str, object] = {"event": name}
    for field, wanted in event_fields(kind).items():
        found = read_field(field, wanted, form)
        data[field] = fields_of(entry.event)[field] if not form.getlist(field) and found != [] else found
        if field == "seat" and name != "starter_named":
            data[field] = seat_of(entry.event)
    return build_event(kind, data)


def conflict_sentence(snapshot: Snapshot, answer: TableAnswer, viewer: Viewer, amended: int) -> str:
    """Return why an amendment is impossible: the event itself, or the first later one that no longer fits."""
    say = words(language(), package(snapshot.game))
    why = responses.refusal_sentence(answer, viewer)
    if not isinstance(answer.outcome, AmendConflict):
        return why
    if answer.outcome.seq == amended:
        return say("amend_page.not_here", why=why)
    places = context().renderer.teller.places(snapshot)
    at = next((p for p in places if snapshot.entries[p].seq == answer.outcome.seq), None)
    told = context().renderer.teller.line(snapshot, at, 0, language()).sentences if at is not None else ()
    return say("host.misfit", what=" ".join(told) or say("host.something_secret"), why=why)


# --- seats ----------------------------------------------------------------------------------------


@bp.post("/ask")
def ask(token: str) -> Response:
    """Ask a seat to count its money, on its own page."""
    viewer_pages.require_viewer("host")
    if not context().snapshot().game.money:
        return responses.message_page("refusal.R-00.no_money", 409)
    context().seating.ask(viewer_pages.read_seat(), "cash" if request.form.get("on", "1") == "1" else "")
    context().hub.refresh()
    return responses.message("")


@bp.post("/rename")
def rename(token: str) -> Response:
    """Rename the person at a seat on all pages, and in the records and reports of this match."""
    viewer, seat = viewer_pages.require_viewer("host"), viewer_pages.read_seat()
    names = list(context().snapshot().names)
    say = words(language())
    try:
        name = read_name(request.form.get("name", ""))
        if not name:
            return responses.message(say("refused.no_name"), 422)
        if name == names[seat]:
            return responses.message("")
        names[seat] = name
        check_alike(names)
    except InvalidForm as error:
        return responses.message(say(error.key, **error.fields), 422)
    return responses.proposal_outcome(context().table.rename_seat(seat, name, viewer.by), viewer)


@bp.post("/free")
def free(token: str) -> Response:
    """Take a seat away from its device; every page shows that."""
    viewer = viewer_pages.require_viewer("host")
    seat = viewer_pages.read_seat()
    context().seating.free(viewer.match, seat, viewer.by)
    context().hub.refresh()
    context().hub.dismiss(viewer.match, "seat", seat)
    return responses.message("")


@bp.post("/knock")
def knock(token: str) -> Response:
    """Admit or refuse a newcomer blocked by the limits on PINs."""
    viewer = viewer_pages.require_viewer("host")
    knocking.answer_knock(viewer.match, request.form.get("number", ""), request.form.get("on") == "1")
    return responses.message("")


@bp.post("/bot")
def bot(token: str) -> Response:
    """Let a bot play a free seat, or stop it."""
    viewer = viewer_pages.require_viewer("host")
    seat = viewer_pages.read_seat()
    credentials = context().access.credentials(viewer.match)
    on = request.form.get("on") == "1"
    if on and credentials is not None and seat in credentials.pins:
        name = players_of(context().snapshot())[seat].name
        return responses.message(words(language())("refused.seat_taken", name=name), 409)
    context().seating.set_bot(seat, on)
    context().seating.consent_for_unused_seats()
    context().hub.refresh()
    return responses.message("")


@bp.post("/pace")
def pace(token: str) -> Response:
    """Set the bots' pace: calm or immediate."""
    viewer_pages.require_viewer("host")
    if not context().seating.set_pace(request.form.get("pace", "")):
        return responses.message_page("refused.not_asked", 422)
    context().hub.refresh()
    return responses.message("")


@bp.post("/pin")
def set_pin(token: str) -> Response:
    """Give the host a PIN for returning on another device."""
    viewer = viewer_pages.require_viewer("host")
    pin = request.form.get("pin", "").strip()
    if not pins.is_valid_pin(pin):
        return responses.message_page("error.host_pin_digits", 422, least=pins.LEAST, most=pins.MOST)
    context().access.set_host_pin(viewer.match, pin)
    viewer_pages.remember_doors(viewer)
    return responses.redirect_to("./")


@bp.post("/leave")
def leave(token: str) -> Response:
    """Take the game off the table, to be continued another day."""
    viewer_pages.require_viewer("host")
    if request.form.get("sure") != "1":
        return responses.message(words(language())("host.leave_sure"), 409)
    context().table.leave()
    context().new_match()
    return responses.redirect_to("/")
