"""Test the host's page "Check", switching off, and the line for a power or disk problem that threatens the game."""

from __future__ import annotations

import threading
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from companion.config import SettingLocation
from companion.findings import Finding, bad, look, sentences, well
from companion.messages import Ending
from companion.ops.doctor import machine
from companion.ops.doctor.services import ServicesReading
from companion.ops.long_press import HELD
from tests.support.web.visitors import Room, said
from web.presenters.camera_status import CameraStatus, trouble_sentence
from web.views.check import group_findings
from web.words import words

FOUND = (
    well("disk.folder", folder="/d"),
    look("disk.space", "low", free_mb=311, total_mb=15000),
    bad("power.supply", "low"),
    well("memory.free", free_mb=300, total_mb=900),
)


def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds, even on a busy machine."""
    pause = threading.Event()
    for _ in range(2000):
        if condition():
            return
        pause.wait(0.01)
    raise AssertionError


@pytest.fixture(autouse=True)
def quiet_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the machine's state the same in every run."""

    def examine(
        folder: Path, running: ServicesReading, page: str = "", salvage: tuple[str, ...] = ()
    ) -> tuple[Finding, ...]:
        return FOUND

    monkeypatch.setattr(machine, "examine", examine)
    monkeypatch.setattr(machine, "threats", lambda folder: ())


@pytest.fixture
def switchable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the file with requests to the system."""
    path = tmp_path / "power"
    monkeypatch.setenv("COMPANION_POWER", str(path))
    return path


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_page_says_the_worst_first_and_what_to_do(game: Room, lang: str) -> None:
    """The page shows every finding with its sentence in the reader's language, the worst first, and folds the good
    ones away."""
    page = game.visitor(lang).read(game.host + "check")
    say = sentences(lang)
    places = [page.index(say(f"check.part.{part}")) for part in ("power", "disk", "memory")]
    assert places == sorted(places)
    assert say("check.power.supply.low_do") in page
    assert say("check.disk.space.low", free_mb=311) in page
    assert say("check.page.some", bad=2, all=4) in page


@pytest.mark.parametrize(
    ("lang", "sentence"), [("en", "1 of 2 checks needs attention."), ("fr", "1 vérification sur 2")]
)
def test_one_line_is_one(game: Room, monkeypatch: pytest.MonkeyPatch, lang: str, sentence: str) -> None:
    """A finding about one thing uses the singular."""
    monkeypatch.setattr(machine, "examine", lambda *_: FOUND[:2])
    assert sentence in game.visitor(lang).read(game.host + "check")


def test_a_page_where_all_is_well_says_so(game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """If all is well, the page asks for no repair."""
    monkeypatch.setattr(machine, "examine", lambda *_: (FOUND[0],))
    page = game.anybody.read(game.host + "check")
    assert words("en")("check.page.all_well") in page and "check-do" not in page


def test_lines_are_grouped_with_the_worst_first() -> None:
    """Each part appears once, with its worst line first."""
    found = group_findings(FOUND, words("en"))
    assert [(group.part, group.grade, [line.grade for line in group.lines]) for group in found] == [
        ("power", "bad", ["bad"]),
        ("disk", "look", ["look", "well"]),
        ("memory", "well", ["well"]),
    ]


def test_only_the_host_may_look(game: Room) -> None:
    """A seat, a tablet and a spectator are told that there is no such page."""
    for page in (game.seats[0], game.page("tablet"), game.page("watch")):
        for name in ("check", "power"):
            assert game.anybody.get(page.replace("/s/", "/h/").replace("/t/", "/h/") + name).status_code == 404
            assert game.anybody.get(page + name).status_code == 404


# --- switching off --------------------------------------------------------------------------------


def test_where_it_is_not_possible_it_is_not_offered(game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's page has no link, the page itself gives the reason, and requests are refused."""
    monkeypatch.setenv("COMPANION_POWER", "/nowhere/power")
    assert 'href="power"' not in game.anybody.get(game.host).text
    assert words("en")("power.impossible") in game.anybody.read(game.host + "power")
    answer = game.anybody.submit(game.host + "power", {"what": "off"}, game.host + "power")
    assert answer.status_code == 409 and words("en")("power.impossible") in said(answer)
    assert game.context.shutdown.wish is None


def test_the_host_is_asked_and_told_what_happens_to_the_game(game: Room, switchable: Path) -> None:
    """Opening the page only asks, and says that no part of the game will be lost."""
    page = game.anybody.read(game.host + "power")
    assert words("en")("power.game") in page
    assert game.context.shutdown.wish is None and not switchable.exists()


