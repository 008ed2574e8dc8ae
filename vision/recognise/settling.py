"""Settles what one candidate is: its pose is laid exactly, rivals are tried, its value and what it leaves are judged.

Acceptance decides which candidates are settled, and when (`vision.recognise.recogniser`).
"""

from __future__ import annotations

import msgspec
import numpy as np

from vision.features.edge_step import STEP
from vision.features.pixels import Floats, corners_of, project, resize
from vision.image import Matrix
from vision.recognise import printed_values
from vision.recognise.candidates import Candidate, cards_like_view
from vision.recognise.card_thresholds import (
    EVIDENCE_BESIDE,
    MARGIN,
    VALUE_MARGIN,
    VOTES,
    agrees,
    leaves_nothing,
    passes,
    sure_beside,
    sure_but_for_rest,
    sure_half,
)
from vision.recognise.flat_areas import FlatAreas, describe_flat_areas
from vision.recognise.hatching import FINER
from vision.recognise.occlusion import find_thing
from vision.recognise.reference_bank import ReferenceBank, ReferenceCard
from vision.recognise.residue import Residue, residue
from vision.recognise.rival_cards import margins
from vision.recognise.scene import PictureScene
from vision.recognise.verification import Verdict, beyond_best_line, compare, mean_side, polish_pose, refine_on_ink

SURE = 0.6
"""A polished pose that correlates more is better than the one before."""
MOST_TURNS = 3
"""So many rivals may take a candidate's place."""
WORTH = 0.5
"""A pose at which less agrees is not laid more exactly."""
TURNED = 0.85
"""A card that looks much the same upside down, and correlates less, is tried the other way round."""
NEARLY = 0.2
"""Upside down it must correlate nearly as well before it is laid more exactly."""

OFF = 0.1
"""A card that is laid on its print ends so near to the outline that proposed it, as a share of its width."""


