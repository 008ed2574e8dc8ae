"""Test that a failing plugin of a table's pages costs only its own pages, which show a sentence."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import pytest
from flask import Blueprint, Flask
from jinja2 import ChoiceLoader, DictLoader

from companion.i18n import LANGUAGES
from companion.table.table import Table
from tests.support.paces import HURRIED
from tests.support.web import any_game
from tests.support.web.visitors import JOURNAL, Room, Visitor
from web.app import PLUGINS, create_app
from web.live.regions import Region
from web.plugin_registry import Mount, Plugin, Source
from web.views import start
from web.words import words

PATHS = {"advice": "h/advice", "card_table": "h/laying", "demonstration": "t/now.json", "hall_link": "/hall"}
"""The path of a page of each plugin; a letter before the slash stands for that viewer's page."""
OTHERWISE = {"advice": 405, "hall_link": 409}
"""Status codes of pages that do not open: advice has only a form, and a hall's page is closed during a game."""
HERE = "hall_link"
"""The plugin that the tests replace by a failing one."""


def fail(*_: object) -> Plugin:
    """Fail as a plugin that cannot be made."""
    raise RuntimeError("no <luck> today")


def fail_within(app: Flask) -> Plugin:
    """Return a plugin whose blueprint has a taken name, so that the application refuses it."""
    return Plugin((Mount(start.bp),))


class Plugged(Room):
    """A room whose table has the given plugins."""

    def __init__(self, folder: Path, plugins: Mapping[str, Source]) -> None:
        super().__init__(folder)
        self.plugins = plugins

    def __enter__(self) -> Plugged:
        self.table = Table(self.folder / JOURNAL, pace=HURRIED)
        self.app = create_app(self.table, self.folder / JOURNAL, testing=True, plugins=self.plugins)
        self.anybody = Visitor(self.app.test_client())
        return self


def codes(room: Room) -> dict[str, int]:
    """Return the status of a page of each plugin, in a room with a game."""
    pages = {"h": room.host, "t": room.page("tablet")}
    where = {name: path if path[0] == "/" else pages[path[0]] + path[2:] for name, path in PATHS.items()}
    return {name: room.anybody.get(path).status_code for name, path in where.items()}


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put modules in place whose import fails."""
    (tmp_path / "plugin_that_raises.py").write_text('raise RuntimeError("no <luck> today")\n')
    (tmp_path / "plugin_with_a_slip.py").write_text("def plugin(:\n")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize("name", PLUGINS)
@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("plugin_that_raises", "no &lt;luck&gt; today"),
        ("plugin_with_a_slip", "invalid syntax"),
        ("no_such_plugin", "no_such_plugin"),
        (fail, "no &lt;luck&gt; today"),
        (fail_within, "start"),
    ],
)
def test_a_plugin_that_cannot_be_loaded_costs_its_pages(
    tmp_path: Path, modules: None, caplog: pytest.LogCaptureFixture, name: str, source: Source, why: str
) -> None:
    """The log and the page "Check" report the plugin in both languages; all other pages answer, and the game works."""
    with Plugged(tmp_path, {**PLUGINS, name: source}) as room:
        assert f"the plugin {name} cannot be loaded" in caplog.text
        any_game.lay(room, "game-of-trains")
        assert room.anybody.get("/").status_code == 200 and room.anybody.get("/join").status_code == 200
        expected = dict.fromkeys(PATHS, 200) | OTHERWISE | {name: 404}
        assert codes(room) == expected
        for lang, title in zip(LANGUAGES, ("The pages of", "Les pages de"), strict=True):
            host, called = room.visitor(lang).get(f"{room.host}check").text, words(lang)(f"check.word.{name}")
            assert f"{title} {called}" in host and why in host
        for page in (room.page("tablet"), room.host, *room.seats):
            assert "The pages of" not in room.anybody.read(page), "it changes nothing this evening"
        assert room.context.renderer.look() is not None


def test_plugins_that_work_are_not_complained_of(tmp_path: Path) -> None:
    """With working plugins the host's page reports nothing, and every plugin's page answers."""
    with Plugged(tmp_path, PLUGINS) as room:
        any_game.lay(room, "game-of-trains")
        assert codes(room) == dict.fromkeys(PATHS, 200) | OTHERWISE
        assert room.context.plugins.failed == () and "The pages of" not in room.anybody.read(f"{room.host}check")


@pytest.mark.parametrize("fault", ["values", "players", "start", "close", "part", "template"])
def test_a_plugin_that_fails_later_stops_no_page(tmp_path: Path, caplog: pytest.LogCaptureFixture, fault: str) -> None:
    """If any part of a plugin fails, all pages answer, a match can begin and end, and the log names the error."""
    brings = {
        "part": Plugin(parts={"start.ways": "no_such.html", "host.folds": "no_such.html", "side": "no_such.html"}),
        "template": Plugin(regions={"seat": ("no_such_region",), "host": ("no_such_region",)}),
    }
    broken = brings.get(fault) or Plugin()._replace(**{fault: fail})
    with Plugged(tmp_path, {**PLUGINS, "broken": lambda app: broken}) as room:
        assert room.anybody.get("/").status_code == room.anybody.get(room.lobby()).status_code == 200
        room.context.lobby.close()
        any_game.lay(room, "game-of-trains")
        for page in (room.host, room.page("tablet"), *room.seats):
            assert room.anybody.get(page).status_code == 200
        room.context.hub.refresh()
    assert ("the plugin broken failed" in caplog.text) == (fault != "template")


def test_a_plugins_region_that_cannot_be_read_is_a_gap(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a plugin's template is invalid, pages have a gap in its place, and the log names the line."""
    monkeypatch.setattr(Region, "strict", False)
    slip = Plugin(regions=dict.fromkeys(("seat", "table", "host"), ("slip",)))
    with Plugged(tmp_path, {**PLUGINS, "slip": lambda app: slip}) as room:
        loader = room.app.jinja_env.loader
        room.app.jinja_env.loader = ChoiceLoader([DictLoader({"regions/slip.html": "{% if %}"}), loader])
        any_game.lay(room, "game-of-trains")
        for page in (room.host, room.page("tablet"), *room.seats):
            assert room.anybody.get(page).status_code == 200
        assert "region slip cannot be read" in caplog.text and "Expected an expression" in caplog.text


def test_what_a_plugin_brings_is_there(tmp_path: Path) -> None:
    """A plugin has its pages, its names for the lobby, and an endpoint without form tokens."""
    bp = Blueprint("tried", __name__, url_prefix="/tried")
    bp.get("")(lambda: "here")
    bp.post("/keyed", endpoint="keyed")(lambda: "done")
    plugin = Plugin((Mount(bp),), keyed=("tried.keyed",), players=lambda: ("Zoé", "Yan"))
    with Plugged(tmp_path, {**PLUGINS, "tried": lambda app: plugin}) as room:
        assert room.anybody.read("/tried") == "here"
        assert room.anybody.client.post("/tried/keyed").text == "done"
        assert room.anybody.client.post("/setup").status_code == 403
        assert "<b>Zoé</b>" in room.anybody.read(room.lobby())


def test_an_unnamed_error_is_named_by_its_kind(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """An error without a message is reported by its type instead of empty brackets."""

    def mute(app: Flask) -> Plugin:
        raise RuntimeError

    with caplog.at_level(logging.ERROR), Plugged(tmp_path, {**PLUGINS, HERE: mute}) as room:
        (finding,) = room.context.plugins.failed
        assert finding.fields == {"name": [HERE], "why": "RuntimeError"}
