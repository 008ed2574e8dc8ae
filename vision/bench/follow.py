"""Whole games followed by the camera alone: rendered tables, bots in the seats, and a companion that only sees.

Every card that people move is drawn, photographed, found and read; the rules get what was read, as at a live table. A
game counts as right when the companion names its winner and shows its last table as it truly is.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

import msgspec

from companion.engine import Layout, Setup
from companion.games import SEEN
from companion.messages import Sighted, Sighting
from vision.bench.followed_game import FollowedGame, follow_game
from vision.bench.tables import CARD_MM, wilson
from vision.board import TableReader
from vision.deck import load
from vision.image import Image
from vision.mat import MatPose, find, make_mat
from vision.print.cards import design, faces
from vision.recognise import Recogniser
from vision.simulate import RenderedTable
from vision.simulate.deck import deck_file

SIZE = (2304, 1296)
"""Pixels of a picture: half of what a Camera Module 3 gives, across."""
PICTURES = 4
"""So many pictures are taken of a table at rest, if the reader asks for them."""


class RenderedSightSource:
    """A rendered table and its reader: it lays what a layout says and returns what is read."""

    def __init__(
        self,
        game: str,
        players: int,
        recogniser: Recogniser,
        pictures: dict[str, Image],
        seed: int,
        size: tuple[int, int] = SIZE,
    ) -> None:
        self.mat = make_mat(SEEN[game].places(players), CARD_MM, players=players)
        self.table = RenderedTable(self.mat, pictures, design(game).backs, seed=seed, size=size)
        self.reader = TableReader(recogniser, self.mat)
        self.taken = self.number = 0
        self.scale = 0.0
        """Pixels per millimetre, as measured."""
        self.named = 0
        self.wrong: list[str] = []
        """Cards that were named otherwise than they are."""
        self.unnamed = 0
        """Cards of which something shows, and that were not named."""
        self._pose: MatPose | None = None

    def lay(self, layout: Layout) -> None:
        """Lay all that a layout speaks of."""
        self.table.set(layout)

    def read(self) -> Sighted:
        """Return what is read in pictures of the table as it lies now."""
        pending = True
        for _ in range(PICTURES):
            if not pending:
                break
            picture = self.table.picture()
            self.taken += 1
            if self._pose is None:  # the camera hangs still
                self._pose = find(picture, self.mat)
            if self._pose is None:
                continue
            self.scale = self._pose.scale
            read = self.reader.read(picture, self._pose, self.taken)
            pending = read.pending
        self.number += 1
        if self._pose is None:
            return Sighted(self.taken, self.number, (), tuple([slot.place for slot in self.mat.slots]))
        self._compare(read.sightings)
        return Sighted(self.taken, self.number, tuple(read.sightings), tuple(read.covered))

    def _compare(self, sightings: Sequence[Sighting]) -> None:
        """Count names against the truth."""
        true = {(one.place, one.at): one.card for one in self.table.truth()}
        for one in sightings:
            if one.card is None:
                self.unnamed += 1
                continue
            self.named += 1
            if true.get((one.place, one.at)) != one.card:
                self.wrong.append(f"{one.place}: {one.card}, true {true.get((one.place, one.at))}")


class FollowTotals(msgspec.Struct):
    """What was counted for one number of players."""

    games: list[FollowedGame] = []
    seconds: list[float] = []
    pictures: int = 0
    named: int = 0
    unnamed: int = 0
    wrong: list[str] = []
    scales: list[float] = []

    def add(self, played: FollowedGame, source: RenderedSightSource, seconds: float) -> None:
        """Count a game."""
        self.games.append(played)
        self.seconds.append(seconds)
        self.pictures += source.taken
        self.named += source.named
        self.unnamed += source.unnamed
        self.wrong += source.wrong
        self.scales.append(source.scale)

    def summary(self) -> str:
        """Return it in one line."""
        games, right = len(self.games), sum(each.right for each in self.games)
        low, high = wilson(right, games)
        events = sum(each.events for each in self.games)
        seen, asked, told = (sum(getattr(each, what) for each in self.games) for what in ("seen", "asked", "told"))
        tapped = sum(each.tapped for each in self.games)
        return (
            f"{games} games, right winner and table {right} ({low:.0%}–{high:.0%}); {events} events, by sight {seen},"
            f" declared {tapped}, asked {asked} ({asked / games:.2f} a game), typed {told};"
            f" wrong names {len(self.wrong)} of {self.named}, without a name {self.unnamed};"
            f" {self.pictures} pictures, {min(self.scales):.1f} to {max(self.scales):.1f} px/mm,"
            f" {sum(self.seconds) / games:.0f} s a game"
        )


def run(game: str, games: int = 50, seed: int = 1, say: Callable[[str], None] = print) -> None:
    """Follow so many whole games, the numbers of players in turn, and say what was found."""
    pictures = faces(game)
    recogniser = Recogniser(load(deck_file(game)))
    seats = list(SEEN[game].seats)
    sums = {players: FollowTotals() for players in seats}
    for nth in range(seed, seed + games):
        players = seats[nth % len(seats)]
        began = perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            source = RenderedSightSource(game, players, recogniser, pictures, nth)
            setup = Setup(game, players, {}, "reconstruction", "ours")
            with follow_game(Path(folder), SEEN[game], setup, source) as people:
                played = people.play(random.Random(nth).random)
        sums[players].add(played, source, perf_counter() - began)
        say(f"game {nth}, {players} players: {one(played, source)}; {perf_counter() - began:.0f} s")
    for players, found in sums.items():
        if found.games:
            say(f"{players} players: {found.summary()}")


def one(played: FollowedGame, source: RenderedSightSource) -> str:
    """Return what came of one game."""
    said = "right" if played.right else "WRONG"
    counts = f"{played.events} events, by sight {played.seen}, asked {played.asked}, typed {played.told}"
    wrong = f", wrong names: {'; '.join(source.wrong[:3])}" if source.wrong else ""
    return f"{said}, {counts}, {source.taken} pictures at {source.scale:.1f} px/mm{wrong}"
