"""The board of all tables, its version for a wall, and a single table in large."""

from __future__ import annotations

from collections import Counter
from functools import partial

from flask import Blueprint, Flask, abort, render_template

from companion.games import GAMES
from web.hall.context import HallContext, hall
from web.hall.feeds import FeedKey, Parts
from web.hall.live_parts import live_parts
from web.hall.notices import notice
from web.hall.roles import VIEWER, require
from web.hall.rows import BoardRow, board_row, board_rows, game_title, more_minutes, open_calls
from web.words import package, words

bp = Blueprint("board", __name__)
GOOD_LOG = 8
"""The most lines of a table's log to show."""


@bp.get("/")
@require(VIEWER)
def page() -> str:
    """Show all tables."""
    return render_template("hall/board.html", **live_parts("board"))


@bp.get("/wall")
@require(VIEWER)
def wall() -> str:
    """Show all tables on a wall: in large letters, and without controls."""
    return render_template("hall/wall.html", **live_parts("wall"))


@bp.get("/table/<table>")
@require(VIEWER)
def table(table: str) -> str:
    """Show one table in large letters."""
    found = hall().state.tables.get(table)
    if found is None or found.removed:
        abort(404)
    return render_template("hall/table.html", table=found, **live_parts("table", table))


def install(app: Flask, context: HallContext) -> None:
    """Register the parts of these pages for updates."""
    rows = RowRenderer(app, context)
    context.feeds.kinds |= {"board": rows, "wall": rows, "table": partial(table_parts, app, context)}
    context.feeds.watching["table"] = lambda key: context.hall.watching(str(key.about))


class RowRenderer:
    """Renders changed rows, once for each language. Used under the feeds' lock only."""

    def __init__(self, app: Flask, context: HallContext) -> None:
        self._app, self._context = app, context
        self._made: dict[tuple[str, str, str], tuple[BoardRow, str]] = {}

    def __call__(self, key: FeedKey) -> Parts:
        """Return the parts of the board, or of the wall."""
        rows = board_rows(self._context.hall, wall=key.kind == "wall")
        head = self._app.jinja_env.get_template("hall/board_head.html")
        said = notice(self._context.hall.state, words(key.lang))
        parts = {"head": head.render(words=words(key.lang), notice=said, counts=counts(rows), tables=len(rows))}
        parts |= {f"row-{each.id}": self._row(key, each) for each in rows}
        if len(self._made) > 4 * len(rows) + 100:
            self._made = {which: made for which, made in self._made.items() if f"row-{which[2]}" in parts}
        return parts

    def _row(self, key: FeedKey, row: BoardRow) -> str:
        which = (key.kind, key.lang, row.id)
        made = self._made.get(which)
        if made is None or made[0] != row:
            template, game = self._app.jinja_env.get_template("hall/board_row.html"), game_title(row.game, key.lang)
            html = template.render(words=words(key.lang), row=row, game=game, linked=key.kind == "board")
            made = self._made[which] = (row, html)
        return made[1]


def counts(rows: list[BoardRow]) -> Counter[str]:
    """Return how many tables are playing, free, finished, away or waiting for a judge."""
    found = Counter([row.stage if row.here else "away" for row in rows])
    found.update(["call"] * sum([row.call == "open" for row in rows]))
    return found


def table_parts(app: Flask, context: HallContext, key: FeedKey) -> Parts:
    """Return the parts of a table's page; raise `LookupError` if there is no such table."""
    hall, state, say = context.hall, context.hall.state, words(key.lang)
    found = state.tables[str(key.about)]
    live = hall.live(found.id)
    row = board_row(found, live, open_calls(state).get(found.id), more=more_minutes(state, found.number))
    view = live.view if live.view is not None and live.view.match == live.summary.match else None
    fields = {
        "words": say,
        "row": row,
        "notice": notice(state, say, found.number),
        "game": game_title(row.game, key.lang),
        "names": live.names,
        "scores": view.scores if view is not None and len(view.scores) == len(live.names) else (),
        "awaited": live.summary.awaited if row.awaited else (),
        "leaders": live.summary.leaders,
        "moment": moment_text(row, live.summary.moment, key.lang),
        "lines": () if view is None else view.log.get(key.lang, ())[:GOOD_LOG],
    }
    module = app.jinja_env.get_template("hall/table_parts.html").make_module(fields)
    return {name: str(getattr(module, name)()) for name in ("sign", "seats", "log")}


def moment_text(row: BoardRow, moment: str, lang: str) -> str:
    """Return the game's sentence for spectators about what the table waits for; without one, the awaited players."""
    say, key = words(lang), f"moment.{moment}.other"
    if not row.awaited:
        return say(f"hall.stage.{row.stage}") if row.here else ""
    if row.game in GAMES:
        own = words(lang, package(GAMES[row.game]))
        if own.has(key):
            try:
                return own.plural(key, len(row.awaited), name=", ".join(row.awaited))
            except (KeyError, IndexError):
                pass  # the sentence needs more than the summary contains
    return say("hall.board.turn", names=", ".join(row.awaited))
