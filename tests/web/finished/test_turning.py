"""Test the turning points on the pages of a finished match: found in the background, stored, and described in words."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import msgspec
import pytest

from companion.bots import turning_points as turning
from companion.bots.advice import advice
from companion.bots.turning_points import BEST, BETTER, DRAWN, TurningPoint, plain
from companion.engine import apply, legal, seat_of
from companion.games import GAMES
from companion.i18n import LANGUAGES
from companion.journal.journal import Journal
from companion.match.match import Match
from tests.support.web.finished import finished
from tests.support.web.visitors import JOURNAL, Room
from web.finished.turning import KEY, KeptPoints, TurningPoints, has_turning_points
from web.finished.turning_search import of_match
from web.presenters.turning import happening
from web.words import package, words

WAIT = 20.0
"""Seconds until a small process must have ended, even on a busy machine."""
WORDS = words("en", package(GAMES["game-of-trains"]))


@pytest.fixture
def over(tmp_path: Path) -> Room:
    """Return a room whose match of Game of Trains has ended."""
    finished(tmp_path, "game-of-trains", 2)
    return Room(tmp_path)


def keep(room: Room, *points: TurningPoint) -> None:
    """Store turning points of the match in the journal."""
    (line,) = room.table.matches()
    room.table.keep(f"{KEY}1", msgspec.json.encode(KeptPoints(line.records, points)))


def disputed(room: Room) -> TurningPoint:
    """Return a point at which the program would have chosen another move."""
    match = room.context.finished.open(room.table.matches()[0])
    for step, event in enumerate(match.match.entries, 1):
        before, mover = match.states[step - 1], seat_of(event.event)
        if mover is None or any(offer.chance and event.event in offer for offer in legal(match.match.game, before)):
            continue
        ranked = advice(match.match.game, before, mover)
        if ranked and ranked[0].event != event.event and ranked[0].terms:
            return TurningPoint(step, (int(mover),), 60, 30, BETTER, int(mover), 70, 30, plain(ranked[0]))
    pytest.fail("the program agrees with all moves")


def test_they_are_looked_for_and_then_told(over: Room) -> None:
    """Before the search, the pages claim nothing; afterwards they name the event, the chances and the better move."""
    with over as room:
        page = room.anybody.read("/past/1/")
        assert WORDS("turning.searching") in page
        assert "replay-points" not in room.anybody.read("/past/1/replay")
        better = disputed(room)
        keep(room, TurningPoint(1, (1,), 50, 80, DRAWN), better)
        page = room.anybody.read("/past/1/")
        assert WORDS("turning.searching") not in page
        assert "Chances of Bill: 50 in 100 before it, 80 in 100 after it." in page
        assert WORDS("turning.drawn") in page
        assert "From what could be known then, this was better: " in page
        mover = ("Jane", "Bill")[better.mover or 0]
        assert f"Chances of {mover} with it: 70 in 100. Without it: 30." in page
        assert f"The companion would have told {mover} then: “" in page
        assert f'href="replay?step={better.step}"' in room.anybody.get("/past/1/").text
        assert WORDS("report.turning.title") not in page
        assert WORDS("turning.luck") not in page
        keep(room, msgspec.structs.replace(better, kind=BEST, hidden=True))
        room.context.turning = TurningPoints(room.table, room.context.journal)
        page = room.anybody.read("/past/1/")
        assert "Nobody else saw this then: " in page
        assert f"{WORDS('turning.best')} {WORDS('turning.luck')}" in page
        assert f'href="?step={better.step}"' in room.anybody.get("/past/1/replay").text
        assert "Les tournants" in room.visitor("fr").read("/past/1/")


def test_a_draw_without_words_is_told_by_what_it_followed() -> None:
    """An event without sentences uses those of a recent event before it, or else its step's number."""
    told = {1: ["Jane draws a card."], 4: ["Bill uses 9.", "He wins."]}
    assert [happening(step, lambda at: told.get(at, []), WORDS) for step in (4, 3, 40)] == [
        "Bill uses 9. He wins.",
        "Right after this: “Jane draws a card.”",
        "Step 40",
    ]


