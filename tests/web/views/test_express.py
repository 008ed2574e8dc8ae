"""The pages of Express: who plays with whom."""

from __future__ import annotations

import re

import pytest

from companion.games.examples.express.rules import GAME
from tests.support.web import any_game
from tests.support.web.visitors import Room, regions


def read(html: str) -> str:
    """Return what people read of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).strip()


@pytest.mark.parametrize("partners", ["usual", "alone"])
def test_pages_follow_the_sides_of_the_match(room: Room, partners: str) -> None:
    """Four play in pairs, or everybody alone where the options say so; the list of games knows it, too."""
    any_game.lay(room, GAME.name, 4, partners=partners)
    paired = partners == "usual"
    line = "Jane, Tom – Bill, Céline" if paired else "Jane, Bill, Tom, Céline"
    sides = re.findall(r'<article [^>]*aria-label="([^"]*)"', regions(room.anybody.get(room.seats[1]).text)["seats"])
    assert sides == (["Jane and Tom", "Bill and Céline"] if paired else ["Jane", "Bill", "Tom", "Céline"])
    assert ("with Tom" in read(room.anybody.submit("/join", {"room": room.pin}, "/join").text)) == paired
    assert line in read(room.visitor().get("/").text)
    assert line in read(room.anybody.get("/past/").text)
