"""What a game's folder provides for its pages.

These are its `templates/`, its `words/` and its module `extras.py`: what its regions show besides the view, and who may
send which event.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import resources
from typing import Any, Protocol, cast

from companion.engine import AnyGame, Event, State
from companion.games import GAMES, part
from companion.i18n import Words
from web.words import package

AnyState = State[Any]
"""A state of any game."""
DECKS = ("dealt", "ours", "box")
"""Whose cards are used: the companion's own (no real cards), our printed ones, or the owner's box."""
CardGroup = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""Cards to choose from: title, icon in the sprite, look, and each card's name with its label."""


class GameExtras(Protocol):
    """A game's `extras` module. Everything in it is public: nothing may depend on a secret."""

    @property
    def OBSERVED(self) -> Collection[str]:
        """Events that anybody at the table may enter, because everybody sees them."""
        ...

    @property
    def HOSTS(self) -> Collection[str]:
        """Events that the host and the shared tablet may enter, too."""
        ...

    @property
    def KEPT(self) -> Collection[str]:
        """Events that nobody may send: the companion makes them, or they have a route of their own."""
        ...

    @property
    def AMENDABLE(self) -> Collection[str]:
        """Events that may be amended."""
        ...

    @property
    def OPTION_GROUPS(self) -> Mapping[str, tuple[str, ...]]:
        """The options of the set-up page by group; `setup.group_<name>` is the title of a group.

        The group `main` has no title and stands before the others.
        """
        ...

    @property
    def ASKED_FIRST(self) -> Collection[str]:
        """Options of `main` that are shown at once; all others are behind "more options"."""
        ...

    @property
    def WITH_BUTTONS(self) -> Mapping[str, str]:
        """Options for which the set-up page suggests another value where the table has buttons."""
        ...

    @property
    def CATALOGUES(self) -> Mapping[str, str]:
        """The catalogue of each deck; decks without one are not offered."""
        ...

    def extras(self, state: AnyState) -> dict[str, object]:
        """Return values for the templates besides the view, by name."""
        ...

    def card_names(self, state: AnyState) -> tuple[str, ...]:
        """Return the names of all cards that can turn up."""
        ...

    def card_groups(self, state: AnyState, words: Words) -> tuple[CardGroup, ...]:
        """Return all faces that a card can show, in groups for picking one by touch."""
        ...

    def places(self, before: AnyState, event: Event, field: str) -> tuple[tuple[int, int, str], ...]:
        """Return the places that a field of an event could have named; () for a field that names none.

        Each place: its value in the event, its number as people count (from 1), and the card there ("": face down,
        or none).
        """
        ...

    def hides(self, now: AnyState, before: AnyState) -> bool:
        """Whether the log no longer shows the amounts of an event that found the table like `before`."""
        ...


def extras_of(game: AnyGame) -> GameExtras:
    """Return a game's `extras` module."""
    return cast(GameExtras, part(game, "extras"))


OFFERED: dict[str, AnyGame] = {
    name: game for name, game in GAMES.items() if resources.files(package(game)).joinpath("templates").is_dir()
}
"""Every game with pages, by its name."""
