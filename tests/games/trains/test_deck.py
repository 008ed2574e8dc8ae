"""Test the drawn deck of Trains."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import pytest
from click.testing import CliRunner

from companion.games.trains.catalogue import BASIC, shipped
from companion.games.trains.deck import SETS
from companion.games.trains.deck.faces import BACK, TAB
from companion.games.trains.options import TOKYO
from tests.support.vision.held_cards import corners, covered, nearest, turned_differs
from vision.commands.deck import command
from vision.deck.making import enrol
from vision.deck.quality import faults
from vision.print.cards import chosen, design, dividers, faces

GAME = "trains"


def test_the_deck_has_every_card_of_the_box() -> None:
    """The deck has 500 cards of 39 kinds with one back, and the art extends into the bleed."""
    deck = design(GAME)
    assert deck.counts == {card.id: card.count for card in shipped().cards}
    assert (len(deck.counts), sum(deck.counts.values())) == (39, 500)
    assert set(deck.backs.values()) == {BACK} and deck.faces.keys() == {*deck.counts, BACK}
    assert all(covered(deck.drawing(name, 2)) for name in deck.faces)


def test_every_card_differs_and_has_plenty_to_hold_on_to() -> None:
    """Any two cards differ clearly at their upper end, and no card looks the same upside down."""
    small = {name: cv2.resize(picture, None, fx=0.5, fy=0.5) for name, picture in faces(GAME).items()}
    (one, other), differing = nearest(small, "upper")
    assert differing > 0.05, (one, other, differing)
    for name, picture in small.items():
        assert turned_differs(picture) > 0.15, name
    for name, picture in faces(GAME).items():
        assert not faults(picture) and corners(picture).min() >= 25, name


def test_a_camera_tells_trains_apart() -> None:
    """Enrolment distinguishes the Trains, which differ only in picture and words."""
    trains = [card.id for card in shipped().cards if card.is_train]
    _, report = enrol("trains", {name: (faces(GAME)[name],) for name in trains})
    assert len(trains) == 8 and not report.findings
    assert min((pair.margin for pair in report.pairs), default=1.0) > 0.5


def test_an_owners_figures_are_drawn() -> None:
    """A changed cost changes one card, a missing cost is a question mark, and French cards have French words."""
    data = msgspec.to_builtins(shipped())
    data["cards"][3]["cost"] = 4
    changed, plain = design(GAME, data), design(GAME)
    assert {name for name in plain.faces if changed.faces[name] != plain.faces[name]} == {"lay_rails"}
    for card in data["cards"]:
        card["cost"] = card["cost"] if card["id"] in BASIC[:3] else None
    unread = design(GAME, data)
    assert {name for name in plain.faces if unread.faces[name] == plain.faces[name]} == {*BASIC[:3], BACK}
    assert all(design(GAME, lang="fr").faces[card] != plain.faces[card] for card in ("lay_rails", "landfill"))


def test_a_divider_bears_what_its_card_does() -> None:
    """Each pile has a divider, which is higher than a card by its tab."""
    made = dividers(GAME)
    assert (made.width, made.height) == (63.0, 88.0 + TAB) and made.counts == dict.fromkeys(design(GAME).counts, 1)
    assert all(covered(made.drawing(name, 1)) for name in made.faces)


def test_some_cards_are_printed_alone() -> None:
    """A selection may name a set, a card or a number of cards, and an unknown name is refused."""
    deck = design(GAME)
    first = chosen(deck, ["tokyo"])
    assert first.counts.keys() == {*BASIC, *TOKYO} == set(SETS["tokyo"]) and sum(first.counts.values()) == 280
    assert chosen(deck, ["tunnel", "waste=12"]).counts == {"tunnel": 10, "waste": 12}
    for wrong in ("moon", "waste=x", "waste=0", "waste=201"):
        with pytest.raises(ValueError, match="is neither a card nor a set"):
            chosen(deck, [wrong])


def test_the_command_prints_them(tmp_path: Path) -> None:
    """The command prints selected cards and dividers, and says so if a game has no dividers."""
    out = str(tmp_path / "a.pdf")
    done = CliRunner().invoke(command, ["print", GAME, "--out", out, "--only", "tunnel,waste=2", "--lang", "fr"])
    assert "12 cards of 63 × 88 mm on 2 sheets A4" in done.output
    done = CliRunner().invoke(command, ["print", GAME, "--out", out, "--only", "tunnel", "--dividers"])
    assert "1 dividers of 63 × 100 mm on 1 sheets A4, 6 on each" in done.output
    done = CliRunner().invoke(command, ["print", "take-a-train", "--out", out, "--dividers"])
    assert done.exit_code == 1 and "There are no dividers" in done.output
