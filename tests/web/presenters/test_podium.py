"""Test the picture of the podium: all places, complete names that fit, and no external files."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from companion.engine import COLOURS, SHAPES, Player, Seat
from tests.support.web.finished import finished
from tests.support.web.visitors import Room
from web.lobby.record import FACES
from web.presenters.podium import WIDE, fitting, looks, podium_of
from web.presenters.standings import Standing

LONG = "Maximiliane-Alexandra von und zu Hohenst"


def test_every_colour_and_shape_of_seats_is_known() -> None:
    """Colours, shapes and faces come from the pages' own style sheet and drawings."""
    known = looks()
    assert set(COLOURS) <= set(known.colours) and set(SHAPES) <= set(known.shapes) and set(FACES) == set(known.faces)


def test_who_chose_a_face_is_shown_by_it() -> None:
    """A known face is shown beside the colour's shape, and without one only the shape is shown."""
    faces: tuple[str | msgspec.UnsetType, ...] = ("fox", msgspec.UNSET, "gone")
    players = [Player(name, COLOURS[at], SHAPES[at], faces[at]) for at, name in enumerate("ABC")]
    podium = podium_of([Standing(at + 1, (Seat(at),), 9 - at) for at in range(3)], players, str)
    badges = [step.badges[0] for step in podium.steps]
    assert [each.face for each in badges] == [looks().faces["fox"], "", ""]
    assert [each.shape for each in badges] == [looks().shapes[SHAPES[at]] for at in range(3)]


def test_the_best_stands_highest_and_names_are_whole() -> None:
    """Three players are on steps and the others below, and a name of forty letters takes two lines on its step."""
    players = [Player(LONG if seat == 1 else f"P{seat}", COLOURS[seat], SHAPES[seat]) for seat in range(5)]
    order = [Standing(at + 1, (Seat(seat),), 50 - at) for at, seat in enumerate((1, 0, 4, 2, 3))]
    podium = podium_of(order, players, str)
    assert [step.place for step in podium.steps] == [1, 2, 3]
    assert sorted(step.top for step in podium.steps) == [step.top for step in podium.steps]
    assert " ".join(line.text for line in podium.steps[0].names).replace("- ", "-") == LONG
    assert all(line.size * len(line.text) * 0.55 <= WIDE + 10 for step in podium.steps for line in step.names)
    assert [line.text for line in podium.rest] == ["4  P2  47", "5  P3  46"]


def test_who_shares_the_victory_stands_as_high() -> None:
    """Two winners are at the same height."""
    players = [Player(name, COLOURS[at], SHAPES[at]) for at, name in enumerate("AB")]
    podium = podium_of([Standing(1, (Seat(0),), 9), Standing(1, (Seat(1),), 9)], players, str)
    assert len({step.top for step in podium.steps}) == 1
    assert fitting("x" * 500, 100) == 15


@pytest.mark.parametrize("game", ["take-a-train", "express"])
def test_the_picture_is_one_file_without_anything_from_elsewhere(tmp_path: Path, game: str) -> None:
    """The picture is well-formed, contains every name and score, is linked from the report, and is saved under its
    own name."""
    match = finished(tmp_path, game, 4)
    with Room(tmp_path) as room:
        answer = room.anybody.get(f"/past/{match}/podium.svg")
        assert answer.headers["Content-Disposition"] == f'attachment; filename="podium-{match}.svg"'
        root = ElementTree.fromstring(answer.data)
        told = " ".join(root.itertext())
        assert all(name in told for name in ("Jane", "Bill", "Tom", "Céline"))
        assert re.findall(r"(?:href|src|url)", answer.text) == []
        assert 'href="podium.svg"' in room.anybody.read(f"/past/{match}/")
