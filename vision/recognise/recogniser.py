"""Recognises cards in one picture: features and outlines propose, every proposal is verified, the best are accepted.

With two threads or more, outlines are sought beside the tiles' features, and candidates are verified side by side. The
result is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import msgspec
import numpy as np

from companion.messages import Doubt
from vision.deck.deck import Card, Deck
from vision.features.blocks import level_view
from vision.features.pixels import Floats, corners_of, project, resize
from vision.image import CardReading, Image, Matrix, Quad
from vision.process import prepare
from vision.recognise import partial_cards, printed_values
from vision.recognise.candidates import (
    Candidate,
    candidates_by_outlines,
    candidates_by_votes,
    cards_like_view,
    sizes_in,
)
from vision.recognise.card_thresholds import (
    EVIDENCE_BESIDE,
    MARGIN,
    VALUE_MARGIN,
    agrees,
    leaves_nothing,
    passes,
    sure_beside,
)
from vision.recognise.detections import Detections
from vision.recognise.flat_areas import FlatAreas, describe_flat_areas, recolour_flat_areas
from vision.recognise.hatching import FINER
from vision.recognise.inks import Shown, colours_in, find_inks, recoloured
from vision.recognise.occlusion import find_thing
from vision.recognise.reference_bank import ReferenceBank, ReferenceCard
from vision.recognise.residue import Residue, residue
from vision.recognise.rival_cards import margins
from vision.recognise.scene import PictureScene
from vision.recognise.verification import Verdict, compare, mean_side, polish_pose, refine_on_ink

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
LAID_OVER = 0.1
"""A card that was not named is looked at again when cards that were named since lie over so much of it."""
HOPELESS = 0.4
"""Outlines that agree less are not looked at again."""

T = TypeVar("T")


class Recogniser:
    """Recognises the cards of one enrolled deck. Not thread-safe."""

    def __init__(self, deck: Deck, threads: int = 2) -> None:
        prepare()
        self.deck = deck
        self.bank = ReferenceBank(deck)
        self._workers = ThreadPoolExecutor(threads, "reading") if threads > 1 else None
        self._plain: dict[int, FlatAreas] = {}
        self._inks: Floats | None = None
        self._number = {card.name: number for number, card in enumerate(deck.entries)}

    def read(
        self, picture: Image, size: tuple[float, float] | None = None, mask: Image | None = None
    ) -> list[CardReading]:
        """Return the cards in a picture.

        size: least and greatest width of a card in pixels, where the scale is known.
        mask: 0 where nothing is to be read.
        """
        scene = PictureScene(picture, mask)
        sizes = size or sizes_in(scene)
        found = Detections(self.bank)
        if self._workers is None:
            voted, outlined = (
                candidates_by_votes(self.bank, scene, sizes),
                candidates_by_outlines(self.bank, scene, sizes),
            )
        else:
            meanwhile = self._workers.submit(candidates_by_outlines, self.bank, scene, sizes)
            voted = candidates_by_votes(self.bank, scene, sizes, self._workers.map)
            outlined = meanwhile.result()
        doubted = self.take(scene, voted, found)
        self.take(scene, outlined, found)
        self.take(scene, [one for one in doubted if scene.over(self.corners(one.ref, one.pose)) > LAID_OVER], found)
        self.take_recoloured(scene, found)
        return found.readings()

    def read_at(
        self, picture: Image, corners: Quad, visible: Image | None = None, among: Sequence[str] | None = None
    ) -> CardReading:
        """Return the card at a known pose (to 2 px), of which only a part may show.

        visible: a mask in CARD's size over the card, 255 where it shows. among: the names that it can be.
        """
        corners = np.asarray(corners, np.float32)
        where = tuple((float(x), float(y)) for x, y in corners)
        names = self.deck.cards + self.deck.backs if among is None else tuple(among)
        numbers = [self._number[name] for name in names if name in self._number]
        found, _ = partial_cards.compare_parts(self.bank, PictureScene(picture), corners, visible, numbers)
        likeliest = tuple(self.deck.entries[part.card].name for part in found[:3])
        if not found:
            return CardReading(where, None, "up", 0.0, "hidden", ())
        if found[0].alike < partial_cards.LEAST_ALIKE:
            return CardReading(where, None, "up", 0.0, "unknown", likeliest)
        least, close = self._nearest(found)
        card = self.deck.entries[found[0].card]
        if least < partial_cards.LEAST_MARGIN:
            doubt: Doubt = "value" if close.family == card.family else "hidden"
            return CardReading(where, None, card.face, 0.0, doubt, likeliest)
        return CardReading(where, card.name, card.face, round(min(1.0, found[0].alike), 3), "", likeliest)

    def _nearest(self, found: list[partial_cards.CardPart]) -> tuple[float, Card]:
        """Return by how much the best part is nearer than any other card's, and the nearest other."""
        least, close = 1.0, self.deck.entries[found[0].card]
        for other in found[1:12]:
            margin = partial_cards.part_margin(found[0], other)
            if margin < least:
                least, close = margin, self.deck.entries[other.card]
        return least, close

    # --- acceptance -----------------------------------------------------------------------------------

    def take(self, scene: PictureScene, candidates: list[Candidate], found: Detections) -> list[Candidate]:
        """Accept the candidates that pass, the best first; parts under an accepted card do not count against others.

        Return those that did not pass: a card that lies over one of them may be found later.
        """
        free = [one for one in candidates if not found.has(self.corners(one.ref, one.pose), self.name(one.ref))]
        judged = list(zip(self._each(lambda one: self.judge(scene, one), free), free, strict=True))
        judged.sort(key=lambda pair: -pair[0].score)
        covered = scene.covered
        doubted = []
        for first, one in judged:
            corners = self.corners(self.bank.refs[first.ref], first.pose)
            if first.share < HOPELESS and one.how != "votes":
                continue
            if found.has(corners, self.name(self.bank.refs[first.ref])):
                continue
            verdict = self.settle(scene, first if scene.same(covered, corners) else self.compare_again(scene, first))
            corners = self.corners(self.bank.refs[verdict.ref], verdict.pose)
            if passes(verdict):
                found.add_named(verdict, corners)
                scene.cover(corners)
            else:
                found.add_doubtful(verdict, corners)
                doubted.append(one)
        return doubted

    def _each(self, what: Callable[[Candidate], T], all_of: Sequence[Candidate]) -> Iterable[T]:
        return map(what, all_of) if self._workers is None else self._workers.map(what, all_of)

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
        return msgspec.structs.replace(best, support=one.support, how=one.how)

    def compare_again(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return a new verdict, now that other cards are known to lie over this one."""
        fresh = compare(self.bank, self.bank.refs[verdict.ref], verdict.pose, scene)
        return msgspec.structs.replace(fresh, support=verdict.support, how=verdict.how)

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
        return msgspec.structs.replace(best, support=verdict.support, how=verdict.how)

    def settle(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return the final verdict of a card, or of its visible part beside a thing that lies on it."""
        found = self._settle(scene, verdict)
        if passes(found) or found.how != "votes" or found.evidence < EVIDENCE_BESIDE:
            return found
        ref = self.bank.refs[found.ref]
        hidden = find_thing(self.bank, ref, self._find_rivals(scene, found), found.pose, scene)
        if hidden is None:
            return found
        beside = scene.without(found.pose, ref.frame, hidden)
        second = self._settle(beside, self.compare_again(beside, found))
        return second if second.ref == found.ref and passes(second) and sure_beside(second) else found

    def _settle(self, scene: PictureScene, verdict: Verdict) -> Verdict:
        """Return the verdict of the card that is nearer than all its rivals; its value is read last."""
        tried = {verdict.ref}
        verdict = self._compare_rivals(scene, self.refine(scene, verdict))
        for _ in range(MOST_TURNS):
            if verdict.margin >= MARGIN or verdict.rival < 0 or verdict.rival in tried:
                break
            tried.add(verdict.rival)
            rival = self.bank.refs[verdict.rival]
            other = self.judge(scene, Candidate(rival, verdict.pose, verdict.support, verdict.how))
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
        return self.judge_residue(verdict, residue(self.bank, ref, self.flat_areas(ref), verdict.pose, scene))

    def judge_residue(self, verdict: Verdict, left: Residue) -> Verdict:
        """Return a verdict that tells whether too much is left when the card is subtracted from the picture."""
        found = msgspec.structs.replace(verdict, pose=left.pose, rest=left.rest, flat=left.flat, patch=left.patch)
        kin = bool(self.bank.kin(self.bank.refs[verdict.ref]))
        return msgspec.structs.replace(found, strange=not leaves_nothing(found, kin))

    def take_recoloured(self, scene: PictureScene, found: Detections) -> None:
        """Judge again what was left of doubted cards, with inks in the colours that the named cards show."""
        strange = found.strange()
        if not strange or not found.named:
            return
        if self._inks is None:
            self._inks = find_inks((ref, self.flat_areas(ref)) for ref in self.bank.refs)
        if not len(self._inks):
            return
        cards = [Shown(ref, self.flat_areas(ref), verdict.pose)
                 for verdict in found.named for ref in [self.bank.refs[verdict.ref]]]  # fmt: skip
        colours = colours_in(scene, self._inks, cards)
        for verdict, corners in strange:
            ref = self.bank.refs[verdict.ref]
            if found.has(corners, self.name(ref)):
                continue
            view = recoloured(ref, self.flat_areas(ref), self._inks, colours)
            known = recolour_flat_areas(self.flat_areas(ref), view, level_view(view))
            again = self.judge_residue(verdict, residue(self.bank, ref, known, verdict.pose, scene))
            if passes(again):
                found.add_named(again, self.corners(ref, again.pose))

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


def _whole(verdict: Verdict) -> float:
    return verdict.whole


def half_turn(frame: tuple[int, int]) -> Matrix:
    """Return the homography that turns a card's frame by half a turn."""
    return np.array([[-1, 0, frame[0]], [0, -1, frame[1]], [0, 0, 1]], np.float64)


def level_of(side: float) -> int:
    """Return the size at which the value of a card of this width in pixels is read."""
    return next((level for level in printed_values.LEVELS if level >= 0.9 * side), printed_values.LEVELS[-1])
