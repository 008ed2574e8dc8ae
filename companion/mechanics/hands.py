"""Matches of several hands: running totals by side, a dealer that moves clockwise, and a bounded number of hands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import msgspec

from companion.engine import EngineError, Seat


class HandsError(EngineError, ValueError):
    """A match of several hands that cannot be played or scored as asked; the message gives the reason in one
    sentence.
    """


class SeveralHands(msgspec.Struct, frozen=True):
    """The hands of a match: a part of a game's table, so that undo, past pages and charts work across hands."""

    players: int
    sides: int
    """The number of sides that score: `len(Sides.groups)`, or the number of players if everybody plays alone."""
    most: int
    """The most hands, so that every match ends."""
    first_dealer: Seat = Seat(0)
    history: tuple[tuple[int, ...], ...] = ()
    """The scores of each finished hand, by side."""

    def __post_init__(self) -> None:
        """Raise `HandsError` for impossible numbers or scores."""
        if not 1 <= self.sides <= self.players:
            raise HandsError(f"{self.players} players cannot form {self.sides} sides.")
        if not 0 <= self.first_dealer < self.players:
            raise HandsError(f"Seat {self.first_dealer + 1} cannot deal among {self.players} players.")
        if self.most < 1:
            raise HandsError("A match has at least one hand.")
        if len(self.history) > self.most:
            raise HandsError(f"The last hand, number {self.most}, is over.")
        for scores in self.history:
            if len(scores) != self.sides:
                raise HandsError(f"A hand has a score for each of the {self.sides} sides, not {len(scores)} scores.")

    @property
    def played(self) -> int:
        """How many hands are finished."""
        return len(self.history)

    @property
    def number(self) -> int:
        """The number of the present hand, from 1; after the end, the number of the last hand."""
        return min(self.played + 1, self.most)

    @property
    def dealer(self) -> Seat:
        """The dealer of the present hand: the next seat clockwise after each hand."""
        return Seat((self.first_dealer + self.number - 1) % self.players)

    @property
    def course(self) -> tuple[tuple[int, ...], ...]:
        """The totals by side at the start and after each hand, for a chart."""
        nothing = (0,) * self.sides
        return tuple(
            accumulate(self.history, lambda totals, scores: tuple(map(int.__add__, totals, scores)), initial=nothing)
        )

    @property
    def totals(self) -> tuple[int, ...]:
        """The running totals by side."""
        return self.course[-1]

    def next_hand(self, scores: Sequence[int]) -> SeveralHands:
        """Return the match after a hand with these scores by side, with new totals and the next dealer."""
        return SeveralHands(self.players, self.sides, self.most, self.first_dealer, (*self.history, tuple(scores)))

    def leaders(self, lowest: bool = False) -> tuple[int, ...]:
        """Return the numbers of the sides with the highest total, or the lowest; several if they tie."""
        best = (min if lowest else max)(self.totals)
        return tuple([side for side, total in enumerate(self.totals) if total == best])

    def finished(self, target: int | None = None, *, lowest: bool = False, shared: bool = False) -> bool:
        """Return whether the match is over: all hands are played, or one side has reached the target and leads alone.

        With `shared`, tied leaders also end the match; otherwise they play another hand if one remains.
        """
        if self.played == self.most:
            return True
        if target is None or not self.played or max(self.totals) < target:
            return False
        return shared or len(self.leaders(lowest)) == 1
