"""The games whose decks can be drawn, registered by name, and their cards as pixels."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from vision.print.cards import game_of_trains, take_a_train
from vision.print.cards.design import Design, DrawError
from vision.print.drawing import to_pixels

if TYPE_CHECKING:
    from vision.image import Image

DESIGNS: dict[str, Callable[..., Design]] = {
    "take-a-train": take_a_train.design,
    "game-of-trains": game_of_trains.design,
}
"""Each takes a catalogue (a shipped one's name, or data) and returns its deck."""


def design(game: str, catalogue: str | dict[str, Any] | None = None) -> Design:
    """Return a game's deck as it is printed; raise `DrawError` where there is none."""
    found = DESIGNS.get(game)
    if found is None:
        raise DrawError(f"There is no drawn deck of {game!r}. There are decks of: {', '.join(DESIGNS)}.")
    return _draw_design(game) if catalogue is None else found(catalogue)


@lru_cache(maxsize=4)
def _draw_design(game: str) -> Design:
    return DESIGNS[game]()


def faces(game: str, scale: float = 1.0) -> dict[str, Image]:
    """Return every card and back of a game as pixels, CARD-size times `scale`, BGR, right to its edges. Needs OpenCV.

    The pictures are cached and shared: copy one before changing it.
    """
    return dict(_faces(game, scale))


@lru_cache(maxsize=4)
def _faces(game: str, scale: float) -> dict[str, Image]:
    from vision.image import CARD

    size = (round(CARD[0] * scale), round(CARD[1] * scale))
    made = design(game)
    pictures = {name: to_pixels(made.drawing(name), CARD[0] * scale / made.width, size) for name in made.faces}
    for picture in pictures.values():
        picture.setflags(write=False)
    return pictures
