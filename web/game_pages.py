"""A game's additions to its pages besides templates and words: the content of regions, and who may send an event."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property

from companion.engine import AnyGame, AnyState, Event, JsonObject, SeatEvent, event_kinds, legal, tags_with, tokens_seen
from companion.engine.board import cell_fields
from companion.games import BROKEN as BROKEN_FOLDERS
from companion.games import GAMES, GameFolder, definition_of, is_example, package_of, teller_of, why_unusable
from companion.i18n import Words
from companion.mechanics.definition import CardGroup, PageParts
from companion.mechanics.seals import SealedAmount

DECKS = ("dealt", "ours", "box")
"""The cards in use: none (the companion deals), our printed ones, or the owner's box."""


class GamePages:
    """A game's declaration for its pages (`PageParts`), completed by the defaults."""

    def __init__(self, game: AnyGame) -> None:
        definition = definition_of(game)
        own = definition.pages() or PageParts()
        self._game, self._own, self._definition = game, own, definition
        kinds = event_kinds(game.events)
        self._said = any(kind.facts.observed is not None for kind in kinds.values())
        seatless = frozenset([name for name, kind in kinds.items() if not issubclass(kind, SeatEvent)])
        usual = seatless | tags_with(game.events, lambda facts: facts.entered)
        self.observed = tags_with(game.events, lambda facts: facts.observed) if self._said else usual
        self.seals = any(issubclass(kind, SealedAmount) for kind in kinds.values())
        """Whether phones can seal a secret bid."""
        self.hosts = tags_with(game.events, lambda facts: facts.hosts)
        self.kept = tags_with(game.events, lambda facts: facts.kept)
        self.from_hand = own.from_hand
        names = () if definition.options is None else definition.options.names
        groups: Mapping[str, tuple[str, ...]] = {"main": names} if names else {}
        self.option_groups = groups if own.option_groups is None else own.option_groups
        self.asked_first = names if own.asked_first is None else own.asked_first
        self.with_buttons, self.values, self.places, self.hides = own.with_buttons, own.values, own.places, own.hides
        decks = ("dealt", "ours") if definition.printable else ("dealt",)
        self.catalogues = dict.fromkeys(decks, "reconstruction") if own.catalogues is None else own.catalogues

    @cached_property
    def amendable(self) -> frozenset[str]:
        """The events that may be corrected later: those that everybody sees, unless the game declares them."""
        kinds = event_kinds(self._game.events)
        if any(kind.facts.amendable is not None for kind in kinds.values()):
            return tags_with(self._game.events, lambda facts: facts.amendable)
        return self.observed | {name for name, kind in kinds.items() if cell_fields(kind)}

    def catalogue(self, deck: str, options: JsonObject) -> str:
        """Return the catalogue for a set-up: that of its deck, unless its options choose another."""
        return self.catalogues[deck] if self._own.catalogue is None else self._own.catalogue(deck, options)

    def observes(self, state: AnyState, event: Event) -> bool:
        """Whether everybody sees this event happen now with real cards, even though its class does not declare that.

        By default these are the events offered as chance, unless the game declares its own.
        """
        if self._own.observes is not None:
            return self._own.observes(state, event)
        if self._said or not state.agenda:
            return False
        return any(offer.chance and event in offer for offer in legal(self._game, state))

    def card_names(self, state: AnyState) -> tuple[str, ...]:
        """Return the names of all cards that can turn up: those the game lists, else those of its printed deck."""
        if self._own.card_names is not None:
            return self._own.card_names(state)
        cards, deck = self._definition.cards(), self._definition.deck()
        return tuple(cards.counts) if cards is not None else () if deck is None else tuple(deck.design().counts)

    def card_groups(self, state: AnyState, words: Words) -> Sequence[CardGroup]:
        """Return all faces that a card can show, grouped for picking by touch; by default in one group."""
        if self._own.card_groups is not None:
            return self._own.card_groups(state, words)
        say, names = teller_of(self._game).card_name, self.card_names(state)
        return ((words("game.title"), "", "", tuple([(name, say(name, words)) for name in names])),) if names else ()

    def token_groups(self, words: Words) -> Sequence[CardGroup]:
        """Return all faces of tokens, in groups; by default in one, named as in the game's `token_kinds`."""
        if self._own.token_groups is not None:
            return self._own.token_groups(words)
        kinds = self._game.token_kinds if tokens_seen(self._game) else ()
        names = dict.fromkeys([*[kind.name for kind in kinds], *[kind.back for kind in kinds if kind.back]])
        return ((words("game.title"), "", "", tuple([(name, name) for name in names])),) if names else ()


_PAGES: dict[str, GamePages] = {}
"""By a game's package."""


def pages_of(game: AnyGame) -> GamePages:
    """Return the declarations of a game's pages, completed by the defaults."""
    where = package_of(game)
    if where not in _PAGES:
        _PAGES[where] = GamePages(game)
    return _PAGES[where]


EXAMPLES = "COMPANION_EXAMPLES"
"""The environment variable that also offers the example games."""


def usable_games(games: Mapping[str, AnyGame]) -> tuple[dict[str, AnyGame], tuple[GameFolder, ...]]:
    """Return the games whose pages can be shown, and the folders of the others with the reason."""
    reasons = {name: why_unusable(game) for name, game in games.items()}
    usable = {name: game for name, game in games.items() if not reasons[name]}
    return usable, tuple([GameFolder(package_of(games[name]), why) for name, why in reasons.items() if why])


OFFERED, _unusable = usable_games(
    {name: game for name, game in GAMES.items() if not is_example(game) or os.environ.get(EXAMPLES)}
)
"""Every available game, by name."""
BROKEN: tuple[GameFolder, ...] = (*BROKEN_FOLDERS, *_unusable)
"""Folders of unplayable games, each with the reason."""
