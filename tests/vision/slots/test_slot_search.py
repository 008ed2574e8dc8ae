"""Tests that a slot's search does not name a card wrongly because the right name was not among the candidates."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.take_a_train.layout import places
from tests.support.vision.own_deck import own_recogniser
from vision.mat import find, make_mat
from vision.print.cards import design, faces
from vision.simulate.rendered_table import RenderedTable
from vision.slots import TableReader
from vision.slots.slot_view import SlotView

CARD = (63.0, 88.0)


@pytest.mark.pixels
@pytest.mark.parametrize(
    ("true", "thought"), [("coal-200", ("coal-150", "coal-100", "oil-150")), ("oil-250", ("oil-200",))]
)
def test_names_that_were_thought_of_may_lack_the_right_one(true: str, thought: tuple[str, ...]) -> None:
    """If the best of a few candidates fits only roughly, the whole deck is searched and the right card is found."""
    table = RenderedTable(make_mat(places(2), CARD), faces("take-a-train"), design("take-a-train").backs, seed=3)
    table.lay(true, "market")
    size = (2304, 1296)
    picture = table.picture(size)
    pose = find(picture, table.mat)
    assert pose is not None
    corners = np.array(next(one.sighting.corners for one in table.showing(size) if one.sighting.card == true))
    reader = own_recogniser("take-a-train")
    alone = reader.read_at(picture, pose.project(corners).astype(np.float32), None, thought)
    assert alone.card in thought  # the rest of the slot is empty
    place = next(place for place in TableReader(reader, table.mat).places if place.frame.slot.place == "market")
    found = place.search.read_pose(SlotView(picture, pose), corners, (), thought)
    assert found is not None and found.card == true
