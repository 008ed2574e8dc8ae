"""Follow whole games by camera alone: rendered tables, bots in the seats, and a companion that only sees.

Every moved card is drawn, photographed, found and read, and the rules get the readings, as at a live table. A game
counts as right if the companion names its winner and shows its true last table.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import msgspec

from companion.bots.simulation import MAX_EVENTS
from companion.engine import Setup
from companion.games import SEEN
from vision.bench.followed_game import FollowedGame, follow_game
from vision.bench.sight_source import CellCounts, RenderedSightSource
from vision.bench.tables import wilson
from vision.deck.deck_file import load
from vision.image import Image
from vision.print.cards import faces
from vision.recognise import Recogniser
from vision.simulate.drawn_deck import deck_file

QUICK = 30
"""The number of events to follow with `quick`."""
EVERY = 5
"""The number of events between two progress messages. Each event takes seconds."""


class FollowTotals(msgspec.Struct):
    """The totals for one number of players."""

    games: list[FollowedGame] = []
    seconds: list[float] = []
    pictures: int = 0
    named: int = 0
    unnamed: int = 0
    wrong: list[str] = []
    scales: list[float] = []
    cells: CellCounts = msgspec.field(default_factory=CellCounts)
    cells_under_hands: CellCounts = msgspec.field(default_factory=CellCounts)
    paused: int = 0

    def add(self, played: FollowedGame, source: RenderedSightSource, seconds: float) -> None:
        """Add a game."""
        self.games.append(played)
        self.seconds.append(seconds)
        self.pictures += source.taken
        self.named += source.named
        self.unnamed += source.unnamed
        self.wrong += source.wrong
        self.scales.append(source.scale)
        self.cells.update(source.cells)
        self.cells_under_hands.update(source.cells_under_hands)
        self.paused += source.paused

    def summary(self) -> str:
        """Return the totals in one line."""
        games, right = len(self.games), sum(each.right for each in self.games)
        low, high = wilson(right, games)
        events = sum(each.events for each in self.games)
        counts = [(each.seen, each.asked, each.told) for each in self.games]
        seen, asked, told = (sum(each) for each in zip(*counts, strict=True))
        tapped = sum(each.tapped for each in self.games)
        return (
            f"{games} games, right winner and table {right} ({low:.0%}–{high:.0%}); {events} events, by sight {seen},"
            f" declared {tapped}, asked {asked} ({asked / games:.2f} a game), typed {told};"
            f" wrong names {len(self.wrong)} of {self.named}, without a name {self.unnamed};"
            f" {self.pictures} pictures, {min(self.scales):.1f} to {max(self.scales):.1f} px/mm,"
            f" {sum(self.seconds) / games:.0f} s a game"
        ) + self._board_summary()

    def _board_summary(self) -> str:
        """Return the totals of cells, or "" for a game without a board."""
        if not self.cells:
            return ""
        hasty = sum(each.hasty for each in self.games)
        return (
            f"; {self.cells.summary()}; under {self.paused} hands that paused: {self.cells_under_hands.summary()},"
            f" events {hasty}"
        )


def run(
    game: str,
    games: int = 50,
    seed: int = 1,
    say: Callable[[str], None] = print,
    remark: Callable[[str], None] = lambda text: None,
    quick: bool = False,
) -> None:
    """Follow this many whole games, with each number of players in turn, and report the results.

    remark: takes progress messages. quick: whether to follow only the start of one game, with the fewest players.
    """
    seats = list(SEEN[game].seats)[: 1 if quick else None]
    most = QUICK if quick else MAX_EVENTS
    remark(f"The cards of {game} are drawn and learned.")
    pictures: dict[str, Image] = {}
    recogniser = None
    if SEEN[game].places(seats[0]):  # else it is played without cards
        pictures = faces(game)
        recogniser = Recogniser(load(deck_file(game)))
    sums = {players: FollowTotals() for players in seats}
    for nth in range(seed, seed + (1 if quick else games)):
        players = seats[nth % len(seats)]
        began = perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            source = RenderedSightSource(game, players, recogniser, pictures, nth)
            setup = Setup(game, players, {}, "reconstruction", "ours")
            with follow_game(Path(folder), SEEN[game], setup, source) as people:
                name = f"game {nth}, {players} players"
                played = people.play(random.Random(nth).random, most=most, progress=shower(name, remark))
        sums[players].add(played, source, perf_counter() - began)
        say(f"game {nth}, {players} players: {one(played, source)}; {perf_counter() - began:.0f} s")
    for players, found in sums.items():
        if found.games:
            say(f"{players} players: {found.summary()}")


def shower(name: str, remark: Callable[[str], None]) -> Callable[[int], None]:
    """Return a function that reports a game's progress every few events."""
    began = perf_counter()

    def show(events: int) -> None:
        if events % EVERY == 0:
            remark(f"{name}: {events} events, {perf_counter() - began:.0f} s")

    return show


def one(played: FollowedGame, source: RenderedSightSource) -> str:
    """Return the result of one game."""
    said = "right" if played.right else "WRONG"
    counts = f"{played.events} events, by sight {played.seen}, asked {played.asked}, typed {played.told}"
    wrong = f", wrong names: {'; '.join(source.wrong[:3])}" if source.wrong else ""
    board = (
        f"; {source.cells.summary()}, events under {source.paused} paused hands {played.hasty}" if source.cells else ""
    )
    return f"{said}, {counts}, {source.taken} pictures at {source.scale:.1f} px/mm{wrong}{board}"
