"""Collect the cards detected in one picture, without duplicates and with doubtful ones last."""

from __future__ import annotations

import cv2

from companion.messages import Doubt
from vision.features.pixels import Floats
from vision.image import CardReading
from vision.recognise.card_thresholds import certainty
from vision.recognise.reference_bank import ReferenceBank
from vision.recognise.verification import Verdict

SAME_PLACE = 0.4
"""The overlap above which two detections of the same card are duplicates, as a share of the smaller one."""
COVERED = 0.75
"""The overlap with another card above which a detection is dropped."""

LEAST_DOUBT = 0.25
"""The minimum score for reporting a card without a name."""


class Detections:
    """The readings of one picture."""

    def __init__(self, bank: ReferenceBank) -> None:
        self._bank = bank
        self._readings: list[CardReading] = []
        self._taken: list[tuple[Floats, str]] = []
        self.named: list[Verdict] = []
        """The cards that are certain, or certain except for their value."""
        self._doubts: list[tuple[Verdict, Floats]] = []

    def has(self, corners: Floats, name: str) -> bool:
        """Whether an accepted card already covers this place: the same card, or another one that covers nearly all
        of it."""
        return any(overlap(corners, other) > (SAME_PLACE if name == known else COVERED) for other, known in self._taken)

    def doubts(self, corners: Floats) -> bool:
        """Whether an outline at this place was already doubted, together with its most similar cards and rivals."""
        return any(one.how == "outline" and overlap(corners, other) > COVERED for one, other in self._doubts)

    def add_named(self, verdict: Verdict, corners: Floats) -> None:
        """Add a card that is certain, or certain except for its value."""
        self.named.append(verdict)
        self._taken.append((corners, self._bank.card(self._bank.refs[verdict.ref]).name))
        self._readings.append(self._reading(verdict, corners, verdict.doubt))

    def add_doubtful(self, verdict: Verdict, corners: Floats) -> None:
        """Add a card that is uncertain or not in the deck."""
        self._doubts.append((verdict, corners))

    def strange(self) -> list[tuple[Verdict, Floats]]:
        """Return the cards doubted only for their residue, with their corners, best first."""
        return sorted([pair for pair in self._doubts if pair[0].strange], key=lambda pair: -pair[0].score)

    def readings(self) -> list[CardReading]:
        """Return all readings: the named cards, then doubtful ones without a name."""
        result = list(self._readings)
        for verdict, corners in sorted(self._doubts, key=lambda pair: -pair[0].score):
            name = self._bank.card(self._bank.refs[verdict.ref]).name
            if verdict.score >= LEAST_DOUBT and not any(
                overlap(corners, other) > SAME_PLACE for other, _ in self._taken
            ):
                self._taken.append((corners, name))
                result.append(self._reading(verdict, corners, "unknown" if verdict.visible > 0.6 else "hidden"))
        return result

    def _reading(self, verdict: Verdict, corners: Floats, doubt: Doubt) -> CardReading:
        ref = self._bank.refs[verdict.ref]
        card = self._bank.card(ref)
        where = tuple((round(float(x), 2), round(float(y), 2)) for x, y in corners)
        if doubt:
            kin = [self._bank.card(other).name for other in self._bank.kin(ref)] if doubt == "value" else []
            return CardReading(where, None, card.face, 0.0, doubt, (card.name, *kin)[:3])
        return CardReading(where, card.name, card.face, round(certainty(verdict), 3), "", (card.name,))


def overlap(one: Floats, two: Floats) -> float:
    """Return the intersection of two convex quadrangles as a share of the smaller one."""
    shared, _ = cv2.intersectConvexConvex(one, two)
    return float(shared) / max(1.0, min(abs(cv2.contourArea(one)), abs(cv2.contourArea(two))))
