"""Our own deck of a game, enrolled once in a test run."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

from tests.support.shared_files import make_once
from vision.deck.deck import Deck
from vision.deck.deck_file import load, save
from vision.deck.making import enrol
from vision.print.cards import faces
from vision.recognise import Recogniser
from vision.service.token_watch import MakeTokenPlaces
from vision.tokens.drawn import drawn_tokens
from vision.tokens.places import TokenPlaces


@cache
def own_deck(game: str) -> Deck:
    """Return our own deck of a game, enrolled from one drawn picture of each card."""
    return load(make_once(f"{game}.deck", partial(_enrol, game)))


def _enrol(game: str, path: Path) -> None:
    save(enrol("ours", {card: (picture,) for card, picture in faces(game).items()})[0], path)


@cache
def own_recogniser(game: str) -> Recogniser:
    """Return a single-threaded recogniser of that deck."""
    return Recogniser(own_deck(game), 1)


def own_tokens(game: str) -> MakeTokenPlaces:
    """Return the reader of our own tokens of a game."""
    tokens = drawn_tokens(game)
    return lambda mat: TokenPlaces(mat, tokens)
