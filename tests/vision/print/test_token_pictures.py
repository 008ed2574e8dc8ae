"""Tests of tokens as pixels."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.drawing import DrawError
from vision.commands.deck import command
from vision.print.token_pictures import games_with_tokens, token_designs, token_pictures

NAMES = {
    *[token.name for token in token_designs("take-a-train")],
    *[f"money-{value}/2" for value in (50, 100, 500, 1000, 5000)],
    "back-auction", "back-purpose",
}  # fmt: skip
"""All visually different faces."""


def test_every_face_has_a_picture_around_the_tokens_middle() -> None:
    """A face's picture is a square with an odd side, and its mask has the area of the token's outline."""
    pictures = token_pictures("take-a-train", 4)
    areas = {"money": np.pi * 10**2, "auction": 1.5 * 3**0.5 * 13**2, "sequence": 20**2, "purpose": 32 * 22 - 0.86 * 9}
    assert pictures.keys() == NAMES
    for name, (picture, mask) in pictures.items():
        kind = name.removeprefix("back-").partition("-")[0]
        side = mask.shape[0]
        assert (picture.shape, mask.shape, side % 2) == ((side, side, 3), (side, side), 1)
        assert float(mask.sum()) / 255 / 16 == pytest.approx(areas[kind], rel=0.01)
        y, x = np.nonzero(mask == 255)
        assert (x.min() + x.max(), y.min() + y.max()) == (side - 1, side - 1)


def test_pictures_cannot_be_changed_by_accident() -> None:
    """Pictures are read-only, because they are shared."""
    picture, mask = token_pictures("take-a-train", 4)["money-50"]
    for array in (picture, mask):
        with pytest.raises(ValueError):
            array[0, 0] = 0


def test_a_game_without_tokens_is_named() -> None:
    """The refusal for a game without tokens lists the games that draw them."""
    assert games_with_tokens() == ("take-a-train",)
    with pytest.raises(DrawError, match="There are tokens of: take-a-train"):
        token_pictures("express", 4)


def test_pictures_of_tokens_are_saved_with_their_outline(tmp_path: Path) -> None:
    """`companion deck pictures --tokens` saves a file for each face, transparent outside the token."""
    run = CliRunner().invoke(command, ["pictures", "take-a-train", "--tokens", "--to", str(tmp_path)])
    assert run.exit_code == 0, run.output
    assert {path.name for path in tmp_path.iterdir()} == {f"{name.replace('/', '_')}.png" for name in NAMES}
    expected, mask = token_pictures("take-a-train", 8)["sequence-6"]
    saved = cv2.imread(str(tmp_path / "sequence-6.png"), cv2.IMREAD_UNCHANGED)
    assert np.array_equal(saved, np.dstack([expected, mask]))
    assert (saved[0, 0, 3], saved[saved.shape[0] // 2, saved.shape[1] // 2, 3]) == (0, 255)
