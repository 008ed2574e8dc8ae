"""Tests of `companion game check` for mats and decks: undrawn cards, and places without room or label."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.engine import Place, Seat
from companion.games import take_a_train, trains
from companion.games.take_a_train import token_art
from companion.ops.game_check import run_checks
from companion.ops.game_check.print_checks import CHECKS, mat
from tests.support.broken_games import Copies, copies
from vision import game_prints

__all__ = ["copies"]


def texts(game: Any) -> list[str]:
    """Return the findings without files."""
    return [text for _, text, _ in run_checks(game, CHECKS, game_prints)]


def test_a_copy_lacks_nothing(copies: Copies) -> None:
    """A copied game has drawn cards, a fitting mat and labels for its places."""
    assert texts(copies.game()) == []


def test_a_game_without_cards_has_no_deck(copies: Copies) -> None:
    """A game without a list of cards has no deck."""
    copies.change("__init__.py", " cards=_cards,", "")
    (found,) = run_checks(copies.game(), CHECKS, game_prints)
    assert found.file.endswith("__init__.py") and found.text.startswith("It declares neither `cards`")


def test_a_card_that_turns_up_must_be_drawn(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each card of the game must be drawn, in a plain deck and in the game's own."""
    copies.change("cards.py", "for weight in WAGONS}", "for weight in WAGONS[1:]}")
    assert texts(copies.game()) == ["wagon-1 is not drawn."]
    whole = game_prints.design_of(take_a_train.GAME.rules)
    thinner = replace(whole, counts={card: count for card, count in whole.counts.items() if card != "twin"})
    monkeypatch.setattr(game_prints, "design_of", lambda game, catalogue, lang: thinner)
    assert texts(take_a_train.GAME.rules) == ["twin is not drawn."]


def test_a_token_must_be_drawn_as_often_as_it_is_in_the_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens that are not drawn or drawn too seldom are named with the number in the box."""
    whole = token_art.token_designs()
    fewer = (replace(whole[0], count=19), *[token for token in whole[1:] if token.name != "auction-open"])
    monkeypatch.setattr(token_art, "token_designs", lambda catalogue: fewer)
    assert texts(take_a_train.GAME.rules) == [
        "money-50 is not drawn as in the box: 20.",
        "auction-open is not drawn as in the box: 1, back back-auction.",
    ]


def test_a_place_needs_room_and_a_label(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each place needs room on a mat for each number of players and a label in each language."""
    copies.change("words/fr.toml", 'middle = "Milieu", ', "")
    game: Any = copies.game()
    assert texts(game) == ["mat.middle is missing."]
    places = type(game).places
    vast = [Place(f"seat.{seat + 1}.train.2", "spread", 40, Seat(seat)) for seat in range(4)]
    monkeypatch.setattr(type(game), "places", lambda self, n: (*places(self, n), *vast[:n]))
    assert any(text.startswith("There is no mat for 4 players: ") for text in texts(game))


def test_equal_places_have_one_mat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of players with the same places share one arrangement."""
    made: list[int] = []
    monkeypatch.setattr(game_prints, "draw_mat", lambda game, players, lang: made.append(players))
    for game in (trains.GAME.rules, take_a_train.GAME.rules):
        run_checks(game, [mat], game_prints)
    assert made == [2, 2, *take_a_train.GAME.rules.seats, 6], "the largest one in both languages"


def test_a_label_fills_in_what_its_place_has(copies: Copies) -> None:
    """A label with a field that its place lacks is reported."""
    copies.change("words/en.toml", 'train = "Train" }', 'train = "Train {row}" }')
    assert texts(copies.game()) == ["mat.train fills in row, which the place on the printed mat does not have."]
