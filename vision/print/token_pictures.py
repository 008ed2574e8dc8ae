"""A game's drawn tokens as pixels, for enrolment from drawings, rendered tables and files."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import ceil, hypot
from typing import TYPE_CHECKING

from companion.drawing import DrawError, Drawing, Fill, Mark, TokenDesign, transform
from companion.games import GAMES, definition_of
from companion.mechanics.definition import CatalogueData, nothing
from vision.print.drawing.raster import to_pixels

if TYPE_CHECKING:
    from vision.image import Image

OTHER = "/2"
"""The suffix of a token whose second face looks different but has the same meaning."""


def games_with_tokens() -> tuple[str, ...]:
    """Return the names of the games that draw tokens."""
    return tuple([name for name, game in GAMES.items() if definition_of(game).tokens is not nothing])


def token_designs(game: str, catalogue: CatalogueData = None) -> tuple[TokenDesign, ...]:
    """Return a game's printed tokens, with a shipped `catalogue` or its data. Raise `DrawError` if there are none."""
    draw = definition_of(GAMES[game]).tokens() if game in GAMES else None
    if draw is None:
        raise DrawError(f"There are no tokens of {game!r}. There are tokens of: {', '.join(games_with_tokens())}.")
    return draw(catalogue)


def token_pictures(game: str, px_per_mm: float) -> dict[str, tuple[Image, Image]]:
    """Return every face of a game's tokens by its name: a BGR picture, and a mask that is 255 within the outline.

    Both are squares with an odd number of pixels, centred on the token, and large enough for any rotation. A second
    face with the same meaning as the first is called `NAME/2`. Backs have their own names. The pictures are cached and
    shared: copy one before changing it. Needs OpenCV. Raise `DrawError` if the game draws none.
    """
    return dict(_token_pictures(game, px_per_mm))


@lru_cache(maxsize=4)
def _token_pictures(game: str, px_per_mm: float) -> dict[str, tuple[Image, Image]]:
    return pictures_of(token_designs(game), px_per_mm)


def pictures_of(designs: Iterable[TokenDesign], px_per_mm: float) -> dict[str, tuple[Image, Image]]:
    """Return every face of tokens as `token_pictures` does."""
    made: dict[str, tuple[Image, Image]] = {}
    for token in designs:
        for name, marks in token_faces(token).items():
            if name not in made:
                made[name] = _paint(token, marks, px_per_mm)
    return made


def token_faces(token: TokenDesign) -> dict[str, tuple[Mark, ...]]:
    """Return a token's faces by their names."""
    faces = {token.name: token.face}
    return faces | ({token.back or token.name + OTHER: token.other} if token.other else {})


def _paint(token: TokenDesign, marks: tuple[Mark, ...], px_per_mm: float) -> tuple[Image, Image]:
    reach = ceil(max([hypot(x, y) for x, y in token.outline]) * px_per_mm)
    side = 2 * reach + 1
    across = side / px_per_mm

    def painted(marks: tuple[Mark, ...], paper: str) -> Image:
        moved = transform(marks, across / 2, across / 2)
        picture = to_pixels(Drawing(across, across, moved), px_per_mm, (side, side), paper)
        picture.setflags(write=False)
        return picture

    return painted(marks, "#ffffff"), painted((Fill((token.outline,), "#ffffff"),), "#000000")[:, :, 0]
