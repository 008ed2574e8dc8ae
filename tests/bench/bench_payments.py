"""Measures the reading of payments on rendered tables: tokens, sums, questions, and the result of silence as consent.

A peer reads the same places: circles by OpenCV's Hough transform, named by the nearest mean colour. `python -m
tests.bench.bench_payments [--payments 60] [--seed 1] [--figures FILE]`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np

from tests.bench.token_counts import Kept, MeasuredTable, TokenCounts, count_payment, count_peer, summary
from tests.bench.token_table import TokenTable
from vision.bench.tables import seed_of
from vision.features.pixels import Floats, lab
from vision.image import Image
from vision.mat import MatPose, find
from vision.simulate.difficulty import DEFAULT, HARD, Difficulty
from vision.tokens.comparison import READ_PX
from vision.tokens.drawn import drawn_tokens
from vision.tokens.places import SlotPatch, TokenPlaces
from vision.tokens.token_set import PX, TokenSet

GAME = "take-a-train"
"""The game whose tokens are read."""
PLAYERS = (2, 3, 4, 5, 6)
"""The numbers of players, used in turn."""
SIZES = ((1920, 1080), (2304, 1296), (3648, 2052), (4608, 2592))
"""The pictures' sizes in pixels, used in turn, which show tokens at 1.5 to 5 pixels per millimetre."""
ROUNDS = 4
"""The payments of each seat on one table, because finding the camera's pose and light takes longest."""


def run(payments: int, seed: int, path: Path | None) -> None:
    """Read the given number of payments at each difficulty and print the figures.

    Tables of this seed in the file at `path` are not measured again, and new ones are added to it.
    """
    tokens = drawn_tokens(GAME)
    kept = Kept(path)
    counts = {difficulty.name: TokenCounts() for difficulty in (DEFAULT, HARD)}
    nth = 0
    while min(each.sums["payments"] for each in counts.values()) < payments:
        for difficulty in (DEFAULT, HARD):
            found = kept.find(seed, difficulty.name, nth)
            if found is None:
                found = TokenCounts()
                measure_table(tokens, difficulty, nth, seed_of(seed, nth), found)
                kept.keep(MeasuredTable(seed, difficulty.name, nth, found))
            counts[difficulty.name].add(found)
        nth += 1
    for name, each in counts.items():
        for line in summary(name, each):
            print(line)


def measure_table(tokens: TokenSet, difficulty: Difficulty, nth: int, seed: int, counts: TokenCounts) -> None:
    """Read some payments of each seat at one table."""
    players = PLAYERS[nth % len(PLAYERS)]
    table = TokenTable(GAME, players, difficulty, SIZES[nth % len(SIZES)], seed)
    reader = TokenPlaces(table.mat, tokens)
    for number in range(ROUNDS):
        table.pay()
        pictures = [table.picture(2 * number), table.picture(2 * number + 1)]
        pose = find(pictures[0], table.mat)
        if pose is None:
            counts.sums["no mat"] += len(table.places)
            continue
        reader.read(pictures[0], pose, table.places)
        began = time.perf_counter()
        read = reader.read(pictures[1], pose, table.places)
        counts.tables.append(time.perf_counter() - began)
        counts.places.append(counts.tables[-1] / len(table.places))
        for payment in table.payments:
            seen = [one for one in read.sightings if one.place == payment.place]
            frame = SlotPatch(table.mat, next(each for each in table.mat.token_slots if each.place == payment.place))
            count_payment(payment, seen, payment.place in read.places, frame.scale(pose), counts)
            count_peer(payment, circles(pictures[1], pose, frame, tokens), counts)


def circles(picture: Image, pose: MatPose, frame: SlotPatch, tokens: TokenSet) -> list[tuple[str, float, float]]:
    """Return the peer's reading: circles of a money token's size, named by the nearest mean colour."""
    patch, _ = frame.straighten(picture, pose)
    paper = frame.bar(picture, pose)
    if paper is None:
        return []
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    radius = tokens.face("money-50").size[0] / 2 * READ_PX
    found = cv2.HoughCircles(
        grey, cv2.HOUGH_GRADIENT, 1, 0.5 * radius, param1=100, param2=20,
        minRadius=round(0.92 * radius), maxRadius=round(1.08 * radius),
    )  # fmt: skip
    if found is None:
        return []
    even = np.clip(patch.astype(np.float32) * (255 / np.maximum(np.array(paper, np.float32), 1)), 0, 255)
    known = {face.name + str(n): _mean(face.picture, face.picture.shape[0] / 2, face.picture.shape[0] / 2, PX)
             for n, face in enumerate(tokens.faces) if face.name.startswith("money-")}  # fmt: skip
    named = []
    for x, y, _ in found.reshape(-1, 3):
        mean = _mean(even.astype(np.uint8), float(x), float(y), READ_PX)
        nearest = min(known, key=lambda name: float(np.linalg.norm(known[name] - mean)))
        at = frame.to_mat(np.array([[(x + 0.5) / READ_PX, (y + 0.5) / READ_PX]]))[0]
        name = next(face.name for n, face in enumerate(tokens.faces) if face.name + str(n) == nearest)
        named.append((name, float(at[0]), float(at[1])))
    return named


def _mean(picture: Image, x: float, y: float, px: float) -> Floats:
    """Return the mean colour (Lab) within 8 mm of a point."""
    disc = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(disc, (round(x), round(y)), round(8 * px), (1,), cv2.FILLED)
    return np.asarray(lab(picture)[disc > 0].mean(axis=0), np.float32)


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--payments", type=int, default=60, help="at each difficulty")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--figures", type=Path, help="keep each table's figures here, and go on where the file ends")
    chosen = parser.parse_args(arguments)
    run(chosen.payments, chosen.seed, chosen.figures)


if __name__ == "__main__":
    main()
