"""Test a game whose own code fails: pages name the place of the fault, and other games stay playable."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.examples.twenty_tons.rules import RULES
from companion.games.examples.twenty_tons.steps import Took
from companion.match.actor import Actor
from tests.support.web.visitors import Room, said
from web.game_pages import OFFERED
from web.live.regions import BROKEN, Region
from web.words import words

GOOD, BAD = "goods-yard", RULES.name


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """Return an empty table that offers the examples."""
    for name in (GOOD, BAD):
        monkeypatch.setitem(OFFERED, name, GAMES[name])
    return Room(tmp_path)


def fails(*_: object) -> None:
    """Raise an error as a game's own code may."""
    raise KeyError("row")


@pytest.mark.parametrize("method", ["begin", "view", "layout"])
def test_it_comes_onto_no_table(room: Room, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """The form gives the reason, no match is stored, and the next game can begin."""
    with room:
        with monkeypatch.context() as broken:
            broken.setattr(type(RULES), method, fails)
            answer = room.anybody.submit("/setup", room.form(2, game=BAD), "/setup")
            assert answer.status_code == 422
            assert said(answer).startswith(f"{BAD} fails: ") and said(answer).endswith("KeyError: 'row'")
        assert not room.table.matches()
        room.set_up(2, game=GOOD)


@pytest.mark.parametrize("method", ["begin", "view", "layout"])
def test_a_table_starts_without_its_match(room: Room, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """The first page reports that the game fails, and the match is back once its code works again."""
    with room:
        room.set_up(2, game=BAD)
        with monkeypatch.context() as broken:
            broken.setattr(type(RULES), method, fails)
            room.restart()
            assert f"{BAD} fails: " in room.anybody.read("/")
            assert room.table.snapshot().state is None
        room.restart()
        assert room.table.snapshot().state is not None


def test_a_page_that_fails_names_the_game(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the language and the key of the sentence with an unfilled field."""
    with room:
        shown = words("en", f"companion.games.examples.{BAD.replace('-', '_')}").sentences
        monkeypatch.setitem(shown, "event.wagon_turned", "Wagon {wagen} turns up.")
        host = room.anybody.submit("/setup", room.form(2, game=BAD), "/setup").headers["Location"]
        why = "en.toml: event.wagon_turned fills in {wagen}, which is unknown there"
        assert room.anybody.get(host).status_code == 500
        assert words("en")("start.broken_game", folder="twenty_tons", why=why) in room.anybody.read(host)


def test_a_layout_that_fails_later_leaves_a_gap(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves count and the rest of each page stays; the layout reappears as soon as the game provides it again."""
    monkeypatch.setattr(Region, "strict", False)

    def take() -> str:
        taken = Took(room.table.snapshot().view(None).awaited[0])
        assert room.table.propose(taken, Actor.at_seat(taken.seat)).accepted
        return room.anybody.read(room.host)

    with room:
        room.set_up(2, game=BAD)
        assert BROKEN not in room.anybody.read(room.host)
        with monkeypatch.context() as broken:
            broken.setattr(type(RULES), "layout", fails)
            shown = take()
            assert BROKEN in shown and "Jane" in shown
        assert BROKEN not in take()
