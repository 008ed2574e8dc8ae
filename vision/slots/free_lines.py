"""Find lines of cards on a table without printed places, where a complete line determines each place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.engine import Place
from vision.slots.free_rows import REACH, SLANT, Owner, row_frame
from vision.slots.slot_frame import SlotFrame
from vision.slots.tracks import Track

BENT = 20.0
"""The maximum distance in millimetres of a card's middle from the line through all cards."""
LOOSE = 1.8
"""The maximum gap between neighbours relative to the median, above which a card is missing."""


def find_line(
    places: Sequence[Place], card: tuple[float, float], owner: Owner, tracks: Sequence[Track]
) -> list[tuple[Track, SlotFrame]]:
    """Return the cards of a complete line before its owner, from the owner's left, each with its place's frame.

    places: from left to right. The result is empty unless there is exactly one card per place, because a shorter line
    does not show which place is empty. Cards without a name count only if there are not too many cards, because a
    locomotive may stand beside the line.
    """
    near = [track for track in tracks if track.reportable and owner.distance(track.corners.mean(axis=0)) < REACH]
    if len(near) > len(places):
        near = [track for track in near if track.name is not None]
    near.sort(key=lambda track: owner.left_to_right(track.corners.mean(axis=0)))
    if len(near) != len(places) or not _is_line(near):
        return []
    ways = [owner.away(track.corners) for track in near]
    if max(slant for _, slant in ways) > SLANT:
        return []
    return [
        (track, row_frame(place, card, track.corners, away))
        for place, track, (away, _) in zip(places, near, ways, strict=True)
    ]


def _is_line(tracks: Sequence[Track]) -> bool:
    """Whether cards lie side by side at even distances."""
    middles = np.array([track.corners.mean(axis=0) for track in tracks])
    along = middles[-1] - middles[0]
    along = along / np.linalg.norm(along)
    beside = (middles - middles.mean(axis=0)) @ np.array([-along[1], along[0]])
    steps = np.diff(middles @ along)
    return bool(np.abs(beside).max() < BENT and steps.max() < LOOSE * np.median(steps))
