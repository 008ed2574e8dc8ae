"""The tokens in one sighting of the table that a game may know."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from companion.engine import AnyState, SeenTokens, Timing, TokenGame, TokenKind, TokenPlace, worth
from companion.engine.token_rules import MONEY_PLACE
from companion.messages import Sighted

AnyTokenGame = TokenGame[object]
"""A game whose tokens a camera can read, with a table of any type."""


class TokenScene(msgspec.Struct, frozen=True):
    """The tokens on the table at one moment, with their match."""

    game: AnyTokenGame
    state: AnyState
    places: Mapping[str, TokenPlace]
    """All places for tokens by name."""
    readable: frozenset[str]
    """The places that may be read now."""
    seen: SeenTokens
    crowded: tuple[str, ...] = ()
    """Places for one token that hold several."""
    open_hands: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    """Places that may not be read now and are empty."""

    def money(self, place: str) -> int | None:
        """Return how many dollars lie at a place; None if that is uncertain."""
        return self.worth(self.seen.places[place]) if self.seen.certain(place) else None

    def worth(self, tokens: Iterable[str]) -> int:
        """Return the total value of tokens in dollars."""
        return worth(self.game.token_kinds, tokens)


def timing_of(state: AnyState | None) -> Timing | None:
    """Return the meaning of a press in a state, even while the game is paused."""
    return state.agenda[0].timing(state.table) if state is not None and state.agenda else None


def is_money_place(place: str) -> bool:
    """Whether a seat lays money down at a place."""
    return place.endswith("." + MONEY_PLACE)


def read_tokens(sighted: Sighted, kinds: Iterable[TokenKind], places: Collection[str]) -> SeenTokens:
    """Return the tokens seen at these places; other objects, and other tokens among money, are doubtful."""
    values = {kind.name: kind.value for kind in kinds}
    found: dict[str, tuple[str, ...]] = {place: () for place in sighted.token_places if place in places}
    doubtful = set()
    for each in sighted.tokens:
        if each.place not in found:
            continue
        if each.token in values and (values[each.token] or not is_money_place(each.place)):
            found[each.place] += (each.token,)
        else:
            doubtful.add(each.place)
    return SeenTokens(found, frozenset(doubtful))


def crowded_places(sighted: Sighted, places: Mapping[str, TokenPlace], readable: Collection[str]) -> tuple[str, ...]:
    """Return the places for one token that show several objects."""
    lying = [each.place for each in sighted.tokens if each.place in readable]
    return tuple([name for name in places if places[name].most == 1 and lying.count(name) > 1])


def without(seen: SeenTokens, places: Collection[str]) -> SeenTokens:
    """Return the tokens seen, as if some places had not been read."""
    left = {name: tokens for name, tokens in seen.places.items() if name not in places}
    return SeenTokens(left, seen.doubtful & left.keys())


def hidden_places(scene: TokenScene) -> tuple[str, ...]:
    """Return the readable places for money that were not read because something hides their edges.

    There are none if no place at all is read: then the mat has no places.
    """
    if not scene.seen.places:
        return ()
    money = [place for place in sorted(scene.readable) if is_money_place(place)]
    return tuple([place for place in money if place not in scene.seen.places])


def awaited_places(scene: TokenScene, places: Collection[str]) -> tuple[str, ...]:
    """Return the unread places for which the game waits: their tokens would explain what happened.

    Claims do not count: a seat's secrets may decide whether one is possible.
    """
    if not places:
        return ()
    known = set(scene.game.token_events(scene.state, scene.seen))

    def is_awaited(place: str) -> bool:
        """Whether some tokens at a place would tell the game more."""
        read, left = scene.seen.places, scene.seen.doubtful - {place}
        trials = [SeenTokens({**read, place: tokens}, left) for tokens in _possible(scene, place)]
        return any(event not in known for seen in trials for event in scene.game.token_events(scene.state, seen))

    return tuple([place for place in sorted(places) if is_awaited(place)])


def _possible(scene: TokenScene, place: str) -> list[tuple[str, ...]]:
    """Return some contents of a place that the game would understand if it waits for the place."""
    kinds = scene.game.token_kinds
    if is_money_place(place):  # nothing, or more than any earlier sum there
        return [(), (max(kinds, key=lambda kind: kind.value).name,) * scene.places[place].most]
    return [(), *[(kind.name,) for kind in kinds if not kind.value]]
