"""The cards, pieces and tokens on the real table, and the fewest moves of cards to the next layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from companion.demo.acts import HIDDEN, Face, MoveCard
from companion.engine import Layout, Place, Spot
from companion.engine.layout import ON_BOARD

Card = tuple[str, Face]


class PhysicalTable:
    """The cards at the places of a table, and the pieces on its cells (`cell_places`).

    A face-down card keeps the name with which it was laid, if any.
    """

    def __init__(self, places: Iterable[Place]) -> None:
        self.places = {place.name: place for place in places if place.kind != "pile"}
        self.cards: dict[str, list[Card]] = {name: [] for name in self.places}
        self.tokens: dict[str, tuple[str, ...]] = {}
        """The tokens at each place that has ever had some."""

    def spot(self, place: str) -> Spot:
        """Return the cards at a place."""
        here = self.cards[place]
        return Spot(tuple([card for card, face in here if face == "up"]), sum(face == "down" for _, face in here))

    def mismatched_places(self, layout: Layout) -> tuple[str, ...]:
        """Return the places whose cards differ from a layout."""
        named = [name for name in layout.spots if name in self.places]
        cells = [name for name in self.places if name.startswith(ON_BOARD)]
        trains = {name for group in layout.alike for name in group}
        return tuple([name for name in (*named, *cells) if self._wrong(name, layout.spot(name), name in trains)])

    def _wrong(self, name: str, spot: Spot, first_matters: bool) -> bool:
        """Return whether the cards there differ from the layout. The first card of a train identifies it; other rows
        have no order."""
        here = self.spot(name)
        if here.down != spot.down or Counter(here.up) != Counter(spot.up):
            return True
        return first_matters and not spot.down and bool(spot.up) and here.up[0] != spot.up[0]

    def as_it_is(self, cards: Mapping[str, Sequence[Card]]) -> None:
        """Update all places after somebody else has moved cards. A face-down card keeps the name it had, if any."""
        for place, here in self.cards.items():
            lies = cards.get(place, ())
            known = [card for card in here if card[1] == "down"]
            unknown: list[Card] = [(HIDDEN, "down") for _, face in lies if face == "down"]
            down = [*known, *unknown][: len(unknown)]
            self.cards[place] = down + [card for card in lies if card[1] == "up"]

    def do(self, moved: MoveCard) -> None:
        """Record one move."""
        if moved.source:
            self._take(moved.card, moved.source)
        if moved.place:
            self.cards[moved.place].append((moved.card, moved.face))

    def _take(self, card: str, place: str) -> None:
        """Remove a card by its name, or a face-down one (`HIDDEN`)."""
        here = self.cards[place]
        for each in here:
            if each[0] == card or (card == HIDDEN and each[1] == "down"):
                here.remove(each)
                return
        raise ValueError(f"There is no {card or 'card face down'} at {place}.")

    def moves(self, layout: Layout) -> tuple[MoveCard, ...]:
        """Return the fewest moves that turn the table into a layout, starting with those that make room."""
        off: list[tuple[str, str]] = []
        on: list[tuple[str, str, Face]] = []
        turned: list[MoveCard] = []
        for name in self.mismatched_places(layout):
            self._differ(name, layout.spot(name), off, on, turned)
        direct: list[MoveCard] = []
        for card, place, face in tuple(on):
            fits = [each for each in off if (each[0] == card if face == "up" else each[0] != HIDDEN)]
            source = fits[0] if fits else None
            if source is not None:
                off.remove(source)
                on.remove((card, place, face))
                direct.append(MoveCard(source[0], source[1], place, face))
        away = [MoveCard(card, source, "") for card, source in off]
        straight = self._in_turn(direct, away)
        return (*away, *turned, *straight, *[MoveCard(card, "", place, face) for card, place, face in on])

    def _in_turn(self, moves: Iterable[MoveCard], away: Iterable[MoveCard]) -> Iterator[MoveCard]:
        """Yield moves from place to place, each as soon as there is room for it.

        If cards wait for each other's places, as two swapped ones do, lift one of them first.
        """
        room = {name: place.most - len(self.cards[name]) for name, place in self.places.items()}
        for move in away:
            room[move.source] += 1
        left, lifted = list(moves), list[MoveCard]()
        while left:
            move = next((each for each in left if room[each.place] > 0), left[0])
            if room[move.place] > 0:
                room[move.place] -= 1
                yield move
            else:
                lifted.append(msgspec.structs.replace(move, source=""))
                yield MoveCard(move.card, move.source, "")
            left.remove(move)
            room[move.source] += 1
        yield from lifted

    def _differ(
        self, name: str, spot: Spot, off: list[tuple[str, str]], on: list[tuple[str, str, Face]], turned: list[MoveCard]
    ) -> None:
        """Record the cards that have to leave a place, those that have to come, and those that turn face down there."""
        here = self.spot(name)
        extra, missing = Counter(here.up) - Counter(spot.up), Counter(spot.up) - Counter(here.up)
        down = spot.down - here.down
        # a row that starts with another card is laid again
        if not extra and not missing and not down:
            extra, missing = Counter(here.up), Counter(spot.up)
        gone = list(extra.elements())
        while down > 0 and gone:
            turned.append(MoveCard(gone.pop(0), name, name, "down"))
            down -= 1
        off += [(card, name) for card in gone] + [(HIDDEN, name)] * -down
        on += [(HIDDEN, name, "down")] * down
        on += [(card, name, "up") for card in spot.up if _take_one(missing, card)]


def _take_one(left: Counter[str], card: str) -> bool:
    """Remove a card from the count; return whether it was there."""
    if left[card] <= 0:
        return False
    left[card] -= 1
    return True
