"""Finished games between bots, as the table records them."""

from __future__ import annotations

import random
from functools import cache

from companion.bots.simulation import next_event, policies_for
from companion.engine import COLOURS, SHAPES, Player, Setup
from companion.games import GAMES
from companion.match.history import History
from companion.table.snapshot import Snapshot

NAMES = ("Jane", "Bill", "Tom", "Céline")


@cache
def finished(name: str, players: int, seed: int = 1) -> Snapshot:
    """Return the table at the end of a game played by sensible bots."""
    game = GAMES[name]
    people = tuple([Player(NAMES[seat], COLOURS[seat], SHAPES[seat]) for seat in range(players)])
    setup = game.resolve_setup(Setup(name, people))
    line, policies, luck = History(game, setup), policies_for(game, "sensible", players), random.Random(seed).random
    while line.state.agenda:
        line.add(next_event(game, line.state, policies, luck), check=False)
    return Snapshot(1, match_id="1", seq=line.seq, match_game=game, setup=setup, state=line.state, entries=line.entries)
