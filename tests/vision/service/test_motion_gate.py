"""Tests of the motion gate: hands and cards count as movement, noise and slow light do not."""

from __future__ import annotations

import numpy as np
import pytest

from vision.image import Image
from vision.service.motion_gate import STILL, MotionGate, MotionState

TENTH = 100_000_000


def table(seed: int, light: float = 0.0, hand: int | None = None, card: bool = False) -> Image:
    """Return a glance of a table with sensor noise, optionally with a hand at a column or one more card."""
    picture = np.tile(np.linspace(60, 160, 320), (180, 1)) + light
    if card:
        picture[90:116, 150:168] += 55
    if hand is not None:
        picture[40:120, hand : hand + 40] -= 50
    return np.clip(picture + np.random.default_rng(seed).normal(0, 4, picture.shape), 0, 255).astype(np.uint8)


def watched(gate: MotionGate, pictures: list[Image], start: int = 0, mask: Image | None = None) -> list[MotionState]:
    """Return the gate's states for pictures at ten a second."""
    return [gate.look(picture, (start + n) * TENTH, mask) for n, picture in enumerate(pictures)]


def settled() -> MotionGate:
    """Return a gate whose table was already read."""
    gate = MotionGate()
    watched(gate, [table(n) for n in range(6)])
    gate.mark_read()
    return gate


def test_table_at_rest_is_read_once() -> None:
    """A new table is read after 300 ms of rest, and then no change is reported."""
    gate = MotionGate()
    seen = watched(gate, [table(n) for n in range(6)])
    assert [each.moving for each in seen] == [True, True, True, False, False, False]
    assert [each.changed for each in seen] == [False, False, False, True, True, True]
    gate.mark_read()
    assert not any(each.moving or each.changed for each in watched(gate, [table(n) for n in range(20, 40)], 6))


def test_hand_holds_reading_up_until_it_has_left() -> None:
    """A moving hand prevents reading, and 300 ms after it left the new card is reported with its area."""
    gate = settled()
    hand = watched(gate, [table(n, hand=20 * n, card=n > 3) for n in range(8)], 6)
    assert all(each.moving and not each.changed for each in hand)
    after = watched(gate, [table(50 + n, card=True) for n in range(6)], 14)
    first = next(n for n, each in enumerate(after) if each.changed)
    assert first == STILL // TENTH
    rows, columns = np.nonzero(after[-1].where)
    assert rows.min() > 85 and rows.max() < 121 and columns.min() > 145 and columns.max() < 173


def test_hand_that_leaves_nothing_behind_is_no_news() -> None:
    """A hand that leaves no change behind is not news."""
    gate = settled()
    watched(gate, [table(n, hand=20 * n) for n in range(5)], 6)
    assert not any(each.changed for each in watched(gate, [table(60 + n) for n in range(8)], 11))


@pytest.mark.parametrize("step", [2.0, -3.0])
def test_light_that_changes_everywhere_is_no_movement(step: float) -> None:
    """A change of all pixels alike, by clouds or automatic exposure, is not a movement."""
    gate = settled()
    seen = watched(gate, [table(n, light=step * n) for n in range(10)], 6)
    assert not any(each.moving or each.changed for each in seen)


def test_beside_the_places_anything_may_move() -> None:
    """Movement beside the places does not prevent reading."""
    mask = np.zeros((180, 320), dtype=np.uint8)
    mask[:, 160:] = 255
    gate = MotionGate()
    watched(gate, [table(n) for n in range(6)], mask=mask)
    gate.mark_read()
    seen = watched(gate, [table(n, hand=10 * n) for n in range(10)], 6, mask)
    assert not any(each.moving or each.changed for each in seen)


def test_another_size_begins_anew() -> None:
    """A glance of another size, from a replaced camera, resets the gate."""
    gate = settled()
    assert gate.look(np.zeros((240, 320), dtype=np.uint8), 10 * TENTH).moving
