"""Test the drawn deck of Express."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from companion.drawing import DrawError
from companion.drawing.letters import break_lines
from companion.drawing.pictures.frame import WIDTH
from companion.drawing.pictures.scenery import TOP
from companion.games import game_words
from companion.games.express import GAME
from companion.games.express.deck import ART
from companion.games.express.deck.faces import BACK, LEADING, LEAST, PANEL, deck_look, text_of
from companion.games.express.deck.frame import PATTERNS, STRIPE, TICKET
from companion.games.express.deck.signs import SIGNS
from companion.games.express.extras import card_groups
from companion.games.express.profile import JOINING, shipped
from companion.games.express.rules import RULES
from companion.i18n import LANGUAGES
from tests.games.express.build import begun
from tests.support.vision.held_cards import QUARTERS, corners, covered, nearest, turned_differs
from tests.support.vision.pictures import laid, photographed, table
from vision.commands.deck import command
from vision.deck.making import enrol
from vision.deck.quality import faults
from vision.image import CARD
from vision.mat.mat import SHOWING
from vision.print.cards import chosen, design, faces
from vision.recognise import Recogniser

OURS = shipped("ours")


def test_the_deck_has_every_card_of_the_profile_and_one_back() -> None:
    """The deck has 132 cards of 28 kinds. All share one back, because any card can be a locomotive (R-08)."""
    deck = design(RULES.name)
    cards = GAME.cards()
    assert cards is not None and deck.counts == cards.counts == {card.id: card.count for card in OURS.cards}
    assert (len(deck.counts), sum(deck.counts.values())) == (28, 132)
    assert set(deck.backs.values()) == {BACK} and deck.faces.keys() == {*deck.counts, BACK} == {*SIGNS, BACK}
    assert all(covered(deck.drawing(name, 2)) for name in deck.faces)


def test_every_face_can_be_picked() -> None:
    """People can pick every face by touch, locomotives included, to name a picture or lay out a rendered table."""
    groups = card_groups(begun(deck="ours"), game_words(RULES, "en"))
    assert {card for *_, cards in groups for card, _ in cards} == design(RULES.name).faces.keys()


def test_a_group_is_told_by_its_pattern_and_its_corners() -> None:
    """Each group has its own colour and pattern, and cards for trains have other corners than action cards."""
    groups = deck_look().groups
    assert groups.keys() == {card.group for card in OURS.cards}
    assert {own.pattern for own in groups.values()} == PATTERNS.keys() and len(PATTERNS) == len(groups)
    assert len({own.band for own in groups.values()}) == len(groups)
    assert len({groups[name].corner for name in ("freight", "passenger", "maintenance", "disaster", "wild")}) == 5


@pytest.mark.parametrize("quarter", QUARTERS)
def test_every_quarter_tells_every_card_from_every_other(quarter: str) -> None:
    """Any quarter along any edge differs clearly between two cards, the upper one above all, which shows in a train."""
    small = {name: cv2.resize(picture, None, fx=0.5, fy=0.5) for name, picture in faces(RULES.name).items()}
    (one, other), differing = nearest(small, quarter)
    assert differing > 0.05, (one, other, differing)


def test_a_tucked_car_shows_its_value_its_sign_and_its_group() -> None:
    """The corners and the stripe end above the line where the next card covers a tucked one."""
    deck = design(RULES.name)
    assert SHOWING * deck.height >= max(TICKET[1], TOP + STRIPE / 2)
    assert SHOWING * deck.width >= TICKET[0]


def test_every_card_has_an_upper_end_and_plenty_to_hold_on_to() -> None:
    """No card looks the same upside down, and every card has enough corners for recognition."""
    for name, picture in faces(RULES.name).items():
        assert turned_differs(picture) > 0.15, name
        assert not faults(picture) and corners(picture).min() >= 25, name


@pytest.mark.pixels
def test_a_camera_tells_the_cards_apart() -> None:
    """Enrolment reports no two cards as alike."""
    _, report = enrol("express", {name: (picture,) for name, picture in faces(RULES.name).items()})
    assert not report.findings
    assert min((pair.margin for pair in report.pairs), default=1.0) > 0.5


@pytest.mark.pixels
def test_a_tucked_car_is_named_by_its_upper_quarter() -> None:
    """The recogniser names every train card by its uncovered upper quarter, with a pose two pixels off."""
    pictures, near = faces(RULES.name), 3.3 * WIDTH
    reader = Recogniser(enrol("express", {name: (picture,) for name, picture in pictures.items()})[0], threads=1)
    shows = np.zeros((CARD[1], CARD[0]), np.uint8)
    shows[: round(SHOWING * CARD[1])] = 255
    for name in [card.id for card in OURS.cards if card.group in JOINING]:
        on = table(6, (400, 400))
        at = laid(on, pictures[name], 200, 200, near, 3)
        laid(on, pictures[BACK], 200, 200 + SHOWING * 88 / WIDTH * near, near, 3)
        assert reader.read_at(photographed(on), at + 1.4, shows).card == name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_and_texts_are_in_each_language_and_fit(lang: str) -> None:
    """Freight and passenger cars need no text, and the text of every other card fits its panel at a readable size."""
    words = game_words(RULES, lang)
    texts = {card.id: text_of(card, words) for card in OURS.cards}
    assert {name for name, said in texts.items() if not said} == {
        card.id for card in OURS.cards if card.group in ("freight", "passenger")
    }
    for name, said in texts.items():
        assert len(break_lines(said, LEAST, WIDTH - 10, 500)) * LEAST * LEADING <= PANEL[1] - 1.4, name
    drawn, other = (
        design(RULES.name, lang=lang),
        design(RULES.name, lang=next(each for each in LANGUAGES if each != lang)),
    )
    assert {name for name in drawn.faces if drawn.faces[name] == other.faces[name]} == {BACK}


def test_an_owners_figures_are_drawn() -> None:
    """A changed value changes one card, and an unknown value is a question mark. Cards say whose figures they bear."""
    data = msgspec.to_builtins(OURS)
    same = design(RULES.name, data)
    data["cards"][3]["value"] = 7
    changed = design(RULES.name, data)
    data["cards"][3]["value"] = None
    unknown = design(RULES.name, data)
    for deck in (changed, unknown):
        assert {name for name in deck.faces if deck.faces[name] != same.faces[name]} == {"hopper"}
    assert changed.faces["hopper"] != unknown.faces["hopper"]
    assert {name for name, drawn in design(RULES.name).faces.items() if drawn == same.faces[name]} == {BACK}


def test_what_cannot_be_drawn_is_named() -> None:
    """The error names an unknown count, a card without a picture, or a missing set of figures."""
    with pytest.raises(DrawError, match="not known: flat_car, gondola"):
        design(RULES.name, "reconstruction")
    with pytest.raises(DrawError, match="no figures of Express called 'moon'"):
        design(RULES.name, "moon")
    data = msgspec.to_builtins(OURS)
    data["cards"][0]["id"] = "coil_car"
    with pytest.raises(DrawError, match="no picture of these cards: coil_car"):
        design(RULES.name, data)


def test_the_family_variant_is_a_set() -> None:
    """The family set leaves out disasters, turntables and maintenance, and its title states the number of cards."""
    deck = design(RULES.name)
    family = chosen(deck, ["family"]).counts
    assert family.keys() == set(ART.sets["family"]) and sum(family.values()) == 111
    assert family == OURS.deck(4, family=True)
    assert all("111" in game_words(RULES, lang)("card_set.family") for lang in LANGUAGES)


def test_the_command_prints_them(tmp_path: Path) -> None:
    """The command prints the whole box or selected cards, such as two turntables for three players."""
    out = str(tmp_path / "a.pdf")
    done = CliRunner().invoke(command, ["print", RULES.name, "--out", out])
    assert "132 cards of 63 × 88 mm on 15 sheets A4" in done.output
    done = CliRunner().invoke(
        command, ["print", RULES.name, "--out", out, "--only", "turntable=2,reefer", "--lang", "fr"]
    )
    assert "11 cards of 63 × 88 mm on 2 sheets A4" in done.output