def test_a_match_that_nothing_decided(over: Room) -> None:
    """A match without turning points gets a sentence, and its replay has no list."""
    with over as room:
        keep(room)
        assert WORDS("turning.none") in room.anybody.read("/past/1/")
        assert "replay-points" not in room.anybody.read("/past/1/replay")


def test_of_a_resumed_match_they_are_looked_for_again(over: Room) -> None:
    """Points found before a match was resumed are ignored."""
    with over as room:
        (line,) = room.table.matches()
        old = KeptPoints(line.records - 1, (TurningPoint(1, (1,), 50, 80, BEST, 1),))
        room.table.keep(f"{KEY}1", msgspec.json.encode(old))
        assert room.context.turning.of(line) is None


def test_a_game_without_reasons_shows_nothing(tmp_path: Path) -> None:
    """A game without reasons shows no heading for turning points."""
    finished(tmp_path, "goods-yard", 2)
    with Room(tmp_path) as room:
        assert WORDS("turning.title") not in room.anybody.read("/past/1/")


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import json; print(json.dumps([dict(step=4, side=[1], before=20, after=60, kind='drawn')]))", True),
        ("print('nonsense')", False),
        ("raise SystemExit(3)", False),
    ],
)
def test_a_process_finds_them_and_may_fail(over: Room, code: str, found: bool) -> None:
    """The process's output survives a restart; if the process fails, it is not repeated and the page shows nothing."""
    with over as room:
        (line,) = room.table.matches()
        points = room.context.turning = TurningPoints(room.table, room.context.journal, (sys.executable, "-c", code))
        points.start()
        until = time.monotonic() + WAIT
        while points.of(line) is None and not points.failed(line):
            assert time.monotonic() < until
            time.sleep(0.01)
        page = room.anybody.read("/past/1/")
        assert (WORDS("turning.title") in page) is found
        assert WORDS("turning.searching") not in page
        assert (room.table.read_value(f"{KEY}1") is not None) is found
        if found:
            assert TurningPoints(room.table, room.context.journal).of(line) == points.of(line)


def test_closing_ends_the_search(over: Room) -> None:
    """Closing ends a search at once, however long it would still take."""
    with over as room:
        (line,) = room.table.matches()
        points = TurningPoints(room.table, room.context.journal, (sys.executable, "-c", "import time; time.sleep(600)"))
        points.start()
        assert points.of(line) is None
        until = time.monotonic() + WAIT
        while points._process is None:
            assert time.monotonic() < until
            time.sleep(0.01)
        begun = time.monotonic()
        points.close()
        assert time.monotonic() - begun < WAIT
        assert points.of(line) is None


def test_a_finished_match_of_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every point belongs to the match, names its seats, and suggests a legal move."""
    for name, few in (
        ("GRID", 4),
        ("POSITIONS", 14),
        ("SEARCHED", (4, 4)),
        ("CONFIRMED", 12),
        ("GLANCE", 4),
        ("LEAST", 0.0),
        ("SURE", 0.0),
    ):
        monkeypatch.setattr(turning, name, few)
    match_id = finished(tmp_path, "game-of-trains", 2)
    with Journal(tmp_path / JOURNAL, read_only=True) as journal:
        match = Match.open(journal, match_id)
    found = of_match(match)
    assert 0 < len(found) <= turning.MOST
    states = (match.game.begin(match.setup), *[entry.after for entry in match.entries])
    for each in found:
        assert 1 <= each.step <= len(match.entries) and set(each.side) <= {0, 1}
        assert 0 <= each.before <= 100 >= each.after >= 0
        if each.better is not None:
            apply(match.game, states[each.step - 1], turning.ranked_of(match.game, each.better).event)


@pytest.mark.parametrize("name", [name for name in GAMES if has_turning_points(name)])
def test_no_game_has_words_of_its_own_for_them(name: str) -> None:
    """No game has its own words for turning points, which would replace the page's words."""
    for lang in LANGUAGES:
        assert words(lang, package(GAMES[name])).section("turning") == words(lang).section("turning") != {}
