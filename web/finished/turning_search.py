"""Finds a finished match's turning points in a process of the lowest priority, and prints them as JSON.

Start it by `python -m web.finished.turning_search JOURNAL MATCH`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from companion.bots.advice import can_advise
from companion.bots.turning_points import PlayedLine, TurningPoint, turning_points
from companion.journal.journal import Journal
from companion.match.match import Match

NICENESS = 19
"""The niceness of the process: all others, including the one for advice, have priority."""


def of_match(match: Match) -> tuple[TurningPoint, ...]:
    """Return the turning points of a finished match; none if its game's bot gives no reasons."""
    game = match.game
    if not match.state.over or not can_advise(game):
        return ()
    states = (game.begin(match.setup), *[entry.after for entry in match.entries])
    return turning_points(PlayedLine(game, states, [entry.event for entry in match.entries], game.sides(match.setup)))


def main(journal: str, match: str) -> None:
    """Print a match's turning points."""
    os.nice(NICENESS)
    with Journal(Path(journal), read_only=True) as opened:
        found = Match.open(opened, match)
    sys.stdout.write(msgspec.json.encode(of_match(found)).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
