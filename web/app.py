"""The web application: blueprints, languages, headers and errors."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from flask import Blueprint, Flask, Response, g, render_template, request
from jinja2 import ChoiceLoader, PackageLoader, PrefixLoader
from werkzeug.exceptions import HTTPException

from companion.devices.registry import DeviceRegistry
from companion.games import GAMES, files, folder_of, package_of, reason
from companion.i18n import LANGUAGES
from companion.journal.journal import JournalError
from companion.match.match import MatchError
from companion.sight.observer import SightObserver
from companion.table.table import Table
from web.context import DEFAULTS, PageOptions, TableContext, context, install
from web.forms import InvalidForm
from web.live.compiled_templates import CompiledTemplates
from web.live.regions import PerSeat
from web.lobby.keeper import NoLobby
from web.page_app import PageApp
from web.plugin_registry import Source
from web.security import client_network, csrf, host_names, known_devices
from web.security.pin_limits import TooMany
from web.security.rate_limits import UNBOUNDED, Rates
from web.serving import assets
from web.views import (
    again,
    box_board,
    camera,
    check,
    collection,
    decks,
    device,
    enrolment,
    host,
    join,
    knock,
    lobby,
    lobby_host,
    past,
    phone_camera,
    pins_panel,
    prints,
    reports,
    rules,
    seat,
    setup,
    sight_answers,
    start,
    streams,
    table,
    update,
)
from web.views.responses import PageGone
from web.views.viewer_pages import page_token, require_viewer, token_viewer
from web.words import NAMES, language, words

LOG = logging.getLogger(__name__)
PLUGINS: Mapping[str, Source] = {
    name: f"web.plugins.{name}.plugin" for name in ("advice", "card_table", "demonstration", "hall_link")
}
"""The plugins of a table's pages, by name."""
SIGHT_ANSWERS = {
    "/h/<token>": "sight",
    "/t/<token>": "sight_table",
    "/s/<token>": "sight_seat",
    "/t/<tablet>/s/<token>": "sight_handed",
}
"""Endpoints for answers to the camera's questions, by URL prefix."""
UPLOADS = ("enrolment.act", "enrolment.act_tokens")
"""Endpoints that accept photographs or decks."""
UPDATE = "update.bring"
"""The endpoint that accepts an update's package."""
STATIC = assets.FOLDERS
LIVE = ("host.page", "table.page", "watch.page", "seat.page", "handed.page")
STILL_SERVED = ("static", "stream", "clock", "health")
"""Endpoints that are still served during shutdown; live pages announce the shutdown themselves."""
HOST_PIN_BLUEPRINTS = ("start", "setup", "join", "lobby_door", "past")
"""Blueprints that must notice a new host PIN set from the machine's shell."""
NEEDS_CREDENTIALS = (
    "setup.begin", "lobby_door.open_lobby", "past.resume",
    "join.ask", "join.enter", "join.watch", "join.tablet", "join.host", "join.host_enter",
)  # fmt: skip
"""Endpoints that are refused while the credentials of the current match cannot be read."""


