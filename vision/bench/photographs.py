"""Measure the reading of real photographs, beside two peers: recall by kind, wrong and foreign names, and time.

A folder contains `labels.json`, `refs/<deck>/<card>.jpg` and the labelled scenes. The counts have 95 % Wilson
intervals.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict

import cv2
import msgspec
import numpy as np

from vision.bench import peers
from vision.bench.changes import CHANGES, unchanged
from vision.bench.tables import wilson
from vision.deck.deck import Deck
from vision.deck.making import enrol
from vision.features.pixels import Floats
from vision.features.quadrilaterals import MOST, all_outlines, take_outermost
from vision.image import Image
from vision.recognise import Recogniser
from vision.recognise.candidates import search_scale, sizes_in
from vision.recognise.scene import PictureScene

if TYPE_CHECKING:
    from rich.table import Table

SLACK = 1.08
"""The factor by which a quadrangle grows before testing whether it contains a card's point."""
FOLDS = {"mtg": 3}
"""Decks with a number of folds other than `FOLDED`."""
HALVES = 2
"""The number of folds for the second measurement, which leaves out most of a card's nearest neighbours too."""
CARDS = (1.4,)
"""The proportions of the cards whose outlines are counted."""
FOLDED = 4
"""The number of folds. A deck is enrolled this many times, each time without another part of its cards."""


class Unusable(ValueError):
    """A folder of photographs cannot be measured. The message says why."""


class LabelledPicture(TypedDict):
    """A card in a photograph: its name, a point on it in pixels, and its visibility: `full`, or the kind of hiding."""

    id: str
    pt: tuple[float, float]
    kind: str


class Label(TypedDict):
    """The contents of a photograph. `maybe` lists cards that need not be named."""

    deck: str
    file: str
    cards: list[LabelledPicture]
    maybe: NotRequired[list[str]]


def run(folder: Path, changed: bool = False) -> None:
    """Measure a folder of photographs and print tables.

    changed: whether to measure changed photographs too.
    """
    from companion.commands.terminal import out

    console = out()
    labels = labels_in(folder / "labels.json")
    scenes = {name: _read(folder / label["file"]) for name, label in labels.items()}
    names = sorted({label["deck"] for label in labels.values()})
    console.print(describe_search(scenes))
    decks = {deck: {path.stem: _read(path) for path in sorted((folder / "refs" / deck).iterdir())} for deck in names}
    for deck, refs in decks.items():
        table = _table(f"{deck}: {len(refs)} cards, one photograph each")
        for name, reader in (
            ("ours", our_reader(refs)),
            ("hull hash", peers.hull(refs)),
            ("nearest hash", peers.nearest(refs)),
        ):
            _row(table, name, PhotographTally().over(reader, deck, labels, scenes))
        console.print(table)
        for part, folds in (("a part", FOLDS.get(deck, FOLDED)), ("half", HALVES)):
            shown, wrong = leave_out_folds(deck, refs, labels, scenes, folds)
            console.print(
                f"{deck}, ours, {part} of the cards left out of the deck: {shown} shown,"
                f" {format_interval(wrong, shown)} named as another"
            )
        shown, wrong = leave_out_each(deck, refs, labels, scenes)
        console.print(
            f"{deck}, ours, each card left out alone: {shown} shown, {format_interval(wrong, shown)} named as another"
        )
        if changed:
            console.print(measure_changes(deck, refs, labels, scenes))


def measure_changes(
    deck: str, refs: Mapping[str, Image], labels: Mapping[str, Label], scenes: Mapping[str, Image]
) -> Table:
    """Return a table of the reading of a deck's own photographs, unchanged and changed."""
    from rich.table import Table

    own = {name: label for name, label in labels.items() if label["deck"] == deck}
    table = Table("photographs", "named", "wrong labels", "s of a processor", title=deck, title_justify="left")
    reader, in_all = our_reader(refs), PhotographTally()
    for words, change in {"as they are": unchanged, **CHANGES}.items():
        tally = PhotographTally().over(reader, deck, own, {name: change(scenes[name]) for name in own})
        _changed_row(table, words, tally)
        if change is not unchanged:
            in_all.add(tally)
    _changed_row(table, "all changed", in_all)
    return table


