"""Checks of play: bots, games that end with winners, what a view shows."""

from __future__ import annotations

import contextlib
from typing import Any

from companion.bots.simulation import simulate
from companion.engine import AnyGame, AnyState, Event, Seat, Setup
from companion.games import definition_of
from companion.mechanics.definition import nothing
from companion.mechanics.plain import OpenGame, PlainGame
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.shortcomings import Check, Shortcoming, Shortcomings
from companion.ops.game_check.walk import walk

LONGEST = 100_000
"""A game of bots with more events is taken for one that never ends."""
RANDOM = 3_000
"""So many events of a game at random are played."""
VIEW = ("moment", "awaited", "chance")
"""What pages read from the public view of any game; from a seat's view they read its `offers`."""


class EndlessGame(RuntimeError):
    """A game of bots goes on for too long."""


def bots(game: AnyGame, files: GameFiles) -> Shortcomings:
    """A program can fill every seat, and games of bots end."""
    if definition_of(game).bots is nothing:
        yield Shortcoming(files.path("__init__.py"), "It declares no `bots`: programs play at random.")
    for players in game.seats:
        try:
            last = played(game, players, "sensible", LONGEST)
        except EndlessGame:
            yield Shortcoming(files.rules_module, f"A game of {players} bots does not end in {LONGEST} events.")
            continue
        yield from ending(game, files, players, last)


def random_games(game: AnyGame, files: GameFiles) -> Shortcomings:
    """A game played at random breaks nothing, and if it ends soon, it ends with winners."""
    for players in game.seats:
        with contextlib.suppress(EndlessGame):
            yield from ending(game, files, players, played(game, players, "random", RANDOM))


def played(game: AnyGame, players: int, bots: str, most: int) -> AnyState:
    """Return the last state of a game of bots; raise `EndlessGame` after so many events."""
    last: AnyState = game.begin(Setup(game.name, players))
    events = 0

    def watch(before: AnyState, event: Event, after: AnyState) -> None:
        nonlocal last, events
        last, events = after, events + 1
        if events >= most:
            raise EndlessGame

    next(simulate(game, Setup(game.name, players), 1, 1, bots, watch))
    return last


def ending(game: AnyGame, files: GameFiles, players: int, last: AnyState) -> Shortcomings:
    """Somebody wins, and the ranking has every seat once, the winners first."""
    winners, ranking = game.winners(last), game.ranking(last)
    if not winners:
        yield Shortcoming(files.rules_module, f"Nobody wins a game of {players} players.")
    elif sorted(ranking[0]) != sorted(winners):
        yield Shortcoming(files.rules_module, "The winners are not the first group of the ranking.")
    if sorted(seat for group in ranking for seat in group) != list(range(players)):
        yield Shortcoming(files.rules_module, f"The ranking of {players} players does not have every seat once.")


def partners(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Partners have one score: that of their side, which lists show once."""
    for _, state in walk(game):
        scores = game.scores(state)
        if any(len({scores[seat] for seat in side}) > 1 for side in game.sides(Setup(game.name, len(scores)))):
            text = "Partners have different scores: give each of them that of the side (Sides.each_seat)."
            yield Shortcoming(files.rules_module, text)
            return


def secrets(game: AnyGame, files: GameFiles) -> Shortcomings:
    """A game whose views show the whole table hides nothing."""
    hides = any(getattr(type(game), name) is not getattr(PlainGame, name) for name in ("secret", "has_sealed"))
    kind: Any = type(game)
    if hides and kind.view is OpenGame.view:
        yield Shortcoming(
            files.rules_module, "Something is secret, but OpenGame.view shows the whole table: override it."
        )


def view(game: AnyGame, files: GameFiles) -> Shortcomings:
    """The views say what the table waits for, for whom, and whether chance is next."""
    for _, state in walk(game, most=30):
        for seat in (None, Seat(0)):
            shown = game.view(state, seat)
            whose = "public view" if seat is None else "view of a seat"
            for name in VIEW if seat is None else ("offers",):
                if not hasattr(shown, name):
                    yield Shortcoming(files.rules_module, f"The {whose} has no {name!r}, which pages show.")


CHECKS: tuple[Check, ...] = (bots, random_games, partners, secrets, view)
