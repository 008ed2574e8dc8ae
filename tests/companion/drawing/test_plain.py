"""Plain cards for games without drawings of their own."""

from __future__ import annotations

import pytest

from companion.drawing import DrawError
from companion.drawing.plain import BACK, LETTERS, PLATE, plain_design, plate_lines, plates

WAGONS = {f"wagon-{number}": 1 for number in range(1, 31)}
WAGONS_IN_WORDS = {card: card.replace("-", " ") for card in WAGONS}


def test_every_card_and_its_back_are_drawn() -> None:
    """A plain deck has the given cards in the given numbers, and one common back."""
    counts = {"coal-100": 4, "coal-200": 2, "signal": 1}
    deck = plain_design("a-game", counts, {card: card for card in counts})
    assert (deck.width, deck.height, deck.counts) == (63, 88, counts)
    assert deck.backs == dict.fromkeys(counts, BACK)
    assert set(deck.faces) == {*counts, BACK}


def test_no_two_cards_are_the_same_and_each_always_looks_the_same() -> None:
    """All cards of a deck look different, and drawing the deck again gives the same pictures."""
    deck = plain_design("a-game", WAGONS, WAGONS_IN_WORDS)
    assert len(set(deck.faces.values())) == len(WAGONS) + 1
    assert plain_design("a-game", WAGONS, WAGONS_IN_WORDS) == deck


def test_cards_have_the_backs_that_the_game_names() -> None:
    """A card has the back that the game names, or the plain one, and all backs look different."""
    backs = {f"wagon-{n}": f"back-{n}" for n in range(1, 9)}
    deck = plain_design("a-game", WAGONS, WAGONS_IN_WORDS, backs)
    assert deck.backs["wagon-3"] == "back-3" and deck.backs["wagon-20"] == BACK
    drawn = [deck.faces[back] for back in {*backs.values(), BACK}]
    assert len(set(drawn)) == 9


@pytest.mark.parametrize("name", ["7", "wagon 7", "a wagon of refrigerated fish", "Wagenladungsverkehrsknotenpunkt"])
def test_a_name_fits_on_its_plate(name: str) -> None:
    """A long name is drawn smaller or on two lines, so that it fits its plate."""
    _, _, *lines = plates(name, "#123456")[: len(plates(name, "#123456")) // 2]
    points = [point for line in lines for contour in line.contours for point in contour]  # type: ignore[union-attr]
    assert max(x for x, _ in points) - min(x for x, _ in points) <= PLATE[0]
    assert max(y for _, y in points) - min(y for _, y in points) <= PLATE[1] - 0.8
    assert PLATE[1] > LETTERS


def test_a_name_is_not_broken_where_its_words_forbid_it() -> None:
    """A line of a name does not begin with a dash or, in French, with a colon."""
    for name in ("Wine: Nolde – Sarle, 8 coins", "Vin : Nolde – Sarle, 8 pièces"):
        unbroken = name.replace(" –", "\N{NO-BREAK SPACE}–").replace(" :", "\N{NO-BREAK SPACE}:")
        assert " ".join(plate_lines(unbroken)) == unbroken
        assert len(plate_lines(unbroken)) == 2 and plate_lines(unbroken)[1][0].isalpha()


def test_what_cannot_be_drawn_is_said() -> None:
    """A letter missing from the font and a back with the name of a card are refused."""
    with pytest.raises(DrawError, match="wagon-1 cannot be drawn"):
        plain_design("a-game", {"wagon-1": 1}, {"wagon-1": "火"})
    with pytest.raises(DrawError, match="back-red"):
        plain_design("a-game", {"wagon-1": 1}, {"wagon-1": "wagon 1"}, {"wagon-1": "red"})
