"""The notices on every wall and phone: the line for everybody, and the round's clock."""

from __future__ import annotations

import time
from typing import NamedTuple

from companion.games import GAMES
from companion.hall.state import HallState
from companion.i18n import Words
from web.words import package, words


class Notice(NamedTuple):
    """The line for everybody, and a round's clock in words. `until` is the hall's time in seconds since 1970."""

    line: str
    clock: str = ""
    """`soon` before the round begins, `on`, or `over`; empty if the round has no clock."""
    says: str = ""
    """The words before the remaining time; after the end, the instruction for finishing the game."""
    until: int = 0
    at: str = ""
    """The time at which it ends, for readers without JavaScript."""


def notice(state: HallState, say: Words, table: int = 0) -> Notice:
    """Return the current line: for one table of the round by its number, or for everywhere."""
    current = state.round
    if current is None or not (current.begins and current.ends):
        return Notice(state.announcement)
    now, ends = time.time(), current.ends_at(table)
    if ends <= now:
        return Notice(state.announcement, "over", time_up(state, say))
    clock, until = ("soon", current.begins) if current.begins > now else ("on", ends)
    at = say(f"hall.clock.{clock}_at", time=clock_time(until))
    return Notice(state.announcement, clock, say(f"hall.clock.{clock}", round=current.number), until, at)


def time_up(state: HallState, say: Words) -> str:
    """Return a tournament game's instruction for finishing once time is up, in its own words."""
    game = GAMES.get(state.tournament.game) if state.tournament is not None else None
    own = words(say.lang, package(game)) if game is not None else say
    return own("game.time_up") if own.has("game.time_up") else say("hall_link.time_up")


def clock_time(at: float) -> str:
    """Return a time of day in the hall's time zone."""
    return time.strftime("%H:%M", time.localtime(at))
