"""The host's page of the cards in the owner's box: what each shows, whether it was compared, and changing it.

Knows no game: one that has such a list brings a module `sheet` (rows, choices, what is wrong). What is kept here is
what matches with the owner's box begin from and add to.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol, cast

import msgspec
from flask import Blueprint, Response, render_template, request

from companion.engine import Game
from companion.i18n import Words
from companion.table.collection import collection_key
from web.context import house
from web.forms import InvalidForm
from web.views import common
from web.words import language, package, words

bp = Blueprint("cards", __name__)
MOST = 200
"""Rows of a form, at most."""


class CollectionRow(NamedTuple):
    """One card: its number as it is typed, what it shows ("": unread), and whether that was compared with the card."""

    number: str
    value: str
    checked: bool


class CollectionSheet(Protocol):
    """What a game brings that lets people fill in the list of their box."""

    def choices(self, words: Words, /) -> Sequence[tuple[str, str, str]]:
        """Return what a card can show: value, title, picture in the game's own sprite."""
        ...

    def rows(self, data: dict[str, Any] | None, /) -> Sequence[tuple[str, str, bool]]:
        """Return the rows of a kept list, None: of a box that nobody has read yet."""
        ...

    def suggested(self, old: Sequence[Any], /) -> Sequence[tuple[str, str, bool]]:
        """Return the rows with what is supposed where nobody has compared the card."""
        ...

    def filled(
        self, old: Sequence[Any], new: Sequence[Any], words: Words, /
    ) -> tuple[dict[str, Any] | None, list[str]]:
        """Return the list that rows make, or None and what is wrong with it, in words."""
        ...


def sheet_of(game: Game[Any] | None) -> CollectionSheet | None:
    """Return how a game's list is filled in; None for a game that brings no such thing."""
    if game is None or find_spec(f"{package(game)}.sheet") is None:
        return None
    return cast(CollectionSheet, importlib.import_module(f"{package(game)}.sheet"))


def opened() -> tuple[Game[Any], CollectionSheet]:
    """Return the game on the table and its sheet; raise `Gone` where it has none."""
    game = house().snapshot().game
    sheet = sheet_of(game)
    if sheet is None:
        raise common.PageGone("cards.none", 409)
    return game, sheet


def kept(game: Game[Any]) -> dict[str, Any] | None:
    """Return what is kept of the owner's box."""
    data = house().table.kept(collection_key(game))
    return None if data is None else cast(dict[str, Any], msgspec.json.decode(data))


def played() -> bool:
    """Whether a game with that box is being played: its cards are learned there, and nowhere else meanwhile."""
    snapshot = house().snapshot()
    return snapshot.setup is not None and snapshot.setup.deck == "box" and not snapshot.over


@bp.get("/cards")
def page(token: str) -> str:
    """Show every card of the box."""
    common.asker("host")
    game, sheet = opened()
    rows = sheet.rows(kept(game))
    return shown(sheet.suggested(rows) if "suggest" in request.args and not played() else rows)


def shown(rows: Sequence[Any], wrong: Sequence[str] = (), saved: bool = False) -> str:
    """Return the page with these rows."""
    game, sheet = opened()
    say = words(language(), package(game))
    rows = [CollectionRow(*row) for row in rows]
    return render_template(
        "cards.html",
        rows=rows,
        choices=sheet.choices(say),
        checked=sum(row.checked for row in rows),
        known=sum(bool(row.value) for row in rows),
        folder=package(game).rpartition(".")[2],
        locked=played(),
        wrong=wrong,
        saved=saved,
        words=say,
    )


@bp.post("/cards")
def save(token: str) -> Response:
    """Keep the list as the form has it; show it again with what is wrong."""
    common.asker("host")
    game, sheet = opened()
    if played():
        raise common.PageGone("cards.locked", 409)
    rows = sent()
    data, wrong = sheet.filled(sheet.rows(kept(game)), rows, words(language(), package(game)))
    if data is None:
        return Response(shown(rows, wrong), 422)
    house().table.keep(collection_key(game), msgspec.json.encode(data))
    return Response(shown(sheet.rows(data), saved=True))


def sent() -> list[CollectionRow]:
    """Return the rows of the form; raise `InvalidForm` where it is no such form."""
    form = request.form
    numbers, values = form.getlist("number"), form.getlist("value")
    if not 0 < len(numbers) == len(values) <= MOST:
        raise InvalidForm("refused.misfit", field="number")
    ticked = set(form.getlist("checked"))
    pairs = enumerate(zip(numbers, values, strict=True))
    return [CollectionRow(number.strip()[:8], value.strip()[:40], str(at) in ticked) for at, (number, value) in pairs]
