"""Measures how reliably printed values are read on cards of one artwork, by the height of their digits in pixels.

Each card is drawn again at another size and position on the pixel grid, tilted, blurred, and in another light with
noise, so that no enrolled pixel is repeated. `python -m tests.bench.bench_values [--cards 2100]` prints counts with 95
% Wilson intervals.
"""

from __future__ import annotations

import argparse

import cv2
import numpy as np

from vision.bench.photographs import format_interval, inside
from vision.deck.making import enrol
from vision.features.pixels import Floats, corners_of, homography
from vision.image import Image
from vision.recognise import Recogniser

VALUES = ("50", "100", "150", "200", "250", "300", "350", "400", "450", "500")
ARTWORKS = 6
"""The artworks, each with all `VALUES`."""
DIGITS = 0.08
"""A digit's height as a fraction of the card's width: 5 mm on 63 mm."""
HEIGHTS = (8, 10, 12, 15, 17, 20, 24)
"""The measured heights of a digit in pixels."""
ENROLLED = 372
"""The width in pixels of the enrolled pictures."""
TABLE = (1280, 720)
"""The width and height of a picture in pixels."""


def run(trials: int) -> None:
    """Measure the given number of cards, spread evenly over all heights, and print a table."""
    from rich.table import Table

    from companion.commands.terminal import out

    names = [f"{art}-{value}" for art in range(ARTWORKS) for value in VALUES]
    deck, _ = enrol("values", {name: [draw_card(name, ENROLLED, 0)] for name in names})
    reader = Recogniser(deck)
    table = Table("digits", "cards", "named rightly", "named wrongly", "said: value not read", "not found",
                  title=f"{ARTWORKS} artworks with {len(VALUES)} values each", title_justify="left")  # fmt: skip
    for height in HEIGHTS:
        right, wrong, doubt, shown = measure_height(reader, names, height, trials // len(HEIGHTS))
        rightly, wrongly = format_interval(right, shown), format_interval(wrong, shown)
        table.add_row(f"{height} px", f"{shown}", rightly, wrongly, f"{doubt}", f"{shown - right - wrong - doubt}")
    out().print(table)


def measure_height(reader: Recogniser, names: list[str], height: int, trials: int) -> tuple[int, int, int, int]:
    """Return the numbers of cards named rightly, wrongly and with a doubtful value, and of all cards."""
    luck = np.random.default_rng(height)
    right = wrong = doubt = shown = 0
    while shown < trials:
        on, truth = scene(luck, names, height / DIGITS)
        found = reader.read(on)
        for name, middle in truth:
            here = [one for one in found if inside(np.array(one.corners, np.float32), middle)]
            called = {one.card for one in here if one.card}
            right += called == {name}
            wrong += bool(called - {name})
            doubt += not called and any(one.doubt == "value" for one in here)
            shown += 1
    return right, wrong, doubt, shown


def scene(
    luck: np.random.Generator, names: list[str], width: float
) -> tuple[Image, list[tuple[str, tuple[float, float]]]]:
    """Return a picture of a table with cards of a width in pixels, and the true cards."""
    on = np.full((TABLE[1], TABLE[0], 3), (52, 84, 118), np.float32)
    on += 9 * luck.normal(0, 1, (TABLE[1], TABLE[0], 1)).astype(np.float32)
    step = width * 1.5
    truth: list[tuple[str, tuple[float, float]]] = []
    for row in range(max(1, int(TABLE[1] / step))):
        for column in range(max(1, int(TABLE[0] / step))):
            middle = ((column + 0.5) * step + luck.uniform(-4, 4), (row + 0.5) * step + luck.uniform(-4, 4))
            if len(truth) < 8 and middle[0] < TABLE[0] - width * 0.7 and middle[1] < TABLE[1] - width * 0.7:
                name = names[int(luck.integers(len(names)))]
                _lay(
                    on,
                    draw_card(name, round(width * luck.uniform(1.5, 1.9)), int(luck.integers(1, 99))),
                    middle,
                    width,
                    luck,
                )
                truth.append((name, middle))
    light = luck.uniform(0.6, 1.05) * np.array([luck.uniform(0.85, 1), 1, luck.uniform(0.95, 1.1)])
    taken = 255 * (np.clip(on * light, 0, 255) / 255) ** luck.uniform(0.85, 1.2)
    soft = cv2.GaussianBlur(taken, (0, 0), luck.uniform(0.5, 0.9)) + luck.normal(0, luck.uniform(1.5, 4), taken.shape)
    return soft.clip(0, 255).astype(np.uint8), truth


def _lay(on: Floats, card: Image, middle: tuple[float, float], width: float, luck: np.random.Generator) -> None:
    size = (card.shape[1], card.shape[0])
    high = width * size[1] / size[0]
    angle = luck.uniform(0, 2 * np.pi)
    box = np.array([[-width, -high], [width, -high], [width, high], [-width, high]]) / 2
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = (box @ turn + middle + luck.uniform(-0.015, 0.015, (4, 2)) * width).astype(np.float32)
    matrix = homography(corners_of(size), corners)
    soft = cv2.GaussianBlur(card, (0, 0), 0.45 * size[0] / width)
    moved = cv2.warpPerspective(soft, matrix, TABLE, flags=cv2.INTER_LINEAR)
    share = cv2.warpPerspective(np.full(card.shape[:2], 255, np.uint8), matrix, TABLE, flags=cv2.INTER_LINEAR)
    on[:] = on + (moved - on) * (share[:, :, None] / np.float32(255))


def draw_card(name: str, width: int, shift: int) -> Image:
    """Return an artwork with its value twice, at a width in pixels. shift: its offset on the pixel grid."""
    art, value = name.split("-")
    luck = np.random.default_rng(1000 + int(art))
    high = round(width * 88 / 63)
    card = np.full((high, width, 3), 240, np.uint8)
    bits, unit = 4, 16.0
    move = (shift % 10) / 10

    def at(x: float, y: float) -> tuple[int, int]:
        return round((x * width + move) * unit), round((y * width + move) * unit)

    cv2.rectangle(
        card, at(0.06, 0.2), at(0.94, 1.2), [int(c) for c in luck.integers(80, 220, 3)], -1, cv2.LINE_AA, bits
    )
    for _ in range(30):
        colour = [int(c) for c in luck.integers(0, 255, 3)]
        x, y, size = luck.uniform(0.12, 0.88), luck.uniform(0.26, 1.14), luck.uniform(0.02, 0.09)
        if luck.random() < 0.5:
            cv2.circle(card, at(x, y), round(size * width * unit), colour, -1, cv2.LINE_AA, bits)
        else:
            to = at(x + luck.uniform(-0.12, 0.12), y + luck.uniform(-0.12, 0.12))
            cv2.line(card, at(x, y), to, colour, max(1, round(size * width / 4)), cv2.LINE_AA, bits)
    tall = DIGITS * width
    scale = tall / 21.0  # the font's digits are 21 pixels high at scale 1
    thick = max(1, round(tall / 7))
    for x, y in ((0.05, 0.15), (0.7, 1.34)):
        cv2.putText(card, value, (round(x * width), round(y * width)), cv2.FONT_HERSHEY_DUPLEX, scale, (25, 25, 25),
                    thick, cv2.LINE_AA)  # fmt: skip
    return card


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=2100)
    run(parser.parse_args(arguments).cards)


if __name__ == "__main__":
    main()
