"""Cards in one picture of anything: proposals by features and outlines, checked, the best accepted first."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from vision.deck import Card, Deck
from vision.features import Features, Floats, corners_of, extract, homography, looks, project, scaling
from vision.image import Image, Matrix, Quad, Reading
from vision.recogniser import strips
from vision.recogniser.bank import Bank, Ref
from vision.recogniser.check import Verdict, compared, margin, mean_side, polished
from vision.recogniser.quads import Outline, outlines
from vision.recogniser.scene import Scene

PIXELS = 450_000
"""Pictures are searched for features at about so many pixels: 896 × 504."""
MOST_PIXELS = 900_000
"""Stills of more than two million pixels are searched at so many."""
MOST_FEATURES = 2500
NEAR_LOOKS = 3
"""So many of the most similar cards are tried on each outline."""
LEAST_LOOKS = 0.45
"""An outline that looks less like any card is none of them."""
MOST_CANDIDATES = 48


class Candidate(msgspec.Struct, frozen=True):
    """A card that may lie at a pose."""

    ref: Ref
    pose: Matrix
    support: float
    how: str


class Recogniser:
    """Reads cards of one enrolled deck. Not for several threads at once."""

    def __init__(self, deck: Deck, threads: int = 2) -> None:
        cv2.setNumThreads(threads)
        self.deck = deck
        self.bank = Bank(deck)
        self._number = {card.name: number for number, card in enumerate(deck.entries)}

    def read(self, picture: Image, size: tuple[float, float] | None = None, mask: Image | None = None) -> list[Reading]:
        """Return the cards in a picture.

        size: least and greatest width of a card in pixels, where the scale is known.
        mask: 0 where nothing is to be read.
        """
        scene = Scene(picture, mask)
        sizes = size or (20.0, float(min(scene.width, scene.height)) * 1.5)
        candidates = self.by_votes(scene, sizes) + self.by_outlines(scene, sizes)
        return self.accepted(scene, candidates)

    def read_at(
        self, picture: Image, corners: Quad, visible: Image | None = None, among: Sequence[str] | None = None
    ) -> Reading:
        """Return which card lies at a known pose (to 2 px), though only a part of it may show.

        visible: a mask in CARD's size over the card, 255 where it shows. among: the names that it can be.
        """
        corners = np.asarray(corners, np.float32)
        where = tuple((float(x), float(y)) for x, y in corners)
        names = self.deck.cards + self.deck.backs if among is None else tuple(among)
        numbers = [self._number[name] for name in names if name in self._number]
        found, _ = strips.parts(self.bank, Scene(picture), corners, visible, numbers)
        likeliest = tuple(self.deck.entries[part.card].name for part in found[:3])
        if not found:
            return Reading(where, None, "up", 0.0, "hidden", ())
        if found[0].alike < strips.LEAST_ALIKE:
            return Reading(where, None, "up", 0.0, "unknown", likeliest)
        least, close = self._nearest(found)
        card = self.deck.entries[found[0].card]
        if least < strips.LEAST_MARGIN:
            doubt = "value" if close.family == card.family else "hidden"
            return Reading(where, None, card.face, 0.0, doubt, likeliest)
        return Reading(where, card.name, card.face, round(min(1.0, found[0].alike), 3), "", likeliest)

    def _nearest(self, found: list[strips.Part]) -> tuple[float, Card]:
        """Return by how much the best part is nearer than any other card's, and which comes nearest."""
        least, close = 1.0, self.deck.entries[found[0].card]
        for other in found[1:12]:
            between = strips.apart(found[0].known, other.known) if found[0].known.shape == other.known.shape else 1.0
            margin = (found[0].alike - other.alike) / max(between, 1e-3) if between > strips.LEAST_APART else 0.0
            if margin < least:
                least, close = margin, self.deck.entries[other.card]
        return least, close

    # --- proposals ------------------------------------------------------------------------------------

    def by_votes(self, scene: Scene, sizes: tuple[float, float]) -> list[Candidate]:
        """Return candidates that local features vote for."""
        scale = search_scale(scene, sizes)
        features = extract(scene.grey(scale), MOST_FEATURES)
        features = within(features, scene.known, scene.known.shape[1] / (scene.width * scale))
        found = self.bank.voters.poses(features, (sizes[0] * scale, sizes[1] * scale))
        back = scaling(1 / scale, 1 / scale)
        result = []
        for one in found[:MOST_CANDIDATES]:
            ref = self.bank.of_card[one.owner][0]
            pose = back @ one.pose
            if plausible(project(pose, corners_of(ref.frame)), ref.frame, sizes):
                result.append(Candidate(ref, pose, float(one.votes), "votes"))
        return result

    def by_outlines(self, scene: Scene, sizes: tuple[float, float]) -> list[Candidate]:
        """Return candidates that outlines of a card's proportions look like."""
        scale = search_scale(scene, sizes)
        picture = scene.colour(scale)
        found = outlines(picture, self.bank.ratios, (sizes[0] * scale, sizes[1] * scale))
        result: list[Candidate] = []
        for outline in found:
            result += self._like(scene, outline, scale)
        result.sort(key=lambda one: -one.support)
        return result[:MOST_CANDIDATES]

    def _like(self, scene: Scene, outline: Outline, scale: float) -> list[Candidate]:
        """Return the enrolled cards that an outline looks most like, each the right way up."""
        corners = upright(outline.corners / np.float32(scale))
        best: dict[int, tuple[float, Floats]] = {}
        for turn in turns(corners):
            turned = np.roll(corners, -turn, axis=0)
            view, _ = scene.view(homography(corners_of((48, 64)), turned), (48, 64), (48, 64))
            alike = self.bank.looks @ looks(view)
            for number in np.argsort(-alike)[:NEAR_LOOKS]:
                if alike[number] > LEAST_LOOKS and alike[number] > best.get(int(number), (0.0, corners))[0]:
                    best[int(number)] = (float(alike[number]), turned)
        result = []
        for number, (how, turned) in sorted(best.items(), key=lambda item: -item[1][0])[:NEAR_LOOKS]:
            ref = self.bank.refs[number]
            target = turned if ref.frame[1] >= ref.frame[0] else np.roll(turned, 1, axis=0)
            result.append(Candidate(ref, homography(corners_of(ref.frame), target), how, "outline"))
        return result

    # --- acceptance -----------------------------------------------------------------------------------

    def accepted(self, scene: Scene, candidates: list[Candidate]) -> list[Reading]:
        """Return the candidates that hold, the best first; what an accepted card covers is not held against others."""
        judged = [self.judged(scene, one) for one in candidates]
        judged.sort(key=lambda verdict: -verdict.score)
        readings: list[Reading] = []
        taken: list[Floats] = []
        for first in judged:
            corners = project(first.pose, corners_of(self.bank.refs[first.ref].frame))
            if any(overlap(corners, other) > 0.4 for other in taken):
                continue
            verdict = compared(self.bank, self.bank.refs[first.ref], first.pose, scene)
            if not passes(verdict):
                continue
            near, rival = margin(self.bank, self.bank.refs[verdict.ref], verdict.pose, scene)
            verdict = msgspec.structs.replace(verdict, margin=near, rival=rival)
            if near < MARGIN:
                continue
            taken.append(corners)
            scene.cover(corners)
            readings.append(self.reading(verdict, corners))
        return readings

    def judged(self, scene: Scene, one: Candidate) -> Verdict:
        """Return a candidate's verdict at its own pose or at the polished one, whichever is better."""
        first = compared(self.bank, one.ref, one.pose, scene)
        pose, how = polished(one.ref, one.pose, scene)
        if how <= 0:
            return first
        second = compared(self.bank, one.ref, pose, scene)
        return second if second.score >= first.score else first

    def reading(self, verdict: Verdict, corners: Floats) -> Reading:
        """Return an accepted verdict as a reading."""
        card = self.bank.card(self.bank.refs[verdict.ref])
        where = tuple((float(x), float(y)) for x, y in corners)
        return Reading(where, card.name, card.face, round(min(1.0, verdict.score), 3), "", (card.name,))


