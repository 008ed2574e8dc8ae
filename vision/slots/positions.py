"""Determine the order of the cards at a place, and the outline of a spread on which each lies. Pure."""

from __future__ import annotations

import numpy as np

from companion.messages import Sighting
from vision.slots.slot_tracker import SlotTracker
from vision.slots.tracks import Track

BEYOND = 14.0
"""Millimetres between the first position and a row's nearest card beyond which the first card is missing."""


def positions(place: SlotTracker) -> list[Sighting]:
    """Return the sightings at a place, in order."""
    slot = place.frame.slot
    return [track.sighting(slot.place, at) for track, at in tracks_in_order(place)]


def tracks_in_order(place: SlotTracker) -> list[tuple[Track, int]]:
    """Return the reportable tracks, each with its position."""
    told = [track for track in place.tracks if track.reportable]
    return _row(place, told) if place.frame.slot.kind == "row" else _spread(place, told)


def _row(place: SlotTracker, told: list[Track]) -> list[tuple[Track, int]]:
    """Return a row's cards, the nearest to its owner first."""
    frame = place.frame
    far = {id(track): float(frame.from_mat(track.corners)[:, 1].min()) for track in told}
    told.sort(key=lambda track: -far[id(track)])
    home = float(frame.home(0)[:, 1].min())
    # If a hand hides the first card, its number stays free.
    start = 1 if told and home - far[id(told[0])] > BEYOND and place.covered else 0
    return [(track, start + nth) for nth, track in enumerate(told)]


def _spread(place: SlotTracker, told: list[Track]) -> list[tuple[Track, int]]:
    """Return a spread's cards, each on its nearest free outline."""
    frame = place.frame
    homes = [frame.home(nth).mean(axis=0) for nth in range(max(1, frame.slot.most))]
    pairs = sorted(
        (float(np.linalg.norm(frame.from_mat(track.corners).mean(axis=0) - home)), nth, number)
        for number, track in enumerate(told)
        for nth, home in enumerate(homes)
    )
    taken: dict[int, int] = {}
    used: set[int] = set()
    for _, nth, number in pairs:
        if number not in taken and nth not in used:
            taken[number] = nth
            used.add(nth)
    extra = len(homes)
    for number in range(len(told)):  # more cards than outlines
        if number not in taken:
            taken[number], extra = extra, extra + 1
    return sorted(((told[number], frame.slot.at + nth) for number, nth in taken.items()), key=lambda pair: pair[1])
