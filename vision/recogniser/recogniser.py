"""Cards in one picture of anything: proposals by features and outlines, checked, the best accepted first."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from vision.deck import Card, Deck
from vision.features import Features, Floats, corners_of, extract, homography, looks, project, scaling
from vision.features.quads import Outline, outlines
from vision.image import Image, Matrix, Quad, Reading
from vision.recogniser import strips, values
from vision.recogniser.bank import Bank, Ref
from vision.recogniser.check import Verdict, compared, margins, mean_side, polished
from vision.recogniser.residue import Plain, Residue, plain, residue
from vision.recogniser.scene import Scene

PIXELS = 400_000
"""Pictures are searched for features at about so many pixels: 843 × 474."""
MOST_PIXELS = 900_000
"""Stills of more than two million pixels are searched at so many."""
MOST_FEATURES = 2500
NEAR_LOOKS = 3
"""So many of the most similar cards are tried on each outline."""
LEAST_LOOKS = 0.45
"""An outline that looks less like any card is none of them."""
MOST_CANDIDATES = 48
SURE = 0.6
"""A polished pose that correlates more is better than the one before."""
MOST_TURNS = 3
"""So many rivals may take a candidate's place."""
SAME_PLACE = 0.4
"""The same card found twice is one when one covers more than this share of the other."""
COVERED = 0.75
"""Of a card that lies under another at least the rest must show."""

