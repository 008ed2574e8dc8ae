"""Plain cards for games without drawings of their own: a card's name at both ends, its number in the corners, and
pictures that distinguish it from every other card.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from random import Random

from companion.drawing.design import Design, DrawError
from companion.drawing.letters import text, text_width
from companion.drawing.pictures.animals import ANIMALS, animal, outline
from companion.drawing.pictures.backs import BackLook, locomotive_back, turntable_back, wagon_back
from companion.drawing.pictures.frame import HEIGHT, TICKET, WIDTH, strewn_bands, tickets
from companion.drawing.pictures.scenery import LOW, TOP, scene
from companion.drawing.shapes import Fill, Mark, circle, rectangle, transform

INK, PAPER = "#1b2130", "#faf5e8"
BACK = "back-card"
"""The back of all cards of a game that names none."""
BACKS = (turntable_back, wagon_back, locomotive_back)
SIGNS = ("star", "apple", "cog", "gem", "person", "drop", "cow", "bolt", "coal", "puffs")
"""The sign in the corners, one for each kind of card."""
GOLDEN = 0.381966
"""The golden angle as a share of the circle: its multiples keep any number of colours apart."""
PLATE = (WIDTH - 2 * TICKET[0] - 1.6, 13.4)
"""Width and height of a card's name plate, in millimetres."""
LETTERS, GAP = 7.0, 2.0
"""Greatest height of a name's letters, and the space between two lines, in millimetres."""
MEDAL = 14.0
"""Radius of the picture in the middle, in millimetres."""


def plain_design(
    game: str, counts: Mapping[str, int], names: Mapping[str, str], backs: Mapping[str, str] | None = None
) -> Design:
    """Return plain cards, 63 × 88 mm.

    `counts`: the copies of each card, by its name in the deck, such as `wagon-4` (kind and number) or `signal`;
    `names`: the same in words. `backs`: the back of each card whose back is not `BACK`. Raise `DrawError` for a name
    that cannot be drawn, and for a back whose name does not begin with `back-`.
    """
    kinds = list(dict.fromkeys([card.partition("-")[0] for card in counts]))
    own = {card: (backs or {}).get(card, BACK) for card in counts}
    faces: dict[str, tuple[Mark, ...]] = {}
    for nth, card in enumerate(counts):
        try:
            faces[card] = face(card, names[card], nth, kinds.index(card.partition("-")[0]))
        except ValueError as error:
            raise DrawError(f"The card {card} cannot be drawn: {error}") from None
    for nth, back in enumerate(dict.fromkeys(own.values())):
        if not back.startswith("back-"):
            raise DrawError(f"The back {back!r} has to be called back-{back}: every back's name begins with back-.")
        faces[back] = BACKS[nth % len(BACKS)](BackLook(tint(nth, 0.2), tint(nth + 3, 0.72), tint(nth, 0.29)))
    return Design(game, WIDTH, HEIGHT, faces, dict(counts), own)


def face(card: str, name: str, nth: int, kind: int) -> tuple[Mark, ...]:
    """Return the nth card: the colour of its bands and its sign belong to its kind, landscape and animal to itself."""
    luck = Random(card)
    beast = list(ANIMALS)[nth % len(ANIMALS)]
    band, tone, edge = tint(kind, 0.34), tint(nth, 0.56), tint(nth, 0.3)
    number = card.partition("-")[2] or name
    ends = (*tickets(number, number, SIGNS[kind % len(SIGNS)], INK, PAPER, edge), *plates(name, edge))
    middle = WIDTH / 2, (TOP + LOW) / 2
    return (
        *scene(luck, (tint(nth, 0.55), tint(nth, 0.7), tint(nth, 0.88)), False),
        *strewn_bands(outline, beast, band, tone, luck),
        Fill((circle(*middle, MEDAL),), edge),
        Fill((circle(*middle, MEDAL - 1.0),), tint(nth, 0.82)),
        *animal(beast, *middle, MEDAL - 4.0, luck.uniform(-12, 12)),
        *ends,
    )


def tint(nth: int, light: float) -> str:
    """Return the nth colour; `light` is 0 for black and 1 for white."""
    red, green, blue = colorsys.hls_to_rgb((0.58 + nth * GOLDEN) % 1.0, light, 0.55)
    return "#" + bytes([round(255 * part) for part in (red, green, blue)]).hex()


def plates(name: str, edge: str) -> tuple[Mark, ...]:
    """Return the plates with a card's name at both ends; the lower one is upside down for people who sit opposite."""
    wide, high = PLATE
    left, top = (WIDTH - wide) / 2, 3.0
    lines = plate_lines(name)
    size = min([_fitting(line, len(lines)) for line in lines])
    foot = top + (high + size * len(lines) + GAP * (len(lines) - 1)) / 2
    feet = [foot - (size + GAP) * nth for nth in reversed(range(len(lines)))]
    upper = (
        Fill((rectangle(left - 0.7, top - 0.7, wide + 1.4, high + 1.4, 3.0),), edge),
        Fill((rectangle(left, top, wide, high, 2.4),), PAPER),
        *[text(line, (WIDTH / 2, y), size, INK, anchor="middle") for line, y in zip(lines, feet, strict=True)],
    )
    return (*upper, *transform(upper, WIDTH, HEIGHT, 180))


def _fitting(line: str, lines: int) -> float:
    """Return the letter height of a line on a plate with this many lines."""
    high = min(LETTERS, (PLATE[1] - 2.0 - GAP * (lines - 1)) / lines)
    return min(high, high * (PLATE[0] - 2.0) / text_width(line, high))


def plate_lines(name: str) -> tuple[str, ...]:
    """Return a name on one line or two, whichever allows larger letters; a no-break space never breaks."""
    words = name.split(" ")
    ways = [(name,), *[(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]]
    return max(ways, key=lambda lines: min([_fitting(line, len(lines)) for line in lines]))
