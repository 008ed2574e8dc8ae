"""The camera must distinguish the most similar cards of the shipped Game of Trains deck."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.game_of_trains.catalogue import shipped, wagon_id
from tests.support.vision.pictures import laid, photographed, table
from vision.deck.making import EnrolmentReport, enrol
from vision.image import CARD, Image
from vision.mat.mat import SHOWING
from vision.print.cards import faces
from vision.recognise import Recogniser

PADLOCKS = [wagon_id(wagon.number) for wagon in shipped("reconstruction").wagons if wagon.ability == "protect"]
NEIGHBOURS = [wagon_id(number) for number in (48, 49, 58, 59, 76, 79)]
"""Wagons with the same ability and the same landscape."""
FAR, NEAR = 2.2, 3.3
"""Resolution, in pixels per millimetre, for whole cards and for tucked ones."""
WIDTH = 63.0


@pytest.fixture(scope="module")
def pictures() -> dict[str, Image]:
    """Return the pictures of the most similar cards."""
    drawn = faces("game-of-trains")
    return {name: drawn[name] for name in (*PADLOCKS, *NEIGHBOURS)}


@pytest.fixture(scope="module")
def enrolled(pictures: dict[str, Image]) -> tuple[Recogniser, EnrolmentReport]:
    """Return a recogniser for the enrolled pictures, and the enrolment report."""
    deck, report = enrol("alike", {name: (picture,) for name, picture in pictures.items()})
    return Recogniser(deck, threads=1), report


@pytest.mark.pixels
def test_cards_that_are_most_alike_are_told_apart_when_enrolled(enrolled: tuple[Recogniser, EnrolmentReport]) -> None:
    """Enrolment reports no similar cards, and every pair differs by a margin above 0.5."""
    _, report = enrolled
    assert not report.findings
    assert min((pair.margin for pair in report.pairs), default=1.0) > 0.5


def test_whole_cards_are_named_from_afar(
    pictures: dict[str, Image], enrolled: tuple[Recogniser, EnrolmentReport]
) -> None:
    """The recogniser names and locates all sixteen cards in one slightly blurred picture."""
    on = table(5, (1500, 520))
    luck = np.random.default_rng(5)
    for nth, picture in enumerate(pictures.values()):
        laid(on, picture, 95 + 185 * (nth % 8), 135 + 250 * (nth // 8), FAR * WIDTH, float(luck.uniform(-9, 9)))
    found = {one.card: one.corners for one in enrolled[0].read(photographed(on)) if one.card}
    assert set(found) == set(pictures)
    for nth, name in enumerate(pictures):
        middle = np.mean(found[name], axis=0)
        assert np.abs(middle - (95 + 185 * (nth % 8), 135 + 250 * (nth // 8))).max() < 5


def test_a_tucked_padlock_is_named_by_its_upper_quarter(
    pictures: dict[str, Image], enrolled: tuple[Recogniser, EnrolmentReport]
) -> None:
    """The recogniser names a padlock by its uncovered upper quarter, with a pose two pixels off."""
    shows = np.zeros((CARD[1], CARD[0]), np.uint8)
    shows[: round(SHOWING * CARD[1])] = 255
    for name in PADLOCKS:
        on = table(6, (400, 400))
        corners = laid(on, pictures[name], 200, 200, NEAR * WIDTH, 3)
        laid(on, pictures["wagon-48"], 200, 200 + SHOWING * NEAR * 88, NEAR * WIDTH, 3)
        assert enrolled[0].read_at(photographed(on), corners + 1.4, shows).card == name
