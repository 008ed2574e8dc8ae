"""Tests of photographs changed in light, sharpness, noise and colour."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.vision.pictures import card
from vision.bench.changes import CHANGES
from vision.bench.photographs import Label, leave_out_folds, measure_changes


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_keeps_the_size_and_is_the_same_each_time(name: str) -> None:
    """A change keeps the photograph's size, so its labels stay true, and the same seed repeats it."""
    picture = card(1)
    once, again = CHANGES[name](picture), CHANGES[name](picture)
    assert once.shape == picture.shape and once.dtype == np.uint8
    assert np.array_equal(once, again) and not np.array_equal(once, picture)


def test_light_changes_as_it_says() -> None:
    """Brightening raises all channels; warming adds red and removes blue."""
    grey = np.full((8, 8, 3), 100, np.uint8)
    levels = {name: tuple(int(level) for level in CHANGES[name](grey)[0, 0]) for name in CHANGES}
    assert levels["a quarter brighter"] == (125, 125, 125)
    assert levels["warmer"] == levels["cooler"][::-1] == (85, 100, 110)
    assert levels["gamma 0.8"] > (100, 100, 100) > levels["gamma 1.25"]


def test_each_card_is_left_out_in_one_half() -> None:
    """Each card is left out exactly once, because both halves of the deck are read."""
    refs = {name: card(seed) for seed, name in enumerate("abcd")}
    label: Label = {"deck": "d", "file": "", "cards": [{"id": "a", "pt": (9.0, 9.0), "kind": "full"}]}
    assert leave_out_folds("d", refs, {"one": label}, {"one": card(9)}, 2) == (1, 0)


def test_changed_photographs_have_a_row_each() -> None:
    """The original photographs, each change and all changes together have a row each."""
    label: Label = {"deck": "d", "file": "", "cards": [{"id": "a", "pt": (9.0, 9.0), "kind": "full"}]}
    table = measure_changes("d", {"a": card(0), "b": card(2)}, {"one": label}, {"one": card(9)})
    assert table.row_count == len(CHANGES) + 2
    assert list(table.columns[1].cells)[-1].startswith(f"0/{len(CHANGES)} = 0.0 %")
