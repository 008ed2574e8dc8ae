"""Test the plain cards of Twenty Tons, which the companion draws from a list of names."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from companion.drawing import DrawError
from companion.games.examples.twenty_tons.cards import CARDS
from companion.games.examples.twenty_tons.rules import RULES
from tests.support.vision.held_cards import QUARTERS, corners, covered, nearest, turned_differs
from tests.support.vision.pictures import laid, photographed, table
from vision.commands import deck as decks
from vision.commands import mat as mats
from vision.deck.making import enrol
from vision.deck.quality import faults
from vision.print.cards import design, faces
from vision.recognise import Recogniser
from vision.simulate.drawn_deck import deck_file, drawn_cards

FAR = 2.2
"""Resolution for reading cards, in pixels per millimetre."""
WIDTH = 63.0


def test_the_list_of_cards_is_enough() -> None:
    """The list of cards is enough to draw every wagon and a back with bleed, and no other list exists."""
    deck = design(RULES.name)
    assert deck.counts == CARDS and set(deck.faces) == {*CARDS, "back-card"}
    assert all(covered(deck.drawing(name, 2)) for name in deck.faces)
    with pytest.raises(DrawError, match="always the same"):
        design(RULES.name, "box")


@pytest.mark.parametrize("quarter", QUARTERS)
def test_every_quarter_tells_every_card_from_every_other(quarter: str) -> None:
    """Any quarter along any edge differs clearly between two cards."""
    (one, other), differing = nearest(faces(RULES.name, 0.5), quarter)
    assert differing > 0.05, (one, other, differing)


def test_cards_have_an_upper_end_and_plenty_to_hold_on_to() -> None:
    """No card looks the same upside down, and every card has enough corners for recognition."""
    for name, picture in faces(RULES.name).items():
        assert turned_differs(picture) > 0.15, name
        assert corners(picture).min() >= 25, name
        assert not faults(picture), name


def test_a_camera_tells_the_cards_apart() -> None:
    """Enrolment reports no similar cards, and the recogniser names and locates all cards in one blurred picture."""
    pictures = faces(RULES.name)
    deck, report = enrol("plain", {name: (picture,) for name, picture in pictures.items()})
    assert not report.findings
    assert min((pair.margin for pair in report.pairs), default=1.0) > 0.5
    on = table(5, (1000, 520))
    luck = np.random.default_rng(5)
    for nth, picture in enumerate(pictures.values()):
        laid(on, picture, 95 + 185 * (nth % 5), 135 + 250 * (nth // 5), FAR * WIDTH, float(luck.uniform(-9, 9)))
    found = {one.card: one.corners for one in Recogniser(deck, threads=1).read(photographed(on)) if one.card}
    assert set(found) == set(pictures)
    for nth, name in enumerate(pictures):
        middle = np.mean(found[name], axis=0)
        assert np.abs(middle - (95 + 185 * (nth % 5), 135 + 250 * (nth // 5))).max() < 5


def test_deck_and_mat_are_printed(tmp_path: Path) -> None:
    """`companion deck print` and `companion mat print` write their files."""
    deck, mat = tmp_path / "deck.pdf", tmp_path / "mat.pdf"
    run = CliRunner().invoke(decks.command, ["print", RULES.name, "--out", str(deck)])
    assert run.exit_code == 0, run.output
    assert "9 cards of 63 × 88 mm on 1 sheets A4" in run.output
    assert len(re.findall(rb"/Type /Page\b", deck.read_bytes())) == 2
    arguments = ["print", "--game", RULES.name, "--players", "3", "--data", str(tmp_path), "--out", str(mat)]
    run = CliRunner().invoke(mats.command, arguments)
    assert run.exit_code == 0, run.output
    assert mat.read_bytes().startswith(b"%PDF")


def test_a_rendered_table_has_the_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache stores the cards and the deck of the game."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert set(drawn_cards(RULES.name)) == {*CARDS, "back-card"}
    assert deck_file(RULES.name).is_file()
