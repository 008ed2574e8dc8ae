"""Make a deck from pictures: outlines, features, families and findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import msgspec
import numpy as np

from vision.deck.deck import BACK, KEPT, Card, Deck, Shot
from vision.deck.lookalikes import Likeness, families, likenesses, view_of
from vision.deck.quality import faults
from vision.deck.references import cut_references
from vision.enrolled_file import DeckError
from vision.features.pixels import SHORT, Floats, colour_of, frame_of, grey_of, resize
from vision.features.sift import DESCRIPTOR, Features, extract
from vision.image import Image

FINE, COARSE = 300, 120
"""The shorter sides in pixels at which features are extracted, for cards that appear large or small."""
MOST_FINE, MOST_COARSE = 320, 180
"""The number of strongest features to keep at each size, which bounds the deck's file and the matching time."""
QUALITY = 95
"""The JPEG quality of stored pictures from 0 to 100, high enough that blocks do not look like print."""
SAME, DIFFERENT = 4.0, 60.0
"""Distances in Lab where two pictures differ most. Two pictures of one card differ by less than the first. Black
print and paper differ by the second."""
UNUSUAL = 0.15
"""The deviation of a picture's proportions from the deck's, as a share, above which it is reported."""
BLANK = 1.5
"""The standard deviation of the dullest channel below which a picture is blank."""


class PictureFinding(msgspec.Struct, frozen=True):
    """Something about an enrolled picture that its owner should know."""

    card: str
    """The card's name, or "" for the whole deck."""
    which: int
    """The index of the card's picture, from 0."""
    key: str
    """The key of the sentence in `SAID`."""
    fields: dict[str, str | int | float] = {}

    @property
    def said(self) -> str:
        """Return the finding as a sentence."""
        return SAID[self.key].format(card=self.card, number=self.which + 1, **self.fields)


SAID = {
    "edge": (
        "{card}, picture {number}: no card's edge was found in it, so it was left out. Lay the card on a plain cloth of"
        " another colour. Do the pictures show cards right to their edges? Then say so (--whole)."
    ),
    "empty": "{card}, picture {number}: it shows nothing.",
    "blank": "{card}, picture {number}: it shows nothing. It was left out.",
    "small": "{card}, picture {number} is small: {figure} pixels wide. Take it nearer, at 300 pixels or more.",
    "blur": "{card}, picture {number} is blurred. Hold still, let the camera focus, and take it again.",
    "dark": "{card}, picture {number} is dark. Take it in better light.",
    "glare": "{card}, picture {number}: {figure} % of it is burnt out by a lamp. Turn the card or the lamp.",
    "cut": "{card}, picture {number} has other proportions than the rest of the deck: is a part of the card cut off?",
    "same": "{card} and {other} have the same picture. Which of them is wrong?",
    "single": "This deck has only one card: there is no other card to compare it with.",
}
"""The sentences of findings, with figures from the fields."""
LEFT_OUT = ("blank", "edge")
"""Findings about rejected pictures."""


class LookalikePair(msgspec.Struct, frozen=True):
    """Two similar cards."""

    first: str
    second: str
    margin: float
    """The difference where they differ most, from 0 or less (indistinguishable) to 1 (clearly different)."""
    one_art: bool = False
    """Whether they share an artwork and differ only in small details such as a printed value."""

    @property
    def advice(self) -> str:
        """Return advice on the pair."""
        if self.margin <= 0:
            return "the pictures do not differ: mark one of the cards, or teach them as one"
        if self.margin < CLOSE:
            return "take a second photograph of both in good, even light; keep the camera near"
        if self.one_art:
            return "told apart by small things: keep them at least 15 pixels high in the picture"
        return "told apart well"


CLOSE = 0.25
"""The margin below which two cards are easily confused in bad light."""
TOLD = 1.0
"""The margin up to which pairs are reported."""


class EnrolmentReport(msgspec.Struct, frozen=True):
    """The result of an enrolment: problems with pictures, and similar cards, the most similar first."""

    findings: tuple[PictureFinding, ...] = ()
    pairs: tuple[LookalikePair, ...] = ()