def create_app(
    companion: Table,
    journal: Path,
    options: PageOptions = DEFAULTS,
    registry: DeviceRegistry | None = None,
    observer: SightObserver | None = None,
    testing: bool = False,
    plugins: Mapping[str, Source] = PLUGINS,
) -> Flask:
    """Return the application for a table and its journal.

    Without a registry there are no cameras, and no buttons but those on pages. Without an observer the camera enters
    nothing. `testing` lifts the limits on how often one may post.
    """
    app = PageApp(error_answer, testing=testing)
    templates = [game for game in GAMES.values() if files(game, "templates").is_dir()]
    games = {folder_of(game): PackageLoader(package_of(game)) for game in templates}
    app.jinja_loader = ChoiceLoader([PackageLoader("web"), PrefixLoader(games)])
    if not testing:
        app.jinja_env.bytecode_cache = CompiledTemplates(journal.parent)
    live = TableContext(companion, journal, options, registry, observer)
    install(app, live)
    if testing:
        live.rates = Rates(UNBOUNDED, UNBOUNDED)
    app.before_request(guard)
    app.after_request(known_devices.store_marks)
    app.context_processor(template_globals)
    for kind in (PageGone, InvalidForm, NoLobby, TooMany, JournalError, MatchError, Exception):
        app.register_error_handler(kind, handle_error)
    for folder, where in STATIC.items():
        app.register_blueprint(Blueprint(folder, where, static_folder="static", static_url_path=f"/static/{folder}"))
    for blueprint in (
        start.bp,
        setup.bp,
        collection.setup_bp,
        join.bp,
        lobby_host.anybody,
        knock.bp,
        past.bp,
        reports.bp,
        check.anybody,
        prints.bp,
        rules.bp,
        streams.bp,
        device.bp,
    ):
        app.register_blueprint(blueprint)
    app.register_blueprint(lobby.bp, url_prefix="/l/<token>")
    app.register_blueprint(lobby_host.bp, url_prefix="/l/<token>")
    app.register_blueprint(host.bp, url_prefix="/h/<token>")
    app.register_blueprint(pins_panel.bp, url_prefix="/h/<token>")
    app.register_blueprint(enrolment.bp, url_prefix="/h/<token>")
    app.register_blueprint(decks.bp, url_prefix="/h/<token>")
    app.register_blueprint(check.bp, url_prefix="/h/<token>")
    app.register_blueprint(update.bp, url_prefix="/h/<token>")
    app.register_blueprint(collection.bp, url_prefix="/h/<token>")
    app.register_blueprint(table.bp, url_prefix="/t/<token>")
    for prefix, name in (("/h/<token>", ""), ("/t/<token>", "table_")):
        app.register_blueprint(again.bp, url_prefix=prefix, name=f"{name}again")
        app.register_blueprint(camera.bp, url_prefix=prefix, name=f"{name}camera")
        app.register_blueprint(box_board.bp, url_prefix=prefix, name=f"{name}box_board")
        app.register_blueprint(phone_camera.bp, url_prefix=prefix, name=f"{name}phone_camera")
    app.register_blueprint(table.watch, url_prefix="/w/<token>")
    for prefix, name in SIGHT_ANSWERS.items():
        app.register_blueprint(sight_answers.bp, url_prefix=prefix, name=name)
    app.register_blueprint(seat.bp, url_prefix="/s/<token>")
    app.register_blueprint(seat.bp, url_prefix="/t/<tablet>/s/<token>", name="handed")
    for name, source in plugins.items():
        live.plugins.add(app, name, source)
    app.jinja_env.globals["part"] = live.plugins.part
    live.start()
    return app


def guard() -> Response | tuple[str, int] | None:
    """Refuse requests for another host, cross-site requests and forms without a valid token."""
    g.arrived = time.monotonic_ns()
    wish = context().shutdown.wish
    endpoint = request.endpoint or ""
    if endpoint.rpartition(".")[2] != "static":
        misdirected = host_names.refuse_host(context().hosts, context().first_page)
        if misdirected is not None:
            return misdirected
    if wish is not None and endpoint not in LIVE and endpoint.rpartition(".")[2] not in STILL_SERVED:
        return shutdown_answer(wish)
    if request.blueprint in HOST_PIN_BLUEPRINTS:
        context().access.take_new_host_pin()
    if endpoint in NEEDS_CREDENTIALS and context().locked_out():
        raise PageGone("error.doors_lost", 409, command=context().host_pin_command())
    if request.method in ("GET", "HEAD"):
        return None
    if csrf.is_cross_site(request):
        raise PageGone("error.foreign", 403)
    if context().plugins.is_keyed(endpoint):
        return None
    if not within_rates():
        raise PageGone("error.too_many", 429)
    if request.endpoint in UPLOADS or request.endpoint == UPDATE:
        # Only these endpoints accept large bodies.
        if request.endpoint == UPDATE:
            update.require_host()
        else:
            require_viewer("host")
        request.max_content_length = update.LARGEST if request.endpoint == UPDATE else csrf.MAX_UPLOAD
        request.max_form_memory_size = csrf.MAX_PIECE
    token = request.headers.get("X-CSRF") or request.form.get("csrf", "")
    if not context().forms.good(token, None if request.endpoint == "start.preferences" else page_token()):
        raise PageGone("error.form", 403)
    return None


