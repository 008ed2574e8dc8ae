"""Measures the cost of zones: a seat's view of a table with four hands of 24 cards, and the operations of a turn.

`python -m tests.bench.bench_zones [--rounds 7]`. Each figure is the median of several rounds. Nothing asserts on time.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from companion.mechanics.zones import HIDDEN, OPEN, Zones, only

PILE, DISCARD = "pile", "discard"
SEATS, HAND, TARGET = 4, 24, 60
"""`TARGET` is the goal for a seat's view, in microseconds."""
TIMES = 2000


def table(dealt: bool) -> Zones:
    """Return a table of 132 cards: four hands of 24, each of 12 kinds, a pile and a discard pile."""
    deck = tuple([f"card-{number % 12}" for number in range(132)])
    hands = {f"hand.{seat}": only(seat) for seat in range(SEATS)}
    zones = Zones.of({PILE: HIDDEN, DISCARD: OPEN, **hands}, {PILE: deck})
    for hand in hands:
        zones = zones.draw(PILE, hand, HAND, zones.remaining(PILE)[:HAND] if dealt else ())
    return zones.draw(PILE, DISCARD, 12, zones.remaining(PILE)[:12])


def cost(work: Callable[[], object], rounds: int) -> float:
    """Return the microseconds of one call, as the median of several rounds."""
    found = []
    for _ in range(rounds):
        begun = time.perf_counter()
        for _ in range(TIMES):
            work()
        found.append((time.perf_counter() - begun) / TIMES * 1e6)
    return statistics.median(found)


def main(arguments: list[str] | None = None) -> None:
    """Print the cost of each operation, with cards dealt by the companion and with real ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args(arguments).rounds
    for dealt in (True, False):
        zones = table(dealt)
        names = tuple(zones.zones)
        card = zones.named("hand.1")[0] if dealt else zones.remaining("hand.1")[0]
        five = zones.remaining(PILE)[:5] if dealt else ()
        kinds = "dealt" if dealt else "real"
        works: dict[str, Callable[[], object]] = {
            f"a seat's view of all zones (target {TARGET})": lambda z=zones, n=names: [
                z.view_of(each, 1) for each in n
            ],
            "draw five": lambda z=zones, f=five: z.draw(PILE, "hand.1", 5, f),
            "play one": lambda z=zones, c=card: z.move("hand.1", DISCARD, c),
            "possible": lambda z=zones: z.possible("hand.1", "card-11"),
            "shuffle the discard into the pile": lambda z=zones: z.shuffle(DISCARD, PILE),
        }
        for name, work in works.items():
            print(f"{kinds:6s} {name:44s} {cost(work, rounds):7.1f} µs")


if __name__ == "__main__":
    main()
