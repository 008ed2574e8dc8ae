"""Draws a game's pages on trial for `companion game check`, on an unserved table that has this game alone."""

from __future__ import annotations

import itertools
import re
import tempfile
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import resources
from pathlib import Path

from flask import Flask
from jinja2 import TemplateSyntaxError

from companion.engine import AnyGame, Seat, Setup
from companion.games import folder_of
from companion.ops.game_check.ports import Drawn, ShownGame
from companion.table.table import Table
from web.app import create_app
from web.context import TableContext
from web.game_pages import OFFERED, pages_of
from web.live.channels import ViewerGroup
from web.live.regions import Region
from web.live.rendering import GroupName
from web.presenters.option_fields import without_control
from web.security.access import HOST_PIN, SEAT_PIN, Viewer
from web.words import words

SECRET = re.compile(r"[\w-]{16,}")
"""Tokens and match names in addresses."""
SPRITE = "static/img/help.svg"


def shown(game: AnyGame) -> ShownGame:
    """Return the declarations of a game's pages."""
    own = pages_of(game)
    entered = {*own.observed, *own.hosts, *own.kept}
    groups, controls = own.option_groups, without_control(game)
    return ShownGame(
        entered, own.amendable, own.from_hand or (), groups, own.asked_first, controls, own.catalogues, own.observes
    )


@cache
def help_pictures() -> frozenset[str]:
    """Return the names of the pictures that explain moments."""
    text = resources.files("web").joinpath(SPRITE).read_text(encoding="utf-8")
    return frozenset(re.findall(r'<symbol id="([\w-]+)"', text))


class PageTrial:
    """A table that offers one game."""

    def __init__(self, game: AnyGame, app: Flask, table: Table) -> None:
        self.table = table
        self._game, self._app = game, app
        self._context: TableContext = app.extensions["context"]
        self._addresses = ["/", f"/l/{self._context.lobby.open(game.name)}/", f"/rules/{game.name}/", "/print/"]

    def start(self, setup: Setup) -> None:
        """Begin a match with people on the first and on the last seat."""
        match = self.table.start(setup)
        access = self._context.access
        access.open_match(match, "1" * HOST_PIN)
        self._context.new_match()
        seats = {Seat(0), Seat(len(setup.seated()) - 1)}
        for seat in seats:
            access.claim(match, seat, "1" * SEAT_PIN)
        viewers = [Viewer("seat", match, seat) for seat in sorted(seats)]
        for viewer in (*viewers, Viewer("table", match), Viewer("watch", match), Viewer("host", match)):
            self._addresses.append(f"/{viewer.role[0]}/{access.admit(viewer)}/")
        self._addresses = [*self._addresses[4:], f"{self._addresses[-1]}log", f"{self._addresses[-1]}camera"]
        self._past = [f"/past/{match}/{page}" for page in ("", "replay", "report.csv", "report.json", "game.jsonl")]

    def pages(self, lang: str) -> Iterator[Drawn]:
        """Draw every page that exists at this moment."""
        over = self.table.snapshot().over
        client = self._app.test_client()
        for address in (*self._addresses, *((*self._past, "/past/", "/past/records") if over else ())):
            what = f"The page {SECRET.sub('…', address)}"
            try:
                answer = client.get(address, headers={"Accept-Language": lang})
            except Exception as error:  # a template or a game's own part may raise anything
                yield Drawn(what, fault=error)
                continue
            if answer.status_code == 200:
                yield Drawn(what, answer.get_data(as_text=True) if answer.mimetype == "text/html" else "")

    def regions(self, lang: str) -> Iterator[Drawn]:
        """Draw the current regions of the public page and of two seats, one of which acts if any does."""
        renderer = self._context.renderer
        scene = renderer.look()
        assert scene is not None
        seats = dict.fromkeys((*scene.view.awaited[:1], Seat(0), Seat(self._game.seats[-1] - 1)))
        made: dict[Hashable, ViewerGroup] = {}
        groups: list[GroupName] = [(role, None, lang) for role in ("shared", "table", "host")]
        for group in (*groups, *[("seat", int(seat), lang) for seat in list(seats)[:2]]):
            made[group] = viewers = renderer.make(group, made)
            watched, plain = viewers.sources(scene)
            for region in viewers.regions:
                what, file = f"The region {region.name}", str(region.template.filename)
                try:
                    with strict():
                        region.render(watched, plain)
                    yield Drawn(what, region.html, file)
                except Exception as error:  # a template or a game's view may raise anything
                    yield Drawn(f"{what} of the {group[0]} page", template=file, fault=error)

    def unreadable(self) -> Iterator[tuple[str, str]]:
        """Yield each of the game's unreadable templates: its path in `templates`, and the reason."""
        for name in self._app.jinja_env.list_templates(["html"]):
            try:
                if name.startswith(f"{folder_of(self._game)}/"):
                    self._app.jinja_env.get_template(name)
            except TemplateSyntaxError as error:
                yield name.partition("/")[2], f"line {error.lineno}: {error.message}"


@contextmanager
def strict() -> Iterator[None]:
    """Make a failing region raise its error instead of leaving a gap in the page."""
    before, Region.strict = Region.strict, True
    try:
        yield
    finally:
        Region.strict = before


def clock() -> Callable[[], int]:
    """Return a clock that advances ten seconds at each reading, so that no countdown takes time."""
    return itertools.count(0, 10**10).__next__


@contextmanager
def trial(game: AnyGame) -> Iterator[PageTrial]:
    """Yield a table for a game, and delete its folder afterwards."""
    offered = dict(OFFERED)
    OFFERED.clear()
    OFFERED[game.name] = game
    try:
        with tempfile.TemporaryDirectory() as folder, Table(journal := Path(folder) / "journal.db", clock()) as table:
            app = create_app(table, journal, testing=True)
            app.config["PROPAGATE_EXCEPTIONS"] = True
            found = PageTrial(game, app, table)
            found._context.watcher.stop()  # no watchers
            try:
                yield found
            finally:
                found._context.close()
    finally:
        OFFERED.clear()
        OFFERED.update(offered)


__all__ = ["help_pictures", "shown", "trial", "words"]
