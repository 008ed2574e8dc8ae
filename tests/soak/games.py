"""Plays a game from a seed, and checks the general invariants and the game's own after each event."""

from __future__ import annotations

import contextlib
import importlib
import random
from collections.abc import Callable
from typing import Any

import msgspec

from companion.bots.bot import BotPolicy, RandomPolicy, own_policy
from companion.bots.simulation import play
from companion.engine import (
    AnyGame,
    AnyState,
    BadSetup,
    Event,
    JsonObject,
    Luck,
    Seat,
    Setup,
    follow,
    legal,
    state_hash,
)
from companion.games import GAMES, package_of
from web.game_pages import pages_of
from web.presenters.option_fields import SetupField, fields_of

Invariants = Callable[[AnyState, Event, AnyState], None]

CHANGED = 0.3
"""The probability that an option differs from its default."""
WANDERS = (0.0, 0.1, 0.4)
"""The probabilities that a program makes a random legal move instead of its best one; games use them in turn."""
PASSED_ON = 40
"""The largest number tried for an option without bounds, from 0."""


class Wanderer:
    """A policy that sometimes makes random legal moves, to reach states that no good player sees."""

    def __init__(self, game: AnyGame, share: float, dealt: bool) -> None:
        self.random = RandomPolicy(game)
        self.own: BotPolicy = own_policy(game) or self.random
        self.share = share
        self.dealt = dealt
        """Whether the companion deals the cards; if not, the program guesses its drawn cards and may be wrong."""

    def asked(self, state: AnyState) -> tuple[Seat, ...]:
        """Return the seats that may want to act now."""
        return self.own.asked(state)

    def look(self, state: AnyState, seat: Seat) -> Any:
        """Return the views that both policies use."""
        return self.own.look(state, seat), self.random.look(state, seat)

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return the choice of one of the two policies."""
        own, anything = known
        event = self.random.choose(anything, luck) if luck() < self.share else self.own.choose(own, luck)
        if event is None or self.dealt or any(event in offer for offer in anything[0]):
            return event
        return self.random.choose(anything, luck)

    def together(self, state: AnyState, luck: Luck) -> Event | None:
        """Return a joint action of all seats by the other policy."""
        return self.own.together(state, luck)


def setup_of(game: AnyGame, players: int, luck: random.Random) -> Setup:
    """Return a random set-up: any deck of the game, some options with other values than their defaults."""
    catalogues = pages_of(game).catalogues
    deck: Any = luck.choice(sorted(catalogues))
    fields = [field for group in fields_of(game).values() for field in group]
    options: JsonObject = {
        field.name: _value(field, players, luck) for field in fields if not field.edition and luck.random() < CHANGED
    }
    # options may be incompatible, and some boxes have no figures yet
    tries: list[Any] = [(options, deck), ({}, deck), (options, "dealt")]
    for chosen, cards in tries:
        setup = Setup(game.name, players, chosen, catalogues[cards], cards)
        with contextlib.suppress(BadSetup):
            game.begin(setup)
            return setup
    return Setup(game.name, players)


def _value(field: SetupField, players: int, luck: random.Random) -> Any:
    """Return a random value of an option, in the journal's form."""
    most = PASSED_ON if field.most is None else field.most
    if field.control == "choice":
        value = luck.choice(field.values)
        return value == field.values[0] if field.truth else value
    if field.control == "pick":
        return luck.sample(field.values, luck.randint(field.least or 0, most))
    single = field.values or range(field.least or 0, most + 1)
    if field.control == "each":
        return [luck.choice(single) for _ in range(players)]
    return field.default if field.control == "row" else luck.choice(single)


def invariants_of(game: AnyGame) -> Invariants | None:
    """Return `hold` of `tests/games/<folder>/invariants.py`, or None if the game has no such file."""
    name = f"tests.games.{package_of(game).rpartition('.')[2]}.invariants"
    try:
        found: Invariants = importlib.import_module(name).hold
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
    return found


def play_one(name: str, players: int, seed: int) -> int:
    """Play and check one game and return its number of events; raise `AssertionError` for a failed check."""
    game, luck = GAMES[name], random.Random(seed)
    setup = setup_of(game, players, luck)
    own, events = invariants_of(game), list[Event]()

    def watch(before: AnyState, event: Event, after: AnyState) -> None:
        events.append(event)
        assert after.over or legal(game, after) or after.agenda[0].timing(after.table) is not None, (
            f"nobody can act after {event}"
        )
        if own is not None:
            own(before, event, after)

    policies = [Wanderer(game, WANDERS[seed % len(WANDERS)], setup.deck == "dealt")] * players
    state, count = play(game, setup, policies, luck.random, watch)
    _check_end(game, setup, state, events)
    return count


def _check_end(game: AnyGame, setup: Setup, state: AnyState, events: list[Event]) -> None:
    """Check that the game's journal leads to the same end, and that each seat has one place in the ranking."""
    players = len(setup.seated())
    written = msgspec.json.decode(msgspec.json.encode(events), type=list[game.events])  # type: ignore[name-defined]
    again = game.begin(setup)
    for event in written:
        again = follow(game, again, event)
    assert state_hash(again) == state_hash(state), "the journal leads to another end"
    ranking = game.ranking(state)
    ranked = [seat for group in ranking for seat in group]
    assert sorted(ranked) == list(range(players)), f"the ranking has the seats {ranked}"
    assert sorted(game.winners(state)) == sorted(ranking[0]), "others win than those who rank first"
    assert len(game.scores(state)) == players
