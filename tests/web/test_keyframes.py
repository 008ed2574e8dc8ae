"""Test that animations of pages change only transform and opacity, so that no frame needs layout or paint."""

from __future__ import annotations

import re

from web.serving.assets import folders, listed

KEYFRAMES = re.compile(r"@keyframes ([\w-]+) \{((?:[^{}]*\{[^{}]*\})*)\s*\}")
SMOOTH = {"transform", "opacity"}
OTHERWISE = {
    "told": "a phone's strip that is hidden at its end",
    "goodbye": "the bar of a page that the machine leaves",
    "stage-wait": "the bar of a page that waits for a demonstration",
    "grown": "the ring of a button that is held down",
}
"""Animations of small parts of a person's own page that change something else, each with its reason."""


def test_animations_change_transform_and_opacity_alone() -> None:
    """The animations of all common and games' style sheets change only transform and opacity, except the listed
    ones."""
    seen, other = set[str](), dict[str, set[str]]()
    for name, folder in folders().items():
        for sheet in listed(folder / "css" if not name else folder, ".css"):
            for called, frames in KEYFRAMES.findall(sheet.read_text(encoding="utf-8")):
                seen.add(called)
                changed = set(re.findall(r"[{;]\s*([\w-]+)\s*:", frames))
                if changed - SMOOTH:
                    other[called] = changed - SMOOTH
    assert len(seen) > 10
    assert set(other) == set(OTHERWISE), other
