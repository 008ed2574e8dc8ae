"""Tests of estimating a print's colours relative to the enrolled ones."""

from __future__ import annotations

import numpy as np

from vision.features.pixels import Floats
from vision.tokens.print_tones import MOST_GAIN, PrintTones, fitted_tones


def colours() -> Floats:
    """Return enrolled colours from dark to white in each channel."""
    return np.random.default_rng(1).uniform(30, 255, (400, 3)).astype(np.float32)


def printed(known: Floats, gains: tuple[float, float, float], power: float) -> Floats:
    """Return the colours as another printer prints them."""
    return (255 * (known / 255) ** power * np.exp(gains)).astype(np.float32)


def rounded(tones: PrintTones) -> tuple[float, ...]:
    """Return tones rounded to hundredths."""
    return tuple([round(each, 2) for each in (*tones.gains, tones.power)])


def test_inks_and_tones_of_several_tokens_are_found() -> None:
    """Six tokens determine a print's gains and power to two hundredths."""
    seen = printed(colours(), (-0.10, 0.08, 0.05), 1.2)
    found = rounded(fitted_tones([(colours(), seen)] * 6))
    np.testing.assert_allclose(found, (-0.10, 0.08, 0.05, 1.2), atol=0.021)


def test_a_token_of_another_name_hardly_counts() -> None:
    """One token with wrong colours among six does not change the tones of the others."""
    other = (colours(), np.ascontiguousarray(colours()[::-1]))
    found = rounded(fitted_tones([*[(colours(), colours())] * 5, other]))
    np.testing.assert_allclose(found, (0.0, 0.0, 0.0, 1.0), atol=0.03)


def test_colours_of_another_token_are_not_taken_for_a_print() -> None:
    """The gains are limited to those of real printers, so colours of another token are not explained as a print."""
    found = fitted_tones([(colours(), printed(colours(), (-0.6, 0.0, 0.0), 1.0))] * 6)
    assert found.gains[0] == -MOST_GAIN


def test_without_tokens_the_print_is_as_enrolled() -> None:
    """Without tokens, the print is assumed to be as enrolled."""
    assert fitted_tones([]) == PrintTones()
    assert PrintTones().plain


def test_undone_tones_give_the_enrolled_colours() -> None:
    """Correcting a print's tones restores the enrolled colours to within rounding."""
    tones = PrintTones((-0.1, 0.05, 0.0), 1.15)
    known = np.arange(40, 230, dtype=np.float32)[:, None].repeat(3, axis=1)
    seen = printed(known, tones.gains, tones.power).round().astype(np.uint8)
    found = tones.undone(seen.reshape(1, -1, 3)).reshape(-1, 3)
    np.testing.assert_allclose(found, known, atol=2.5)
