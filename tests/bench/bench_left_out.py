"""Leaves out each card of our decks in turn, and counts how often it gets another card's name.

`python -m tests.bench.bench_left_out [GAME …] [--seed 1]`.
"""

from __future__ import annotations

import argparse

import msgspec

from companion.games import SEEN
from vision.bench.photographs import format_interval
from vision.bench.tables import CARD_MM, seed_of
from vision.deck.deck import Deck
from vision.deck.deck_file import load
from vision.mat import find, mat_of_game
from vision.print.cards import design, faces
from vision.recognise import Recogniser
from vision.simulate.drawn_deck import deck_file
from vision.simulate.rendered_table import RenderedTable
from vision.slots import TableReader

SIZE = (2304, 1296)
"""The picture's size in pixels."""


class LeftOutCount(msgspec.Struct):
    """The counts for cards that were left out."""

    shown: int = 0
    free: list[str] = []
    """Cards named as another in a search of the whole picture."""
    placed: list[str] = []
    """Cards named as another at the mat's places, from two pictures."""
    unseen: int = 0
    """Tables whose mat was not found."""


def run(game: str, first: int) -> None:
    """Leave out each card of a game's deck in turn, read it anywhere and at its place, and print its names."""
    pictures, whole = faces(game), load(deck_file(game))
    players = SEEN[game].seats[0]
    mat = mat_of_game(SEEN[game], players, CARD_MM)
    slot = next(iter(mat.read()))
    count = LeftOutCount()
    for nth, out in enumerate(whole.cards):
        table = RenderedTable(mat, pictures, design(game).backs, seed=seed_of(first, nth), size=SIZE)
        table.lay(out, slot.place)
        picture = table.picture()
        pose = find(picture, mat)
        if pose is None:
            count.unseen += 1
            continue
        reader = Recogniser(Deck(whole.name, [card for card in whole.entries if card.name != out]))
        free = [one.card for one in reader.read(picture) if one.card and one.face == "up"]
        placed = TableReader(reader, mat)
        placed.read(picture, pose, 0)
        there = [one.card for one in placed.read(table.picture(), pose, 1).sightings if one.card]
        count.shown += 1
        for what, names, wrong in (("anywhere", free, count.free), ("at its place", there, count.placed)):
            if names:
                wrong.append(out)
                print(f"  {out}, read {what}: named {', '.join(names)}")
    for what, wrong in (("anywhere in the picture", count.free), ("at its place", count.placed)):
        share = format_interval(len(wrong), count.shown)
        print(f"{game}, each card left out alone, read {what}: {share} named as another")
    if count.unseen:
        print(f"the mat was not found on {count.unseen} tables")


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["take-a-train", "game-of-trains"])
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    for game in chosen.games:
        run(game, chosen.seed)


if __name__ == "__main__":
    main()
