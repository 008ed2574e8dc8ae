"""Propose where cards may lie in a picture, from feature votes and from outlines with a card's proportions."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from vision.features.descriptors import global_descriptor
from vision.features.pixels import Floats, corners_of, grey_of, homography, project, scaling_matrix
from vision.features.quadrilaterals import QuadOutline, outlines
from vision.features.sift import Each, extract_in_tiles
from vision.image import Matrix
from vision.recognise.print_boxes import predicted_outlines
from vision.recognise.reference_bank import ReferenceBank, ReferenceCard
from vision.recognise.scene import PictureScene
from vision.recognise.verification import mean_side

PIXELS = 400_000
"""Number of pixels to which a picture is scaled for the feature search: about 843 × 474."""
MOST_PIXELS = 900_000
"""Number of pixels to which stills of more than two million pixels are scaled for the feature search."""
MOST_FEATURES = 2500
"""The number of strongest features kept per picture, which bounds the matching time."""
NEAR_LOOKS = 3
"""The number of most similar cards that each outline is compared with."""
LEAST_LOOKS = 0.45
"""The minimum descriptor correlation between an outline and a card."""
MOST_CANDIDATES = 48
"""The number of best candidates to verify, which bounds the time for a cluttered picture."""
LOOKED = (48, 64)
"""Width and height in pixels of an outline's view for its global descriptor."""


class Candidate(msgspec.Struct, frozen=True):
    """A card that may lie at a pose."""

    ref: ReferenceCard
    pose: Matrix
    support: float
    how: str
    outline: Floats | None = None
    """The corners of the outline that proposes the card."""


def candidates_by_votes(
    bank: ReferenceBank, scene: PictureScene, sizes: tuple[float, float], each: Each = map
) -> list[Candidate]:
    """Return the candidates that local features vote for.

    each: `map`, or an executor's `map`.
    """
    scale = search_scale(scene, sizes)
    grey = grey_of(scene.smaller(scale))
    known = None if scene.all_known else cv2.resize(scene.known, grey.shape[::-1], interpolation=cv2.INTER_NEAREST)
    features = extract_in_tiles(grey, MOST_FEATURES, known, each)
    found = bank.voters.poses(features, (sizes[0] * scale, sizes[1] * scale), each)
    back = scaling_matrix(1 / scale, 1 / scale)
    result = []
    for one in found[:MOST_CANDIDATES]:
        ref = bank.of_card[one.owner][0]
        pose = back @ one.pose
        if plausible(project(pose, corners_of(ref.frame)), ref.frame, sizes):
            result.append(Candidate(ref, pose, float(one.votes), "votes"))
    return result


def candidates_by_outlines(bank: ReferenceBank, scene: PictureScene, sizes: tuple[float, float]) -> list[Candidate]:
    """Return the cards that best match each outline with a card's proportions."""
    scale = search_scale(scene, sizes)
    picture = scene.smaller(scale)
    found = outlines(picture, bank.ratios, (sizes[0] * scale, sizes[1] * scale))
    found += predicted_outlines(bank.boxes(), picture)
    lying = [_outline_turns(scene, outline, scale) for outline in found]
    seen = [look for looked in lying for _, look in looked]
    if not seen:
        return []
    alike = np.stack(seen) @ bank.looks.T  # one matrix product for all outlines reads the descriptors only once
    ranked: list[tuple[int, Candidate]] = []
    at = 0
    for looked in lying:
        ranked += enumerate(cards_like_outline(bank, [corners for corners, _ in looked], alike[at : at + len(looked)]))
        at += len(looked)
    # Rank all first guesses before any second guess, so that no outline crowds out another.
    ranked.sort(key=lambda pair: (pair[0], -pair[1].support))
    return [one for _, one in ranked[:MOST_CANDIDATES]]


def _outline_turns(scene: PictureScene, outline: QuadOutline, scale: float) -> list[tuple[Floats, Floats]]:
    """Return an outline's corners and global descriptor for each orientation that a card may have in it."""
    corners = start_at_short_side(outline.corners / np.float32(scale))
    result = []
    for turn in possible_turns(corners):
        turned = np.roll(corners, -turn, axis=0)
        view = scene.picture_at(homography(corners_of(LOOKED), turned), LOOKED, LOOKED)
        result.append((turned, global_descriptor(view)))
    return result


def cards_like_outline(bank: ReferenceBank, lying: Sequence[Floats], alike: Floats) -> list[Candidate]:
    """Return the enrolled cards most similar to an outline, each in its best orientation.

    lying: the outline's corners for each orientation. alike: for each orientation, the correlation with every enrolled
    picture.
    """
    best: dict[int, tuple[float, Floats]] = {}
    for turned, row in zip(lying, alike, strict=True):
        for number in np.argsort(-row)[:NEAR_LOOKS]:
            if row[number] > LEAST_LOOKS and row[number] > best.get(int(number), (0.0, turned))[0]:
                best[int(number)] = (float(row[number]), turned)
    result = []
    for number, (how, turned) in sorted(best.items(), key=lambda item: -item[1][0])[:NEAR_LOOKS]:
        ref = bank.refs[number]
        target = turned if ref.frame[1] >= ref.frame[0] else np.roll(turned, 1, axis=0)
        result.append(Candidate(ref, homography(corners_of(ref.frame), target), how, "outline", target))
    return result


def cards_like_view(bank: ReferenceBank, ref: ReferenceCard, pose: Matrix, scene: PictureScene) -> list[ReferenceCard]:
    """Return the pictures of other artworks that most resemble the view at a pose."""
    lies = ref.frame[0] > ref.frame[1]
    view = scene.picture_at(pose, ref.frame, LOOKED[::-1] if lies else LOOKED)
    return bank.nearest(ref, global_descriptor(cv2.rotate(view, cv2.ROTATE_90_CLOCKWISE) if lies else view))


def sizes_in(scene: PictureScene) -> tuple[float, float]:
    """Return the minimum and maximum card width in pixels to search for when the scale is unknown."""
    return 20.0, float(min(scene.width, scene.height)) * 1.5


def search_scale(scene: PictureScene, sizes: tuple[float, float]) -> float:
    """Return the factor by which to resize a picture for the search."""
    pixels = scene.width * scene.height
    scale = float(np.sqrt((MOST_PIXELS if pixels > 2_000_000 else PIXELS) / pixels))
    return min(1.0, scale)


def plausible(corners: Floats, frame: tuple[int, int], sizes: tuple[float, float]) -> bool:
    """Whether four corners may be a card's: convex, clockwise, and of a card's size and proportions."""
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


def start_at_short_side(corners: Floats) -> Floats:
    """Return clockwise corners, rotated so that the first side is a short one."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return corners if sides[0] + sides[2] <= sides[1] + sides[3] else np.roll(corners, -1, axis=0)


def possible_turns(corners: Floats) -> tuple[int, ...]:
    """Return the quarter turns that a card may have in an outline: all four if the outline is nearly square."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return (0, 1, 2, 3) if sides[1] + sides[3] < 1.2 * (sides[0] + sides[2]) else (0, 2)
