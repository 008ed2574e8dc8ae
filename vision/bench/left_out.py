"""Each card of one of our decks left out of it in turn, and laid on a rendered table: is it named as another?"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from companion.games import SEEN
from vision.bench.photographs import interval
from vision.bench.tables import CARD_MM, seed_of
from vision.cards import design, faces
from vision.deck import Deck, load
from vision.drawn import kept
from vision.mat import find, make_mat
from vision.recogniser import Recogniser
from vision.rendered import RenderedTable
from vision.table import TableReader

SIZE = (2304, 1296)
"""Pixels of a picture."""


class Count(msgspec.Struct):
    """What was counted of cards that were left out."""

    shown: int = 0
    wrong: list[str] = []
    unseen: int = 0
    """Tables whose mat was not found."""


def run(game: str, first: int = 1, say: Callable[[str], None] = print, most: int | None = None) -> Count:
    """Leave out each card of a game's deck, or `most` of them evenly, read it at its place and freely, and say it."""
    pictures, whole = faces(game), load(kept(game))
    players = SEEN[game].seats[0]
    mat = make_mat(SEEN[game].places(players), CARD_MM, players=players)
    slot = next(iter(mat.read()))
    step = 1 if most is None else max(1, len(whole.cards) // most)
    count = Count()
    for nth, out in enumerate(whole.cards[::step]):
        table = RenderedTable(mat, pictures, design(game).backs, seed=seed_of(first, nth), size=SIZE)
        table.lay(out, slot.place)
        picture = table.picture()
        pose = find(picture, mat)
        if pose is None:
            count.unseen += 1
            continue
        reader = Recogniser(Deck(whole.name, [card for card in whole.entries if card.name != out]))
        names = {one.card for one in reader.read(picture) if one.card and one.face == "up"}
        names |= {one.card for one in TableReader(reader, mat).read(picture, pose, 0).sightings if one.card}
        count.shown += 1
        if names:
            count.wrong.append(f"{out} as {', '.join(sorted(names))}")
            say(f"  {count.wrong[-1]}")
    say(f"{game}: each card left out of the deck alone: {interval(len(count.wrong), count.shown)} named as another;"
        f" the mat was not found on {count.unseen} tables")  # fmt: skip
    return count
