"""The owner's box: figures read from its real cards, kept across matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from companion.engine import AnyGame, JsonObject, Setup
from companion.games import GAMES
from companion.journal.journal import Journal
from companion.match.history import HistoryNode
from companion.match.match import Match


def with_collection(journal: Journal, setup: Setup) -> Setup:
    """Return a setup with the known figures if it uses the owner's box; return any other setup unchanged."""
    game = GAMES.get(setup.game)
    if game is None or "box" not in (setup.deck, setup.catalogue):
        return setup
    kept = journal.read_value(collection_key(game))
    known: str | JsonObject = msgspec.json.decode(kept) if kept else "box"
    return msgspec.structs.replace(setup, catalogue=known)


def keep_learning(journal: Journal, match: Match) -> None:
    """Let a match with the owner's box save its cards' figures, in the commits of its own records.

    After an undo or an amendment, the box is rebuilt from the figures known when the match was put on the table, so
    that a misread card leaves no trace.
    """
    if match.setup.deck != "box":
        return
    game = match.game
    kept = journal.read_value(collection_key(game))
    first = msgspec.json.decode(kept) if kept else match.setup.catalogue
    if not isinstance(first, dict):
        # A match that began with a shipped list by name says nothing about the owner's cards.
        return

    def learn(nodes: Sequence[HistoryNode], rebuild: bool) -> Mapping[str, bytes]:
        kept = journal.read_value(collection_key(game))
        old = data = first if rebuild or not kept else msgspec.json.decode(kept)
        for node in nodes:
            data = game.learn_catalogue(data, node.entry.event, node.entry.after)
        if data is old and not rebuild:
            return {}
        known = msgspec.json.encode(data)
        return {} if known == kept else {collection_key(game): known}

    match.keeps = learn


def collection_key(game: AnyGame) -> str:
    """Return the journal's key for the known figures of the owner's box."""
    return f"catalogue/{game.name}"
