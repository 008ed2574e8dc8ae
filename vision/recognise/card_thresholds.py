"""The thresholds for naming a card: one set for every deck. docs/recognising.md tells how they were chosen."""

from __future__ import annotations

import numpy as np

from vision.recognise.verification import Verdict

SHARE = 0.62
"""Of what can be seen so much must agree."""
MARGIN = 0.25
"""So much nearer than any rival: 1 is the card itself, 0 half-way."""
VALUE_MARGIN = 0.35
"""The same between cards of one artwork, at the places where they differ."""
WHOLE = 0.35
"""All that can be seen must correlate so highly."""
SPARSE, WHOLE_SPARSE = 8.0, 0.6
"""Where fewer blocks agree, or no features voted, all must correlate so highly."""
EVIDENCE = 1.5
"""Where features voted: so many blocks that tell this card from others must agree."""
PLAIN, VISIBLE = 4.0, 0.7
"""Else so many blocks must agree, and so much of the card must show."""
EVIDENCE_BESIDE, MARGIN_BESIDE, SHARE_BESIDE = 2.5, 0.5, 0.8
"""The same where a thing lies on a card: it may hide what contradicts, so more must speak for the card."""
VISIBLE_BESIDE = 0.45
"""And so much of the card must show: a smaller part of a card may be another card's as well."""
MARGIN_HALF, SHARE_HALF, VISIBLE_HALF = 0.5, 0.8, 0.25
"""The same where one half of a card is believed and the other is not: so much of the whole card must show in it."""
MARGIN_BARE, SHARE_BARE, WHOLE_BARE = 0.85, 0.95, 0.8
"""Where features voted and all that shows agrees so well, a bare part suffices: there is little to tell on it."""
REST, REST_PAINTED = 0.5, 1.0
"""So much may be left, as a share of the card's contrast; more on a card that is painted all over."""
REST_VOTED = 0.37
"""Less may be left on bare cards for which features voted: these have detail enough to be laid exactly, so what is left
is another card's pips."""
REST_SPARSE = 0.3
"""Where few blocks agree, less may be left."""
PATCH_VOTED = 1.6
"""A flat part may be off by so many times more where features enough have voted."""
SHARE_RIMMED, MARGIN_RIMMED = 0.8, 0.75
"""So much must agree, and so much nearer than any rival, before a rim is taken to lie around the covering cards."""
PAINTED, BARE = 0.12, 0.2
"""Such a share of flat parts has a card that is painted all over, and one that is not."""
VOTES = 12
"""So many features must have voted where more may be left."""


def passes(verdict: Verdict) -> bool:
    """Whether a verdict is good enough to name the card."""
    return verdict.margin >= MARGIN and not verdict.strange and agrees(verdict)


def agrees(verdict: Verdict) -> bool:
    """Whether the card agrees well enough with what is seen, if it is nearer than its rivals."""
    if verdict.share < SHARE:
        return False
    if verdict.whole < (WHOLE if verdict.how == "votes" and verdict.plain >= SPARSE else WHOLE_SPARSE):
        return False
    if verdict.how == "votes" and (verdict.evidence >= EVIDENCE or is_sure_bare(verdict)):
        return True
    return verdict.plain >= PLAIN and verdict.visible >= VISIBLE


def is_sure_bare(verdict: Verdict) -> bool:
    """Whether all of a card's part that shows agrees, though hardly anything is printed on it."""
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
    """Whether the residue is small enough for the card to be this one.

    Paper with little on it must fit closely: such cards are many, and often alike. A card that is painted all over is
    not soon mistaken for another, and glare may lie on it, if features enough have voted for it. kin: it is one of an
    artwork's values, and was nearer than all the others.
    """
    bare = float(np.clip((verdict.flat - PAINTED) / (BARE - PAINTED), 0, 1))
    voted = verdict.how == "votes" and verdict.support >= VOTES
    if verdict.plain < SPARSE and verdict.visible > VISIBLE and verdict.rest > REST_SPARSE:
        return False
    usual = REST_VOTED if verdict.how == "votes" else REST
    most = bare * usual + (1 - bare) * (REST_PAINTED if voted else REST)
    return verdict.rest <= most and (bare < 1 or verdict.patch <= (PATCH_VOTED if voted or kin else 1))


def sure_but_for_rest(verdict: Verdict) -> bool:
    """Whether all but the residue speaks for a card: the rim of the card that covers it may be what is left."""
    return verdict.support >= VOTES and verdict.share >= SHARE_RIMMED and verdict.margin >= MARGIN_RIMMED


def sure_beside(verdict: Verdict) -> bool:
    """Whether the visible part beside a thing that lies on the card suffices to name it."""
    return (
        verdict.visible >= VISIBLE_BESIDE
        and verdict.evidence >= EVIDENCE_BESIDE
        and verdict.margin >= MARGIN_BESIDE
        and verdict.share >= SHARE_BESIDE
    )


def certainty(verdict: Verdict) -> float:
    """Return the certainty of a verdict, from 0 to 1, for display and sorting."""
    return float(np.clip(0.5 * verdict.share + 0.25 * min(1.0, verdict.margin) + 0.25 * verdict.whole, 0, 1))
