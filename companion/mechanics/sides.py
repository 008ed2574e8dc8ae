"""Sides: the seats that play together, as a partition of the seats, and the ranking of sides."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.engine import EngineError, Seat


class SidesError(EngineError, ValueError):
    """Seats that cannot form these sides; the message gives the reason in one sentence, counting seats from 1."""


class Sides(msgspec.Struct, frozen=True):
    """A partition of the seats into sides. A side's number is its place in `groups`; one seat may form a side alone."""

    groups: tuple[tuple[Seat, ...], ...]

    def __post_init__(self) -> None:
        """Raise `SidesError` unless every seat is on exactly one side and no side is empty."""
        listed = sorted([seat for group in self.groups for seat in group])
        if not listed:
            raise SidesError("There are no sides.")
        for number, group in enumerate(self.groups, 1):
            if not group:
                raise SidesError(f"Side {number} has no seats.")
        for at, seat in enumerate(listed):
            if seat < 0:
                raise SidesError(f"There is no seat {seat + 1}.")
            if at and seat == listed[at - 1]:
                raise SidesError(f"Seat {seat + 1} is listed twice.")
        for number in range(len(listed)):
            if number not in listed:
                raise SidesError(f"Seat {number + 1} is on no side.")

    @classmethod
    def alone(cls, players: int) -> Sides:
        """Return sides of one seat each."""
        return cls(tuple([(Seat(seat),) for seat in range(players)]))

    @classmethod
    def alternating(cls, players: int, sides: int) -> Sides:
        """Return equal sides whose seats alternate around the table, such as seats 0 and 2 against 1 and 3."""
        if sides < 1 or players % sides:
            raise SidesError(f"{players} players cannot form {sides} equal sides.")
        return cls(tuple([tuple([Seat(seat) for seat in range(side, players, sides)]) for side in range(sides)]))

    @property
    def players(self) -> int:
        """The number of seats."""
        return sum([len(group) for group in self.groups])

    @property
    def alternate(self) -> bool:
        """Whether all sides are equal and take turns around the table, so that every playing order is fair."""
        around = [self.side_of(Seat(seat)) for seat in range(self.players)]
        sides = len(self.groups)
        first = around[:sides]
        return len(set(first)) == sides and around == first * (self.players // sides)

    def side_of(self, seat: Seat) -> int:
        """Return the number of the seat's side."""
        for side, group in enumerate(self.groups):
            if seat in group:
                return side
        raise SidesError(f"There is no seat {seat + 1}.")

    def partners(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the other seats of the seat's side."""
        return tuple([other for other in self.groups[self.side_of(seat)] if other != seat])

    def totals(self, amounts: Sequence[int]) -> tuple[int, ...]:
        """Return the sum of the seats' amounts for each side."""
        return tuple([sum([amounts[seat] for seat in group]) for group in self.groups])

    def each_seat(self, totals: Sequence[int]) -> tuple[int, ...]:
        """Return its side's total for every seat: the scores of a game with partners."""
        return tuple([totals[self.side_of(Seat(seat))] for seat in range(self.players)])

    def ranking(
        self, totals: Sequence[int], *ties: Sequence[int], lowest: bool = False
    ) -> tuple[tuple[Seat, ...], ...]:
        """Return the seats in groups, best first, for totals by side; sides with equal figures share a group.

        The highest total is best, or the lowest. Each of `ties` breaks the remaining ties, highest first.
        """
        for figures in (totals, *ties):
            if len(figures) != len(self.groups):
                raise SidesError(f"There are {len(self.groups)} sides, but {len(figures)} figures.")
        keys = [(-total if lowest else total, *more) for total, *more in zip(totals, *ties, strict=True)]
        return tuple(
            [
                tuple(
                    sorted([seat for group, own in zip(self.groups, keys, strict=True) if own == key for seat in group])
                )
                for key in sorted(set(keys), reverse=True)
            ]
        )
