"""Sealed choices: their opening, and the leader once every fist is open."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.event import Effect, Seat


class ChoicesOpened(Effect, frozen=True):
    """All secret choices of these seats were opened."""

    seats: tuple[Seat, ...]


def leaders(bids: Sequence[int | None], at_least: int = 0) -> tuple[Seat, ...]:
    """Return the seats with the highest bid of at least `at_least` dollars; several if they tie."""
    best = max([b for b in bids if b is not None], default=-1)
    if best < at_least:
        return ()
    return tuple([Seat(s) for s, b in enumerate(bids) if b == best])


def ranked(bids: Sequence[int], beginner: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats in groups of equal bids, highest first; within a group clockwise from the beginner."""
    players = len(bids)
    groups: dict[int, list[Seat]] = {}
    for step in range(players):
        seat = Seat((beginner + step) % players)
        groups.setdefault(bids[seat], []).append(seat)
    return tuple(tuple(groups[bid]) for bid in sorted(groups, reverse=True))
