"""Tokens on the table: their kinds, the places where a camera reads them, and a game's rules about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeGuard, TypeVar

import msgspec

from companion.engine.event import Event, Seat
from companion.engine.game import AnyGame, Game
from companion.engine.state import State

T = TypeVar("T")

MONEY_PLACE = "money"
"""The last part of the name of a seat's money place, such as `seat.1.money`."""


class TokenKind(msgspec.Struct, frozen=True):
    """One kind of token in the box."""

    name: str
    """The token's name, such as `money-500`; enrolled faces use the same name."""
    count: int
    """The number in the box."""
    value: int = 0
    """Value in dollars; 0 if it is not money."""
    back: str = ""
    """The name of its other face, such as `back-purpose`; empty if both faces identify it."""


class TokenPlace(msgspec.Struct, frozen=True):
    """A named place for tokens on the mat, always in the open, never behind a screen."""

    name: str
    """The place's name, such as `seat.1.money`. Numbers count from 1, as people do."""
    most: int = 1
    """The number of tokens that must fit there, beside or on top of one another."""
    seat: Seat | None = None
    """The seat that owns the place, if any."""


class SeenTokens(msgspec.Struct, frozen=True):
    """The tokens on the table as a camera sees them."""

    places: dict[str, tuple[str, ...]] = {}
    """The named tokens by place, unordered. Places missing from it were not read."""
    doubtful: frozenset[str] = frozenset()
    """The places of `places` that contain something not identified for certain."""

    def certain(self, place: str) -> bool:
        """Return whether a place was read and everything there identified."""
        return place in self.places and place not in self.doubtful


class TokenLayout(msgspec.Struct, frozen=True):
    """The tokens that people have laid at their places. Places in neither field stay as they are."""

    tokens: dict[str, tuple[str, ...]] = {}
    money: dict[str, int] = {}
    """The dollars at each place, in any tokens."""


class TokenRules(Protocol[T]):
    """The part of a game that the camera uses to read its tokens."""

    token_kinds: tuple[TokenKind, ...]
    """All tokens in the box."""

    def token_places(self, players: int) -> tuple[TokenPlace, ...]:
        """Return the places for tokens of a table for this number of players."""
        ...

    def readable_places(self, state: State[T]) -> tuple[str, ...]:
        """Return the token places that the camera may read now; all others are black in every picture."""
        ...

    def lying_money(self, state: State[T]) -> dict[str, int]:
        """Return the dollars that may lie at each place before fists close; other places are not compared."""
        ...

    def ordered_tokens(self, state: State[T]) -> dict[str, str]:
        """Return the token required at each place, if any lies there; other places are not compared."""
        ...

    def token_events(self, state: State[T], seen: SeenTokens) -> Iterable[Event]:
        """Return the legal events that the tokens prove and that need nobody's consent."""
        ...

    def token_claims(self, state: State[T], seen: SeenTokens) -> Iterable[Event]:
        """Return the legal events that the tokens suggest and that their seat must confirm."""
        ...


class TokenGame(Game[T], TokenRules[T], Protocol[T]):
    """A game whose tokens a camera can read."""


class TokenPlayRules(Protocol[T]):
    """The part of a game that a demonstration uses: how simulated people play it with real tokens."""

    token_options: Mapping[str, str]
    """The options of a match in which people lay down money."""

    def token_layout(self, state: State[T]) -> TokenLayout | None:
        """Return the tokens that lie on the table; None if the game lays none."""
        ...

    def count_of(self, state: State[T], event: Event) -> Event | None:
        """Return the count of a seat's tokens that must precede a press for the event; None if none is missing."""
        ...

    def counts_shown(self, view: Mapping[str, object]) -> tuple[Event, ...]:
        """Return the counts that a public view shows."""
        ...

    def word_of(self, count: Event) -> Event:
        """Return the event that a seat enters if no camera counts its tokens, or if the camera miscounts."""
        ...

    def claim_layout(self, event: Event) -> dict[str, tuple[str, ...]]:
        """Return the tokens that a seat shows, by place, to make a claim with an event; nothing for other events."""
        ...


class PlayedTokenGame(TokenGame[T], TokenPlayRules[T], Protocol[T]):
    """A game whose tokens a camera can read, and that simulated people can play with them."""


def tokens_seen(game: AnyGame) -> TypeGuard[TokenGame[object]]:
    """Return whether a camera can read the game's tokens, derived from what the game implements."""
    return all(hasattr(game, name) for name in ("token_kinds", "token_places", "readable_places", "token_events"))


def tokens_played(game: AnyGame) -> TypeGuard[PlayedTokenGame[object]]:
    """Return whether simulated people can play the game with tokens, derived from what the game implements."""
    return tokens_seen(game) and all(hasattr(game, name) for name in ("token_layout", "count_of", "claim_layout"))


def money_place(seat: int) -> str:
    """Return the name of the money place of a seat, counted from 0."""
    return f"seat.{seat + 1}.{MONEY_PLACE}"


def worth(kinds: Iterable[TokenKind], tokens: Iterable[str]) -> int:
    """Return the total value of tokens in dollars."""
    values = {kind.name: kind.value for kind in kinds}
    return sum([values[token] for token in tokens])