def describe_search(scenes: Mapping[str, Image]) -> str:
    """Return a sentence on the number of outlines in the pictures, and on the time to find and rank them."""
    counts, seeking, ranking = [], [], []
    for picture in scenes.values():
        scene = PictureScene(picture)
        sizes = sizes_in(scene)
        scale = search_scale(scene, sizes)
        start = time.perf_counter()
        found = all_outlines(scene.smaller(scale), CARDS, (sizes[0] * scale, sizes[1] * scale))
        middle = time.perf_counter()
        take_outermost(found, MOST)
        seeking.append(1000 * (middle - start))
        ranking.append(1000 * (time.perf_counter() - middle))
        counts.append(len(found))
    many = sum(count > MOST for count in counts)
    return (
        f"outlines a picture: median {np.median(counts):.0f}, at most {max(counts)};"
        f" more than the {MOST} that are looked at on {many} of {len(counts)} pictures."
        f" Seeking takes {np.median(seeking):.0f} ms, at most {max(seeking):.0f};"
        f" ranking {np.median(ranking):.1f} ms, at most {max(ranking):.1f}"
    )


def labels_in(path: Path) -> dict[str, Label]:
    """Return the labels in a file. Raise `Unusable` if they are invalid."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=dict[str, Label])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unusable(f"{path} cannot be used: {error}.") from None
    if not found:
        raise Unusable(f"{path} names no photographs.")
    return found


def our_reader(refs: Mapping[str, Image], threads: int = 2) -> peers.Reader:
    """Return the companion's reader with the peers' interface."""
    recogniser = Recogniser(enrol("bench", {name: [picture] for name, picture in refs.items()})[0], threads)

    def read(picture: Image) -> list[peers.Named]:
        found = recogniser.read(picture)
        return [(one.card, np.array(one.corners, np.float32)) for one in found if one.card and one.face == "up"]

    return read


class PhotographTally:
    """Hits, misses and wrong labels of one reader."""

    def __init__(self) -> None:
        self.shown: Counter[str] = Counter()
        self.hits: Counter[str] = Counter()
        self.wrong = self.named = self.foreign = self.frames = 0
        self.times: list[float] = []
        self.processor = 0.0

    def over(
        self, reader: peers.Reader, deck: str, labels: Mapping[str, Label], scenes: Mapping[str, Image]
    ) -> PhotographTally:
        """Read all scenes: the deck's own, and those of others, where nothing should be named."""
        before = time.process_time()
        for name, label in labels.items():
            start = time.perf_counter()
            found = reader(scenes[name])
            self.times.append(time.perf_counter() - start)
            if label["deck"] == deck:
                self._own(found, label)
            else:
                self.frames += 1
                self.foreign += len(found)
        self.processor += time.process_time() - before
        return self

    def add(self, other: PhotographTally) -> None:
        """Add another tally."""
        self.shown += other.shown
        self.hits += other.hits
        self.wrong, self.named = self.wrong + other.wrong, self.named + other.named
        self.processor += other.processor

    def _own(self, found: Collection[peers.Named], label: Label) -> None:
        free = list(label["cards"])
        self.shown.update(card["kind"] for card in free)
        for name, corners in found:
            hit = next((card for card in free if card["id"] == name and inside(corners, card["pt"])), None)
            self.named += 1
            if hit is not None:
                free.remove(hit)
                self.hits[hit["kind"]] += 1
            elif not any(card["id"] == name and inside(corners, card["pt"]) for card in label["cards"]):
                self.wrong += name not in label.get("maybe", [])


