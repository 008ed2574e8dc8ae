"""Tests of rendered rooms: each kind can be rendered, and its cards lie at their true corners."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.features.pixels import Floats, corners_of, homography
from vision.image import Image
from vision.print.cards import faces
from vision.simulate.rooms import ROOMS, SIZE, RoomKind, room_picture

CARDS = {name: face for name, face in faces("take-a-train").items() if not name.startswith("back-")}


@pytest.mark.parametrize("kind", ROOMS, ids=[kind.name for kind in ROOMS])
def test_cards_lie_where_they_are_said_to_lie(kind: RoomKind) -> None:
    """A card straightened at its corners matches its face better than after a shift by a tenth."""
    seen = room_picture(kind, CARDS, 5)
    assert seen.picture.shape == (SIZE[1], SIZE[0], 3) and len({card.name for card in seen.cards}) == 8
    for card in seen.cards:
        assert card.corners.min() > 0 and (card.corners.max(axis=0) < SIZE).all()
        width = float(np.linalg.norm(card.corners[1] - card.corners[0]))
        here, beside = (likeness(seen.picture, card.corners + shift, CARDS[card.name]) for shift in (0, 0.1 * width))
        assert here > 0.55 and here > beside + 0.1, (card.name, here, beside)


def likeness(picture: Image, corners: Floats, face: Image) -> float:
    """Return the correlation of a part of a picture with a card's face."""
    size = (126, 176)
    matrix = homography(np.asarray(corners, np.float32), corners_of(size))
    view = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_AREA)
    known = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    one, two = (cv2.GaussianBlur(each, (0, 0), 1.5).astype(np.float32) for each in (view, known))
    return float(np.corrcoef(one.ravel(), two.ravel())[0, 1])


def test_the_same_seed_makes_the_same_room() -> None:
    """The same seed renders the same room, and another seed places other cards."""
    one, again, other = (room_picture(ROOMS[0], CARDS, seed) for seed in (1, 1, 2))
    assert np.array_equal(one.picture, again.picture) and not np.array_equal(one.picture, other.picture)
