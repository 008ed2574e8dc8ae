"""Recognise cards in one picture: features and outlines propose candidates, each is verified, and the best are
accepted.

With two threads or more, the outline search runs beside the feature search, and candidates are verified in parallel.
The result is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import msgspec
import numpy as np

from companion.messages import Doubt
from vision.deck.deck import Card, Deck
from vision.features.blocks import level_view
from vision.features.pixels import Floats
from vision.image import CardReading, Image, Quad
from vision.process import prepare
from vision.recognise import partial_cards
from vision.recognise.candidates import (
    Candidate,
    candidates_by_outlines,
    candidates_by_votes,
    sizes_in,
)
from vision.recognise.card_thresholds import (
    passes,
)
from vision.recognise.detections import Detections
from vision.recognise.flat_areas import recolour_flat_areas
from vision.recognise.inks import Shown, colours_in, find_inks, recoloured
from vision.recognise.reference_bank import ReferenceBank
from vision.recognise.residue import residue
from vision.recognise.scene import PictureScene, come_near
from vision.recognise.settling import CardSettler
from vision.recognise.verification import Verdict

LAID_OVER = 0.1
"""The covered share above which to verify a rejected card again after covering cards are named."""
HOPELESS = 0.4
"""The agreeing share below which an outline is dropped."""

A = TypeVar("A")
B = TypeVar("B")


class SettledAhead(msgspec.Struct, frozen=True):
    """A final verdict and the state in which it was reached."""

    verdict: Verdict
    corners: tuple[Floats, Floats]
    """The card's corners in the picture before and after settling."""
    covered: int
    """The number of cards accepted at that time."""


class Recogniser(CardSettler):
    """Recognises the cards of one enrolled deck. Not thread-safe."""

    def __init__(self, deck: Deck, threads: int = 2) -> None:
        prepare()
        super().__init__(ReferenceBank(deck))
        self.deck = deck
        self._workers = ThreadPoolExecutor(threads, "reading") if threads > 1 else None
        self._inks: Floats | None = None
        self._number = {card.name: number for number, card in enumerate(deck.entries)}

    def read(
        self, picture: Image, size: tuple[float, float] | None = None, mask: Image | None = None
    ) -> list[CardReading]:
        """Return the cards in a picture.

        size: minimum and maximum width of a card in pixels, if the scale is known. mask: 0 where nothing is to be read.
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
        """Return the card at a known pose (within 2 px), even if only a part shows.

        visible: a mask in CARD's size over the card, 255 where it shows. among: the possible names.
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
        """Return the best part's minimum margin over any other card, and that card."""
        least, close = 1.0, self.deck.entries[found[0].card]
        for other in found[1:12]:
            margin = partial_cards.part_margin(found[0], other)
            if margin < least:
                least, close = margin, self.deck.entries[other.card]
        return least, close

    # --- acceptance -----------------------------------------------------------------------------------

    def take(self, scene: PictureScene, candidates: list[Candidate], found: Detections) -> list[Candidate]:
        """Accept the candidates that pass, best first. Parts under an accepted card do not count against later ones.

        Return the rejected candidates: a card that lies over one of them may be found later.
        """
        free = [one for one in candidates if not found.has(self.corners(one.ref, one.pose), self.name(one.ref))]
        judged = list(zip(self._each(lambda one: self.judge(scene, one), free), free, strict=True))
        judged.sort(key=lambda pair: -pair[0].score)
        waiting = [pair for pair in judged if pair[0].share >= HOPELESS or pair[1].how == "votes"]
        covered = scene.covered
        ahead: dict[int, SettledAhead] = {}
        doubted = []
        for at, (first, one) in enumerate(waiting):
            if found.has(self._corners(first), self.name(self.bank.refs[first.ref])):
                continue
            if one.how == "outline" and found.doubts(self._corners(first)):
                continue
            if at not in ahead or not all(scene.same(ahead[at].covered, where) for where in ahead[at].corners):
                ahead.pop(at, None)
                ahead |= self._settle_ahead(scene, covered, dict(enumerate(waiting[at:], at)), found, ahead)
            verdict, corners = ahead[at].verdict, ahead[at].corners[-1]
            if passes(verdict):
                found.add_named(verdict, corners)
                scene.cover(corners)
            else:
                found.add_doubtful(verdict, corners)
                doubted.append(one)
        return doubted

    def _settle_ahead(
        self,
        scene: PictureScene,
        covered: int,
        waiting: Mapping[int, tuple[Verdict, Candidate]],
        found: Detections,
        known: Container[int],
    ) -> dict[int, SettledAhead]:
        """Return final verdicts of the first waiting candidate, and of others that no candidate before them can cover.

        covered: the number of accepted cards when the verdicts were reached. waiting: the verdicts, best first. known:
        the indices of settled ones.
        """
        free = {}
        before: list[Floats] = []
        for at, (first, _) in waiting.items():
            corners = self._corners(first)
            if not found.has(corners, self.name(self.bank.refs[first.ref])):
                if at not in known and not any(come_near(corners, other) for other in before):
                    free[at] = first
                before.append(corners)

        def settle(first: Verdict) -> SettledAhead:
            corners = self._corners(first)
            same = scene.same(covered, corners)
            view = scene.keeping()
            verdict = self.settle(view, first if same else self.compare_again(view, first))
            return SettledAhead(verdict, (corners, self._corners(verdict)), scene.covered)

        return dict(zip(free, self._each(settle, free.values()), strict=True))

    def _corners(self, verdict: Verdict) -> Floats:
        return self.corners(self.bank.refs[verdict.ref], verdict.pose)

    def _each(self, what: Callable[[A], B], all_of: Iterable[A]) -> Iterable[B]:
        return map(what, all_of) if self._workers is None else self._workers.map(what, all_of)

    def take_recoloured(self, scene: PictureScene, found: Detections) -> None:
        """Judge the residues of doubted cards again, with the inks in the colours of the named cards."""
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
            again = self.judge_residue(scene, verdict, residue(self.bank, ref, known, verdict.pose, scene))
            if passes(again):
                found.add_named(again, self.corners(ref, again.pose))
