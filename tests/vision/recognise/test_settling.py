"""Tests that a card must fill its outline, because cards of other packs share its print at another distance."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.vision.pictures import laid, photographed, table
from vision.deck.making import enrol
from vision.image import Image
from vision.recognise import Recogniser
from vision.recognise.scene import PictureScene
from vision.recognise.verification import Verdict

INKS = {"red": (60, 60, 210), "green": (70, 150, 60), "violet": (130, 50, 110)}


def pips(ink: str, rows: int, along: float = 1.0) -> Image:
    """Return a white card with pairs of pips; along: the length of its print relative to that of the deck."""
    drawn = np.full((352, 252, 3), 236, np.uint8)
    for at in range(rows):
        y = 176 + round(along * 72 * (at - (rows - 1) / 2))
        for x in (76, 176):
            cv2.ellipse(drawn, (x, y), (22, round(26 * along)), 0, 0, 360, INKS[ink], -1, cv2.LINE_AA)
    return drawn


def pips_reader() -> Recogniser:
    """Return a recogniser of nine cards with pips."""
    deck = {f"{ink}-{rows}": [pips(ink, rows)] for ink in INKS for rows in (2, 3, 4)}
    return Recogniser(enrol("pips", deck, drawn=True)[0], threads=1)


def test_print_that_ends_short_of_the_edge_is_another_packs() -> None:
    """A card of another pack with the same pips closer together has no name beside a named card of the deck."""
    reader, on = pips_reader(), table()
    laid(on, pips("red", 4, 0.84), 300, 270, 150, turned=6)
    laid(on, pips("red", 4), 640, 270, 150, turned=6)
    found = sorted(
        (round(float(np.mean(one.corners, axis=0)[0]), -1), one.card) for one in reader.read(photographed(on))
    )
    assert found == [(300, None), (640, "red-4")]


def test_a_doubted_outline_is_settled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a foreign card, the likeliest card and its rivals are tried once and later candidates there are skipped."""
    reader, on = pips_reader(), table()
    laid(on, pips("red", 4, 0.84), 480, 270, 150, turned=6)
    settled: list[str] = []
    settle = reader.settle

    def counting(scene: PictureScene, verdict: Verdict) -> Verdict:
        settled.append(verdict.how)
        return settle(scene, verdict)

    monkeypatch.setattr(reader, "settle", counting)
    assert [one.card for one in reader.read(photographed(on))] == [None]
    assert settled.count("outline") == 1
