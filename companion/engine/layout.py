"""Layouts: the positions of cards and pieces, as the rules expect them or as a camera sees them, compared."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations
from typing import Literal

import msgspec

from companion.engine.board import Board
from companion.engine.event import Seat
from companion.engine.pieces import Piece, piece_name, same_pieces, without_pieces

Kind = Literal["spread", "row", "pile"]
"""`spread`: cards side by side in any order; `row`: cards tucked behind one another, the first one fully visible;
`pile`: cards that the camera does not read.
"""


BOARD = "board"
"""The first part of a piece's place in `Holdings`; its cell, its name and a number follow."""
ON_BOARD = f"{BOARD}."
"""The prefix of a cell's name among names of places, such as in mismatches."""
CROWD = 25
"""The most pieces that fit on a cell."""
MOST_ASTRAY = 6
"""The most places of a group to match in every order; if more differ, the others keep their names."""


class Place(msgspec.Struct, frozen=True):
    """A named place on the table."""

    name: str
    """The place's name, such as `market` or `seat.1.train.3`. Numbers count from 1, as people do."""
    kind: Kind
    most: int = 1
    """The most cards that can lie there."""
    seat: Seat | None = None
    """The seat that owns the place, if any."""
    firsts: tuple[str, ...] = ()
    """The names of cards, including backs, one of which comes first in a row, or any in a spread; empty: any card.

    Where no places are printed, they distinguish the place from others.
    """
    in_line: bool = False
    """Whether its owner's places lie side by side, from the owner's left to the right.

    Where no places are printed, a line with all its cards shows where each place is.
    """


def tell_by_cards(places: tuple[Place, ...]) -> bool:
    """Return whether cards and their owners' sides identify every place, so that no place must be printed.

    Then cards in the middle lie at one place only, or `firsts` distinguishes the places; and each seat has only rows
    whose first cards are known, or a single line.
    """
    read = [place for place in places if place.kind != "pile"]
    owned = [place for place in read if place.seat is not None]
    common = [place for place in read if place.seat is None]
    plain = [place for place in common if not place.firsts]
    rows = all(place.kind == "row" and place.firsts for place in owned)
    line = all(place.in_line for place in owned)
    return bool(owned) and (rows or line) and len(plain) <= 1 and all(place.kind == "spread" for place in common)


def place_words(place: str) -> tuple[str, dict[str, int]]:
    """Return the key of the words for a place, and its numbers by name.

    Each number is named after the part before it, and the last one, except a seat's, also `number`: `seat.2.train.3` is
    `seat.train` with `seat` 2, `train` 3 and `number` 3.
    """
    parts = place.split(".")
    numbers = {before: int(part) for before, part in pairwise(parts) if part.isdecimal()}
    last = [number for name, number in numbers.items() if name != "seat"][-1:]
    return ".".join([part for part in parts if not part.isdecimal()]), numbers | ({"number": last[0]} if last else {})


class Spot(msgspec.Struct, frozen=True):
    """The cards at one place."""

    up: tuple[str, ...] = ()
    """Names of the cards face up; in a row, the first card comes first and the others in any order."""
    down: int = 0
    """The number of cards that lie face down."""
    unnamed: int = 0
    """The number of face-up cards that could not be named; always 0 in the rules' layout."""

    @property
    def empty(self) -> bool:
        """Whether no card lies there."""
        return not (self.up or self.down or self.unnamed)

    def could_be(self, expected: Spot, lingering: tuple[str, ...] = ()) -> bool:
        """Return whether this spot, as seen, can be the expected one: an unnamed card matches any card.

        Lingering cards may be present or absent.
        """
        more = Counter(self.up) - Counter(expected.up)
        if more and more - Counter(lingering):
            return False
        named = len(self.up) - more.total()
        count = len(expected.up)
        return self.down == expected.down and named <= count <= named + self.unnamed <= count + len(lingering)

    def likeness(self, expected: Spot) -> int:
        """Return how similar this spot is to the expected one; the first card of a row counts more than the others."""
        agreed = (Counter(self.up) & Counter(expected.up)).total() + min(self.down, expected.down)
        first = bool(self.up and expected.up and self.up[0] == expected.up[0])
        surplus = abs(len(self.up) + self.unnamed - len(expected.up))
        return 4 * agreed + 2 * first - surplus + (self.empty and expected.empty)


