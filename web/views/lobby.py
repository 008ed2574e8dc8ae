"""The lobby's pages: a full-screen code, the room's PIN, and seats that fill as people arrive.

An open page asks each second whether the lobby has changed. The answer has no body while nothing has changed. This
works the same for a phone after sleep, after a restart of the table, and at an address without a stream; the hub's
streams belong to matches.
"""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from werkzeug.datastructures import MultiDict

from companion.engine import AnyGame, BadSetup
from companion.engine.names import TYPED
from web.context import context
from web.forms import InvalidForm
from web.game_pages import OFFERED
from web.lobby.record import (
    FACES,
    PLATES,
    Lobby,
    Person,
    Taken,
    claimed,
    free_faces,
    free_plates,
    joined,
    newcomer,
    with_looks,
    without,
)
from web.names import check_alike, read_name
from web.presenters.standings import sides_with_partners
from web.security import known_devices
from web.security.access import digest
from web.views import responses, setup
from web.views.join_address import join_address, qr_code
from web.views.lobby_visits import LobbyVisit, begun_page, find_visit, require_visit, to_lobby
from web.views.own_wifi import own_wifi
from web.words import language, package, words

bp = Blueprint("lobby", __name__)


def game_of(lobby: Lobby) -> AnyGame:
    """Return a lobby's game, or the first one if it is no longer offered."""
    return OFFERED.get(lobby.game, next(iter(OFFERED.values())))


def choices_of(lobby: Lobby) -> MultiDict[str, str]:
    """Return the options and cards that the host chose last."""
    return MultiDict([(name, value) for name, values in lobby.form.items() for value in values])


def lobby_view(visit: LobbyVisit) -> dict[str, object]:
    """Return the part of a lobby's page that changes as people arrive."""
    lobby, game = visit.lobby, game_of(visit.lobby)
    least, most, here = game.seats[0], game.seats[-1], len(lobby.people)
    return {
        "visit": visit,
        "lobby": lobby,
        "people": lobby.people,
        "empty": max(0, most - here),
        "missing": max(0, least - here),
        "fits": here in game.seats,
        "most": most,
        "teams": teams(lobby, game),
        "before": [each.name for each in lobby.before] if not lobby.people else [],
        "words": words(language(), package(game)),
    }


def teams(lobby: Lobby, game: AnyGame) -> list[list[Person]]:
    """Return the partners by the present seating; empty if everybody plays alone."""
    people = lobby.people
    try:
        found = setup.read_setup(game, choices_of(lobby), [each.player for each in people])
        sides = sides_with_partners(game, found)
    except (setup.SetupRefused, BadSetup):  # too few people yet, or invalid options; the start reports them
        return []
    return [[people[seat] for seat in side] for side in sides]


@bp.get("/")
def page(token: str) -> Response:
    """Show the lobby to one of its devices, or lead on to the match that began."""
    visit = find_visit(token)
    if visit is None:
        return begun_page(token) or Response(render_template("lobby_gone.html", words=words(language())), 404)
    known_devices.remember_page("l", token)
    if visit.role == "host":
        return host_page(visit)
    return lobby_page(visit)


def lobby_page(visit: LobbyVisit, wrong: str = "", code: int = 200) -> Response:
    """Return the page of everybody except the host; `wrong` is the reason why the person's looks did not change."""
    shown = {"join": join_address(), "wifi": own_wifi(), "longest_name": TYPED, "wrong": wrong}
    return Response(render_template("lobby.html", **shown, **looks(visit), **lobby_view(visit)), code)


def host_page(visit: LobbyVisit, wrong: str = "", at: str = "", form: MultiDict[str, str] | None = None) -> Response:
    """Return the host's page, with the options and cards chosen last or those in a form."""
    entered = choices_of(visit.lobby) if form is None else form
    chosen = setup.option_page(game_of(visit.lobby), entered, len(visit.lobby.people), at or entered.get("at", ""))
    page = render_template(
        "lobby_host.html",
        join=join_address(),
        wifi=own_wifi(),
        wrong=wrong,
        offers=setup.offers(),
        open_csrf=context().forms.token(""),
        longest_name=TYPED,
        **chosen,
        **looks(visit),
        **lobby_view(visit),
    )
    return Response(page, 422 if wrong else 200)


def looks(visit: LobbyVisit) -> dict[str, object]:
    """Return the colours and faces that one may choose."""
    others = [each for each in visit.lobby.people if each != visit.person]
    return {"plates": PLATES, "free_plates": free_plates(others), "faces": FACES, "free_faces": free_faces(others)}


