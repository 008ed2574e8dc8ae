"""Tokens on the table: their kinds, the places where a camera reads them, and what a game says of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeGuard, TypeVar

import msgspec

from companion.engine.event import Event, Seat
from companion.engine.game import AnyGame, Game
from companion.engine.state import State

T = TypeVar("T")

MONEY_PLACE = "money"
"""The last part of the name of a place where a seat lays money down, such as `seat.1.money`."""


class TokenKind(msgspec.Struct, frozen=True):
    """One kind of token in the box."""

    name: str
    """Such as `money-500`; enrolled faces have the same name."""
    count: int
    """How many of it are in the box."""
    value: int = 0
    """Dollars; 0: it is no money."""
    back: str = ""
    """The name of its other face, such as `back-purpose`; empty: both faces show what it is."""


class TokenPlace(msgspec.Struct, frozen=True):
    """A named place for tokens on the mat, always in the open: never behind a screen."""

    name: str
    """Such as `seat.1.money`: numbers count from 1, as people do."""
    most: int = 1
    """How many tokens must find room there, beside or over one another."""
    seat: Seat | None = None
    """Its owner, if it has one."""


class SeenTokens(msgspec.Struct, frozen=True):
    """The tokens on the table as a camera sees them."""

    places: dict[str, tuple[str, ...]] = {}
    """The named tokens by place, in no order. A place that is not in it was not read."""
    doubtful: frozenset[str] = frozenset()
    """Places of `places` where something lies that was not named for certain."""

    def certain(self, place: str) -> bool:
        """Whether a place was read and all that lies there is named."""
        return place in self.places and place not in self.doubtful


class TokenLayout(msgspec.Struct, frozen=True):
    """What people have laid at the places for tokens. A place of neither is left as it is."""

    tokens: dict[str, tuple[str, ...]] = {}
    money: dict[str, int] = {}
    """Dollars at a place, in any tokens."""


class TokenRules(Protocol[T]):
    """What the camera asks of a game whose tokens it reads."""

    token_kinds: tuple[TokenKind, ...]
    """All tokens in the box."""

    def token_places(self, players: int) -> tuple[TokenPlace, ...]:
        """Return the places for tokens of a table for this number of players."""
        ...

    def readable_places(self, state: State[T]) -> tuple[str, ...]:
        """Return the places for tokens that may be read now: all others are black in every picture."""
        ...

    def lying_money(self, state: State[T]) -> dict[str, int]:
        """Return how many dollars may lie at a place before fists close; places not in it are not compared."""
        ...

    def ordered_tokens(self, state: State[T]) -> dict[str, str]:
        """Return which token must lie at a place if any does; places not in it are not compared."""
        ...

    def token_events(self, state: State[T], seen: SeenTokens) -> Iterable[Event]:
        """Return what the tokens show to have happened: legal events that need nobody's consent."""
        ...

    def token_claims(self, state: State[T], seen: SeenTokens) -> Iterable[Event]:
        """Return what the tokens suggest: legal events that happen only once their seat says so."""
        ...


class TokenGame(Game[T], TokenRules[T], Protocol[T]):
    """A game whose tokens a camera can read."""


class TokenPlayRules(Protocol[T]):
    """What a demonstration asks: how simulated people play the game with real tokens."""

    token_options: Mapping[str, str]
    """Options of a match in which people lay money down."""

    def token_layout(self, state: State[T]) -> TokenLayout | None:
        """Return which tokens lie on the table; None where none are laid at all."""
        ...

    def count_of(self, state: State[T], event: Event) -> Event | None:
        """Return the count of a seat's tokens that a press for the event needs; None if none is missing."""
        ...

    def counts_shown(self, view: Mapping[str, object]) -> tuple[Event, ...]:
        """Return the counts that a public view shows."""
        ...

    def word_of(self, count: Event) -> Event:
        """Return what a seat enters where no camera counts its tokens, or counts them wrong."""
        ...

    def claim_layout(self, event: Event) -> dict[str, tuple[str, ...]]:
        """Return what a seat lays open, by place, to claim something by an event; nothing for other events."""
        ...


class PlayedTokenGame(TokenGame[T], TokenPlayRules[T], Protocol[T]):
    """A game whose tokens a camera can read, and that simulated people can play with them."""


def tokens_seen(game: AnyGame) -> TypeGuard[TokenGame[object]]:
    """Whether a camera can read the game's tokens, derived from what the game implements."""
    return all(hasattr(game, name) for name in ("token_kinds", "token_places", "readable_places", "token_events"))


def tokens_played(game: AnyGame) -> TypeGuard[PlayedTokenGame[object]]:
    """Whether simulated people can play the game with tokens, derived from what the game implements."""
    return tokens_seen(game) and all(hasattr(game, name) for name in ("token_layout", "count_of", "claim_layout"))


def money_place(seat: int) -> str:
    """Return the name of the place where a seat, counted from 0, lays money down."""
    return f"seat.{seat + 1}.{MONEY_PLACE}"


def worth(kinds: Iterable[TokenKind], tokens: Iterable[str]) -> int:
    """Return what tokens are worth together, in dollars."""
    values = {kind.name: kind.value for kind in kinds}
    return sum([values[token] for token in tokens])
