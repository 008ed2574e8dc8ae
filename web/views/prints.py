"""Printing: our own decks and the camera's mats as PDFs, and a page that waits for them."""

from __future__ import annotations

import re

from flask import Blueprint, Response, redirect, render_template, request, send_file
from werkzeug.wrappers import Response as BaseResponse

from companion.engine import AnyGame, tell_by_cards, tokens_seen
from companion.engine.board import plays_on_board
from companion.games import SEEN, definition_of, load_part, teller_of
from companion.mechanics.definition import DeckArt, nothing
from web.context import context
from web.game_pages import OFFERED
from web.pdf_printer import PrinterBusy
from web.views import responses
from web.words import language, package, words

bp = Blueprint("prints", __name__, url_prefix="/print")
PAPERS = ("a4", "a3", "a2", "letter")
SHEETS = ("a4", "letter")
"""The paper sizes of single-sheet prints."""
WAITED = "waited"
"""The query parameter that our waiting page adds. The page then reports that the PDF is ready instead of opening it."""
CARDS = re.compile(r"[A-Za-z0-9_.,=-]{1,1200}")
"""Names of cards, each with an optional number: `tunnel,waste=12`."""
MOST = 99
"""The most copies of a card per request."""
AGAIN = 3
"""Seconds after which a waiting page reloads."""


@bp.get("/")
def page() -> str:
    """Show the printable items, game by game."""
    lang = language()
    games = []
    for name, game in OFFERED.items():
        say, deck = words(lang, package(game)), load_part(game, definition_of(game).deck, DeckArt)
        boards = [(each, say(key) if say.has(key := f"board.{each}") else each) for each in boards_of(game)]
        sets = [] if deck is None else [(each, say(f"card_set.{each}")) for each in deck.sets]
        divided, tokens = deck is not None and deck.dividers is not None, definition_of(game).tokens is not nothing
        games.append((name, say("game.title"), game.seats, boards, sets, divided, tokens))
    reads_tokens = [name for name, game in SEEN.items() if tokens_seen(game)]
    known = {"seen": tuple(SEEN), "reads_tokens": reads_tokens, "free": free_games(), "sheets": SHEETS}
    return render_template("print.html", games=games, papers=PAPERS, **known)


@bp.get("/deck-<game>-<paper>.pdf")
def deck(game: str, paper: str) -> Response:
    """Return a game's deck as a PDF."""
    if game not in OFFERED or paper not in PAPERS:
        raise responses.PageGone("error.not_found")
    return pdf_answer("deck", "print", game, "--paper", paper, "--lang", language())


@bp.get("/tokens-<game>-<paper>.pdf")
def tokens(game: str, paper: str) -> Response:
    """Return a game's tokens as a PDF."""
    if game not in OFFERED or paper not in PAPERS or definition_of(OFFERED[game]).tokens is nothing:
        raise responses.PageGone("error.not_found")
    return pdf_answer("deck", "print", game, "--paper", paper, "--tokens")


@bp.get("/cards/<game>/<cards>-<paper>.pdf")
def cards(game: str, cards: str, paper: str) -> Response:
    """Return some cards of a game as a PDF; the command itself refuses unknown ones."""
    if game not in OFFERED or paper not in PAPERS or not CARDS.fullmatch(cards):
        raise responses.PageGone("error.not_found")
    return pdf_answer("deck", "print", game, "--paper", paper, "--lang", language(), f"--only={cards}")


@bp.get("/dividers/<game>/<cards>-<paper>.pdf")
def dividers(game: str, cards: str, paper: str) -> Response:
    """Return the dividers of a game's piles as a PDF, of `all` or of some."""
    if game not in OFFERED or paper not in PAPERS or not CARDS.fullmatch(cards):
        raise responses.PageGone("error.not_found")
    only = () if cards == "all" else (f"--only={cards}",)
    return pdf_answer("deck", "print", game, "--paper", paper, "--lang", language(), "--dividers", *only)


