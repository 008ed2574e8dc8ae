"""Test the drawn deck of Game of Trains."""

from __future__ import annotations

import msgspec
import pytest

from companion.drawing import DrawError
from companion.games.game_of_trains.catalogue import ABILITIES, shipped, wagon_id
from companion.games.game_of_trains.deck.carriages import FORMS
from companion.games.game_of_trains.deck.faces import BACK, DIGITS, LOCOMOTIVE, SMALL, deck_look, turns
from companion.games.game_of_trains.deck.journey import BOUNDS, LANDS
from companion.games.game_of_trains.deck.signs import SIGNS
from tests.support.vision.held_cards import QUARTERS, corners, covered, nearest, turned_differs
from vision.deck.quality import faults
from vision.image import CARD
from vision.mat.mat import SHOWING
from vision.print.cards import design, faces

GAME = "game-of-trains"


def test_the_deck_has_every_wagon_once_four_locomotives_and_one_back() -> None:
    """The deck has 84 numbered wagons and four locomotives, all with the same back (R-01)."""
    deck = design(GAME)
    wagons = {wagon_id(wagon.number) for wagon in shipped("reconstruction").wagons}
    assert deck.counts == dict.fromkeys(wagons, 1) | {LOCOMOTIVE: 4}
    assert set(deck.faces) == {*wagons, LOCOMOTIVE, BACK}
    assert set(deck.backs) == {*wagons, LOCOMOTIVE} and set(deck.backs.values()) == {BACK}
    assert sum(deck.counts.values()) == 88


def test_every_ability_has_its_sign_its_wagon_and_its_colours() -> None:
    """The drawings cover the rules' eight abilities, each with its own colour."""
    look = deck_look()
    assert set(ABILITIES) == set(SIGNS) == set(FORMS) == set(look.abilities)
    assert len({own.band for own in look.abilities.values()}) == len(ABILITIES)
    assert len(LANDS) == len(BOUNDS)


@pytest.mark.pixels
@pytest.mark.parametrize("quarter", QUARTERS)
def test_every_quarter_tells_every_card_from_every_other(quarter: str) -> None:
    """Any quarter along any edge differs clearly between two cards, above all the upper one, where a padlock shows."""
    (one, other), differing = nearest(faces(GAME, 0.5), quarter)
    assert differing > 0.05, (one, other, differing)


def test_a_tucked_card_shows_its_number_and_what_it_can_do() -> None:
    """Number and sign end above the line where the next card covers a tucked one."""
    deck = design(GAME)
    assert SHOWING * deck.height == 22.0
    assert SHOWING * deck.height >= DIGITS + 7.4 and SMALL >= 5


def test_no_card_is_the_same_upside_down() -> None:
    """Every card looks different when turned by 180°, so that recognition can tell which way up it lies."""
    for name, picture in faces(GAME, 0.5).items():
        assert turned_differs(picture) > 0.15, name


def test_every_card_is_full_of_things_to_hold_on_to() -> None:
    """Every card has enough corners in each quarter of its height for recognition, and its picture has no faults."""
    for name, picture in faces(GAME).items():
        assert not faults(picture), name
        assert picture.shape == (CARD[1], CARD[0], 3)
        assert corners(picture).min() >= 25, name


def test_numbers_that_are_others_upside_down_are_marked() -> None:
    """Numbers such as 6 and 9 are marked because they can be misread upside down. 8 and 80 are not."""
    assert [number for number in range(1, 100) if turns(str(number))] == [
        6, 9, 16, 18, 19, 61, 66, 68, 81, 86, 89, 91, 98, 99
    ]  # fmt: skip


def test_art_reaches_over_the_edges() -> None:
    """The art extends into the bleed, so that no white paper shows at the edges."""
    deck = design(GAME)
    for name in ("wagon-1", "wagon-2", "wagon-84", LOCOMOTIVE, BACK):
        assert covered(deck.drawing(name, 2)), name


def test_an_owners_abilities_and_numbers_are_drawn() -> None:
    """Exchanging two abilities changes two cards, higher numbers are drawn, and unread abilities are refused."""
    data = msgspec.to_builtins(shipped("reconstruction"))
    rows = data["wagons"]
    rows[0]["ability"], rows[1]["ability"] = rows[1]["ability"], rows[0]["ability"]
    rows[83]["number"] = 188
    changed, plain = design(GAME, data), design(GAME)
    same = {name for name in changed.faces if changed.faces[name] == plain.faces.get(name)}
    assert set(changed.faces) - same == {"wagon-1", "wagon-2", "wagon-188"}
    with pytest.raises(DrawError, match="not read yet"):
        design(GAME, "box")
