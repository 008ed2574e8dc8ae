"""Measure how a picture shows the inks of the print, from the cards that it already names.

A camera shifts hues: violet may look pink, and red may look orange under a lamp. A single card cannot distinguish such
a shift from another card's ink. The named cards beside it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from vision.features.blocks import PADDING, energy, gains, level_view, surroundings
from vision.features.pixels import Floats, corners_of, project
from vision.image import Matrix
from vision.recognise.flat_areas import PAPER, FlatAreas
from vision.recognise.image_difference import ELSEWHERE
from vision.recognise.reference_bank import ReferenceCard
from vision.recognise.scene import PictureScene
from vision.recognise.verification import view_at

INKED = 15.0
"""Distance from the paper in Lab above which a pixel is ink, so that noise hardly affects its direction."""
ALIKE = 0.92
"""The minimum cosine between two colours' directions from the paper for one ink (23°), as between its hatching and
its filling."""
MOST_INKS = 6
"""The maximum number of inks. A print with more counts as a painting."""
LEAST_SHARE = 0.02
"""The minimum share of a deck's inked pixels that an ink takes. Smaller shares are edges between two inks."""
STEPS = 8.0
"""Bins per unit of a direction's component in the histogram that finds the most frequent direction."""
EVIDENCE = 40_000.0
"""The weight of the enrolled colour as energy in Lab squared, summed over pixels. An outline in a view of 96 pixels
has as much, and a filled symbol twenty times more."""
TURNED = 0.8
"""The minimum cosine between an ink's measured and enrolled directions. Below it the measurement is discarded."""


class Shown(msgspec.Struct, frozen=True):
    """A named card at its pose."""

    ref: ReferenceCard
    known: FlatAreas
    pose: Matrix


def find_inks(cards: Iterable[tuple[ReferenceCard, FlatAreas]]) -> Floats:
    """Return the directions in which a deck's print differs from its paper, the most frequent first: n × 3, unit
    length."""
    found = [bare[energy(bare) > INKED**2] for bare in (bare_print(ref, known) for ref, known in cards)]
    pixels = np.concatenate(found) if found else np.zeros((0, 3), np.float32)
    ways = pixels / np.maximum(np.linalg.norm(pixels, axis=1, keepdims=True), 1.0)
    inks: list[Floats] = []
    least = LEAST_SHARE * len(ways)
    while len(ways) > least and len(inks) < MOST_INKS:
        bins, counts = np.unique(np.rint(ways * STEPS), axis=0, return_counts=True)
        way = bins[counts.argmax()] / np.linalg.norm(bins[counts.argmax()])
        mean = ways[ways @ way > ALIKE].sum(axis=0)
        way = (mean / np.linalg.norm(mean) if mean.any() else way).astype(np.float32)
        near = ways @ way > ALIKE
        if int(near.sum()) < max(1.0, least):
            break
        inks.append(way)
        ways = ways[~near]
    return np.stack(inks) if inks else np.zeros((0, 3), np.float32)


def bare_print(ref: ReferenceCard, known: FlatAreas) -> Floats:
    """Return the difference between an enrolled picture and its nearby paper in Lab, or zeros where it has no paper."""
    if not known.patches or float(known.patches[0].part.mean()) < PAPER:
        return np.zeros_like(ref.view)
    paper = known.patches[0].part
    apart: Floats = ref.view - ref.view[paper].mean(axis=0)  # far from paper, the surroundings count as 0
    return apart - surroundings(apart, (paper + np.float32(ELSEWHERE)).astype(np.float32))


def amounts(bare: Floats, inks: Floats) -> Floats:
    """Return the amount of each ink at each pixel in Lab, n × h × w. A pixel has at most one ink."""
    along = bare @ inks.T
    best = along.argmax(axis=2)
    much = np.take_along_axis(along, best[:, :, None], axis=2)[:, :, 0]
    inked = much > ALIKE * np.sqrt(energy(bare))
    return np.stack([much * (inked & (best == at)) for at in range(len(inks))]).astype(np.float32)


def colours_in(scene: PictureScene, inks: Floats, cards: Sequence[Shown]) -> Floats:
    """Return each ink's colour in a picture per unit of its amount, measured on named cards: n × 3.

    The estimate first divides out each card's own contrast. An ink that the cards hardly show keeps its enrolled
    colour.
    """
    own = EVIDENCE * np.eye(len(inks))
    shared: npt.NDArray[np.float64] = EVIDENCE * inks.astype(np.float64)
    for card in cards:
        lies = project(card.pose, corners_of(card.ref.frame))
        seen = view_at(card.ref, card.pose, scene.uncovered(lies))
        view = seen.flat[PADDING:-PADDING, PADDING:-PADDING]
        parts = _levelled(amounts(bare_print(card.ref, card.known), inks), seen.seen)
        gain = gains(level_view(card.ref.view, seen.seen), view, seen.seen)
        rows = parts.reshape(len(inks), -1).astype(np.float64)
        own += rows @ rows.T
        shared += np.dot(rows, (view / gain).reshape(-1, 3))
    found = np.linalg.solve(own, shared).astype(np.float32)
    cosine = (found * inks).sum(axis=1) / np.maximum(np.linalg.norm(found, axis=1), 1e-6)
    return np.where((cosine > TURNED)[:, None], found, inks)


def recoloured(ref: ReferenceCard, known: FlatAreas, inks: Floats, colours: Floats) -> Floats:
    """Return an enrolled picture in Lab with its inks in a picture's colours."""
    parts = amounts(bare_print(ref, known), inks)
    return ref.view + np.tensordot(parts, colours - inks, axes=(0, 0)).astype(np.float32)


def _levelled(parts: Floats, seen: Floats) -> Floats:
    return np.stack([(part - surroundings(part[:, :, None], seen)[:, :, 0]) * seen for part in parts])
