"""Thresholds for naming a card, the same for every deck. See docs/recognising.md for how they were chosen."""

from __future__ import annotations

import numpy as np

from vision.recognise.verification import Verdict

SHARE = 0.62
"""The minimum agreeing share of the visible evidence."""
MARGIN = 0.25
"""The minimum margin over any rival, where 1 is the card itself and 0 is half-way between both."""
VALUE_MARGIN = 0.35
"""The minimum margin over cards of the same artwork, measured where they differ."""
WHOLE = 0.35
"""The minimum correlation of all visible pixels."""
SPARSE, WHOLE_SPARSE = 8.0, 0.6
"""Below this number of agreeing blocks, or without feature votes, the correlation must reach the second value."""
EVIDENCE = 1.5
"""The minimum weighted number of agreeing blocks when features voted."""
PLAIN, VISIBLE = 4.0, 0.7
"""The minimum number of agreeing blocks, and the minimum visible share of the card, when features do not suffice."""
EVIDENCE_BESIDE, MARGIN_BESIDE, SHARE_BESIDE = 2.5, 0.5, 0.8
"""Stricter thresholds for a card under an object, which may hide contradicting parts."""
VISIBLE_BESIDE = 0.45
"""The minimum visible share of a card under an object: a smaller part may match other cards too."""
MARGIN_HALF, SHARE_HALF, VISIBLE_HALF = 0.5, 0.8, 0.25
"""Thresholds for naming a card by one half. The last is the minimum visible share of the whole card in that half."""
MARGIN_BARE, SHARE_BARE, WHOLE_BARE = 0.85, 0.95, 0.8
"""Thresholds above which a bare part with feature votes suffices, although it has little print to compare."""
REST, REST_PAINTED = 0.5, 1.0
"""The maximum residue, as a share of the card's contrast, for cards with and without bare paper."""
REST_VOTED = 0.37
"""The maximum residue of bare cards with feature votes. Their poses are exact, so a larger residue comes from
another card's pips."""
REST_SPARSE = 0.3
"""The maximum residue when few blocks agree."""
PATCH_VOTED = 1.6
"""The factor by which a flat part's error may exceed the limit when enough features voted."""
SHARE_RIMMED, MARGIN_RIMMED = 0.8, 0.75
"""The minimum share and margin before a sleeve's rim around covering cards can explain the residue."""
PAINTED, BARE = 0.12, 0.2
"""The share of flat parts below which a card counts as painted all over, and above which it counts as bare."""
VOTES = 12
"""The minimum number of feature votes for the relaxed limits."""


def passes(verdict: Verdict) -> bool:
    """Whether a verdict is good enough to name the card."""
    return verdict.margin >= MARGIN and not verdict.strange and agrees(verdict)


def agrees(verdict: Verdict) -> bool:
    """Whether the card agrees well enough with the picture, apart from its margin over rivals."""
    if verdict.share < SHARE:
        return False
    if verdict.whole < (WHOLE if verdict.how == "votes" and verdict.plain >= SPARSE else WHOLE_SPARSE):
        return False
    if verdict.how == "votes" and (verdict.evidence >= EVIDENCE or is_sure_bare(verdict)):
        return True
    return verdict.plain >= PLAIN and verdict.visible >= VISIBLE


def is_sure_bare(verdict: Verdict) -> bool:
    """Whether the visible part agrees almost fully, although hardly anything is printed on it."""
    return verdict.margin >= MARGIN_BARE and verdict.share >= SHARE_BARE and verdict.whole >= WHOLE_BARE


def sure_half(verdict: Verdict) -> bool:
    """Whether one half of a card suffices to name it."""
    return (
        verdict.support >= VOTES
        and verdict.visible >= VISIBLE_HALF
        and verdict.margin >= MARGIN_HALF
        and verdict.share >= SHARE_HALF
    )


def leaves_nothing(verdict: Verdict, kin: bool = False) -> bool:
    """Whether the residue is small enough to name the card.

    Bare cards must fit closely, because decks have many similar ones. A card painted all over is rarely confused with
    another, so with enough votes it may show glare. kin: whether the card is one of several values of its artwork and
    beat the others.
    """
    bare = float(np.clip((verdict.flat - PAINTED) / (BARE - PAINTED), 0, 1))
    voted = verdict.how == "votes" and verdict.support >= VOTES
    if verdict.plain < SPARSE and verdict.visible > VISIBLE and verdict.rest > REST_SPARSE:
        return False
    usual = REST_VOTED if verdict.how == "votes" else REST
    most = bare * usual + (1 - bare) * (REST_PAINTED if voted else REST)
    return verdict.rest <= most and (bare < 1 or verdict.patch <= (PATCH_VOTED if voted or kin else 1))


def sure_but_for_rest(verdict: Verdict) -> bool:
    """Whether everything but the residue supports the card, so that a covering card's rim may explain the residue."""
    return verdict.support >= VOTES and verdict.share >= SHARE_RIMMED and verdict.margin >= MARGIN_RIMMED


def sure_beside(verdict: Verdict) -> bool:
    """Whether the part of a card beside an object on it suffices to name the card."""
    return (
        verdict.visible >= VISIBLE_BESIDE
        and verdict.evidence >= EVIDENCE_BESIDE
        and verdict.margin >= MARGIN_BESIDE
        and verdict.share >= SHARE_BESIDE
    )


def certainty(verdict: Verdict) -> float:
    """Return a verdict's certainty from 0 to 1, for display and sorting."""
    return float(np.clip(0.5 * verdict.share + 0.25 * min(1.0, verdict.margin) + 0.25 * verdict.whole, 0, 1))
