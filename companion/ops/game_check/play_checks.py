"""Checks of play: bots, games that end with winners, and the contents of views."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec.structs import asdict

from companion.bots.simulation import simulate
from companion.engine import (
    AnyGame,
    AnyState,
    BadSetup,
    Event,
    JsonObject,
    Layout,
    Seat,
    SeatEvent,
    Setup,
    apply,
    legal,
    seen,
)
from companion.games import definition_of
from companion.mechanics.definition import nothing
from companion.mechanics.options import values_of
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.ports import DECKS, PagePort
from companion.ops.game_check.shortcomings import Shortcoming, Shortcomings, at_source
from companion.ops.game_check.walk import walk

LONGEST = 100_000
"""A game of bots with more events counts as endless."""
RANDOM = 3_000
"""Number of events of a random game that are played."""
TRIED = 6
"""Number of events of an offer that are compared for secrets."""
VIEW = ("moment", "awaited", "chance")
"""Fields of any game's public view that pages read; in a seat's view they read its `offers`."""


class EndlessGame(RuntimeError):
    """A game of bots does not end."""


def bots(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """A program can fill every seat, and games of bots end, with each deck."""
    if definition_of(game).bots is nothing:
        yield Shortcoming(files.path("__init__.py"), "It declares no `bots`: programs play at random.")
    for setup in set_ups(game, pages, game.seats):
        try:
            last = played(game, setup, "sensible", LONGEST)
        except EndlessGame:
            yield Shortcoming(
                files.rules_module, f"A game of {len(setup.seated())} bots does not end in {LONGEST} events."
            )
            continue
        yield from ending(game, files, len(setup.seated()), last)


def random_games(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """A random game breaks nothing, with each deck, and if it ends within the limit, it has winners."""
    for setup in set_ups(game, pages, game.seats):
        with contextlib.suppress(EndlessGame):
            last = played(game, setup, "random", RANDOM)
            yield from ending(game, files, len(setup.seated()), last)


def set_ups(game: AnyGame, pages: PagePort, seats: Iterable[int]) -> Iterator[Setup]:
    """Yield each number of players with each deck and its catalogue, except a box whose cards its owner must enter."""
    catalogues = pages.shown(game).catalogues
    for players, deck in itertools.product(seats, DECKS):
        if deck in catalogues:
            setup = Setup(game.name, players, {}, catalogues[deck], deck)
            with contextlib.suppress(*[BadSetup] if deck == "box" else []):
                game.begin(setup)
                yield setup


def other_options(game: AnyGame) -> Iterator[JsonObject]:
    """Yield no options, then every other value of each listed option and every set of cards, one at a time."""
    yield {}
    if (options := definition_of(game).options) is None:
        return
    for field in msgspec.structs.fields(options.record):
        yield from ({field.name: value} for value in values_of(field.type) if value != str(field.default))
    for name, sets in options.sets.items():
        yield from ({name: list(cards)} for cards in sets.values())


def steps_played(game: AnyGame, setup: Setup) -> set[str]:
    """Return the steps for which a game of bots waits; none for an invalid setup."""
    found: set[str] = set()

    def watch(before: AnyState, event: Event, after: AnyState) -> None:
        found.add(before.agenda[0].name)

    with contextlib.suppress(BadSetup):
        next(simulate(game, setup, 1, 1, "sensible,random", watch))
    return found


def played(game: AnyGame, setup: Setup, bots: str, most: int) -> AnyState:
    """Return the last state of a game of bots; raise `EndlessGame` after `most` events."""
    last: AnyState = game.begin(setup)
    events = 0

    def watch(before: AnyState, event: Event, after: AnyState) -> None:
        nonlocal last, events
        last, events = after, events + 1
        if events >= most:
            raise EndlessGame

    next(simulate(game, setup, 1, 1, bots, watch))
    return last


def ending(game: AnyGame, files: GameFiles, players: int, last: AnyState) -> Shortcomings:
    """Somebody wins, and the ranking contains every seat once, the winners first."""
    winners, ranking = game.winners(last), game.ranking(last)
    if not winners:
        yield Shortcoming(files.rules_module, f"Nobody wins a game of {players} players.")
    elif sorted(ranking[0]) != sorted(winners):
        yield Shortcoming(files.rules_module, "The winners are not the first group of the ranking.")
    if sorted(seat for group in ranking for seat in group) != list(range(players)):
        yield Shortcoming(files.rules_module, f"The ranking of {players} players does not have every seat once.")


def partners(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """Partners share one score, that of their side, which lists show once."""
    for _, state in walk(game):
        scores = game.scores(state)
        if any(len({scores[seat] for seat in side}) > 1 for side in game.sides(Setup(game.name, len(scores)))):
            text = "Partners have different scores: give each of them that of the side (Sides.each_seat)."
            yield Shortcoming(files.rules_module, text)
            return


def secrets(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """A secret changes neither the view of a seat that may not know it nor the public table."""
    for _, state in walk(game, "dealt"):
        for one, other in twins(game, state) if state.agenda else ():
            after, instead = apply(game, state, one), apply(game, state, other)
            if after.effects != instead.effects or game.newly_public((one,), after.effects):
                continue  # the event was opened at once
            hidden = ", ".join(game.secret(state, one))
            what = f"what is secret of {type(one).__name__} ({hidden}): leave it out here"
            for seat in (None, *strangers(game, state, one)):
                if game.view(after, seat) != game.view(instead, seat):
                    whose = "The public view" if seat is None else "The view of another seat"
                    yield at_source(own(game, "view", files), f"{whose} shows {what}.")
            if seen(game) and laid(game.layout(after)) != laid(game.layout(instead)):
                yield at_source(own(game, "layout", files), f"The table shows {what}.")


def own(game: AnyGame, name: str, files: GameFiles) -> Callable[..., object]:
    """Return a method of a game; if it is inherited, return the game's class, which must override it."""
    found: Callable[..., object] = getattr(type(game), name)
    return found if found.__module__.startswith(files.package) else type(game)


