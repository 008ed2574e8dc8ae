"""What a game brings for its pages: the seam between the house and a game's folder, as protocols. Knows no game.

A game's pages are its `templates/`, its `words/`, and two modules: `extras.py` (what its regions know besides the view,
whose business each of its events is) and `tell.py` (what happened, in words). The house asks these and nothing else.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Protocol, cast

from companion.engine import Effect, Event, Player, Refusal, State
from companion.games import GAMES
from companion.i18n import Words
from web.words import AnyGame, package

AnyState = State[Any]
"""A state of any game."""
DECKS = ("dealt", "ours", "box")
"""Whose cards are played with: none but the companion's, our printed ones, the owner's box."""
CardGroup = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""Cards to choose from: title, icon in the sprite, look, and each card's name with what tells it apart."""


class GameExtras(Protocol):
    """A game's `extras` module. Everything in it is public: no name may depend on a secret."""

    @property
    def OBSERVED(self) -> Collection[str]:
        """Events that anybody at the table may enter because everybody sees them."""
        ...

    @property
    def HOSTS(self) -> Collection[str]:
        """Events that the host and the shared tablet may enter besides."""
        ...

    @property
    def KEPT(self) -> Collection[str]:
        """Events that nobody says by itself: they have a road of their own, or the companion brings them about."""
        ...

    @property
    def AMENDABLE(self) -> Collection[str]:
        """Events that may be put right afterwards."""
        ...

    @property
    def OPTION_GROUPS(self) -> Mapping[str, tuple[str, ...]]:
        """The options of the set-up page by group, each in one; the title of a group is `setup.group_<name>`.

        Those of `main` have no title and stand before the other groups.
        """
        ...

    @property
    def ASKED_FIRST(self) -> Collection[str]:
        """Options of `main` that are asked at once; all the others are behind "more options"."""
        ...

    @property
    def WITH_BUTTONS(self) -> Mapping[str, str]:
        """Options that the set-up page proposes otherwise than usual where buttons are on the table."""
        ...

    @property
    def CATALOGUES(self) -> Mapping[str, str]:
        """The catalogue that each choice of a deck stands for; a deck that is not named is not offered."""
        ...

    def extras(self, state: AnyState) -> dict[str, object]:
        """Return names for the templates besides the view."""
        ...

    def card_names(self, state: AnyState) -> tuple[str, ...]:
        """Return the names of all cards that can turn up."""
        ...

    def card_groups(self, state: AnyState, words: Words) -> tuple[CardGroup, ...]:
        """Return all faces that a card can show, in groups for picking one by touch."""
        ...

    def places(self, before: AnyState, event: Event, field: str) -> tuple[tuple[int, int, str], ...]:
        """Return what a field of an event could have been where it names a place; () where it names none.

        Each place: its value in the event, its number as people count (from 1), and the card there ("": face down,
        or none).
        """
        ...

    def hides(self, now: AnyState, before: AnyState) -> bool:
        """Whether the log no longer shows the amounts of an event that found the table like `before`."""
        ...


class GameTeller(Protocol):
    """A game's `tell` module. Its sentences are for everybody, save `refused`, which is for one seat.

    `table` is the game's own record of the table (`state.table`), None where there is none yet. Names of cards may
    depend on what of it is public (figures that were read off them), sentences on nothing else of it.
    """

    def tell(
        self,
        event: Event,
        effects: Iterable[Effect],
        players: Sequence[Player],
        words: Words,
        hide: bool = False,
        table: Any = None,
    ) -> list[str]:
        """Return what everybody may hear of an event and what followed; with `hide` without amounts."""
        ...

    def card_name(self, card: str, words: Words, table: Any = None) -> str:
        """Return what people call a card, by its name in the deck; a name that the game does not know comes back."""
        ...

    def names(self, seats: Iterable[int], players: Sequence[Player], words: Words) -> str:
        """Return the names of seats as one part of a sentence."""
        ...

    def refused(self, refusal: Refusal, players: Sequence[Player], words: Words, table: Any = None) -> str:
        """Return why something was not accepted, for the refusal's audience alone."""
        ...

    def stale(self, sentences: Sequence[str], words: Words) -> str:
        """Return that the table has changed since the page was shown, and how."""
        ...

    def score(self, amount: int, words: Words) -> str:
        """Return what `Game.scores` counts as people write it: $2,550; 5 of 7."""
        ...

    def differs(self, key: str, fields: Mapping[str, object], words: Words, table: Any = None) -> str:
        """Return one thing that a correction changes, and what is to be done at the table.

        `card`: `old` and `new` are names of cards. `money` (games with money alone): `name` is whose, `change` how much
        more or less.
        """
        ...


@cache
def _module(name: str) -> Any:
    """Return a module by its whole name."""
    return importlib.import_module(name)


def extras_of(game: AnyGame) -> GameExtras:
    """Return the module in which a game says what its pages know besides the view."""
    return cast(GameExtras, _module(package(game) + ".extras"))


def teller_of(game: AnyGame) -> GameTeller:
    """Return the module in which a game tells what happened."""
    return cast(GameTeller, _module(package(game) + ".tell"))


OFFERED: dict[str, AnyGame] = {
    name: game for name, game in GAMES.items() if resources.files(package(game)).joinpath("templates").is_dir()
}
"""Every game with pages, by its name."""
