"""Tests of descriptors of whole cards with inexact outlines."""

from __future__ import annotations

import cv2
import numpy as np

from vision.features.descriptors import global_descriptor


def test_an_outline_that_is_too_wide_hardly_changes_the_looks() -> None:
    """A dark strip along two sides, a twenty-fifth of the width, leaves a sparse card similar to itself."""
    card = np.full((352, 252, 3), 236, np.uint8)
    cv2.ellipse(card, (126, 176), (66, 34), 0, 0, 360, (60, 60, 200), 5, cv2.LINE_AA)
    wide = np.asarray(cv2.copyMakeBorder(card, 10, 0, 10, 0, cv2.BORDER_CONSTANT, value=(30, 60, 40)), np.uint8)
    assert float(global_descriptor(card) @ global_descriptor(wide)) > 0.75


def test_glare_over_a_part_hardly_changes_the_looks() -> None:
    """A soft bright strip and a shadow leave a sparse card similar to itself."""
    card = np.full((352, 252, 3), 190, np.uint8)
    cv2.ellipse(card, (126, 176), (66, 34), 0, 0, 360, (80, 80, 170), 5, cv2.LINE_AA)
    across = np.where(np.arange(252) > 140, 60, -60).astype(np.float32)[None, :, None]
    lit = card + cv2.GaussianBlur(np.repeat(across, 352, axis=0), (0, 0), 8)[:, :, None]
    assert float(global_descriptor(card) @ global_descriptor(lit.clip(0, 255).astype(np.uint8))) > 0.65