@bp.get("/choose/<game>")
def choose(game: str) -> str | BaseResponse:
    """Ask how many of each card to print, and lead to their PDF."""
    if game not in OFFERED:
        raise responses.PageGone("error.not_found")
    rules, counts = OFFERED[game], printed_counts(OFFERED[game])
    asked = {card: request.args.get(card, "") for card in counts}
    wanted = [f"{card}={number}" for card, number in asked.items() if number.isdecimal() and 0 < int(number) <= MOST]
    paper = request.args.get("paper", "")
    if wanted and paper in PAPERS:
        return redirect(f"/print/cards/{game}/{','.join(wanted)}-{paper}.pdf", 303)
    say, name = words(language(), package(rules)), teller_of(rules).card_name
    rows = [(card, name(card, say), count) for card, count in counts.items()]
    return render_template("print_choose.html", title=say("game.title"), rows=rows, most=MOST)


def printed_counts(game: AnyGame) -> dict[str, int]:
    """Return how many of each card a game's deck has."""
    listed, own = definition_of(game).cards(), load_part(game, definition_of(game).deck, DeckArt)
    return dict(listed.counts if listed is not None else own.design().counts if own is not None else {})


@bp.get("/<any(mat, 'card-mat'):kind>-<game>-<int:players>-<paper>.pdf")
def mat(kind: str, game: str, players: int, paper: str) -> Response:
    """Return a mat as a PDF, a `card-mat` without places for tokens; the command itself refuses an impossible one."""
    if game not in SEEN or paper not in PAPERS or players not in SEEN[game].seats:
        raise responses.PageGone("error.not_found")
    how = ("--game", game, "--players", str(players), "--paper", paper, "--lang", language())
    without = ("--no-tokens",) if kind == "card-mat" else ()
    return pdf_answer("mat", "print", *how, *without, "--data", str(context().journal.parent))


@bp.get("/coasters-<game>-<int:players>-<paper>.pdf")
def coasters(game: str, players: int, paper: str) -> Response:
    """Return the sheet of four coasters for a number of players as a PDF."""
    if game not in free_games() or paper not in SHEETS or players not in SEEN[game].seats:
        raise responses.PageGone("error.not_found")
    how = ("--game", game, "--players", str(players), "--paper", paper, "--lang", language())
    return pdf_answer("mat", "coasters", *how)


def free_games() -> list[str]:
    """Return the games that need no printed places."""
    return [name for name, game in SEEN.items() if tell_by_cards(game.places(game.seats[0]))]


@bp.get("/board/<game>/<board>-<paper>.pdf")
def board(game: str, board: str, paper: str) -> Response:
    """Return a board as a PDF."""
    if game not in OFFERED or paper not in PAPERS or board not in boards_of(OFFERED[game]):
        raise responses.PageGone("error.not_found")
    return pdf_answer("mat", "board", "--game", game, "--board", board, "--paper", paper, "--lang", language())


def boards_of(game: object) -> list[str]:
    """Return the names of a game's boards."""
    return [board.name for board in game.boards] if plays_on_board(game) else []


def pdf_answer(*command: str) -> Response:
    """Return a command's PDF, or a page that waits for it; raise `PageGone` if it cannot be made."""
    try:
        found = context().printer.ask(*command)
    except PrinterBusy:
        raise responses.PageGone("error.printing_busy", 503) from None
    if found.why:
        raise responses.PageGone("error.not_printed", 409, why=found.why)
    if found.file is None:
        return waiting_page(ready=False)
    if WAITED in request.args:
        found.file.close()
        return waiting_page(ready=True)
    return send_file(found.file, mimetype="application/pdf")


def waiting_page(ready: bool) -> Response:
    """Return the waiting page for a PDF."""
    text = render_template("printing.html", ready=ready, again=AGAIN, path=request.path, waited=WAITED)
    return Response(text, 200 if ready else 202)
