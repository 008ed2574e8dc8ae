"""Tests of votes: two equal readings confirm a card, four contradictions change it, and a person's answer prevails."""

from __future__ import annotations

import numpy as np

from vision.slots.slot_frame import card_box
from vision.slots.tracks import FoundCard, Track

CORNERS = card_box((63.0, 88.0), 10.0, 20.0, 0.0)


def find(card: str | None = None, doubt: str = "", likeliest: tuple[str, ...] = ()) -> FoundCard:
    """Return a card found at a fixed place."""
    return FoundCard(CORNERS, card, 0.9 if card else 0.0, doubt, likeliest)  # type: ignore[arg-type]


def test_one_picture_asserts_nothing() -> None:
    """A card read only once is not reported."""
    track = Track(find("coal-150"))
    assert (track.name, track.reportable, track.settled) == (None, False, False)


def test_two_pictures_that_agree_assert() -> None:
    """A card read alike in two pictures is reported with its name."""
    track = Track(find("coal-150"))
    track.count(find("coal-150"))
    sighting = track.sighting("market", 2)
    assert (sighting.card, sighting.place, sighting.at, sighting.doubt) == ("coal-150", "market", 2, "")
    assert track.settled


def test_two_pictures_that_disagree_assert_no_card() -> None:
    """A card read as two different names has no name."""
    track = Track(find("coal-150"))
    track.count(find("coal-200"))
    assert track.name is None
    assert track.sighting("market", 0).card is None


def test_three_contradictions_change_nothing_and_four_do() -> None:
    """A confirmed name changes only after four pictures that agree on another one."""
    track = Track(find("coal-150"))
    for _ in range(5):
        track.count(find("coal-150"))
    names = []
    for _ in range(4):
        track.count(find("coal-200"))
        names.append(track.name)
    assert names == ["coal-150", "coal-150", "coal-150", "coal-200"]


def test_contradictions_that_come_and_go_change_nothing() -> None:
    """Readings that alternate between two names keep the confirmed one."""
    track = Track(find("coal-150"))
    track.count(find("coal-150"))
    for _ in range(10):
        track.count(find("coal-200"))
        track.count(find("coal-150"))
    assert track.name == "coal-150"


def test_a_doubt_does_not_take_a_name_away() -> None:
    """A picture with an unreadable value keeps the earlier name."""
    track = Track(find("coal-150"))
    track.count(find("coal-150"))
    track.count(find(None, "value", ("coal-150", "coal-200")))
    assert track.name == "coal-150"


def test_a_doubt_is_told_with_what_is_likeliest() -> None:
    """A card without a name is reported after two pictures with its doubt and its likeliest names."""
    track = Track(find(None, "value", ("coal-150", "coal-200")))
    track.count(find(None, "value", ("coal-150", "coal-200")))
    sighting = track.sighting("market", 0)
    assert (sighting.card, sighting.doubt, sighting.likeliest) == (None, "value", ("coal-150", "coal-200"))


def test_a_persons_word_stands_above_the_cameras() -> None:
    """A name from a person is reported at once and overrides the camera until it is withdrawn."""
    track = Track(find("coal-150"))
    track.count(find("coal-150"))
    track.named_by_person = "coal-200"
    for _ in range(6):
        track.count(find("coal-150"))
    assert track.sighting("market", 0).card == "coal-200"
    track.named_by_person = None
    assert track.sighting("market", 0).card == "coal-150"


def test_a_back_lies_face_down() -> None:
    """A card identified by its back is reported as face down."""
    track = Track(find("back-locomotive"))
    track.count(find("back-locomotive"))
    assert track.sighting("seat.1.train.1", 0).face == "down"


def test_a_card_seen_whole_was_placed_best() -> None:
    """A view of a small part moves a card only if the shift is large."""
    track = Track(find("coal-150"))
    near = FoundCard(CORNERS + 1.0, "coal-150", 0.9, share=0.25)
    track.count(near)
    assert np.array_equal(track.corners, CORNERS)
    far = FoundCard(CORNERS + 9.0, "coal-150", 0.9, share=0.25)
    track.count(far)
    assert np.array_equal(track.corners, CORNERS + 9.0)
