"""The size of a card in millimetres, as written in settings."""

from __future__ import annotations

SMALLEST, LARGEST = 40.0, 120.0
"""The minimum and maximum side of a card in millimetres for a mat."""


class MatError(ValueError):
    """A mat cannot be made, printed or read. The message states what is allowed."""


def read_card(text: str) -> tuple[float, float]:
    """Return a card's size from a text such as `63x88`. Raise `MatError` for anything else."""
    halves = text[:100].lower().replace("×", "x").replace(",", ".").removesuffix("mm").split("x")
    try:
        width, height = (float(half) for half in halves)
    except ValueError:
        raise MatError(
            f"{text[:40]!r} is not a card size: write width x height in millimetres, such as 63x88."
        ) from None
    return checked_card((width, height))


def checked_card(card: tuple[float, float]) -> tuple[float, float]:
    """Return the card's size. Raise `MatError` if no mat can be made for it."""
    if not all(SMALLEST <= side <= LARGEST for side in card):
        raise MatError(
            f"A card of {card[0]:g}×{card[1]:g} mm does not fit: both sides must be from {SMALLEST:g}"
            f" to {LARGEST:g} mm."
        )
    return card