# What is named. One set for every deck; how they were chosen is in docs/camera.md.
SHARE = 0.62
"""Of what can be seen so much must agree."""
MARGIN = 0.25
"""So much nearer than any rival: 1 is the card itself, 0 half-way."""
VALUE_MARGIN = 0.35
"""The same between cards of one artwork, at the places where they differ."""
WHOLE = 0.35
"""All that can be seen must correlate so highly."""
SPARSE, WHOLE_SPARSE = 8.0, 0.6
"""Where fewer blocks agree, all must correlate so highly."""
EVIDENCE = 1.5
"""Where features voted: so many blocks that tell this card from others must agree."""
PLAIN, VISIBLE = 4.0, 0.7
"""Else so many blocks must agree, and so much of the card must show."""
REST, REST_PAINTED = 0.5, 1.0
"""So much may be left, as a share of the card's contrast; more on a card that is painted all over."""
REST_SPARSE = 0.4
"""Where few blocks agree, less may be left."""
PATCH_VOTED = 1.6
"""A flat part may be off by so many times more where features enough have voted."""
PAINTED, BARE = 0.12, 0.2
"""Such a share of flat parts has a card that is painted all over, and one that is not."""
VOTES = 12
"""So many features must have voted where more may be left."""
HOPELESS = 0.4
"""Outlines that agree less are not looked at again."""
LEAST_DOUBT = 0.25
"""A card that is not named is reported from this score on."""


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
        self._plain: dict[int, Plain] = {}
        self._number = {card.name: number for number, card in enumerate(deck.entries)}

    def read(self, picture: Image, size: tuple[float, float] | None = None, mask: Image | None = None) -> list[Reading]:
        """Return the cards in a picture.

        size: least and greatest width of a card in pixels, where the scale is known.
        mask: 0 where nothing is to be read.
        """
        scene = Scene(picture, mask)
        sizes = size or (20.0, float(min(scene.width, scene.height)) * 1.5)
        found = Found(self.bank)
        self.take(scene, self.by_votes(scene, sizes), found)
        self.take(scene, self.by_outlines(scene, sizes), found)
        return found.readings()

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

    def take(self, scene: Scene, candidates: list[Candidate], found: Found) -> None:
        """Accept the candidates that hold, the best first; what an accepted card covers is not held against others."""
        judged = [
            (self.judged(scene, one), one)
            for one in candidates
            if not found.has(self.corners(one.ref, one.pose), self.name(one.ref))
        ]
        judged.sort(key=lambda pair: -pair[0].score)
        for first, one in judged:
            corners = self.corners(self.bank.refs[first.ref], first.pose)
            if first.share < HOPELESS and one.how != "votes":
                continue
            if found.has(corners, self.name(self.bank.refs[first.ref])):
                continue
            verdict = self.settled(scene, self.again(scene, first))
            corners = self.corners(self.bank.refs[verdict.ref], verdict.pose)
            if passes(verdict):
                found.named(verdict, corners)
                scene.cover(corners)
            else:
                found.doubted(verdict, corners)

    def name(self, ref: Ref) -> str:
        """Return the name of a picture's card."""
        return self.bank.card(ref).name

    def corners(self, ref: Ref, pose: Matrix) -> Floats:
        """Return a card's corners in the picture."""
        return project(pose, corners_of(ref.frame))

    def judged(self, scene: Scene, one: Candidate) -> Verdict:
        """Return a candidate's verdict at its own pose or at the polished one, whichever is better."""
        pose, how = polished(one.ref, one.pose, scene)
        best = compared(self.bank, one.ref, pose, scene)
        if 0 < how < SURE:
            first = compared(self.bank, one.ref, one.pose, scene)
            best = first if first.score > best.score else best
        return msgspec.structs.replace(best, support=one.support, how=one.how)

    def again(self, scene: Scene, verdict: Verdict) -> Verdict:
        """Return a verdict as it is now that other cards are known to lie over this one."""
        fresh = compared(self.bank, self.bank.refs[verdict.ref], verdict.pose, scene)
        return msgspec.structs.replace(fresh, support=verdict.support, how=verdict.how)

    def settled(self, scene: Scene, verdict: Verdict) -> Verdict:
        """Return the verdict of whichever card is nearer than all its rivals; its value is read last."""
        tried = {verdict.ref}
        verdict = self._against(scene, verdict)
        for _ in range(MOST_TURNS):
            if verdict.margin >= MARGIN or verdict.rival < 0 or verdict.rival in tried:
                break
            tried.add(verdict.rival)
            rival = self.bank.refs[verdict.rival]
            other = self._against(
                scene, self.judged(scene, Candidate(rival, verdict.pose, verdict.support, verdict.how))
            )
            if other.margin <= verdict.margin:
                break
            verdict = other
        if not passes(verdict):
            return verdict
        verdict = self.valued(scene, verdict)
        if verdict.doubt:
            return verdict
        left = self.left(scene, verdict)
        verdict = msgspec.structs.replace(verdict, pose=left.pose, rest=left.rest, flat=left.flat, patch=left.patch)
        return (
            verdict
            if clean(verdict, bool(self.bank.kin(self.bank.refs[verdict.ref])))
            else msgspec.structs.replace(verdict, margin=-1.0)
        )

    def left(self, scene: Scene, verdict: Verdict) -> Residue:
        """Return what is left of the picture when the card is taken off."""
        ref = self.bank.refs[verdict.ref]
        if ref.number not in self._plain:
            self._plain[ref.number] = plain(ref)
        return residue(self.bank, ref, self._plain[ref.number], verdict.pose, scene)

    def _against(self, scene: Scene, verdict: Verdict) -> Verdict:
        found = margins(self.bank, self.bank.refs[verdict.ref], verdict.pose, scene)
        least, rival = found[0] if found else (1.0, -1)
        return msgspec.structs.replace(verdict, margin=least, rival=rival)

    def valued(self, scene: Scene, verdict: Verdict) -> Verdict:
        """Return a verdict for the sibling whose value is read, or with a doubt about it."""
        ref = self.bank.refs[verdict.ref]
        kin = self.bank.kin(ref)
        if not kin or not passes(verdict):
            return verdict
        level = level_of(mean_side(self.corners(ref, verdict.pose)))
        best, pose = ref, verdict.pose
        for _ in range(2):  # whoever is nearer than the one before; whether it is nearer than all is asked below
            before = best
            for other in [one for one in (ref, *kin) if one is not best]:
                told = self._nearer(scene, best, other, level, pose)
                if told is not None and told < 0:
                    pose = pose @ np.linalg.inv(self.bank.card(best).to_family) @ self.bank.card(other).to_family
                    best = other
            if best is before:
                break
        against = [self._nearer(scene, best, other, level, pose) for other in self.bank.kin(best)]
        sure = all(told is not None and told >= VALUE_MARGIN for told in against)
        return msgspec.structs.replace(verdict, ref=best.number, pose=pose, doubt="" if sure else "value")

    def _nearer(self, scene: Scene, ref: Ref, other: Ref, level: int, pose: Matrix) -> float | None:
        return values.nearer(self.bank.zones(ref, other, level), ref.frame, pose, scene)