class Layout(msgspec.Struct, frozen=True):
    """The cards and pieces on the whole table. Places missing from `spots` are not compared."""

    spots: dict[str, Spot]
    alike: tuple[tuple[str, ...], ...] = ()
    """Groups of places with interchangeable contents, such as a seat's trains."""
    lingering: dict[str, tuple[str, ...]] = {}
    """Cards by place that the rules have just removed but that may still lie there."""
    loose: bool = False
    """Whether people are clearing or dealing now, so that nothing has to match until the next event."""
    held: tuple[str, ...] = ()
    """Known cards that somebody holds in hand."""
    strict: tuple[str, ...] = ()
    """Places that must be free of cards removed by the rules before anything else is compared."""
    passed: dict[str, tuple[str, ...]] = {}
    """Seen only: cards by place that appeared since the last event and are gone again."""
    returned: dict[str, tuple[str, ...]] = {}
    """Seen only: cards by place that disappeared since the last event, while others of their kind lie there now."""
    pieces: dict[str, tuple[Piece, ...]] = {}
    """Pieces by cell (`by_cell`). Other cells are empty in an expected layout and not compared in a seen one."""
    overflowing: tuple[str, ...] = ()
    """Expected only: places with more cards than fit there. They are not compared."""
    unsure: dict[str, tuple[tuple[Piece, ...], ...]] = {}
    """Seen only: cells with an uncertain reading, each with the possible contents, the likeliest first."""

    def without_memories(self) -> Layout:
        """Return the layout with only the current view."""
        return msgspec.structs.replace(self, passed={}, returned={}) if self.passed or self.returned else self

    def differing(self, seen: Layout) -> tuple[str, ...]:
        """Return the places in both layouts where the seen cards cannot be the expected ones.

        Cells with other pieces follow, as `board.C4`.
        """
        other, linger = seen.spots, self.lingering
        places = tuple(
            [
                name
                for name, spot in self.spots.items()
                if name in other and other[name] != spot and not other[name].could_be(spot, linger.get(name, ()))
            ]
        )
        return places + tuple([ON_BOARD + cell for cell in self.differing_cells(seen)]) if seen.pieces else places

    def differing_cells(self, seen: Layout) -> tuple[str, ...]:
        """Return the cells with a certain reading that shows other pieces than this layout expects."""
        return tuple([cell for cell, found in seen.pieces.items() if not same_pieces(found, self.pieces.get(cell, ()))])

    def added_cards(self, seen: Layout, place: str) -> tuple[str, ...]:
        """Return the cards seen at a place beyond the expected ones, in order; none if the place is not compared."""
        left, found = Counter(self.spot(place).up), list[str]()
        for card in seen.spot(place).up if place in self.spots else ():
            if left[card]:
                left[card] -= 1
            else:
                found.append(card)
        return tuple(found)

    def missing_cards(self, seen: Layout, place: str) -> tuple[str, ...]:
        """Return the cards expected at a place but not seen there; none if the place is not seen."""
        if place not in seen.spots:
            return ()
        return tuple((Counter(self.spot(place).up) - Counter(seen.spots[place].up)).elements())

    def added_pieces(self, seen: Layout) -> tuple[Piece, ...]:
        """Return the pieces seen but not expected by this layout."""
        return tuple(
            [
                piece
                for cell in self.differing_cells(seen)
                for piece in without_pieces(seen.pieces[cell], self.pieces.get(cell, ()))
            ]
        )

    def missing_pieces(self, seen: Layout) -> tuple[Piece, ...]:
        """Return the pieces that this layout expects and the camera does not see, on cells with a reading."""
        return tuple(
            [
                piece
                for cell in self.differing_cells(seen)
                for piece in without_pieces(self.pieces.get(cell, ()), seen.pieces[cell])
            ]
        )

    def spot(self, name: str) -> Spot:
        """Return the contents of a place, or of a cell (`board.C4`) as the names of its pieces: see `piece_name`."""
        if name in self.spots or not name.startswith(ON_BOARD):
            return self.spots.get(name, Spot())
        return Spot(tuple([piece_name(piece) for piece in self.pieces.get(name.removeprefix(ON_BOARD), ())]))

    def same_table(self, other: Layout) -> bool:
        """Return whether the same cards and pieces belong to the same places."""
        return self.spots == other.spots and self.pieces == other.pieces

    def aligned(self, seen: Layout) -> tuple[Layout, dict[str, str]]:
        """Return the seen layout with this layout's names for places, and the real place of each name.

        A seat may lay its trains in any order. Matching ones stay; each of the others is paired with the expected train
        that it resembles most.
        """
        spots, where = dict(seen.spots), {name: name for name in seen.spots}
        for group in self.alike:
            names = [name for name in group if name in seen.spots]
            if not all(name in self.spots for name in names):
                continue
            astray = [name for name in names if seen.spots[name] != self.spots[name]]
            best = max(
                permutations(astray[:MOST_ASTRAY]),
                key=lambda order: sum(
                    [seen.spots[real].likeness(self.spots[name]) for name, real in zip(astray, order, strict=False)]
                ),
            )  # of equally good orders, prefer the one on the table
            for name, real in zip(astray, best, strict=False):
                spots[name], where[name] = seen.spots[real], real
        return msgspec.structs.replace(seen, spots=spots), where


def cell_places(board: Board | None) -> tuple[Place, ...]:
    """Return a board's cells as places, because people move pieces as they move cards."""
    return tuple([Place(ON_BOARD + cell.name, "spread", CROWD) for cell in board.cells]) if board is not None else ()


class Fault(msgspec.Struct, frozen=True):
    """Cards that lie at a place against every rule; people must fix it before play continues."""

    place: str
    """The rules' name of the place."""
    key: str
    """The sentence is `fault.<key>` in the game's words, with the fields `name`, `cards`, `number`, `where` and
    `besides`."""
    seat: Seat | None = None
    """The owner of the cards: `name` in the sentence."""
    cards: tuple[str, ...] = ()
    """Names of cards in the sentence: `cards`."""
    number: int = 0
    """A position in the sentence: `number`."""
    besides: tuple[str, ...] = ()
    """Other places with the same fault, not reported again: `besides` in the sentence."""
