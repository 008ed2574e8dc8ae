"""Tests of the faultless camera's reports about cards on a table."""

from __future__ import annotations

import pytest

from companion.demo.acts import HIDDEN, MoveCard
from companion.engine import Place, Seat
from companion.messages import Sighting
from tests.support.faultless_camera import Told

PLACES = (
    Place("market", "spread", 3),
    Place("seat.1.train.1", "row", 3, Seat(0)),
    Place("deck", "pile"),
)
TRAIN = "seat.1.train.1"


def seen(table: Told) -> list[tuple[str, str | None, int, str]]:
    """Return a reading: place, card, outline and face."""
    return [(each.place, each.card, each.at, each.face) for each in table.seen().sightings]


def lying(*moves: tuple[str, str, str]) -> Told:
    """Return a table after moves of cards: the card, its old place, its new place."""
    table = Told(PLACES)
    for card, source, place in moves:
        table.do(MoveCard(card, source, place))
    return table


def test_a_card_of_a_spread_keeps_its_outline() -> None:
    """A removed card's outline is free for the next card; the other cards stay in place."""
    table = lying(("a", "", "market"), ("b", "", "market"))
    before = {each.card: each.corners for each in table.seen().sightings}
    table.do(MoveCard("a", "market", ""))
    assert seen(table) == [("market", "b", 1, "up")]
    table.do(MoveCard("c", "", "market"))
    assert seen(table) == [("market", "c", 0, "up"), ("market", "b", 1, "up")]
    after: dict[str | None, Sighting] = {each.card: each for each in table.seen().sightings}
    assert (after["b"].corners, after["c"].corners) == (before["b"], before["a"])


def test_a_row_closes_up_behind_what_lies_face_down() -> None:
    """The cards of a row close up; a face-down card comes first and has no name."""
    table = lying(("a", "", TRAIN), ("b", "", TRAIN), ("a", TRAIN, ""))
    assert seen(table) == [(TRAIN, "b", 0, "up")]
    table.do(MoveCard(HIDDEN, "", TRAIN, "down"))
    assert seen(table) == [(TRAIN, None, 0, "down"), (TRAIN, "b", 1, "up")]


def test_more_cards_than_a_place_has_room_for_cannot_lie_there() -> None:
    """A fourth card on three outlines is an error."""
    with pytest.raises(ValueError, match="There is no room for d at market"):
        lying(*[(card, "", "market") for card in "abcd"])


def test_every_look_has_its_number() -> None:
    """Each reading has a new number, even if nothing has moved."""
    table = lying(("a", "", "market"))
    assert [table.seen().at, table.seen().at] == [1, 2]
