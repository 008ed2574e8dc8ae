"""Measure rendered tables of whole games: cards read, missed and misread, and the time.

Bots play the companion's own game with its own cards. Every layout of a wagon stage lies imprecisely on a rendered
table. It is read from two pictures, with the memory of earlier layouts. Some are also read without memory. Prints
figures.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Iterator
from itertools import count, islice
from time import perf_counter

import cv2
import msgspec
import numpy as np

from companion.bots.simulation import next_event, policies_for
from companion.engine import AnyState, Layout, Setup, apply
from companion.games import SEEN
from companion.games.take_a_train.layout import layout, places
from companion.messages import Sighting
from vision.deck.making import enrol
from vision.image import Image
from vision.mat import MatPose, find, make_mat, token_places_of
from vision.print.cards import design, faces
from vision.recognise import Recogniser
from vision.simulate.difficulty import BENCHMARKS
from vision.simulate.rendered_table import RenderedPicture, RenderedTable
from vision.slots import TableReader, TableReading

GAME = "take-a-train"
CARD_MM = (63.0, 88.0)
"""The size of a card in millimetres."""
SCALES = (3.3, 1.8)
"""Pixels per millimetre: of a high-resolution still, and of a picture 1280 wide of a table of 70 cm."""
WHOLE, SHOWN = 0.98, 0.15
"""The visible share above which a card counts as whole, and that below which it need not be read."""
PLAYERS = (4, 3, 2, 5)
"""Numbers of players, in turn by the table's seed."""
STILL = 4
"""The step between layouts that are also read without memory."""
FEW = 20
"""The number of readings below which no 95th percentile is printed."""
SECOND = 0.35
"""The interval in seconds between two pictures of a resting table."""


class TableTally(msgspec.Struct):
    """The counts of a measurement."""

    whole: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Whole cards: the correctly named ones, and all."""
    tucked: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    fresh_whole: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    fresh: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Tucked cards read without memory."""
    doubts: dict[str, int] = {}
    wrong: list[str] = []
    named: int = 0
    foreign: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Foreign cards: the named ones, and all."""
    flips: int = 0
    first: list[float] = []
    """Seconds for reading a whole new table."""
    change: list[float] = []
    """Seconds for the first picture after a card was moved."""
    again: list[float] = []
    """Seconds for the second picture."""
    scales: list[float] = []
    size: tuple[int, int] = (0, 0)


def wilson(good: int, total: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share."""
    if not total:
        return 0.0, 1.0
    z, share = 1.959964, good / total
    middle = share + z * z / (2 * total)
    half = z * float(np.sqrt(share * (1 - share) / total + z * z / (4 * total * total)))
    return (middle - half) / (1 + z * z / total), (middle + half) / (1 + z * z / total)


def seed_of(first: int, nth: int) -> int:
    """Return the seed of the nth table, from 0, after the first requested one."""
    return BENCHMARKS + first + nth


def layouts(seed: int, players: int) -> Iterator[Layout]:
    """Yield the layouts after each move of one round's wagon stage, played by bots."""
    game = SEEN[GAME]
    state: AnyState = game.begin(Setup(GAME, players, {}, "reconstruction", "ours"))
    minds, luck = policies_for(game, "sensible", players), random.Random(seed).random
    wanted, last = 1 + seed % 3, None
    while state.agenda:
        state = apply(game, state, next_event(game, state, minds, luck))
        now = layout(state)
        if state.table.round == wanted and any(state.table.market) and not now.loose and now != last:
            last = now
            yield now
        elif state.table.round > wanted:
            return


class RenderedSession:
    """One rendered table, its camera at a given scale, and its reader."""

    def __init__(self, recogniser: Recogniser, seed: int, scale: float, pictures: dict[str, Image]) -> None:
        self.players = PLAYERS[seed % len(PLAYERS)]
        self.mat = make_mat(places(self.players), CARD_MM, tokens=token_places_of(SEEN[GAME], self.players))
        self.recogniser = recogniser
        made = design(GAME)
        size, pose = (1280, 960), None
        for _ in range(2):  # move the camera for the given scale
            table = RenderedTable(self.mat, pictures, made.backs, seed=seed, size=size)
            pose = find(table.picture(), self.mat)
            if pose is None:
                break
            factor = scale / pose.scale
            if abs(factor - 1) < 0.02:
                break
            size = (round(size[0] * factor), round(size[1] * factor))
        self.table = RenderedTable(self.mat, pictures, made.backs, seed=seed, size=size)
        self.pose: MatPose | None = find(self.table.picture(), self.mat)
        self.clock = count(0)
        self.reader = self.new_reader()

    def new_reader(self) -> TableReader:
        """Return a reader without memory."""
        return TableReader(self.recogniser, self.mat)

    def read(self, reader: TableReader) -> tuple[TableReading, list[float]]:
        """Return the reading after two pictures, and the time in seconds for each."""
        assert self.pose is not None
        times = []
        for _ in range(2):
            picture = self.table.picture()
            began = perf_counter()
            seen = reader.read(picture, self.pose, next(self.clock))
            times.append(perf_counter() - began)
        return seen, times


