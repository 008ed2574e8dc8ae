"""Tests of the rooms benchmark: how readings are classified and that both halves are printed."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from click.testing import CliRunner

from vision.bench import rooms
from vision.bench.rooms import RoomTally
from vision.commands import bench
from vision.deck.deck import Deck
from vision.image import CardReading, Image
from vision.recognise import Recogniser
from vision.simulate.rooms import ROOMS, RoomCard, RoomKind, RoomPicture

PICTURE = np.zeros((300, 400, 3), np.uint8)


def box(x: float, y: float, width: float = 60) -> tuple[tuple[float, float], ...]:
    """Return the corners of an upright card."""
    high = 1.4 * width
    return ((x, y), (x + width, y), (x + width, y + high), (x, y + high))


class ReadsThese:
    """A reader that returns prepared readings."""

    def __init__(self, enrolled: tuple[str, ...], *found: tuple[str | None, tuple[tuple[float, float], ...]]) -> None:
        self.deck = Deck("told", ())
        self.deck.cards = enrolled
        self.found = found

    def read(self, picture: Image) -> list[CardReading]:
        """Return the prepared readings."""
        return [CardReading(corners, name, "up", 0.9, "", ()) for name, corners in self.found]


def seen(*cards: str) -> RoomPicture:
    """Return a picture of cards side by side."""
    return RoomPicture(PICTURE, [RoomCard(card, np.array(box(20 + 90 * at, 40), np.float32))
                                 for at, card in enumerate(cards)])  # fmt: skip


def test_a_card_is_named_where_it_lies() -> None:
    """A card without a name is missed, and one with a wrong name, place or size is an error."""
    reader = ReadsThese(
        ("a", "b", "c"), ("a", box(22, 41)), ("b", box(300, 150)), ("c", box(110, 40)), (None, box(200, 40))
    )
    tally = RoomTally()
    tally.count(seen("a", "b", "x"), cast(Recogniser, reader))
    assert tally == RoomTally(shown=2, named=1, foreign=1, wrong=2)


def test_both_halves_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds alternate between the tuning half and the test half, and each kind of room has a line."""
    asked: list[tuple[str, int]] = []

    def picture(kind: RoomKind, faces: dict[str, Image], seed: int) -> RoomPicture:
        asked.append((kind.name, seed))
        return seen("coal-100", "coal-150")

    monkeypatch.setattr(rooms, "room_picture", picture)
    monkeypatch.setattr(rooms, "Recogniser", lambda deck: ReadsThese(deck.cards, ("coal-150", box(110, 40))))
    told = CliRunner().invoke(bench.command, ["vision", "--rooms", "2", "--seed", "7"])
    assert told.exit_code == 0, told.output
    assert [seed for kind, seed in asked if kind == ROOMS[0].name] == [7, 9, 8, 10] and len(asked) == 4 * len(ROOMS)
    last = told.output.splitlines()[-2:]
    assert last[0].startswith("all rooms, the half that limits may be chosen on: 20/") and "0 wrong" in last[1]
