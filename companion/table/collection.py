"""The owner's box: what has been read off real cards is kept from match to match. Knows no threads and no pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.engine import Game, Setup
from companion.games import GAMES
from companion.journal.journal import Journal
from companion.match.history import HistoryNode
from companion.match.match import Match


def unpacked(journal: Journal, setup: Setup) -> Setup:
    """Return a set-up with the owner's box as far as it is known, where it is played with that box."""
    game = GAMES.get(setup.game)
    if game is None or setup.deck != "box":
        return setup
    kept = journal.kept(key_of(game))
    known: str | dict[str, Any] = msgspec.json.decode(kept) if kept else "box"
    return msgspec.structs.replace(setup, catalogue=known)


def keep_learning(journal: Journal, match: Match) -> None:
    """Let a match with the owner's box keep what its cards show, in the commits of its own records.

    After an undo or an amendment that is made anew, from what was known when the match was laid on the table, so that
    a misread card leaves no trace.
    """
    if match.setup.deck != "box":
        return
    game = match.game
    kept = journal.kept(key_of(game))
    first = msgspec.json.decode(kept) if kept else match.setup.catalogue
    assert isinstance(first, dict)

    def learned(nodes: Sequence[HistoryNode], anew: bool) -> Mapping[str, bytes]:
        kept = journal.kept(key_of(game))
        old = data = first if anew or not kept else msgspec.json.decode(kept)
        for node in nodes:
            data = game.learned(data, node.entry.event, node.entry.after)
        if data is old and not anew:
            return {}
        known = msgspec.json.encode(data)
        return {} if known == kept else {key_of(game): known}

    match.keeps = learned


def key_of(game: Game[Any]) -> str:
    """Return the key under which what is known of the owner's box is kept."""
    return f"catalogue/{game.name}"