class CardSettler:
    """Settles candidates of one deck. Several threads may settle candidates of one picture while none is accepted."""

    def __init__(self, bank: ReferenceBank) -> None:
        self.bank = bank
        self._plain: dict[int, FlatAreas] = {}

    def name(self, ref: ReferenceCard) -> str:
        """Return the name of a picture's card."""
        return self.bank.card(ref).name

    def corners(self, ref: ReferenceCard, pose: Matrix) -> Floats:
        """Return a card's corners in the picture."""
        return project(pose, corners_of(ref.frame))

    def judge(self, scene: PictureScene, one: Candidate) -> Verdict:
        """Return a candidate's verdict at its own pose or at the polished one, whichever is better."""
        pose, how = polish_pose(one.ref, one.pose, scene)
        best = compare(self.bank, one.ref, pose, scene)
        if 0 < how < SURE:
            first = compare(self.bank, one.ref, one.pose, scene)
            best = first if first.score > best.score else best
        return msgspec.structs.replace(best, support=one.support, how=one.how, outline=one.outline)

    def compare_again(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return a new verdict, now that other cards are known to lie over this one."""
        fresh = compare(self.bank, self.bank.refs[verdict.ref], verdict.pose, scene)
        return msgspec.structs.replace(fresh, support=verdict.support, how=verdict.how, outline=verdict.outline)

    def refine(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return the verdict at a pose refined on the card's own ink, if that agrees better."""
        if verdict.share < WORTH:
            return verdict
        ref = self.bank.refs[verdict.ref]
        best = max(verdict, compare(self.bank, ref, refine_on_ink(ref, verdict.pose, scene), scene), key=_whole)
        if best.whole < TURNED and self.bank.is_symmetric(ref):
            turned = compare(self.bank, ref, best.pose @ half_turn(ref.frame), scene)
            if turned.whole > best.whole - NEARLY:
                best = max(best, compare(self.bank, ref, refine_on_ink(ref, turned.pose, scene), scene), key=_whole)
        return msgspec.structs.replace(best, support=verdict.support, how=verdict.how, outline=verdict.outline)

    def settle(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return the final verdict of a card, or of its visible part beside a thing that lies on it."""
        found = self._settle(scene, verdict)
        if passes(found) or found.how != "votes" or found.evidence < EVIDENCE_BESIDE:
            return found
        if found.strange and sure_but_for_rest(found):
            rimmed = scene.with_rims()
            if rimmed is not None:
                again = self._settle(rimmed, self.compare_again(rimmed, found))
                if again.ref == found.ref and passes(again) and sure_but_for_rest(again):
                    return again
        ref = self.bank.refs[found.ref]
        hidden = find_thing(self.bank, ref, self._find_rivals(scene, found), found.pose, scene)
        if hidden is not None:
            beside = scene.without(found.pose, ref.frame, hidden)
            second = self._settle(beside, self.compare_again(beside, found))
            if second.ref == found.ref and passes(second) and sure_beside(second):
                return second
        return self._settle_half(scene, found)

    def _settle_half(self, scene: PictureScene, found: Verdict) -> Verdict:
        """Return the verdict of the half of a card that agrees best, if that names it; else the one that is given."""
        if found.support < VOTES or found.strange:
            return found
        ref = self.bank.refs[found.ref]
        half = scene.without(found.pose, ref.frame, beyond_best_line(ref, found.pose, scene))
        second = self._settle(half, self.compare_again(half, found))
        return second if second.ref == found.ref and passes(second) and sure_half(second) else found

    def _settle(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return the verdict of the card that is nearer than all its rivals; its value is read last."""
        tried = {verdict.ref}
        verdict = self._compare_rivals(scene, self.refine(scene, verdict))
        for _ in range(MOST_TURNS):
            if verdict.margin >= MARGIN or verdict.rival < 0 or verdict.rival in tried:
                break
            tried.add(verdict.rival)
            rival = self.bank.refs[verdict.rival]
            other = self.judge(scene, Candidate(rival, verdict.pose, verdict.support, verdict.how, verdict.outline))
            other = self._compare_rivals(scene, self.refine(scene, other))
            if other.margin <= verdict.margin:
                break
            verdict = other
        if not passes(verdict):
            return verdict
        verdict = self.judge_value(scene, verdict)
        if verdict.doubt:
            return verdict
        ref = self.bank.refs[verdict.ref]
        return self.judge_residue(scene, verdict, residue(self.bank, ref, self.flat_areas(ref), verdict.pose, scene))

    def judge_residue(self, scene: PictureScene, verdict: Verdict, left: Residue) -> Verdict:
        """Return a verdict that tells whether too much is left when the card is subtracted from the picture, and
        whether the card fails to fill the outline that proposed it."""
        found = msgspec.structs.replace(verdict, pose=left.pose, rest=left.rest, flat=left.flat, patch=left.patch)
        ref = self.bank.refs[verdict.ref]
        fills = found.outline is None or fills_outline(scene, self.corners(ref, found.pose), found.outline)
        return msgspec.structs.replace(found, strange=not (fills and leaves_nothing(found, bool(self.bank.kin(ref)))))

    def flat_areas(self, ref: ReferenceCard) -> FlatAreas:
        """Return an enrolled picture without its finer lines; cached."""
        if ref.number not in self._plain:
            fine = resize(self.bank.shot(ref).picture(), FINER * ref.size[0], FINER * ref.size[1])
            self._plain[ref.number] = describe_flat_areas(ref.view, ref.flat, fine)
        return self._plain[ref.number]

    def _compare_rivals(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return a verdict with its margin against the cards most like it, and those most like what is seen there."""
        ref = self.bank.refs[verdict.ref]
        found = margins(self.bank, ref, self._find_rivals(scene, verdict), verdict.pose, scene)
        least, rival = found[0] if found else (1.0, -1)
        return msgspec.structs.replace(verdict, margin=least, rival=rival)

    def _find_rivals(self, scene: PictureScene, verdict: Verdict) -> list[ReferenceCard]:
        """Return the cards most like a verdict's, and where it may be that one those most like what is seen, too."""
        ref = self.bank.refs[verdict.ref]
        others = self.bank.rivals(ref)
        if not agrees(verdict):
            return others
        cards = {one.card for one in others}
        return others + [one for one in cards_like_view(self.bank, ref, verdict.pose, scene) if one.card not in cards]

    def judge_value(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return a verdict for the sibling whose value is read, or with a doubt about it."""
        ref = self.bank.refs[verdict.ref]
        kin = self.bank.kin(ref)
        if not kin or not passes(verdict):
            return verdict
        level = level_of(mean_side(self.corners(ref, verdict.pose)))
        best, pose = ref, verdict.pose
        for _ in range(2):  # the nearer of two; whether it is nearer than all is checked below
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

    def _nearer(
        self, scene: PictureScene, ref: ReferenceCard, other: ReferenceCard, level: int, pose: Matrix
    ) -> float | None:
        return printed_values.value_nearness(self.bank.zones(ref, other, level), ref.frame, pose, scene)


def fills_outline(scene: PictureScene, corners: Floats, outline: Floats) -> bool:
    """Whether a card's corners are those of the outline that proposed it, or show an edge where the outline shows none.

    A card of another pack may have the same print elsewhere: laid on its print, this one ends short of the edge.
    """
    off = min(float(np.abs(np.roll(outline, turn, axis=0) - corners).max()) for turn in range(4))
    return off <= OFF * mean_side(corners) or scene.edge_step(corners) >= STEP or scene.edge_step(outline) < STEP


def _whole(verdict: Verdict) -> float:
    return verdict.whole


def half_turn(frame: tuple[int, int]) -> Matrix:
    """Return the homography that turns a card's frame by half a turn."""
    return np.array([[-1, 0, frame[0]], [0, -1, frame[1]], [0, 0, 1]], np.float64)


def level_of(side: float) -> int:
    """Return the size at which the value of a card of this width in pixels is read."""
    return next((level for level in printed_values.LEVELS if level >= 0.9 * side), printed_values.LEVELS[-1])
