"""Tests of tracking a slot across pictures: an unexplained change is searched again before it counts as an object."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.engine import Place as Spread
from vision.features.pixels import lab
from vision.mat import make_mat
from vision.slots.slot_frame import SlotFrame, frame_of
from vision.slots.slot_tracker import TRIES, SlotTracker
from vision.slots.tracks import FoundCard, Track


class Blinking:
    """A searcher that finds its only card in some searches, listed in `sees`."""

    def __init__(self, frame: SlotFrame, sees: tuple[int, ...]) -> None:
        self.frame, self.sees, self.searches = frame, sees, 0
        self.card = FoundCard(frame.on_mat(frame.home(0)), "coal-150", 0.9)

    def find_cards(self, *_: Any) -> list[FoundCard]:
        """Return the card in the listed searches."""
        self.searches += 1
        return [self.card] if self.searches in self.sees else []

    def search_freely(self, *_: Any) -> list[FoundCard]:
        """Return no further cards."""
        return []

    def visible_part(self, other: Any) -> Any:
        """Return the whole card as visible."""
        return other.corners

    def read_pose(self, *_: Any) -> FoundCard:
        """Read the card at its known pose."""
        return self.card

    def with_relatives(self, names: Any) -> tuple[str, ...]:
        """Return the names without relatives."""
        return tuple(names)

    def lies_over(self, *_: Any) -> bool:
        """Return that nothing covers the card."""
        return False


@pytest.fixture
def frame() -> SlotFrame:
    """Return the frame of a place for one card."""
    mat = make_mat((Spread("market", "spread"),), (63.0, 88.0))
    return frame_of(mat, mat.slots[0])


def looks(frame: SlotFrame) -> tuple[Any, Any]:
    """Return pictures of an empty place and of one with a dark object."""
    empty = np.full((round(frame.size[1]), round(frame.size[0]), 3), 220, np.uint8)
    (left, top), (right, bottom) = frame.home(0).min(axis=0), frame.home(0).max(axis=0)
    lying = empty.copy()
    lying[round(top) : round(bottom), round(left) : round(right)] = (40, 60, 160)
    return empty, lying


def watched(frame: SlotFrame, sees: tuple[int, ...]) -> tuple[SlotTracker, Blinking, list[bool]]:
    """Lay an object down, take pictures until no more are requested and return whether each was searched."""
    looker: Any = Blinking(frame, sees)
    place = SlotTracker(looker)
    empty, lying = looks(frame)
    sight: Any = None
    read = [place.read(sight, look, lab(empty)[0, 0]) for look in (empty, *[lying] * 6)]
    return place, looker, read[1:]


def test_a_card_that_one_picture_does_not_show_is_found_in_the_next(frame: SlotFrame) -> None:
    """A card hidden by noise in one picture is found in the next, although nothing changed."""
    place, looker, _ = watched(frame, (2,))
    assert looker.searches == 2
    assert [(track.asserted, track.reportable) for track in place.tracks] == [("coal-150", True)]
    assert not place.covered and not place.wants_picture


def test_a_thing_is_searched_a_few_times_and_then_left_alone(frame: SlotFrame) -> None:
    """An object that is no card is searched for a few times and then ignored until a change."""
    place, looker, read = watched(frame, ())
    assert looker.searches == 1 + TRIES
    assert read == [True] * (1 + TRIES) + [False] * (5 - TRIES)
    assert place.covered and not place.wants_picture and place.tracks == []


def test_paper_of_the_ground_s_colour_is_sought_by_what_is_printed_on_it(frame: SlotFrame) -> None:
    """A tucked card of bright paper is found by its thin print, which differs from the mat's own lines."""
    looker: Any = Blinking(frame, (1, 2))
    place = SlotTracker(looker)
    empty, _ = looks(frame)
    (left, top), (right, bottom) = np.rint([frame.home(0).min(axis=0), frame.home(0).max(axis=0)]).astype(int)
    paper = empty.copy()
    paper[top:bottom, left:right] = 203
    bare = paper.copy()
    for x in range(left + 8, right - 8, 8):
        paper[top + 6 : top + 18, x : x + 3] = (110, 90, 60)
    sight: Any = None
    typical = lab(empty)[0, 0]
    place.read(sight, empty, typical)
    place.read(sight, bare, typical)
    assert looker.searches == 0  # a shadow
    place.read(sight, paper, typical)
    assert looker.searches == 1 and len(place.tracks) == 1


class Exchanged(Blinking):
    """A searcher whose card was replaced by an unknown one that still resembles it."""

    swapped = False

    def unnamed(self) -> FoundCard:
        """Return the reading of the replaced card without a name."""
        return FoundCard(self.card.corners, None, 0.0, "value", ("coal-150", "coal-200"))

    def find_cards(self, *_: Any) -> list[FoundCard]:
        """Return the card in the slot."""
        return [self.unnamed() if self.swapped else self.card]

    def read_pose(self, *_: Any) -> FoundCard:
        """Read the card in the slot."""
        return self.unnamed() if self.swapped else self.card

    def reread(self, *_: Any) -> FoundCard:
        """Read the changed part again."""
        return self.read_pose()


@pytest.mark.parametrize(("share", "kept"), [(1.0, False), (0.2, True)])
def test_another_card_in_its_place_is_not_called_by_its_name(frame: SlotFrame, share: float, kept: bool) -> None:
    """A card whose whole place changed is identified again or loses its name, and a partial glare changes nothing."""
    looker: Any = Exchanged(frame, ())
    sight: Any = None
    place = SlotTracker(looker)
    empty, lying = looks(frame)
    typical = lab(empty)[0, 0]
    for look in (empty, lying, lying, lying):
        place.read(sight, look, typical)
    assert [track.name for track in place.tracks] == ["coal-150"]
    looker.swapped = True
    other = lying.copy()
    rows = np.flatnonzero((lying != empty).any(axis=(1, 2)))
    part = rows[: round(share * len(rows))]
    other[part] = np.where(lying[part] == empty[part], empty[part], 255 - lying[part])
    for _ in range(4):
        place.read(sight, other, typical)
    named = [track.name for track in place.tracks if track.name]
    assert named == (["coal-150"] if kept else [])


def test_a_card_is_not_hidden_by_one_that_is_lost_itself(frame: SlotFrame) -> None:
    """A card below another lost card is reported as missing, and its slot as covered."""
    looker: Any = Exchanged(frame, ())
    place = SlotTracker(looker)
    old, new = Track(looker.card), Track(looker.unnamed())
    old.count(looker.card)
    assert old.asserted == "coal-150"
    old.hiders = [new]
    place.tracks, place._lost = [old, new], [old, new]
    look = looks(frame)[0]
    place._like = np.zeros(look.shape[:2], np.uint8)  # nothing resembles the ground
    place._drop_gone()
    place._note_covered(look)
    assert place.missing()[0] is old and place.covered