def enrol(
    name: str,
    pictures: Mapping[str, Sequence[Image]],
    drawn: bool = False,
    straight: Mapping[str, Sequence[Image]] | None = None,
) -> tuple[Deck, EnrolmentReport]:
    """Make a deck from each card's pictures, or raise `DeckError` if there are no usable ones.

    drawn: whether they show cards right to their edges, so that no edge is searched for. straight: more such pictures.
    """
    straight = straight or {}
    known = [card for given in (pictures, straight) for card, taken in given.items() if taken]
    if not known:
        raise DeckError("There are no pictures to make a deck from.")
    if all(card.startswith(BACK) for card in known):
        raise DeckError(f"There are only backs, named {BACK}…: add pictures of the cards' faces, too.")
    plain = {card: [colour_of(picture) for picture in taken] for card, taken in pictures.items() if taken}
    cut: Mapping[str, Sequence[Image | None]] = plain if drawn else cut_references(plain)
    shots, findings = _take_shots({card: [*cut.get(card, ()), *straight.get(card, ())] for card in known})
    faces = sum(not card.startswith(BACK) for card in shots)
    if not faces:
        raise DeckError(
            "\n".join(
                f"Picture {one.which + 1} of {one.card} shows nothing: take it again."
                if one.key == "blank"
                else one.said
                for one in findings
                if one.key in LEFT_OUT
            )
        )
    views = [view_of(taken[0]) for taken in shots.values()]
    alike = likenesses(views)
    numbers, poses = families(views, alike)
    entries = [Card(card, taken, numbers[at], poses[at]) for at, (card, taken) in enumerate(shots.items())]
    findings += _proportions(shots)
    pairs = sorted([_pair(entries, one) for one in alike], key=lambda pair: pair.margin)
    findings += [PictureFinding(pair.first, 0, "same", {"other": pair.second}) for pair in pairs if pair.margin <= 0]
    if faces == 1:
        findings.append(PictureFinding("", 0, "single"))
    return Deck(name, entries), EnrolmentReport(tuple(findings), tuple([pair for pair in pairs if pair.margin < TOLD]))


def lookalikes(deck: Deck) -> tuple[LookalikePair, ...]:
    """Return the pairs of similar cards in a finished deck, most similar first. It takes a second for fifty cards."""
    entries = deck.entries
    found = [_pair(entries, one) for one in likenesses([view_of(card.shots[0]) for card in entries])]
    return tuple(sorted((pair for pair in found if pair.margin < TOLD), key=lambda pair: pair.margin))


def _take_shots(
    pictures: Mapping[str, Sequence[Image | None]],
) -> tuple[dict[str, tuple[Shot, ...]], list[PictureFinding]]:
    """Return each card's stored pictures and the problems with them.

    pictures: None stands for one without an edge.
    """
    shots: dict[str, tuple[Shot, ...]] = {}
    findings: list[PictureFinding] = []
    for card, given in pictures.items():
        taken = []
        for which, picture in enumerate(given):
            if picture is None:
                findings.append(PictureFinding(card, which, "edge"))
                continue
            wrong = {key: PictureFinding(card, which, key, {"figure": figure})
                     for key, figure in faults(picture).items()}  # fmt: skip
            if "empty" in wrong and min(picture.std(axis=(0, 1))) < BLANK:
                findings.append(PictureFinding(card, which, "blank"))
                continue
            findings += wrong.values()
            taken.append(shot_of(picture))
        if taken:
            shots[card] = tuple(taken)
    return shots, findings


def _pair(entries: Sequence[Card], one: Likeness) -> LookalikePair:
    margin = min(1.0, (one.apart - SAME) / (DIFFERENT - SAME))
    return LookalikePair(entries[one.first].name, entries[one.second].name, round(margin, 3), one.one_art)


def _proportions(shots: Mapping[str, Sequence[Shot]]) -> list[PictureFinding]:
    """Return findings for pictures with unusual proportions, which may be cut off."""
    ratios = {(card, which): max(shot.size) / min(shot.size)
              for card, taken in shots.items() for which, shot in enumerate(taken)}  # fmt: skip
    usual = float(np.median(list(ratios.values())))
    return [PictureFinding(card, which, "cut") for (card, which), ratio in ratios.items()
            if abs(ratio / usual - 1) > UNUSUAL]  # fmt: skip


def shot_of(picture: Image) -> Shot:
    """Return a card's straight picture as stored, with its features."""
    kept = colour_of(picture)
    if min(kept.shape[:2]) > KEPT:
        scale = KEPT / min(kept.shape[:2])
        kept = resize(kept, round(kept.shape[1] * scale), round(kept.shape[0] * scale))
    data = cv2.imencode(".jpg", kept, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
    return Shot(data, (kept.shape[1], kept.shape[0]), features_of(kept))


def features_of(picture: Image) -> Features:
    """Return a card's features in its frame's coordinates, extracted at two sizes."""
    frame = frame_of(picture.shape[1], picture.shape[0])
    points: list[Floats] = [np.zeros((0, 4), np.float32)]
    descriptors = [np.zeros((0, DESCRIPTOR), np.uint8)]
    for short, most in ((FINE, MOST_FINE), (COARSE, MOST_COARSE)):
        size = (round(frame[0] * short / SHORT), round(frame[1] * short / SHORT))
        found = extract(grey_of(resize(picture, *size)), most)
        scales = np.array([frame[0] / size[0], frame[1] / size[1], SHORT / short, 1], np.float32)
        points.append(found.points * scales)
        descriptors.append(found.descriptors)
    return Features(np.concatenate(points), np.concatenate(descriptors))
