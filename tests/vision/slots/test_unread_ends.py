"""Tests that an unreadable end of a row's card is noticed by its unexplained print or by glare."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from companion.games.take_a_train.layout import places
from vision.features.pixels import Floats, lab
from vision.image import Image
from vision.mat import make_mat
from vision.slots.slot_frame import SlotFrame, frame_of
from vision.slots.slot_tracker import SlotTracker
from vision.slots.tracks import FoundCard, Track
from vision.slots.unread_ends import is_next_end_unread, strange_parts


@pytest.fixture(scope="module")
def row() -> SlotFrame:
    """Return the frame of a train."""
    mat = make_mat(places(2), (63.0, 88.0))
    return frame_of(mat, next(slot for slot in mat.read() if slot.kind == "row"))


def end_of(row: SlotFrame, nth: int, deep: float = 15.0) -> tuple[slice, slice]:
    """Return the part of a picture with the end of the row's nth card."""
    left, top = np.rint(row.home(nth).min(axis=0)).astype(int)
    return slice(top, top + round(deep)), slice(left, left + round(row.card[0]))


def bare(row: SlotFrame) -> Image:
    """Return a picture of the row without cards."""
    return np.full((round(row.size[1]), round(row.size[0]), 3), 225, np.uint8)


def printed(row: SlotFrame, nth: int, deep: float) -> Image:
    """Return a picture of a row with one pale end: broad strokes on paper of the mat's own colour."""
    look = bare(row)
    rows, columns = end_of(row, nth, deep)
    for left in range(columns.start + 4, columns.stop - 12, 20):
        look[rows, left : left + 9] = 150
    return look


class Blind:
    """A searcher that knows one card and finds no others."""

    def __init__(self, frame: SlotFrame) -> None:
        self.frame = frame
        self.engine = FoundCard(frame.on_mat(frame.home(0)), "steam-1", 0.9)

    def find_cards(self, *_: Any) -> list[FoundCard]:
        """Return no cards."""
        return []

    def search_freely(self, *_: Any) -> list[FoundCard]:
        """Return no cards."""
        return []

    def reread(self, *_: Any) -> FoundCard:
        """Return the known card."""
        return self.engine

    read_pose = reread

    def with_relatives(self, names: Any) -> tuple[str, ...]:
        """Return the names without relatives."""
        return tuple(names)

    def visible_part(self, other: Any) -> Any:
        """Return the whole card as visible."""
        return other.corners


def covered(row: SlotFrame, look: Image) -> bool:
    """Return whether a row with one known card counts as covered in this picture."""
    search: Any = Blind(row)
    sight: Any = None
    place, typical = SlotTracker(search), lab(bare(row))[0, 0]
    engine = Track(search.engine)
    engine.count(search.engine)
    place.tracks = [engine]
    for _ in range(2):
        place.read(sight, look, typical)
    return place.covered


def test_a_pale_end_that_no_card_explains_covers_its_row(row: SlotFrame) -> None:
    """Print beyond a known card that fits no card covers the row, and the row is uncovered without it."""
    assert [covered(row, bare(row)), covered(row, printed(row, 1, 15.0))] == [False, True]


def test_faint_letters_of_an_end_cover_its_row(row: SlotFrame) -> None:
    """The thin print of a bleached end covers its row, although the mat's own thin lines do not."""
    letters, lines = bare(row), bare(row)
    rows, columns = end_of(row, 1, 15.0)
    for left in range(columns.start, columns.stop - 3, 9):
        letters[rows, left : left + 3] = 150
    lines[rows, columns.start : columns.start + 3] = 150
    lines[rows.start : rows.start + 1, columns] = 150
    assert [covered(row, letters), covered(row, lines)] == [True, False]


def test_an_end_that_glare_burns_out_covers_its_row(row: SlotFrame) -> None:
    """Glare over the next end covers the row, because a card may be there, and glare elsewhere does not."""
    here, elsewhere = bare(row), bare(row)
    here[end_of(row, 1, 22.0)] = 255
    elsewhere[end_of(row, 3, 22.0)] = 255
    assert [covered(row, look) for look in (here, elsewhere)] == [True, False]


def unread(row: SlotFrame, look: Image, known: int = 0) -> bool:
    """Return whether the next end is unread in a row with the given number of known cards."""
    like = ((look == 225).all(axis=2) * 255).astype(np.uint8)
    return is_next_end_unread(look, row, [row.home(nth) for nth in range(known)], cast(Image, 255 - like), like)


@pytest.mark.parametrize(("nth", "deep", "is_unread"), [(1, 1, False), (1, 15, True), (2, 15, False)])
def test_print_is_an_end_where_the_next_card_shows(row: SlotFrame, nth: int, deep: int, is_unread: bool) -> None:
    """Print counts as an end only at the next card's place, and the mat's thinner lines do not count."""
    assert unread(row, printed(row, nth, deep), 1) is is_unread


def test_the_next_end_of_an_empty_row_lies_where_its_first_card_belongs(row: SlotFrame) -> None:
    """In an empty row, glare over half of the first place hides an end, and glare over a tenth does not."""
    half, tenth = bare(row), bare(row)
    half[end_of(row, 0, 11.0)] = 255
    tenth[end_of(row, 0, 2.2)] = 255
    assert [unread(row, look) for look in (half, tenth, bare(row))] == [True, False, False]


def test_a_full_row_has_no_next_end(row: SlotFrame) -> None:
    """Glare beyond the last card of a full row hides no end, but with one card fewer it may."""
    look, most = bare(row), row.slot.most
    look[: int(row.home(most - 1)[:, 1].min())] = 255
    one_fewer = look.copy()
    one_fewer[end_of(row, most - 1)] = 255
    assert not unread(row, look, most)
    assert unread(row, one_fewer, most - 1)


def test_paper_that_is_burnt_out_everywhere_hides_no_end(row: SlotFrame) -> None:
    """Overexposure of the whole mat hides no end, because print still shows."""
    look = np.full_like(bare(row), 255)
    plain = np.full(look.shape[:2], 255, np.uint8)
    nothing = np.zeros_like(plain)
    assert not is_next_end_unread(look, row, [row.home(0)], nothing, plain)
    look[end_of(row, 3, 30.0)] = 225
    assert not is_next_end_unread(look, row, [row.home(0)], nothing, plain)


def test_what_known_cards_show_is_not_strange(row: SlotFrame) -> None:
    """Only the part of the rectangle beside the known card is unexplained."""
    like = np.zeros(bare(row).shape[:2], np.uint8)
    card: Floats = row.home(0).astype(np.float32)
    left, top, right, bottom = (round(float(each)) for each in (*card.min(axis=0), *card.max(axis=0)))
    strange = strange_parts(like, [row.home(0)], (left, top - 10, right, bottom))
    shown = np.zeros_like(like)
    shown[top - 10 : top, left:right] = 255
    assert int(np.count_nonzero(strange != shown)) < 3 * (right - left)
