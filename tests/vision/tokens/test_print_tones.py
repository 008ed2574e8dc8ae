"""How a print's colours are told from the enrolled ones."""

from __future__ import annotations

import numpy as np

from vision.features.pixels import Floats
from vision.tokens.print_tones import MOST_GAIN, PrintTones, fitted_tones


def colours() -> Floats:
    """Return enrolled colours: some of each channel from dark to white."""
    return np.random.default_rng(1).uniform(30, 255, (400, 3)).astype(np.float32)


def printed(known: Floats, gains: tuple[float, float, float], power: float) -> Floats:
    """Return colours as another printer prints them."""
    return (255 * (known / 255) ** power * np.exp(gains)).astype(np.float32)


def rounded(tones: PrintTones) -> tuple[float, ...]:
    """Return tones in hundredths."""
    return tuple([round(each, 2) for each in (*tones.gains, tones.power)])


def test_inks_and_tones_of_several_tokens_are_found() -> None:
    """Six tokens tell a print's gains and its power within two hundredths."""
    seen = printed(colours(), (-0.10, 0.08, 0.05), 1.2)
    found = rounded(fitted_tones([(colours(), seen)] * 6))
    np.testing.assert_allclose(found, (-0.10, 0.08, 0.05, 1.2), atol=0.021)


def test_a_token_of_another_name_hardly_counts() -> None:
    """One token among six whose colours are another's does not change the tones of the others."""
    other = (colours(), np.ascontiguousarray(colours()[::-1]))
    found = rounded(fitted_tones([*[(colours(), colours())] * 5, other]))
    np.testing.assert_allclose(found, (0.0, 0.0, 0.0, 1.0), atol=0.03)


def test_colours_of_another_token_are_not_taken_for_a_print() -> None:
    """The gains end where no printer prints."""
    found = fitted_tones([(colours(), printed(colours(), (-0.6, 0.0, 0.0), 1.0))] * 6)
    assert found.gains[0] == -MOST_GAIN


def test_without_tokens_the_print_is_as_enrolled() -> None:
    """An empty place says nothing of the print."""
    assert fitted_tones([]) == PrintTones()
    assert PrintTones().plain


def test_undone_tones_give_the_enrolled_colours() -> None:
    """A printed picture gets its enrolled colours back, within what whole numbers allow."""
    tones = PrintTones((-0.1, 0.05, 0.0), 1.15)
    known = np.arange(40, 230, dtype=np.float32)[:, None].repeat(3, axis=1)
    seen = printed(known, tones.gains, tones.power).round().astype(np.uint8)
    found = tones.undone(seen.reshape(1, -1, 3)).reshape(-1, 3)
    np.testing.assert_allclose(found, known, atol=2.5)
