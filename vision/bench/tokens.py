"""How well payments are read on rendered tables: tokens, sums, what is asked, what silence as consent would take.

Beside it a peer reads the same places: circles by OpenCV's Hough transform, named by the nearest mean colour.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence

import cv2
import msgspec
import numpy as np

from companion.messages import TokenSighting
from vision.bench.tables import seed_of, wilson
from vision.bench.token_table import LaidMoney, TokenTable
from vision.features import lab
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
"""Numbers of players, in turn."""
SIZES = ((1920, 1080), (2304, 1296), (3648, 2052), (4608, 2592))
"""Pixels of pictures, in turn: tokens are seen at 1.5 to 5 pixels per millimetre."""
ROUNDS = 4
"""Payments of each seat on one table: finding a camera's place and light takes longest."""
STEP = 0.5
"""Pixels per millimetre between two lines of the figures."""
USABLE = 2.0
"""Pixels per millimetre from which a table is counted in the sums."""
NEAR = 5.0
"""Millimetres between a token and what is read there."""
GONE = 0.1
"""A token of which less shows is wholly hidden."""


class TokenCounts(msgspec.Struct):
    """What was counted at one difficulty."""

    tokens: dict[str, Counter[str]] = msgspec.field(default_factory=dict)
    """Visible tokens by pixels per millimetre: `right`, `doubt`, `wrong`, `missed`, `seen`."""
    sums: Counter[str] = msgspec.field(default_factory=Counter)
    peer: Counter[str] = msgspec.field(default_factory=Counter)
    places: list[float] = []
    tables: list[float] = []
    """Seconds for a place and for a table."""


def run(payments: int, seed: int = 1, say: Callable[[str], None] = print) -> dict[str, TokenCounts]:
    """Read so many payments at each difficulty, and say what was found; other seeds add to the figures."""
    tokens = drawn_tokens(GAME)
    counts = {}
    for difficulty in (DEFAULT, HARD):
        counts[difficulty.name] = found = TokenCounts()
        nth = 0
        while found.sums["payments"] < payments:
            measure_table(tokens, difficulty, nth, seed_of(seed, nth), found)
            nth += 1
        for line in summary(difficulty.name, found):
            say(line)
    return counts


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


def count_payment(
    payment: LaidMoney, seen: Sequence[TokenSighting], read: bool, scale: float, counts: TokenCounts
) -> None:
    """Count what was read of a payment."""
    step = f"{math.floor(scale / STEP) * STEP:.1f}"
    tokens = counts.tokens.setdefault(step, Counter())
    left = list(seen)
    for token, share in zip(payment.tokens, payment.visible, strict=True):
        if share < GONE or not read:
            continue
        near = [one for one in left if math.dist(one.middle, (token.pose.x, token.pose.y)) < NEAR]
        near.sort(key=lambda one: (one.token != token.name, math.dist(one.middle, (token.pose.x, token.pose.y))))
        tokens["seen"] += 1
        tokens["missed" if not near else "right" if near[0].token == token.name else
               "doubt" if near[0].token is None else "wrong"] += 1  # fmt: skip
        if near:
            left.remove(near[0])
    tokens["invented"] += sum([one.token is not None for one in left])
    counts.sums["payments"] += 1
    named = sorted([one.token or "" for one in seen])
    hidden = min(payment.visible, default=1.0) < GONE
    if not read:
        counts.sums["not told yet"] += 1
    elif any(one.token is None for one in seen):
        counts.sums["asked"] += 1
    elif named == sorted([token.name for token in payment.tokens]):
        counts.sums["right"] += 1
    else:
        counts.sums["wrong, one hidden" if hidden else "wrong"] += 1
    counts.sums["usable"] += scale >= USABLE


def count_peer(payment: LaidMoney, named: Sequence[tuple[str, float, float]], counts: TokenCounts) -> None:
    """Count what the peer made of a payment."""
    left = list(named)
    for token, share in zip(payment.tokens, payment.visible, strict=True):
        if share < GONE:
            continue
        near = [one for one in left if math.dist(one[1:], (token.pose.x, token.pose.y)) < NEAR]
        counts.peer["seen"] += 1
        counts.peer["missed" if not near else "right" if near[0][0] == token.name else "wrong"] += 1
        if near:
            left.remove(near[0])
    counts.peer["invented"] += len(left)


def circles(picture: Image, pose: MatPose, frame: SlotPatch, tokens: TokenSet) -> list[tuple[str, float, float]]:
    """Return what the peer reads: circles of a money token's size, by the name whose mean colour is nearest."""
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


def _mean(picture: Image, x: float, y: float, px: float) -> Image:
    """Return the mean colour (Lab) within 8 mm of a point."""
    disc = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(disc, (round(x), round(y)), round(8 * px), (1,), cv2.FILLED)
    mean: Image = lab(picture)[disc > 0].mean(axis=0)
    return mean


def summary(name: str, counts: TokenCounts) -> list[str]:
    """Return what was counted, in lines."""
    lines = []
    usable = Counter[str]()
    for step, found in sorted(counts.tokens.items()):
        lines.append(f"{name}, from {step} px/mm: {_shares(found)}")
        if float(step) >= USABLE:
            usable += found
    low, high = wilson(usable["right"], max(1, usable["seen"]))
    sums, wrong = counts.sums, counts.sums["wrong"] + counts.sums["wrong, one hidden"]
    per = 1000 * wrong / max(1, sums["payments"])
    lines.append(f"{name}, from {USABLE} px/mm: {_shares(usable)} (right {low:.2%} to {high:.2%})")
    lines.append(f"{name}: {dict(sums)}; silence as consent would take {per:.1f} wrong sums of 1,000")
    lines.append(f"{name}, circles and mean colours: {_shares(counts.peer)}")
    if counts.tables:
        place, table = (float(np.median(each)) * 1000 for each in (counts.places, counts.tables))
        slow = float(np.percentile(counts.tables, 95)) * 1000
        lines.append(f"{name}: {place:.0f} ms a place, {table:.0f} ms a table (median; 95 %: {slow:.0f} ms)")
    return lines


def _shares(found: Counter[str]) -> str:
    seen = max(1, found["seen"])
    kinds = ("right", "doubt", "missed", "wrong")
    return f"{found['seen']} tokens, " + ", ".join(f"{kind} {found[kind]} ({found[kind] / seen:.2%})" for kind in kinds
                                                    ) + f", invented {found['invented']}"  # fmt: skip
