"""Checks of play: bots, games that end with winners, what a view shows."""

from __future__ import annotations

from companion.bots.bot import own_policy
from companion.bots.simulation import simulate
from companion.engine import AnyGame, AnyState, Event, Seat, Setup
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.shortcomings import Check, Shortcoming, Shortcomings
from companion.ops.game_check.walk import walk

LONGEST = 100_000
"""A game of bots with more events is taken for one that never ends."""
VIEW = ("moment", "awaited", "chance")
"""What pages read from the public view of any game; from a seat's view they read its `offers`."""


class EndlessGame(RuntimeError):
    """A game of bots does not end."""


def bots(game: AnyGame, files: GameFiles) -> Shortcomings:
    """A program can fill every seat, and games end with winners."""
    if own_policy(game) is None:
        yield Shortcoming(files.path("bot.py"), "There is no bot: programs play at random.")
    for players in game.seats:
        left = LONGEST

        def count(before: AnyState, event: Event, after: AnyState) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise EndlessGame

        try:
            (result,) = simulate(game, Setup(game.name, players), 1, 1, watch=count)
        except EndlessGame:
            yield Shortcoming(files.rules_module, f"A game of {players} bots does not end in {LONGEST} events.")
            continue
        if not result.winners:
            yield Shortcoming(files.rules_module, f"Nobody wins a game of {players} bots.")


def view(game: AnyGame, files: GameFiles) -> Shortcomings:
    """The views say what the table waits for, for whom, and whether chance is next."""
    for _, state in walk(game, most=30):
        for seat in (None, Seat(0)):
            shown = game.view(state, seat)
            whose = "public view" if seat is None else "view of a seat"
            for name in VIEW if seat is None else ("offers",):
                if not hasattr(shown, name):
                    yield Shortcoming(files.rules_module, f"The {whose} has no {name!r}, which pages show.")


CHECKS: tuple[Check, ...] = (bots, view)