def within_rates() -> bool:
    """Whether the sender of a post is within its limit. Each player's page has a limit of its own."""
    viewer = token_viewer()
    if viewer is not None and viewer.role != "watch":
        return context().rates.player(page_token())
    return context().rates.address(client_network.request_address())


def body_limits(app: Flask) -> Callable[[str, str, int], int]:
    """Return a function that returns the largest size of a request's body in bytes. Only the host sends large ones."""
    urls = app.url_map.bind("")

    def found(method: str, path: str, length: int) -> int:
        if length <= csrf.MAX_BODY:
            return csrf.MAX_BODY
        try:
            endpoint, args = urls.match(path, method)
        except HTTPException:
            return csrf.MAX_BODY
        if endpoint == UPDATE:
            known = update.host_of(app.extensions["context"], args["token"])
            return csrf.MAX_BODY if known is None else update.LARGEST
        viewer = app.extensions["context"].viewer(args.get("token", "")) if endpoint in UPLOADS else None
        return csrf.MAX_UPLOAD if viewer is not None and viewer.role == "host" else csrf.MAX_BODY

    return found


FIRST = ("/s/", "/h/", "/t/", "/live/", "/static/", "/health")
"""Path prefixes of requests that are served first: those of the table's own pages, and quick ones."""


def goes_first(path: str) -> bool:
    """Whether a request is served before those of strangers and spectators."""
    return path.startswith(FIRST)


def template_globals() -> dict[str, object]:
    """Return the context of every template of a table, in addition to `appearance`."""
    return {
        "csrf": context().forms.token(page_token()),
        "sheet": lambda kind: assets.address(kind, assets.SHEET, game_sheets()),
        **{name: value for name, value in context().plugins.values().items() if not isinstance(value, PerSeat)},
    }


def game_sheets() -> tuple[str, ...]:
    """Return the folder of the shown game if it has its own style sheets."""
    game = g.get("shown_game") or context().snapshot().match_game
    return (folder_of(game),) if game is not None and folder_of(game) in STATIC else ()


def handle_error(problem: Exception) -> Response | tuple[str, int]:
    """Answer any error with a sentence; log unforeseen ones."""
    match problem:
        case PageGone():
            return error_answer(problem.key, problem.code, **problem.fields)
        case InvalidForm():
            return error_answer(problem.key, 422, **problem.fields)
        case TooMany():
            return knock.wait_page(problem)
        case NoLobby():
            return error_answer("lobby.gone", 404)
        case JournalError() | MatchError():
            return error_answer("error.journal", 503, why=str(problem))
    LOG.error("a page failed (%s %s)", request.method, request.endpoint, exc_info=problem)
    game = context().snapshot().match_game
    why = "" if game is None else reason(problem, package_of(game), nearby=False)
    if game is None or why.startswith(f"{type(problem).__name__}:"):
        return error_answer("error.broken", 500)
    # The error is in the game's own code.
    return error_answer("start.broken_game", 500, folder=folder_of(game), why=why)


def shutdown_answer(wish: str) -> tuple[str, int]:
    """Answer a request during shutdown with a sentence about the shutdown."""
    said = words(language())(f"cue.ending_{wish}")
    template = "message.html" if request.headers.get("HX-Request") else "shutdown.html"
    return render_template(template, sentence=said, good=True), 503


def error_answer(key: str, code: int, **fields: object) -> tuple[str, int]:
    """Return an error page, or only the sentence for a page's own script, in the reader's language."""
    lang = language()
    said = words(lang)(key, **fields)
    if request.headers.get("HX-Request") or "stream" in (request.endpoint or ""):
        return render_template("message.html", sentence=said, good=False), code
    return render_template("error.html", sentence=said, command=fields.get("command", ""), good=False), code


assert set(NAMES) == set(LANGUAGES)