SHARE, EVIDENCE, MARGIN = 0.7, 5.0, 0.25


def passes(verdict: Verdict) -> bool:
    """Whether a verdict is good enough to name the card."""
    return verdict.share >= SHARE and verdict.evidence >= EVIDENCE


def search_scale(scene: Scene, sizes: tuple[float, float]) -> float:
    """Return how many times larger the picture is made for searching."""
    pixels = scene.width * scene.height
    scale = float(np.sqrt((MOST_PIXELS if pixels > 2_000_000 else PIXELS) / pixels))
    return min(1.0, scale)


def within(features: Features, known: Image, scale: float) -> Features:
    """Return the features that lie where the picture is known; scale: from their pixels to the mask's."""
    at = (features.points[:, :2] * scale).astype(np.int32)
    keep = known[at[:, 1].clip(0, known.shape[0] - 1), at[:, 0].clip(0, known.shape[1] - 1)] > 0
    return Features(features.points[keep], features.descriptors[keep])


def plausible(corners: Floats, frame: tuple[int, int], sizes: tuple[float, float]) -> bool:
    """Whether four corners can be a card's: convex, of its size and proportions, not mirrored."""
    if (
        not np.isfinite(corners).all()
        or cv2.contourArea(corners, oriented=True) <= 0
        or not cv2.isContourConvex(corners)
    ):
        return False
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    wide, high = float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2
    if max(sides[0], sides[2]) > 1.8 * min(sides[0], sides[2]) or max(sides[1], sides[3]) > 1.8 * min(
        sides[1], sides[3]
    ):
        return False
    ratio = high / max(wide, 1e-3) / (frame[1] / frame[0])
    return 0.6 < ratio < 1.67 and sizes[0] * 0.85 < mean_side(corners) < sizes[1] * 1.15


def upright(corners: Floats) -> Floats:
    """Return clockwise corners so that the first side is a short one."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return corners if sides[0] + sides[2] <= sides[1] + sides[3] else np.roll(corners, -1, axis=0)


def turns(corners: Floats) -> tuple[int, ...]:
    """Return by how many quarter turns an upright outline may be a card's: nearly square ones may be any."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return (0, 1, 2, 3) if sides[1] + sides[3] < 1.2 * (sides[0] + sides[2]) else (0, 2)


def overlap(one: Floats, two: Floats) -> float:
    """Return the share of the smaller of two convex quadrangles that the other covers."""
    shared, _ = cv2.intersectConvexConvex(one, two)
    return float(shared) / max(1.0, min(abs(cv2.contourArea(one)), abs(cv2.contourArea(two))))
