"""Votes: what two pictures agree on is asserted, what four contradict is changed, a person's word stands."""

from __future__ import annotations

import numpy as np

from vision.slots.slot_frame import card_box
from vision.slots.tracks import FoundCard, Track

CORNERS = card_box((63.0, 88.0), 10.0, 20.0, 0.0)


def find(card: str | None = None, doubt: str = "", likeliest: tuple[str, ...] = ()) -> FoundCard:
    """Return a find at the same place."""
    return FoundCard(CORNERS, card, 0.9 if card else 0.0, doubt, likeliest)  # type: ignore[arg-type]


def test_one_picture_asserts_nothing() -> None:
    """A card that was read once is not spoken of."""
    track = Track(find("coal-150"))
    assert (track.name, track.reportable, track.settled) == (None, False, False)


def test_two_pictures_that_agree_assert() -> None:
    """A card that was read alike in two pictures is asserted."""
    track = Track(find("coal-150"))
    track.count(find("coal-150"))
    sighting = track.sighting("market", 2)
    assert (sighting.card, sighting.place, sighting.at, sighting.doubt) == ("coal-150", "market", 2, "")
    assert track.settled


def test_two_pictures_that_disagree_assert_no_card() -> None:
    """Two names for one card leave it without a name."""
    track = Track(find("coal-150"))
    track.count(find("coal-200"))
    assert track.name is None
    assert track.sighting("market", 0).card is None


def test_three_contradictions_change_nothing_and_four_do() -> None:
    """An asserted card is called otherwise only after four pictures that say the same."""
    track = Track(find("coal-150"))
    for _ in range(5):
        track.count(find("coal-150"))
    names = []
    for _ in range(4):
        track.count(find("coal-200"))
        names.append(track.name)
    assert names == ["coal-150", "coal-150", "coal-150", "coal-200"]


def test_contradictions_that_come_and_go_change_nothing() -> None:
    """A flicker between two names leaves the one that was asserted."""
    track = Track(find("coal-150"))
    track.count(find("coal-150"))
    for _ in range(10):
        track.count(find("coal-200"))
        track.count(find("coal-150"))
    assert track.name == "coal-150"


def test_a_doubt_does_not_take_a_name_away() -> None:
    """A picture in which the value cannot be read leaves the name that was read before."""
    track = Track(find("coal-150"))
    track.count(find("coal-150"))
    track.count(find(None, "value", ("coal-150", "coal-200")))
    assert track.name == "coal-150"


def test_a_doubt_is_told_with_what_is_likeliest() -> None:
    """A card that is never named is told after two pictures, with its doubt."""
    track = Track(find(None, "value", ("coal-150", "coal-200")))
    track.count(find(None, "value", ("coal-150", "coal-200")))
    sighting = track.sighting("market", 0)
    assert (sighting.card, sighting.doubt, sighting.likeliest) == (None, "value", ("coal-150", "coal-200"))


def test_a_persons_word_stands_above_the_cameras() -> None:
    """What a person says is told at once, whatever the camera reads, until it is taken back."""
    track = Track(find("coal-150"))
    track.count(find("coal-150"))
    track.named_by_person = "coal-200"
    for _ in range(6):
        track.count(find("coal-150"))
    assert track.sighting("market", 0).card == "coal-200"
    track.named_by_person = None
    assert track.sighting("market", 0).card == "coal-150"


def test_a_back_lies_face_down() -> None:
    """A card named by its back is told as lying face down."""
    track = Track(find("back-locomotive"))
    track.count(find("back-locomotive"))
    assert track.sighting("seat.1.train.1", 0).face == "down"


def test_a_card_seen_whole_was_placed_best() -> None:
    """A look at a small part of a card does not move it; a push does."""
    track = Track(find("coal-150"))
    near = FoundCard(CORNERS + 1.0, "coal-150", 0.9, share=0.25)
    track.count(near)
    assert np.array_equal(track.corners, CORNERS)
    far = FoundCard(CORNERS + 9.0, "coal-150", 0.9, share=0.25)
    track.count(far)
    assert np.array_equal(track.corners, CORNERS + 9.0)
