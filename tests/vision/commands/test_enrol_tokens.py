"""Tests of `companion enrol --tokens`: tokens from drawings and photographs enter a deck's file."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from tests.support.vision.pictures import card
from tests.vision.tokens.photographed import photograph, row
from vision.commands import enrol
from vision.deck.deck_file import load, save
from vision.deck.making import enrol as make_deck
from vision.deck.stored_decks import DeckLibrary
from vision.print.token_pictures import token_pictures
from vision.tokens.drawn import drawn_tokens
from vision.tokens.token_file import unpack_tokens


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """Return a deck's file beside an empty folder `tokens`."""
    (tmp_path / "tokens").mkdir()
    save(make_deck("ours", {"ace": [card(0)], "bee": [card(1)]})[0], tmp_path / "ours.deck")
    return tmp_path / "ours.deck"


def run(deck: Path, *more: str) -> Result:
    """Run the command and return its result."""
    args = ["--tokens", "--from", str(deck.parent / "tokens"), "--deck", str(deck), *more]
    return CliRunner().invoke(enrol.command, args)


def draw(folder: Path, *names: str) -> None:
    """Save drawings as `companion deck pictures --tokens` does."""
    for name in names:
        picture, mask = token_pictures("take-a-train", 8.0)[name]
        cv2.imwrite(str(folder / f"{name.replace('/', '_')}.png"), np.dstack([picture, mask]))


def test_drawings_get_into_the_deck_and_through_an_import(deck: Path, tmp_path: Path) -> None:
    """Both faces share one name, a second run replaces the tokens, and an import accepts cards and tokens."""
    draw(deck.parent / "tokens", "money-50", "money-50/2", "auction-open")
    run(deck)
    told = run(deck, "--json")
    assert told.exit_code == 0 and json.loads(told.stdout)["tokens"] == ["auction-open", "money-50"]
    decks = DeckLibrary(tmp_path / "data")
    assert decks.take_in(deck, "", unpack_tokens) == "ours"
    found = unpack_tokens(decks.tokens_path("ours").read_bytes())
    assert [face.name for face in found.faces] == ["auction-open", "money-50", "money-50"]
    drawn = drawn_tokens("take-a-train").face("money-50")
    assert (found.faces[1].picture == drawn.picture).all() and load(deck).cards == ("ace", "bee")


@pytest.mark.pixels
def test_a_photograph_shows_one_token(deck: Path) -> None:
    """A photograph with one token on a sheet is accepted; those with two, none or no sheet are reported and skipped."""
    for name, tokens in (("money-100", row(["money-100"])), ("two", row(["money-50", "money-500"])), ("none", [])):
        cv2.imwrite(str(deck.parent / "tokens" / f"{name}.jpg"), photograph(tokens))
    cv2.imwrite(str(deck.parent / "tokens" / "wood.jpg"), np.full((300, 400, 3), 90, np.uint8))
    told = run(deck)
    assert told.exit_code == 1 and f"{deck}: tokens: 1, pictures: 1" in told.stdout
    for said in (
        "two.jpg shows 2 tokens",
        "none.jpg shows 0 tokens",
        "wood.jpg shows no whole sheet",
        "3 of 4 pictures",
    ):
        assert said in told.stderr


def test_without_a_deck_or_pictures_nothing_is_written(deck: Path) -> None:
    """A missing deck and missing pictures are refused with a sentence each."""
    before = deck.read_bytes()
    assert run(deck).stderr.startswith("Error: There are no pictures in ") and deck.read_bytes() == before
    draw(deck.parent / "tokens", "money-50")
    assert "There is no deck" in run(deck.with_name("other.deck")).stderr
    cv2.imwrite(str(deck.parent / "tokens" / "money-50.png"), np.zeros((90, 200, 4), np.uint8))
    assert "money-50.png is no square picture" in run(deck).stderr and deck.read_bytes() == before


def test_what_looks_alike_is_said(deck: Path) -> None:
    """The same picture under two names is reported."""
    draw(deck.parent / "tokens", "money-50")
    (deck.parent / "tokens" / "money-60.png").write_bytes((deck.parent / "tokens" / "money-50.png").read_bytes())
    assert "money-50 and money-60 look alike" in run(deck).stderr