def laid(layout: Layout) -> object:
    """Return the public part of a layout, as pages draw it."""
    return layout.spots, layout.lingering, layout.pieces


def twins(game: AnyGame, state: AnyState) -> Iterator[tuple[Event, Event]]:
    """Yield pairs of events that may happen now and differ only in a secret."""
    luck = random.Random(1).random
    for offer in legal(game, state):
        picked = [offer.pick(luck) for _ in range(TRIED)]
        yield from [
            pair for pair in itertools.pairwise(picked) if pair[0] != pair[1] and public_alike(game, state, *pair)
        ][:1]


def public_alike(game: AnyGame, state: AnyState, one: Event, other: Event) -> bool:
    """Return whether two events are equal except for their secret fields."""
    veiled = [{**asdict(each), **dict.fromkeys(game.secret(state, each))} for each in (one, other)]
    return type(one) is type(other) and veiled[0] == veiled[1]


def strangers(game: AnyGame, state: AnyState, event: Event) -> list[Seat]:
    """Return the seats that may not know an event's secret. A random event may name a seat's own cards."""
    if not isinstance(event, SeatEvent):
        return []
    sides = game.sides(Setup(game.name, len(game.scores(state))))
    return [seat for side in sides if event.seat not in side for seat in side]


def view(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """The views name the waiting step and the awaited seats, and say whether chance is next."""
    for _, state in walk(game, most=30):
        for seat, names in ((None, VIEW), (Seat(0), ("offers",))):
            whose = "public view" if seat is None else "view of a seat"
            for name in [name for name in names if not hasattr(game.view(state, seat), name)]:
                yield at_source(own(game, "view", files), f"The {whose} has no {name!r}, which pages show.")


CHECKS = (bots, random_games, partners, secrets, view)