def leave_out_folds(
    deck: str, refs: Mapping[str, Image], labels: Mapping[str, Label], scenes: Mapping[str, Image], folds: int
) -> tuple[int, int]:
    """Return the number of visible cards that were left out of the deck, and the number of wrong labels meanwhile.

    folds: the number of random parts, each of which is left out in turn.
    """
    names = sorted(refs)
    random.Random(1).shuffle(names)
    shown = wrong = 0
    for fold in range(folds):
        out = set(names[fold::folds])
        reader = our_reader({name: picture for name, picture in refs.items() if name not in out})
        for scene, label in labels.items():
            if label["deck"] == deck:
                tally = PhotographTally()
                tally._own(reader(scenes[scene]), label)
                shown += sum(card["id"] in out for card in label["cards"])
                wrong += tally.wrong
    return shown, wrong


def leave_out_each(
    deck: str, refs: Mapping[str, Image], labels: Mapping[str, Label], scenes: Mapping[str, Image]
) -> tuple[int, int]:
    """Return the number of visible cards left out of the deck one at a time, and how many were named as another.

    That is harder than leaving out a part, because the card's nearest neighbour is always enrolled.
    """
    whole = enrol("bench", {name: [picture] for name, picture in refs.items()})[0]
    shown = wrong = 0
    for out in sorted({card["id"] for label in labels.values() if label["deck"] == deck for card in label["cards"]}):
        recogniser = Recogniser(Deck("bench", [card for card in whole.entries if card.name != out]))
        for scene, label in labels.items():
            points = [card["pt"] for card in label["cards"] if card["id"] == out and label["deck"] == deck]
            if not points:
                continue
            found = [one for one in recogniser.read(scenes[scene]) if one.card and one.face == "up"]
            others = [card for card in label["cards"] if card["id"] != out]
            strange = [np.array(one.corners, np.float32) for one in found
                       if not any(card["id"] == one.card and inside(np.array(one.corners, np.float32), card["pt"])
                                  for card in others)]  # fmt: skip
            shown += len(points)
            wrong += sum(any(inside(corners, point) for corners in strange) for point in points)
    return shown, wrong


def inside(corners: Floats, point: tuple[float, float]) -> bool:
    """Whether a point lies in a slightly enlarged quadrangle."""
    middle = corners.mean(axis=0)
    grown = ((corners - middle) * SLACK + middle).astype(np.float32)
    return cv2.pointPolygonTest(grown, (float(point[0]), float(point[1])), False) >= 0


def format_interval(hits: int, of: int) -> str:
    """Return a count with its share and the 95 % Wilson interval."""
    if not of:
        return f"{hits} of 0"
    low, high = wilson(hits, of)
    return f"{hits}/{of} = {100 * hits / of:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def _read(path: Path) -> Image:
    if not path.is_file():
        raise Unusable(f"There is no photograph {path}.")
    try:
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    except cv2.error:  # larger than any camera's (`vision/__init__.py`)
        picture = None
    if picture is None:
        raise Unusable(f"{path} is not a readable picture.")
    return np.asarray(picture, np.uint8)


def _table(title: str) -> Table:
    from rich.table import Table

    return Table("reader", "fully visible", "cut, covered, glare", "wrong labels", "foreign labels", "ms a picture",
                 title=title, title_justify="left")  # fmt: skip


def _changed_row(table: Table, words: str, tally: PhotographTally) -> None:
    named = format_interval(tally.hits.total(), tally.shown.total())
    table.add_row(words, named, f"{tally.wrong} of {tally.named}", f"{tally.processor:.1f}")


def _row(table: Table, name: str, tally: PhotographTally) -> None:
    hard = [kind for kind in tally.shown if kind != "full"]
    times = sorted(tally.times)
    table.add_row(
        name,
        format_interval(tally.hits["full"], tally.shown["full"]),
        format_interval(sum(tally.hits[kind] for kind in hard), sum(tally.shown[kind] for kind in hard)),
        f"{tally.wrong} of {tally.named}",
        f"{tally.foreign} on {tally.frames} pictures",
        f"{1000 * times[len(times) // 2]:.0f}, at most {1000 * times[-1]:.0f}",
    )
