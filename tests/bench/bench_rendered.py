"""Measures the time to render a table: `python -m tests.bench.bench_rendered`. Nothing here asserts on time.

For several picture sizes it prints the first picture (everything is drawn), the next one without changes (only noise),
one after a new card (the cards are painted again), and one with a hand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter

import cv2

from companion.engine import Layout, Spot
from companion.games import SEEN
from companion.games.take_a_train.layout import places
from vision.mat import mat_of_game
from vision.print.cards import design, faces
from vision.simulate.difficulty import DEVELOPMENT
from vision.simulate.rendered_table import RenderedTable

PLAYERS = 6
SIZES = ((640, 360), (1280, 720), (2304, 1296), (4608, 2592))
TIMES = 5


def full(seed: int) -> Layout:
    """Return a table on which each seat has three trains of some wagons."""
    luck = Random(seed)
    deck = design("take-a-train")
    cards = [name for name in deck.counts if deck.backs[name] == "back-wagon" for _ in range(deck.counts[name])]
    locomotives = [name for name in deck.counts if deck.backs[name] == "back-locomotive"]
    luck.shuffle(cards)
    luck.shuffle(locomotives)
    spots = {place.name: Spot((locomotives.pop(), *[cards.pop() for _ in range(3)]))
             for place in places(PLAYERS) if place.kind == "row"}  # fmt: skip
    return Layout({**spots, "market": Spot(tuple(cards[:5])), "auction": Spot(tuple(cards[5:11]))})


def millis(do: Callable[[], object]) -> float:
    """Return the minimum of some runs in milliseconds."""
    best = float("inf")
    for _ in range(TIMES):
        began = perf_counter()
        do()
        best = min(best, (perf_counter() - began) * 1000)
    return best


def main(arguments: Sequence[str]) -> None:
    """Print the figures."""
    cv2.setNumThreads(1)
    began = perf_counter()
    pictures, made = faces("take-a-train"), design("take-a-train")
    print(f"{len(pictures)} cards drawn in {perf_counter() - began:.1f} s")
    mat = mat_of_game(SEEN["take-a-train"], PLAYERS, (63.0, 88.0))
    print("one thread; milliseconds:      first  nothing moves  card laid  hand")
    for size in SIZES:
        table = RenderedTable(mat, pictures, made.backs, seed=DEVELOPMENT[7], size=size)
        table.set(full(7))
        began = perf_counter()
        table.picture()
        first = (perf_counter() - began) * 1000

        def laid(table: RenderedTable = table) -> None:
            table.lay("twin", "", source="market")
            table.picture()
            table.lay("twin", "market")

        table.lay("twin", "market", at=4)
        hand = table.hand("bonus", "discard.wagons", frames=TIMES * 2)
        next(hand)
        print(f"{size[0]:5} × {size[1]:4}, {len(table.showing())} cards {first:8.0f} {millis(table.picture):12.0f}"
              f" {millis(laid):11.0f} {millis(lambda hand=hand: next(hand)):8.0f}")  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
