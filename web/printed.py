"""Printing: our own decks and the camera's mats as PDFs. They are made by the command line's own commands, each in a
process of its own: drawing is not the web's.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, render_template

from companion.games import SEEN
from web import shared
from web.offered import OFFERED
from web.sentences import language, package, words

bp = Blueprint("printed", __name__, url_prefix="/print")
PAPERS = ("a4", "a3", "a2", "letter")
CARD = "63x88"
LATE = 120.0
"""Seconds that drawing may take on a busy Raspberry Pi."""
_ONE = threading.Lock()
"""Drawing takes memory: one at a time."""


@bp.get("/")
def page() -> str:
    """Show what can be printed, game by game."""
    lang = language()
    games = [(name, words(lang, package(game))("game.title"), game.seats) for name, game in OFFERED.items()]
    return render_template("print.html", games=games, seen=tuple(SEEN), papers=PAPERS)


@bp.get("/deck-<game>-<paper>.pdf")
def deck(game: str, paper: str) -> Response:
    """Give a game's deck as a PDF."""
    if game not in OFFERED or paper not in PAPERS:
        raise shared.Gone("error.not_found")
    return printed("deck", "print", game, "--paper", paper)


@bp.get("/mat-<game>-<int:players>-<paper>.pdf")
def mat(game: str, players: int, paper: str) -> Response:
    """Give a mat as a PDF; one that cannot be is refused in the printer's own words."""
    if game not in SEEN or paper not in PAPERS or players not in SEEN[game].seats:
        raise shared.Gone("error.not_found")
    return printed("mat", "print", "--game", game, "--players", str(players), "--paper", paper, "--lang", language())


def printed(*command: str) -> Response:
    """Return what a command makes, as a file to print; raise `Gone` with what it says where it makes nothing."""
    with _ONE:
        made, said = _made(command)
    if not made:
        raise shared.Gone("error.not_printed", 409, why=said)
    return Response(made, mimetype="application/pdf")


@lru_cache(maxsize=4)
def _made(command: tuple[str, ...]) -> tuple[bytes, str]:
    with tempfile.TemporaryDirectory(prefix="companion-print-") as folder:
        path = Path(folder) / "made.pdf"
        done = subprocess.run(
            [sys.executable, "-m", "companion", *command, "--out", str(path)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LATE,
        )  # fmt: skip
        said = done.stderr.decode(errors="replace").strip().splitlines()
        return (path.read_bytes() if path.is_file() else b""), (said[-1].removeprefix("Error: ") if said else "")
