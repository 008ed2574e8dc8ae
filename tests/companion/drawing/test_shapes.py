"""Shapes and letters are drawn with the requested sizes and positions."""

from __future__ import annotations

import numpy as np
import pytest

from companion.drawing import Stroke, circle, path, text, text_width, transform
from companion.drawing.letters import balance_lines, break_lines


def extent(contours: tuple[tuple[tuple[float, float], ...], ...]) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of contours, rounded to a hundredth."""
    points = np.array([point for contour in contours for point in contour])
    left, top = points.min(axis=0)
    right, low = points.max(axis=0)
    return round(left, 2), round(top, 2), round(right, 2), round(low, 2)


def test_broken_curves_stay_near_their_circle() -> None:
    """The line segments of a circle stay within the stated distance of it."""
    points = np.array(circle(0, 0, 25))
    middles = (points + np.roll(points, 1, axis=0)) / 2
    assert np.hypot(*middles.T).min() > 25 - 0.0081


def test_a_cubic_curve_ends_where_it_was_told() -> None:
    """A cubic curve starts and ends at the given points and has the expected height."""
    made = path((0.0, 0.0), ((0.0, 4.0), (4.0, 4.0), (4.0, 0.0)))
    assert made[0] == (0, 0) and made[-1] == (4, 0)
    assert max(y for _, y in made) == pytest.approx(3.0, abs=0.01)


def test_capitals_are_as_high_as_asked() -> None:
    """The size of text is the height of its capitals above the baseline."""
    left, top, right, low = extent(text("HEH", (10, 20), 7, anchor="middle").contours)
    assert (top, low) == (13.0, 20.0)
    assert left + right == pytest.approx(20, abs=0.2)
    assert right - left < text_width("HEH", 7) < right - left + 2


def test_words_are_broken_into_lines_of_a_width() -> None:
    """Words are broken into full or balanced lines of a width, and a word that is too long has its own line."""
    words, wide = "one two three four", text_width("one two three", 3)
    assert break_lines(words, 3, wide) == ["one two three", "four"]
    assert balance_lines(words, 3, wide) == ["one two", "three four"]
    assert break_lines("a locomotive a", 3, text_width("a a", 3)) == ["a", "locomotive", "a"]


def test_a_letter_without_outline_is_refused() -> None:
    """A character without an outline in the font raises ValueError."""
    with pytest.raises(ValueError, match="火"):
        text("火", (0, 0), 5)


def test_marks_are_turned_clockwise_then_shifted() -> None:
    """A mark is turned clockwise and scaled before it is shifted."""
    (stroke,) = transform([Stroke(((0, 0), (2, 0)), 1, "#000000")], 10, 20, turn=90, scale=3)
    assert isinstance(stroke, Stroke)
    assert stroke.width == 3
    assert np.allclose(stroke.points, [(10, 20), (10, 26)])
