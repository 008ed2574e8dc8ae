"""Settle a candidate: refine its pose, compare its rivals, read its value and judge its residue.

`vision.recognise.recogniser` decides which candidates to settle, and when.
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
"""The correlation above which a polished pose is used without comparing the original."""
MOST_TURNS = 3
"""The maximum number of rivals that may replace a candidate."""
WORTH = 0.5
"""The minimum agreeing share for refining a pose."""
TURNED = 0.85
"""The correlation below which a symmetric card is also tried upside down."""
NEARLY = 0.2
"""The maximum loss of correlation upside down for refining that pose."""

OFF = 0.1
"""The maximum distance between a card's corners and the outline that proposed it, as a share of its width."""


class CardSettler:
    """Settles candidates of one deck. Several threads may settle candidates of a picture while none is accepted."""

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
        """Return a new verdict after other cards were found to cover this one."""
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
        """Return the final verdict of a card, or of its visible part beside an object."""
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
        """Return the verdict of the better half of a card if that names it, else the given verdict."""
        if found.support < VOTES or found.strange:
            return found
        ref = self.bank.refs[found.ref]
        half = scene.without(found.pose, ref.frame, beyond_best_line(ref, found.pose, scene))
        second = self._settle(half, self.compare_again(half, found))
        return second if second.ref == found.ref and passes(second) and sure_half(second) else found

    def _settle(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return the verdict of the card that beats all its rivals, with its value read last."""
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
        """Return a verdict that also states whether the residue is too large, or the card fails to fill its outline."""
        found = msgspec.structs.replace(verdict, pose=left.pose, rest=left.rest, flat=left.flat, patch=left.patch)
        ref = self.bank.refs[verdict.ref]
        fills = found.outline is None or fills_outline(scene, self.corners(ref, found.pose), found.outline)
        return msgspec.structs.replace(found, strange=not (fills and leaves_nothing(found, bool(self.bank.kin(ref)))))

    def flat_areas(self, ref: ReferenceCard) -> FlatAreas:
        """Return the flat areas of an enrolled picture. Cached."""
        if ref.number not in self._plain:
            fine = resize(self.bank.shot(ref).picture(), FINER * ref.size[0], FINER * ref.size[1])
            self._plain[ref.number] = describe_flat_areas(ref.view, ref.flat, fine)
        return self._plain[ref.number]

    def _compare_rivals(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return a verdict with its margin over the cards similar to it, and over those similar to the picture."""
        ref = self.bank.refs[verdict.ref]
        found = margins(self.bank, ref, self._find_rivals(scene, verdict), verdict.pose, scene)
        least, rival = found[0] if found else (1.0, -1)
        return msgspec.structs.replace(verdict, margin=least, rival=rival)

    def _find_rivals(self, scene: PictureScene, verdict: Verdict) -> list[ReferenceCard]:
        """Return the cards similar to a verdict's and, if that agrees, those similar to the picture."""
        ref = self.bank.refs[verdict.ref]
        others = self.bank.rivals(ref)
        if not agrees(verdict):
            return others
        cards = {one.card for one in others}
        return others + [one for one in cards_like_view(self.bank, ref, verdict.pose, scene) if one.card not in cards]

    def judge_value(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return a verdict for the sibling with the matching value, or one with a doubt about the value."""
        ref = self.bank.refs[verdict.ref]
        kin = self.bank.kin(ref)
        if not kin or not passes(verdict):
            return verdict
        level = level_of(mean_side(self.corners(ref, verdict.pose)))
        best, pose = ref, verdict.pose
        for _ in range(2):  # compares pairs only: the result is checked against all siblings below
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
    """Whether a card's corners match the outline that proposed it, or have an edge where the outline has none.

    A card of another pack may have the same print at another place. The enrolled card, aligned with that print, then
    ends short of the edge.
    """
    off = min(float(np.abs(np.roll(outline, turn, axis=0) - corners).max()) for turn in range(4))
    return off <= OFF * mean_side(corners) or scene.edge_step(corners) >= STEP or scene.edge_step(outline) < STEP


def _whole(verdict: Verdict) -> float:
    return verdict.whole


def half_turn(frame: tuple[int, int]) -> Matrix:
    """Return the homography that rotates a card's frame by half a turn."""
    return np.array([[-1, 0, frame[0]], [0, -1, frame[1]], [0, 0, 1]], np.float64)


def level_of(side: float) -> int:
    """Return the view size for reading the value of a card with this width in pixels."""
    return next((level for level in printed_values.LEVELS if level >= 0.9 * side), printed_values.LEVELS[-1])
