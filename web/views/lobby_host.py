"""The host's actions in the lobby: opening it, seating people, choosing options and cards, and starting the match."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict

from companion.engine import Player
from web.context import context
from web.forms import InvalidForm
from web.game_pages import OFFERED
from web.lobby.record import (
    PLATES,
    Lobby,
    Person,
    Taken,
    changed,
    from_players,
    joined,
    moved,
    new_bot,
    newcomer,
    without,
)
from web.security import known_devices
from web.security.access import digest
from web.views import lobby as pages
from web.views import responses, setup
from web.views.lobby_visits import LobbyVisit, begun_page, find_visit, own_page, require_visit, to_lobby
from web.views.viewer_pages import page_token

bp = Blueprint("lobby_host", __name__)
anybody = Blueprint("lobby_door", __name__)
NEVER_KEPT = ("csrf", "draw", "preset")


# --- opening and closing --------------------------------------------------------------------------


@anybody.post("/lobby")
def open_lobby() -> Response:
    """Open a lobby for a game, with this device as its host; if another one is open, only its host may."""
    game, keeper = request.form.get("game", ""), context().lobby
    if game not in OFFERED:
        raise responses.PageGone("error.malformed", 422)
    if not setup.table_is_free():
        return responses.message_page("error.game_runs", 409)
    if keeper.waiting is not None:
        own = own_page("l")
        visit = find_visit(own[3:-1]) if own else None
        if visit is None or visit.role != "host":
            return responses.message_page("error.lobby_open", 409)
        keeper.change(lambda at: replace(at, game=game, changes=at.changes + 1))
        return responses.redirect_to(own)
    token = keeper.open(game, assigned_people(), people_before())
    context().hub.refresh()
    return to_lobby(token)


def assigned_people() -> tuple[Person, ...]:
    """Return the known players, such as a hall's, in the order of seats."""
    names = context().plugins.players()[: len(PLATES)]
    return from_players([Player(name, *plate) for name, plate in zip(names, PLATES, strict=False)])


def people_before() -> tuple[Person, ...]:
    """Return the ended match's people, with their devices, PINs and bots; else the previous lobby's."""
    snapshot, last = context().snapshot(), context().lobby.last
    if snapshot.setup is None:
        plain = () if last is None else last.people or last.before
        return tuple(
            [replace(each, device="bot" if each.device == "bot" else "tablet", token="", pin="") for each in plain]
        )
    credentials = context().access.credentials(snapshot.match_id)
    found = []
    for seat, each in enumerate(from_players(snapshot.setup.seated())):
        if credentials is not None and seat in credentials.bots:
            each = replace(each, device="bot")
        elif credentials is not None:
            own = [h for h, v in credentials.tokens.items() if v.role == "seat" and v.seat == seat and not v.under]
            token = own[-1] if own else ""
            each = replace(each, device="phone" if token else "tablet", token=token, pin=credentials.pins.get(seat, ""))
        found.append(each)
    return tuple(found)


@anybody.post("/lobby/close")
def close_left_lobby() -> Response:
    """Close a lobby whose host has gone, so that another one can be opened."""
    if context().lobby.waiting is not None and not context().lobby.host_is_away:
        return responses.message_page("error.lobby_open", 409)
    context().lobby.close()
    return responses.redirect_to("/")


@bp.post("/close")
def close(token: str) -> Response:
    """Close the lobby."""
    require_visit("host")
    context().lobby.close()
    return responses.redirect_to("/")


# --- people ---------------------------------------------------------------------------------------


def answer(make: Callable[[Lobby], Lobby]) -> Response:
    """Change the lobby, and show the host the result or the refusal."""
    visit = require_visit("host")
    try:
        context().lobby.change(make)
    except (Taken, InvalidForm) as problem:
        sentence = pages.refused(problem)
        if request.headers.get("HX-Request"):
            return responses.message(sentence, 409)
        return pages.host_page(visit, sentence)
    if request.headers.get("HX-Request"):
        return pages.part(require_visit("host"))
    return responses.redirect_to("./")


def read_count(name: str) -> int:
    """Return a small number from the form; raise `PageGone` for anything else."""
    text = request.form.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise responses.PageGone("error.malformed", 422)
    return int(text)


@bp.post("/add")
def add(token: str) -> Response:
    """Seat a person without a phone, a bot, or the host on this device."""
    visit, device = require_visit("host"), request.form.get("device", "tablet")
    most = pages.game_of(visit.lobby).seats[-1]
    if device == "bot":
        return answer(lambda at: joined(at, new_bot(at), most))
    own = digest(context().access.own_seat(token)) if device == "phone" and visit.person is None else ""
    try:
        name = pages.typed_name()
    except InvalidForm as problem:
        sentence = pages.refused(problem)
        script = bool(request.headers.get("HX-Request"))
        return responses.message(sentence, 422) if script else pages.host_page(visit, sentence)
    return answer(lambda at: joined(at, newcomer(at, name, "phone" if own else "tablet", token=own), most))


@bp.post("/move")
def move(token: str) -> Response:
    """Move a person to another place in the order of seats."""
    number, place = read_count("number"), read_count("place")
    return answer(lambda at: moved(at, number, place))


@bp.post("/remove")
def remove(token: str) -> Response:
    """Remove a person from the lobby."""
    number = read_count("number")
    return answer(lambda at: without(at, number))


@bp.post("/last")
def last(token: str) -> Response:
    """Seat the last match's people who are not here yet. This device keeps the host's own seat."""
    mine = digest(known_devices.own_pages().get("s", ""))
    own = digest(context().access.own_seat(token))

    def seated(at: Lobby) -> Lobby:
        for each in at.before:
            try:
                at = joined(at, replace(each, token=own) if each.token == mine else each, len(PLATES))
            except Taken:
                continue
        return at

    return answer(seated)


# --- options, cards and the start -----------------------------------------------------------------


def kept_form(form: MultiDict[str, str]) -> dict[str, list[str]]:
    """Return a lobby's stored form of options and cards, updated; other games' values stay."""
    return {name: form.getlist(name) for name in form if name not in NEVER_KEPT}


@bp.post("/choices")
def choose(token: str) -> Response:
    """Store the chosen options and cards, after the button's changes."""
    visit = require_visit("host")
    form = request.form.copy()
    form["at"] = setup.fill_in_pick(pages.game_of(visit.lobby), form) or form.get("at", "")
    return answer_form(form)


def answer_form(form: MultiDict[str, str]) -> Response:
    """Store a form of options and cards, and show the page with it."""
    context().lobby.change(lambda at: replace(changed(at, at.people), form=at.form | kept_form(form)))
    return responses.redirect_to("./")


@bp.post("/start")
def start(token: str) -> Response:
    """Begin the match with the seated people; each device finds its seat by itself."""
    visit = require_visit("host")
    try:
        start_with(visit)
    except setup.SetupRefused as problem:
        if problem.code == 409:
            return responses.message_page("error.game_began", 409)
        current = find_visit(page_token()) or visit
        return pages.host_page(current, problem.sentence, problem.option, request.form)
    return begun_page(token) or responses.redirect_to("/")


def start_with(visit: LobbyVisit) -> None:
    """Begin the lobby's match in its present state; raise `SetupRefused`."""
    game, keeper = pages.game_of(visit.lobby), context().lobby
    with keeper.held() as lobby:
        found = setup.read_setup(game, request.form, [each.player for each in lobby.people])
        setup.start_match(game, found, lambda lay: keeper.begin(lobby, lay))
