"""Chooses limits on one half of labelled photographs, and measures the reading of both halves with them.

`python -m tests.bench.bench_limits FOLDER` divides each deck's photographs at random, with a seed that it prints. On
one half it tries each limit slightly tighter and looser, with the whole deck and with a part left out. A value is
accepted if it names more cards and none wrongly. The other half shows the effect of these choices.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import cv2
import numpy as np

from vision.bench.photographs import Label, PhotographTally, labels_in
from vision.deck.deck import Deck
from vision.deck.making import enrol
from vision.features.pixels import Floats
from vision.image import Image
from vision.recognise import Recogniser, card_thresholds, scene, settling

ENROLLED = {"desk": "set"}
"""The deck of each scene that is not read with the deck of its own name."""


class Limit(NamedTuple):
    """A limit and the alternative values to try."""

    module: ModuleType
    name: str
    others: tuple[float, ...]


LIMITS = (
    Limit(card_thresholds, "MARGIN_HALF", (0.35, 0.65)),
    Limit(card_thresholds, "SHARE_HALF", (0.7, 0.9)),
    Limit(card_thresholds, "MARGIN_BARE", (0.75, 0.95)),
    Limit(card_thresholds, "MARGIN_RIMMED", (0.6, 0.9)),
    Limit(card_thresholds, "REST_VOTED", (0.32, 0.42)),
    Limit(scene, "RIM", (0.08, 0.16)),
    Limit(settling, "OFF", (0.08, 0.13)),
)


class Score(NamedTuple):
    """The reading of some photographs: with the whole deck, and wrong names with and without a part of it."""

    named: int
    shown: int
    wrong: int

    def __add__(self, other: tuple[int, ...]) -> Score:  # type: ignore[override]
        """Return the sums."""
        return Score(*[one + two for one, two in zip(self, other, strict=True)])


class LabelledDeck:
    """A deck's photographs, its reader, and a reader without a random half of the cards."""

    def __init__(self, refs: Mapping[str, Image], scenes: Sequence[tuple[Label, Image]], seed: int) -> None:
        deck = enrol("bench", {name: [picture] for name, picture in refs.items()})[0]
        names = sorted(refs)
        random.Random(seed).shuffle(names)
        kept = [card for card in deck.entries if card.name in names[::2]]
        self.readers = (Recogniser(deck, 1), Recogniser(Deck("half", kept), 1))
        mixed = list(scenes)
        random.Random(seed).shuffle(mixed)
        self.halves = (mixed[::2], mixed[1::2])

    def score(self, half: int) -> Score:
        """Return the score of one half."""
        named = shown = wrong = 0
        for reader in self.readers:
            for label, picture in self.halves[half]:
                found = [(one.card, np.array(one.corners, np.float32)) for one in reader.read(picture)
                         if one.card and one.face == "up"]  # fmt: skip
                tally = _tally(found, label)
                wrong += tally.wrong
                if reader is self.readers[0]:
                    named, shown = named + tally.hits.total(), shown + tally.shown.total()
        return Score(named, shown, wrong)


def _tally(found: Sequence[tuple[str, Floats]], label: Label) -> PhotographTally:
    return PhotographTally().over(
        lambda _: list(found), label["deck"], {"": label}, {"": np.zeros((1, 1, 3), np.uint8)}
    )


@contextmanager
def changed(limit: Limit, value: float) -> Iterator[None]:
    """Change a limit's value temporarily."""
    before = getattr(limit.module, limit.name)
    setattr(limit.module, limit.name, value)
    try:
        yield
    finally:
        setattr(limit.module, limit.name, before)


def choose(decks: Sequence[LabelledDeck]) -> None:
    """Set each limit to the value that reads the first half best, or keep the present one if none is better."""
    best = both(decks, 0)
    print(f"as they are: {_said(best)}", flush=True)
    for limit in LIMITS:
        for value in limit.others:
            with changed(limit, value):
                found = both(decks, 0)
            print(f"{limit.name} {value}: {_said(found)}", flush=True)
            if (found.named > best.named and found.wrong <= best.wrong) or found.wrong < best.wrong:
                best = found
                setattr(limit.module, limit.name, value)


def both(decks: Sequence[LabelledDeck], half: int) -> Score:
    """Return the scores of one half of all decks' photographs."""
    whole = Score(0, 0, 0)
    for deck in decks:
        whole += deck.score(half)
    return whole


def _said(score: Score) -> str:
    return f"{score.named} of {score.shown} named, {score.wrong} wrong"


def _read(path: Path) -> Image:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise SystemExit(f"{path} is not a readable picture.")
    return np.asarray(picture, np.uint8)


def main() -> None:
    """Choose limits on one half, and print the scores of both."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.bench.bench_limits")
    parser.add_argument("folder", type=Path, help="labels.json, refs and scenes")
    parser.add_argument("--seed", type=int, default=1, help="how photographs are divided [1]")
    parser.add_argument("--decks", default="", help="names of decks, with commas [all]")
    given = parser.parse_args()
    folder: Path = given.folder
    labels = labels_in(folder / "labels.json")
    decks = []
    for name in given.decks.split(",") if given.decks else sorted({label["deck"] for label in labels.values()}):
        enrolled = folder / "refs" / ENROLLED.get(name, name)
        refs = {path.stem: _read(path) for path in sorted(enrolled.iterdir())}
        scenes = [(label, _read(folder / label["file"])) for label in labels.values() if label["deck"] == name]
        decks.append(LabelledDeck(refs, scenes, given.seed))
    other = both(decks, 1)
    print(f"seed {given.seed}; the other half as it is: {_said(other)}; chosen on the first half:", flush=True)
    choose(decks)
    values = ", ".join([f"{limit.name} {getattr(limit.module, limit.name)}" for limit in LIMITS])
    print(f"chosen: {values}\nfirst half, with these: {_said(both(decks, 0))}")
    print(f"other half, as it was: {_said(other)}; with these: {_said(both(decks, 1))}")


if __name__ == "__main__":
    main()
