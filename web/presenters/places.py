"""The cards on the table by place, for generic drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from companion.engine import AnyGame, Layout, Place, Player
from companion.engine.layout import place_words
from companion.games import definition_of
from companion.i18n import Words
from companion.mechanics.telling import capital
from web.presenters.camera_status import place_name


class CardShown(msgspec.Struct, frozen=True):
    """A card: its name in the deck, and in words."""

    card: str
    label: str


COLOURS = 8
"""The colours that distinguish kinds of cards."""


def card_kinds(game: AnyGame) -> dict[str, int]:
    """Return the colour of each card that a game lists; cards of one kind, such as `coal-1` and `coal-2`, share it."""
    listed = definition_of(game).cards()
    kind_of = {card: card.partition("-")[0] for card in listed.counts} if listed is not None else {}
    kinds = list(dict.fromkeys(kind_of.values()))
    return {card: kinds.index(kind) % COLOURS for card, kind in kind_of.items()}


class PlaceShown(msgspec.Struct, frozen=True):
    """A place with its cards; `seat` is its owner's, None for the middle of the table."""

    name: str
    title: str
    seat: int | None
    up: tuple[CardShown, ...]
    down: int
    heap: str = ""
    """The number of face-down tricks in words, if the game counts tricks; empty if it counts cards."""

    @property
    def laid(self) -> bool:
        """Whether any card lies there."""
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
            heap_told(place.name, spot.down // len(players), say),
        )
        for place in places
        if (spot := layout.spots.get(place.name)) is not None
    ])  # fmt: skip


def heap_told(place: str, tricks: int, say: Words) -> str:
    """Return the number of tricks in a pile in words, each with one card of every player; empty if the game counts
    no tricks.
    """
    key = f"heap.{place_words(place)[0]}"
    return say.plural(key, tricks) if tricks and say.has(key) else ""