def compare(
    shown: tuple[RenderedPicture, ...],
    seen: TableReading,
    whole: list[int],
    tucked: list[int],
    tally: TableTally,
    what: str,
) -> None:
    """Compare a reading with the truth and count."""
    got = {(one.place, one.at): one for one in seen.sightings}
    for one in shown:
        truth = one.sighting
        if one.share < SHOWN or truth.card is None:
            continue
        there = got.get((truth.place, truth.at))
        kind = whole if one.share >= WHOLE else tucked
        right = there is not None and there.card == truth.card
        kind[0] += right
        kind[1] += 1
        if not right:
            doubt = "not seen" if there is None else there.doubt or "wrong"
            tally.doubts[doubt] = tally.doubts.get(doubt, 0) + 1
    true = {(one.sighting.place, one.sighting.at): one.sighting.card for one in shown}
    for place, sighting in got.items():
        if sighting.card is not None:
            tally.named += 1
            if true.get(place) != sighting.card:
                tally.wrong.append(f"{what} {place}: {sighting.card}, true {true.get(place)}")


def read_stage(session: RenderedSession, seed: int, most: int, tally: TableTally) -> None:
    """Read one wagon stage from layout to layout."""
    before: dict[tuple[str, int], Sighting] = {}
    before_true: dict[tuple[str, int], str | None] = {}
    for nth, now in enumerate(islice(layouts(seed, session.players), most)):
        session.table.set(now)
        seen, times = session.read(session.reader)
        shown = session.table.showing()
        (tally.change if nth else tally.first).append(times[0])
        tally.again.append(times[1])
        compare(shown, seen, tally.whole, tally.tucked, tally, f"seed {seed} layout {nth}")
        true = {(one.sighting.place, one.sighting.at): one.sighting.card for one in shown}
        got = {(one.place, one.at): one for one in seen.sightings}
        tally.flips += sum(
            1
            for place, old in before.items()
            if old.card
            and place in got
            and got[place].card not in (old.card,)
            and true.get(place) == before_true[place]
        )
        before, before_true = got, {place: true.get(place) for place in got}
        if nth % STILL == STILL - 1:
            fresh, times = session.read(session.new_reader())
            tally.first.append(times[0])
            compare(shown, fresh, tally.fresh_whole, tally.fresh, tally, f"seed {seed} layout {nth} without memory")


def count_foreign_cards(session: RenderedSession, tally: TableTally) -> None:
    """Lay cards of other games on the spreads and the rows, and count the named ones."""
    session.table.clear()
    luck = random.Random(session.players)
    for slot in session.mat.read():
        for _ in range(min(slot.most, 2)):
            session.table.lay(f"foreign-{luck.randint(1, 8)}", slot.place)
    seen, _ = session.read(session.new_reader())
    shown = [one for one in session.table.showing() if one.share >= SHOWN]
    tally.foreign[0] += sum(one.card is not None for one in seen.sightings)
    tally.foreign[1] += len(shown)


def run(tables: int, quick: bool = False, say: Callable[[str], None] = print, first: int = 1) -> None:
    """Measure this many tables at each scale and report the results.

    quick: whether to use only a few layouts of each. first: the index, from 0, of the first table among those reserved
    for measuring.
    """
    cv2.setNumThreads(2)
    pictures = faces(GAME)
    deck, _ = enrol(GAME, {name: [picture] for name, picture in pictures.items()}, drawn=True)
    most = 6 if quick else 1000
    for scale in SCALES:
        tally = TableTally()
        for nth in range(tables):
            seed = seed_of(first, nth)
            session = RenderedSession(Recogniser(deck), seed, scale, pictures)
            if session.pose is None:
                say(f"seed {seed}: the mat was not found")
                continue
            tally.scales.append(session.pose.scale)
            tally.size = session.table.size
            read_stage(session, seed, most, tally)
            count_foreign_cards(session, tally)
            say(
                f"  {scale} px/mm, {nth + 1} tables: {_line('whole', tally.whole)}; {_line('tucked', tally.tucked)};"
                f" {_line('without memory', tally.fresh)}; wrong {len(tally.wrong)} of {tally.named}"
            )
        report(scale, tally, say)


def report(scale: float, tally: TableTally, say: Callable[[str], None]) -> None:
    """Report the counts at one scale."""
    if not tally.scales:
        return
    say(f"\n{scale} px/mm (measured {min(tally.scales):.2f} to {max(tally.scales):.2f}), {len(tally.scales)} tables")
    say(_line("whole cards", tally.whole))
    say(_line("tucked cards, over a game", tally.tucked))
    say(_line("whole cards, without memory", tally.fresh_whole))
    say(_line("tucked cards, without memory", tally.fresh))
    say(f"not named: {', '.join(f'{what} {n}' for what, n in sorted(tally.doubts.items())) or 'none'}")
    say(f"wrong: {len(tally.wrong)} of {tally.named} named (at most {wilson(len(tally.wrong), tally.named)[1]:.2%})")
    for line in tally.wrong[:20]:
        say(f"  {line}")
    say(f"foreign cards named: {tally.foreign[0]} of {tally.foreign[1]}; flips: {tally.flips}")
    for what, times in (("a new table", tally.first), ("a change", tally.change), ("the second picture", tally.again)):
        if times:
            say(f"reading {what}: {spread(times)}")


def spread(times: list[float]) -> str:
    """Return a sentence on times in seconds: the median, and the 95th percentile, or the greatest one of few."""
    said = f"median {1000 * statistics.median(times):.0f} ms"
    if len(times) < FEW:
        return f"{said}, at most {1000 * max(times):.0f} ms (of {len(times)}: too few to say more)"
    within = sorted(times)[math.ceil(0.95 * len(times)) - 1]
    return f"{said}, 95 % within {1000 * within:.0f} ms"


def _line(what: str, counted: list[int]) -> str:
    good, total = counted
    low, high = wilson(good, total)
    share = f"{good / total:.2%}" if total else "–"
    return f"{what}: {good} of {total} = {share} ({low:.1%}–{high:.1%})"
