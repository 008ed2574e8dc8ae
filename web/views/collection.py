"""The list of the cards in the owner's box: each card's values, and whether they were checked against the card.

A game with such a list declares a `sheet`. Matches with the owner's box start from this list and add to it. Before a
match, anybody who may set one up may fill it in; during a match, only its host may.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, render_template, request

from companion.engine import AnyGame
from companion.games import definition_of, load_part
from companion.mechanics.definition import CollectionSheet
from companion.table.collection import collection_key
from web.context import context
from web.forms import InvalidForm
from web.game_pages import OFFERED
from web.views import responses, viewer_pages
from web.views.lobby_visits import own_page
from web.views.setup import table_is_free
from web.words import language, package, words

bp = Blueprint("collection", __name__)
setup_bp = Blueprint("setup_collection", __name__)
MOST = 200
"""The most rows of a form."""


class CollectionRow(NamedTuple):
    """One card: its number as typed, its values ("": unknown), whether they were checked against the card, its kind."""

    number: str
    value: str
    checked: bool
    kind: str = ""


def open_sheet(game: AnyGame | None) -> tuple[AnyGame, CollectionSheet]:
    """Return a game and its sheet; raise `PageGone` if it has none."""
    sheet = None if game is None else load_part(game, definition_of(game).sheet, CollectionSheet)
    if game is None or sheet is None:
        raise responses.PageGone("cards.none", 409)
    return game, sheet


def game_to_set_up() -> AnyGame | None:
    """Return the requested game before a match; raise `PageGone` during one."""
    if not table_is_free():
        raise responses.PageGone("error.game_runs", 409)
    return OFFERED.get(request.values.get("game", ""))


def stored_list(game: AnyGame) -> dict[str, object] | None:
    """Return the stored list of the owner's box."""
    data = context().table.read_value(collection_key(game))
    return None if data is None else msgspec.json.decode(data, type=dict[str, object])


def is_locked() -> bool:
    """Whether a game with that box is being played; the list then grows only on the table."""
    snapshot = context().snapshot()
    return snapshot.setup is not None and snapshot.setup.deck == "box" and not snapshot.over


@bp.get("/cards")
def page(token: str) -> str:
    """Show every card of the box of the game on the table."""
    viewer_pages.require_viewer("host")
    return show(context().snapshot().match_game)


@setup_bp.get("/setup/cards")
def setup_page() -> str:
    """Show every card of the box of a game that may be set up."""
    return show(game_to_set_up())


def show(game: AnyGame | None) -> str:
    """Return the page with the stored list, or with suggestions."""
    game, sheet = open_sheet(game)
    rows = sheet.rows(stored_list(game))
    rows = sheet.suggest_rows(rows) if "suggest" in request.args and not is_locked() else rows
    return list_page(game, rows, saved="saved" in request.args)


def list_page(game: AnyGame, rows: Sequence[Any], wrong: Sequence[str] = (), saved: bool = False) -> str:
    """Return the page with these rows."""
    _, sheet = open_sheet(game)
    say = words(language(), package(game))
    rows = [CollectionRow(*row) for row in rows]
    proposes = bool(wrong) or [CollectionRow(*row) for row in sheet.suggest_rows(rows)] != rows
    own = sheet.row_choices(say)
    unread = {
        row.number for row in rows if not row.value or (not row.kind and row.number in own and own[row.number][0])
    }
    return render_template(
        "collection.html",
        game=game,
        rows=rows,
        back="./" if request.view_args else own_page("l") or "/",
        kinds=sheet.kinds(say),
        choices=sheet.choices(say),
        row_choices=own,
        unread=unread,
        sections=sheet.sections(say),
        proposals=sheet.proposals(),
        proposes=proposes,
        titles=sheet.titles(say),
        checked=sum(row.checked for row in rows),
        known=sum(row.number not in unread for row in rows),
        folder=package(game).rpartition(".")[2],
        locked=is_locked(),
        wrong=wrong,
        saved=saved,
        words=say,
    )


@bp.post("/cards")
def save(token: str) -> Response:
    """Store the list of the game on the table."""
    viewer_pages.require_viewer("host")
    return store(context().snapshot().match_game)


@setup_bp.post("/setup/cards")
def setup_save() -> Response:
    """Store the list of a game that may be set up."""
    return store(game_to_set_up())


def store(game: AnyGame | None) -> Response:
    """Store the form's list, or show it again with its faults."""
    game, sheet = open_sheet(game)
    if is_locked():
        raise responses.PageGone("cards.locked", 409)
    rows = read_rows()
    data, wrong = sheet.fill_list(sheet.rows(stored_list(game)), rows, words(language(), package(game)))
    if data is None:
        return Response(list_page(game, rows, wrong), 422)
    context().table.keep(collection_key(game), msgspec.json.encode(data))
    return responses.redirect_to(f"{request.path}?{urlencode({'game': game.name, 'saved': '1'})}")


def read_rows() -> list[CollectionRow]:
    """Return the form's rows; raise `InvalidForm` if the form has no valid rows."""
    form = request.form
    numbers, values = form.getlist("number"), form.getlist("value")
    kinds = form.getlist("kind") or [""] * len(numbers)
    if not 0 < len(numbers) == len(values) == len(kinds) <= MOST:
        raise InvalidForm("refused.misfit", field="number")
    ticked = set(form.getlist("checked"))
    return [
        CollectionRow(number.strip()[:8], value.strip()[:40], str(at) in ticked, kind.strip()[:40])
        for at, (number, value, kind) in enumerate(zip(numbers, values, kinds, strict=True))
    ]