@pytest.mark.parametrize("wish", ["off", "restart"])
def test_the_host_switches_off_and_every_page_says_so(game: Room, switchable: Path, wish: str) -> None:
    """The streams of open pages report the switching off, and every other request is answered with it."""
    answer = game.anybody.submit(game.host + "power", {"what": wish}, game.host + "power")
    assert answer.status_code == 303 and answer.headers["Location"] == "./"
    sentence = words("en")(f"cue.ending_{wish}")
    setup = game.anybody.get("/join")
    assert setup.status_code == 503 and sentence in said(setup)
    assert game.anybody.get(game.host).status_code == 200  # this page is open, and its stream reports it
    until(lambda: Ending(what=wish) in game.table.cues.standing_cues())


def test_what_is_neither_is_refused(game: Room, switchable: Path) -> None:
    """A request that is neither of the two known words is refused."""
    assert game.anybody.submit(game.host + "power", {"what": "sleep"}, game.host + "power").status_code == 422
    assert game.context.shutdown.wish is None


def test_a_page_without_its_form_s_token_switches_nothing_off(game: Room, switchable: Path) -> None:
    """A request without the form's token, as from another site, switches nothing off."""
    answer = game.anybody.client.post(game.host + "power", data={"what": "off", "csrf": "x"})
    assert answer.status_code == 403 and game.context.shutdown.wish is None


def test_the_hold_that_pages_speak_of_is_the_one_that_is_needed() -> None:
    """The sentence about the power button says six seconds, which is the necessary time."""
    assert HELD == 6_000_000_000
    assert "six seconds" in words("en")("power.button") and "six secondes" in words("fr")("power.button")


# --- what threatens the game ----------------------------------------------------------------------


def test_too_little_power_is_a_calm_line_on_every_page(game: Room) -> None:
    """The line appears on every page while the power is too low, and then disappears."""
    line = words("en")("check.power.supply.low_do")
    game.context.watcher.show_threats((bad("power.supply", "low"),))
    for page in (game.host, game.seats[0], game.page("tablet"), game.page("watch")):
        assert line in game.anybody.read(page)
    assert words("fr")("check.power.supply.low_do") in game.visitor("fr").read(game.seats[0])
    game.context.watcher.show_threats(())
    assert line not in game.anybody.read(game.host)


def test_a_figure_that_changes_a_little_is_no_news(game: Room) -> None:
    """A slight change of the free disk space does not redraw the pages."""
    game.context.watcher.show_threats((look("disk.space", "low", free_mb=311, total_mb=15000),))
    shown = game.context.watcher.threats
    game.context.watcher.show_threats((look("disk.space", "low", free_mb=310, total_mb=15000),))
    assert game.context.watcher.threats is shown


def test_the_house_looks_by_itself(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem found at the start is shown although nobody opens the page."""
    room.close()
    monkeypatch.setattr(machine, "threats", lambda folder: (bad("disk.space", "full", free_mb=3, total_mb=9),))
    room.open()
    until(lambda: bool(room.context.watcher.threats))
    room.set_up()
    assert words("en")("check.disk.space.full_do") in room.anybody.read(room.host)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_left_out_of_the_settings_is_on_check(game: Room, lang: str) -> None:
    """Check names the file, line, table, allowed value and consequence once, in the reader's language, even if a
    service reports it too.

    Check also says that a correction takes effect when the companion restarts.
    """
    say = sentences(lang)
    mistake = SettingLocation("camera", "/c.toml", "[camera]\nrotate = 5\n").wrong("rotate", "rotate", value=5).finding
    examiner = game.context.examiner
    game.context.hub.groups.clear()  # a watcher of the page before made this
    game.context.hub.channels.clear()
    examiner.left_out = (mistake,)
    examiner.settings = lambda folder: (mistake,)
    line = say("check.word.line", n=2)
    wanted = (f"/c.toml, {line}, [camera]", "0, 90, 180", say("check.settings.camera.remedy"))
    text = unescape(game.visitor(lang).read(game.host + "check"))
    assert all(each in text for each in wanted)
    assert text.count("/c.toml") == 1
    assert "/c.toml" not in unescape(game.visitor(lang).read(game.host))
    examiner.settings = lambda folder: ()
    assert say("check.settings.file.changed_do") in unescape(game.visitor(lang).read(game.host + "check"))


def test_a_mistake_that_a_service_says_in_english_is_said_in_the_reader_s_language() -> None:
    """The page translates a service's report of a mistake, because the table examines the settings itself."""
    now = CameraStatus(True, trouble="bad_settings", fields={"said": "/c.toml: bad."})
    assert trouble_sentence(words("fr"), now, {"/c.toml: bad.": "/c.toml : mauvais."}).endswith("/c.toml : mauvais.")
    assert trouble_sentence(words("fr"), now).endswith("/c.toml: bad.")
