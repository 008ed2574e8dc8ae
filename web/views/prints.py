"""Printing: our own decks and the camera's mats as PDFs, and a page that waits while one is made."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request, send_file

from companion.engine import AnyGame
from companion.engine.board import plays_on_board
from companion.games import SEEN
from web.context import context
from web.game_pages import OFFERED
from web.pdf_printer import PrinterBusy
from web.views import answers
from web.words import language, package, words

bp = Blueprint("prints", __name__, url_prefix="/print")
PAPERS = ("a4", "a3", "a2", "letter")
WAITED = "waited"
"""Set when somebody has waited on our page: then it says that the PDF is ready instead of opening it."""
AGAIN = 3
"""Seconds after which a waiting page reloads."""


@bp.get("/")
def page() -> str:
    """Show what can be printed, game by game."""
    lang = language()
    games = [
        (name, words(lang, package(game))("game.title"), game.seats, board_titles(game, lang))
        for name, game in OFFERED.items()
    ]
    return render_template("print.html", games=games, seen=tuple(SEEN), papers=PAPERS)


@bp.get("/deck-<game>-<paper>.pdf")
def deck(game: str, paper: str) -> Response:
    """Return a game's deck as a PDF."""
    if game not in OFFERED or paper not in PAPERS:
        raise answers.PageGone("error.not_found")
    return pdf_answer("deck", "print", game, "--paper", paper)


@bp.get("/mat-<game>-<int:players>-<paper>.pdf")
def mat(game: str, players: int, paper: str) -> Response:
    """Return a mat as a PDF; the command's own words refuse an impossible one."""
    if game not in SEEN or paper not in PAPERS or players not in SEEN[game].seats:
        raise answers.PageGone("error.not_found")
    how = ("--game", game, "--players", str(players), "--paper", paper, "--lang", language())
    return pdf_answer("mat", "print", *how, "--data", str(context().journal.parent))


@bp.get("/board/<game>/<board>-<paper>.pdf")
def board(game: str, board: str, paper: str) -> Response:
    """Return a board as a PDF."""
    if game not in OFFERED or paper not in PAPERS or board not in boards_of(OFFERED[game]):
        raise answers.PageGone("error.not_found")
    return pdf_answer("mat", "board", "--game", game, "--board", board, "--paper", paper, "--lang", language())


def boards_of(game: object) -> list[str]:
    """Return the names of a game's boards."""
    return [board.name for board in game.boards] if plays_on_board(game) else []


def board_titles(game: AnyGame, lang: str) -> list[tuple[str, str]]:
    """Return name and title of each of a game's boards."""
    say = words(lang, package(game))
    return [(name, say(f"board.{name}") if say.has(f"board.{name}") else name) for name in boards_of(game)]


def pdf_answer(*command: str) -> Response:
    """Return a command's PDF, or a page that waits for it; raise `PageGone` where it cannot be made."""
    try:
        found = context().printer.ask(*command)
    except PrinterBusy:
        raise answers.PageGone("error.printing_busy", 503) from None
    if found.why:
        raise answers.PageGone("error.not_printed", 409, why=found.why)
    if found.file is None:
        return waiting_page(ready=False)
    if WAITED in request.args:
        found.file.close()
        return waiting_page(ready=True)
    return send_file(found.file, mimetype="application/pdf")


def waiting_page(ready: bool) -> Response:
    """Return the page of a PDF that is being made, or is ready."""
    text = render_template("printing.html", ready=ready, again=AGAIN, path=request.path, waited=WAITED)
    return Response(text, 200 if ready else 202)
