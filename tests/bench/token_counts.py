"""Counts the readings of payments, computes figures from them, and stores them in a file over days."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from companion.messages import TokenSighting
from tests.bench.token_table import LaidMoney
from vision.bench.tables import wilson

STEP = 0.5
"""The pixels per millimetre between two lines of the figures."""
USABLE = 2.0
"""The pixels per millimetre from which a table is included in the sums."""
NEAR = 5.0
"""The largest distance in millimetres between a token and its reading."""
GONE = 0.1
"""The visible fraction below which a token counts as wholly hidden."""


class TokenCounts(msgspec.Struct):
    """The counts at one difficulty."""

    tokens: dict[str, Counter[str]] = msgspec.field(default_factory=dict)
    """Visible tokens by pixels per millimetre: `right`, `doubt`, `wrong`, `missed`, `seen`."""
    sums: Counter[str] = msgspec.field(default_factory=Counter)
    """Payments by the result of a press, of tables with at least `USABLE` pixels per millimetre."""
    small: Counter[str] = msgspec.field(default_factory=Counter)
    """The same of all other tables."""
    peer: Counter[str] = msgspec.field(default_factory=Counter)
    places: list[float] = []
    tables: list[float] = []
    """The seconds for a place and for a table."""

    def add(self, other: TokenCounts) -> None:
        """Add other counts."""
        for step, found in other.tokens.items():
            self.tokens.setdefault(step, Counter()).update(found)
        self.sums.update(other.sums)
        self.small.update(other.small)
        self.peer.update(other.peer)
        self.places += other.places
        self.tables += other.tables


class MeasuredTable(msgspec.Struct, frozen=True):
    """The counts of one table: a line of the file."""

    seed: int
    difficulty: str
    nth: int
    counts: TokenCounts


class Kept:
    """The tables measured before, and their file; without one, nothing is stored."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_bytes().splitlines() if path is not None and path.exists() else []
        self.tables: list[MeasuredTable] = [
            msgspec.json.decode(line, type=MeasuredTable, dec_hook=lambda _, found: Counter(found)) for line in lines
        ]

    def find(self, seed: int, difficulty: str, nth: int) -> TokenCounts | None:
        """Return the counts of a table, if it was measured."""
        for table in self.tables:
            if (table.seed, table.difficulty, table.nth) == (seed, difficulty, nth):
                return table.counts
        return None

    def keep(self, table: MeasuredTable) -> None:
        """Append a table to the file."""
        self.tables.append(table)
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.write(msgspec.json.encode(table) + b"\n")


def count_payment(
    payment: LaidMoney, seen: Sequence[TokenSighting], read: bool, scale: float, counts: TokenCounts
) -> None:
    """Count the reading of a payment."""
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
    sums = counts.sums if scale >= USABLE else counts.small
    sums["payments"] += 1
    named = sorted([one.token or "" for one in seen])
    hidden = min(payment.visible, default=1.0) < GONE
    if not read:
        sums["not told yet"] += 1
    elif any(one.token is None for one in seen):
        sums["asked"] += 1
    elif named == sorted([token.name for token in payment.tokens]):
        sums["right"] += 1
    else:
        sums["wrong, one hidden" if hidden else "wrong"] += 1


def count_peer(payment: LaidMoney, named: Sequence[tuple[str, float, float]], counts: TokenCounts) -> None:
    """Count the peer's reading of a payment."""
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


def summary(name: str, counts: TokenCounts) -> list[str]:
    """Return the figures as lines."""
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
    lines.append(
        f"{name}, from {USABLE} px/mm: {dict(sums)}; silence as consent would take {per:.1f} wrong sums of 1,000"
    )
    lines.append(f"{name}, below: {dict(counts.small)}")
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
