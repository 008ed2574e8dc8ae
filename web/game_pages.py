"""What a game's folder provides for its pages.

These are its `templates/`, its `words/` and its module `extras.py`: what its regions show besides the view, and who may
send which event.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from types import SimpleNamespace
from typing import Any, Protocol, cast, get_args

from companion.engine import AnyGame, Event, JsonObject, SeatEvent, State, legal, tokens_seen
from companion.engine.board import cell_fields
from companion.games import BROKEN as BROKEN_FOLDERS
from companion.games import GAMES, GameFolder, has_part, is_example, package_of, part, teller_of, why_unusable
from companion.i18n import Words

AnyState = State[Any]
"""A state of any game."""
DECKS = ("dealt", "ours", "box")
"""Whose cards are used: the companion's own (no real cards), our printed ones, or the owner's box."""
CardGroup = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""Cards to choose from: title, picture in the game's `sprite.svg`, look, and each card's name with its label."""


class GameExtras(Protocol):
    """A game's `extras` module. Everything in it is public: nothing may depend on a secret."""

    @property
    def OBSERVED(self) -> Collection[str]:
        """Events that anybody at the table may enter, because everybody sees them."""
        ...

    def observes(self, state: AnyState, event: Event) -> bool:
        """Whether everybody sees this event happen now with real cards, though `OBSERVED` does not name it.

        By default what is offered as chance, unless the game says itself what is observed.
        """
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
    def FROM_HAND(self) -> Collection[str] | None:
        """Events that a tap on a card of the hand may mean; None: any that names the card."""
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

    def catalogue(self, deck: str, options: JsonObject) -> str:
        """Return the catalogue of a set-up: that of its deck, unless its options choose another one."""
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

    def token_groups(self, words: Words) -> tuple[CardGroup, ...]:
        """Return all faces of tokens, in groups for picking one by touch."""
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


class DefaultExtras:
    """What a game's pages get where its `extras` module does not say otherwise."""

    HOSTS: Collection[str] = frozenset()
    KEPT: Collection[str] = frozenset()
    WITH_BUTTONS: Mapping[str, str] = {}
    FROM_HAND: Collection[str] | None = None

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        options = part(game, "options")
        names: tuple[str, ...] = () if options is None else options.Options.__struct_fields__
        kinds = {str(kind.__struct_config__.tag): kind for kind in get_args(game.events)}
        seatless = {name for name, kind in kinds.items() if not issubclass(kind, SeatEvent)}
        self.OBSERVED: Collection[str] = frozenset(seatless | game.person_entered)
        self.AMENDABLE: Collection[str] = self.OBSERVED | {n for n, kind in kinds.items() if cell_fields(kind)}
        self.OPTION_GROUPS: Mapping[str, tuple[str, ...]] = {"main": names} if names else {}
        self.ASKED_FIRST: Collection[str] = names
        printed = has_part(game, "cards") or has_part(game, "deck")
        self.CATALOGUES: Mapping[str, str] = dict.fromkeys(
            ("dealt", "ours") if printed else ("dealt",), "reconstruction"
        )

    def catalogue(self, deck: str, options: JsonObject) -> str:
        """Return the deck's catalogue."""
        return extras_of(self._game).CATALOGUES[deck]

    def observes(self, state: AnyState, event: Event) -> bool:
        """Whether the event is one that chance may bring now."""
        own = part(self._game, "extras")
        if hasattr(own, "OBSERVED") or not state.agenda:
            return False
        return any(offer.chance and event in offer for offer in legal(self._game, state))

    def extras(self, state: AnyState) -> dict[str, object]:
        """Return no values besides the view."""
        return {}

    def card_names(self, state: AnyState) -> tuple[str, ...]:
        """Return the cards that the game lists, else those of its printed deck."""
        cards, deck = part(self._game, "cards"), part(self._game, "deck")
        return tuple(cards.CARDS) if cards is not None else () if deck is None else tuple(deck.design().counts)

    def card_groups(self, state: AnyState, words: Words) -> tuple[CardGroup, ...]:
        """Return all cards as one group."""
        say = teller_of(self._game).card_name
        names = self.card_names(state)
        return ((words("game.title"), "", "", tuple([(name, say(name, words)) for name in names])),) if names else ()

    def token_groups(self, words: Words) -> tuple[CardGroup, ...]:
        """Return all tokens and their backs as one group, called as in the game's `token_kinds`."""
        kinds = self._game.token_kinds if tokens_seen(self._game) else ()
        names = dict.fromkeys([*[kind.name for kind in kinds], *[kind.back for kind in kinds if kind.back]])
        return ((words("game.title"), "", "", tuple([(name, name) for name in names])),) if names else ()

    def places(self, before: AnyState, event: Event, field: str) -> tuple[tuple[int, int, str], ...]:
        """Return no places."""
        return ()

    def hides(self, now: AnyState, before: AnyState) -> bool:
        """Return False: the log hides nothing later."""
        return False


_EXTRAS: dict[str, GameExtras] = {}
"""By a game's package."""


def extras_of(game: AnyGame) -> GameExtras:
    """Return a game's `extras` module, completed by the house's defaults."""
    where = package_of(game)
    if where not in _EXTRAS:
        _EXTRAS[where] = _complete_extras(game)
    return _EXTRAS[where]


def _complete_extras(game: AnyGame) -> GameExtras:
    """Return a game's extras, each from its module or else the default."""
    default, module = DefaultExtras(game), part(game, "extras")
    names = [name for name in {*vars(GameExtras), *GameExtras.__annotations__} if not name.startswith("_")]
    return cast(GameExtras, SimpleNamespace(**{name: getattr(module, name, getattr(default, name)) for name in names}))


EXAMPLES = "COMPANION_EXAMPLES"
"""The environment variable that, if set, has example games offered, too."""


def usable_games(games: Mapping[str, AnyGame]) -> tuple[dict[str, AnyGame], tuple[GameFolder, ...]]:
    """Return the games whose pages can be shown, and the folders of the others with the reason."""
    reasons = {name: why_unusable(game) for name, game in games.items()}
    usable = {name: game for name, game in games.items() if not reasons[name]}
    return usable, tuple([GameFolder(package_of(games[name]), why) for name, why in reasons.items() if why])


OFFERED, _unusable = usable_games(
    {name: game for name, game in GAMES.items() if not is_example(game) or os.environ.get(EXAMPLES)}
)
"""Every game that people can set up, by its name."""
BROKEN: tuple[GameFolder, ...] = (*BROKEN_FOLDERS, *_unusable)
"""Folders of games that nobody can play, each with the reason."""
