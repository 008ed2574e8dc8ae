"""Cards lying on a table as people lay them, and what a camera that reads without fault would say of them.

Knows no pixels: that is the rendered table's part. Trains may lie in another order than the rules count them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.engine import Event, Layout, State
from companion.games import GAMES
from companion.games.take_a_train import events as ev
from companion.messages import Sighted, Sighting

GAME = GAMES["take-a-train"]
STEP = 70.0
"""Millimetres between the outlines of a spread."""


class Lying:
    """What lies on the table of a match for so many players. `order` says where each seat's trains really lie."""

    def __init__(self, players: int, order: tuple[int, int, int] = (0, 1, 2)) -> None:
        self.places = {place.name: place for place in GAME.places(players) if place.kind != "pile"}
        self.rows = {name: number for number, name in enumerate(self.places)}
        self.cards: dict[str, dict[int, tuple[str, str]]] = {name: {} for name in self.places}
        self.order = order
        self.number = 0

    def real(self, name: str) -> str:
        """Return where a place of the rules really lies."""
        if not name.startswith("seat."):
            return name
        start, _, train = name.rpartition(".")
        return f"{start}.{self.order[int(train) - 1] + 1}"

    def lay(self, place: str, card: str, face: str = "up") -> None:
        """Lay a card down at the first free spot of a place."""
        here = self.cards[place]
        here[next(at for at in range(99) if at not in here)] = (card, face)

    def take(self, place: str, card: str) -> None:
        """Take a card away; in a row the others close up."""
        here = self.cards[place]
        at = next(at for at, (name, _) in here.items() if name == card)
        del here[at]
        if self.places[place].kind == "row":
            self.cards[place] = dict(enumerate(here.values()))

    def follow(self, layout: Layout) -> None:
        """Move as few cards as it takes to have the table as the rules say."""
        for name, spot in layout.spots.items():
            place = self.real(name)
            here = Counter(self.cards[place].values())
            wanted = Counter([(card, "up") for card in spot.up] + [("", "down")] * spot.down)
            downs = [(card, face) for card, face in here if face == "down"]
            if downs:
                here = Counter(
                    {(("", "down") if face == "down" else (card, face)): n for (card, face), n in here.items()}
                )
            for card, _ in (here - wanted).elements():
                self.take(place, card)
            for card, face in (wanted - here).elements():
                if face == "down":
                    self.cards[place] = {0: ("", "down")} | {at + 1: each for at, each in self.cards[place].items()}
                else:
                    self.lay(place, card)
            if spot.up and self.places[place].kind == "row" and not spot.down:
                rest = [each for each in self.cards[place].values() if each[0] != spot.up[0]]
                self.cards[place] = dict(enumerate([(spot.up[0], "up"), *rest]))

    def play(self, before: State[Any], event: Event, after: State[Any]) -> Iterator[Sighted]:
        """Do with the cards what an event says, and yield what is seen each time that the table is at rest."""
        if isinstance(event, ev.CardsRevealed):
            for card in event.cards:
                self.lay("market", card)
                if card in ("bin", "longer"):
                    yield self.seen()
                if card == "bin":
                    spared = before.table.fixed.options.bin_spares_specials == "yes"
                    for name, _ in list(self.cards["market"].values()):
                        if not (spared and name in ("multiplier", "bonus", "twin")):
                            self.take("market", name)
                elif card == "longer":
                    self.take("market", card)
            yield self.seen()
            return
        if isinstance(event, ev.Exchanged):
            for slot in event.slots:
                self.take("market", before.table.market[slot] or "")
            yield self.seen()
            return
        if isinstance(event, ev.LocosRevealed):
            for card in event.cards:
                self.lay("auction", card)
            yield self.seen()
            return
        if isinstance(event, ev.TwistRevealed):
            self.order = (0, 1, 2)  # three cards of one seat have no order but the one in which they lie
        self.follow(GAME.layout(after))
        yield self.seen()

    def seen(self) -> Sighted:
        """Return what a camera sees now."""
        self.number += 1
        found = [
            Sighting(
                place,
                card if face == "up" else None,
                at,
                face,  # type: ignore[arg-type]
                1.0,
                corners=_square(at * STEP, self.rows[place] * 2 * STEP),
            )
            for place, here in self.cards.items()
            for at, (card, face) in sorted(here.items())
        ]
        return Sighted(self.number, self.number, tuple(found))


def _square(x: float, y: float) -> tuple[tuple[float, float], ...]:
    return ((x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90))
