"""The cards on the table by place, as any page can draw them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from companion.engine import Layout, Place, Player
from companion.i18n import Words
from companion.mechanics.telling import capital
from web.presenters.camera_status import place_name


class CardShown(msgspec.Struct, frozen=True):
    """A card: its name in the deck, and as people say it."""

    card: str
    label: str


class PlaceShown(msgspec.Struct, frozen=True):
    """A place with its cards; `seat` is its owner's, None for the middle of the table."""

    name: str
    title: str
    seat: int | None
    up: tuple[CardShown, ...]
    down: int

    @property
    def laid(self) -> bool:
        """Whether anything lies there."""
        return bool(self.up or self.down)


def places_shown(
    places: Iterable[Place], layout: Layout, players: tuple[Player, ...], say: Words, card: Callable[[str], str]
) -> tuple[PlaceShown, ...]:
    """Return all places of the table with the cards that lie there, in the game's order; empty ones too."""
    return tuple([
        PlaceShown(
            place.name,
            capital(place_name(place.name, players, say)),
            place.seat,
            tuple([CardShown(name, card(name)) for name in spot.up]),
            spot.down,
        )
        for place in places
        if (spot := layout.spots.get(place.name)) is not None
    ])  # fmt: skip