@bp.get("/now")
def now(token: str) -> Response:
    """Report changes: none (204), the new part of the page, or another page to open (`X-Go`)."""
    visit = find_visit(token)
    if visit is None:
        return Response(status=204, headers={"X-Go": "./"})
    if request.args.get("seen") == seen_mark(visit.lobby):
        return Response(status=204)
    return part(visit)


def seen_mark(lobby: Lobby) -> str:
    """Return a fingerprint of a lobby's state."""
    return f"{lobby.id}.{lobby.changes}"


def part(visit: LobbyVisit) -> Response:
    """Return the part of a lobby's page that changes."""
    return Response(render_template("lobby_people.html", **lobby_view(visit)))


@bp.get("/qr.svg")
def code(token: str) -> Response:
    """Show the address for joining as a QR code."""
    require_visit("host", "person", "table", "watch")
    return qr_code(join_address())


# --- arriving people ------------------------------------------------------------------------------


def join_page(lobby: Lobby, room: str, entered: bool, wrong: str = "", code: int = 200) -> Response:
    """Return the form for joining a lobby, with the free colours and faces."""
    game, form = game_of(lobby), request.form
    page = render_template(
        "lobby_join.html",
        room=room,
        entered=entered,
        wrong=wrong,
        name=form.get("name", ""),
        colour=form.get("colour", ""),
        face=form.get("face", ""),
        plates=PLATES,
        free_plates=free_plates(lobby.people),
        faces=FACES,
        free_faces=free_faces(lobby.people),
        people=lobby.people,
        full=len(lobby.people) >= game.seats[-1],
        longest_name=TYPED,
        here="/join",
        words=words(language(), package(game)),
    )
    return Response(page, code)


def arrive(lobby: Lobby, room: str) -> Response:
    """Admit a person in the room to the lobby, or explain why not."""
    token, form = known_devices.new_token(), request.form
    most = game_of(lobby).seats[-1]
    try:
        if "claim" in form:
            number = int(form["claim"]) if form["claim"].isdecimal() and len(form["claim"]) < 4 else 0
            context().lobby.change(lambda at: claimed(at, number, digest(token)))
        else:
            name = typed_name()
            context().lobby.change(
                lambda at: joined(
                    at, newcomer(at, name, "phone", form.get("colour", ""), form.get("face", ""), digest(token)), most
                )
            )
    except (Taken, InvalidForm) as problem:
        current = context().lobby.waiting or lobby
        return join_page(current, room, True, refused(problem), 409 if isinstance(problem, Taken) else 422)
    return to_lobby(token)


def typed_name() -> str:
    """Return the form's name; raise `InvalidForm` if it has none."""
    name = read_name(request.form.get("name", ""))
    if not name:
        raise InvalidForm("refused.no_name")
    return name


def refused(problem: Taken | InvalidForm) -> str:
    """Return the conflict with the next free choice, or the fault of a name."""
    say = words(language())
    if isinstance(problem, InvalidForm):
        return say(problem.key, **problem.fields)
    if problem.what == "name":
        try:
            check_alike([problem.other, request.form.get("name", "")])
        except InvalidForm as alike:
            return say(alike.key, **alike.fields)
    return say(f"lobby.taken_{problem.what}", name=problem.other)


@bp.post("/looks")
def change_looks(token: str) -> Response:
    """Change the name, colour and face of the requesting person."""
    visit = require_visit("person", "host")
    person = visit.person
    if person is None:
        raise responses.PageGone("error.malformed", 422)
    try:
        changed = with_form(person, typed_name())
        context().lobby.change(lambda at: with_looks(at, changed))
    except (Taken, InvalidForm) as problem:
        if visit.role == "host":
            return host_page(visit, refused(problem))
        return lobby_page(visit, refused(problem), 409 if isinstance(problem, Taken) else 422)
    return responses.redirect_to("./")


def with_form(person: Person, name: str) -> Person:
    """Return a person with the form's looks; missing ones stay."""
    form = request.form
    plate = next((each for each in PLATES if each[0] == form.get("colour")), (person.colour, person.shape))
    face = form.get("face", "") if form.get("face") in FACES else person.face
    return Person(person.number, name, *plate, face, person.device, person.token, person.pin)


@bp.post("/quit")
def leave(token: str) -> Response:
    """Leave the lobby."""
    visit = require_visit("person")
    assert visit.person is not None
    number = visit.person.number
    context().lobby.change(lambda at: without(at, number))
    return responses.redirect_to("/")