class Found:
    """The readings of one picture, as they come."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._readings: list[Reading] = []
        self._taken: list[tuple[Floats, str]] = []
        self._doubts: list[tuple[Verdict, Floats]] = []

    def has(self, corners: Floats, name: str) -> bool:
        """Whether a card that was accepted lies here already: the same one, or another that covers nearly all."""
        return any(overlap(corners, other) > (SAME_PLACE if name == known else COVERED) for other, known in self._taken)

    def named(self, verdict: Verdict, corners: Floats) -> None:
        """Note a card that is certain, or certain but for its value."""
        self._taken.append((corners, self._bank.card(self._bank.refs[verdict.ref]).name))
        self._readings.append(self._reading(verdict, corners, verdict.doubt))

    def doubted(self, verdict: Verdict, corners: Floats) -> None:
        """Note a card that is none of the deck's, or not certain."""
        self._doubts.append((verdict, corners))

    def readings(self) -> list[Reading]:
        """Return all readings: the named ones, and outlines that may be cards but are not named."""
        result = list(self._readings)
        for verdict, corners in sorted(self._doubts, key=lambda pair: -pair[0].score):
            name = self._bank.card(self._bank.refs[verdict.ref]).name
            if verdict.score >= LEAST_DOUBT and not any(
                overlap(corners, other) > SAME_PLACE for other, _ in self._taken
            ):
                self._taken.append((corners, name))
                result.append(self._reading(verdict, corners, "unknown" if verdict.visible > 0.6 else "hidden"))
        return result

    def _reading(self, verdict: Verdict, corners: Floats, doubt: str) -> Reading:
        ref = self._bank.refs[verdict.ref]
        card = self._bank.card(ref)
        where = tuple((round(float(x), 2), round(float(y), 2)) for x, y in corners)
        if doubt:
            kin = [self._bank.card(other).name for other in self._bank.kin(ref)] if doubt == "value" else []
            return Reading(where, None, card.face, 0.0, doubt, (card.name, *kin)[:3])
        return Reading(where, card.name, card.face, round(certainty(verdict), 3), "", (card.name,))


def passes(verdict: Verdict) -> bool:
    """Whether a verdict is good enough to name the card."""
    if verdict.margin < MARGIN or verdict.share < SHARE:
        return False
    if verdict.whole < WHOLE or (verdict.plain < SPARSE and verdict.whole < WHOLE_SPARSE):
        return False
    if verdict.how == "votes" and verdict.evidence >= EVIDENCE:
        return True
    return verdict.plain >= PLAIN and verdict.visible >= VISIBLE


def clean(verdict: Verdict, kin: bool = False) -> bool:
    """Whether nothing is left that a card would not leave which is this one.

    Paper with little on it must fit closely: such cards are many, and often alike. A card that is painted all over is
    not soon mistaken for another, and glare may lie on it, if features enough have voted for it. kin: it is one of an
    artwork's values, and was nearer than all the others.
    """
    bare = float(np.clip((verdict.flat - PAINTED) / (BARE - PAINTED), 0, 1))
    voted = verdict.how == "votes" and verdict.support >= VOTES
    if verdict.plain < SPARSE and verdict.visible > VISIBLE and verdict.rest > REST_SPARSE:
        return False
    most = REST + (1 - bare) * (REST_PAINTED - REST) * voted
    return verdict.rest <= most and (bare < 1 or verdict.patch <= (PATCH_VOTED if voted or kin else 1))


def certainty(verdict: Verdict) -> float:
    """Return how certain a verdict is, from 0 to 1: for show and for sorting."""
    return float(np.clip(0.5 * verdict.share + 0.25 * min(1.0, verdict.margin) + 0.25 * verdict.whole, 0, 1))


def level_of(side: float) -> int:
    """Return the size at which a card so many pixels wide is read for its value."""
    return next((level for level in values.LEVELS if level >= 0.9 * side), values.LEVELS[-1])


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
