"""Advice in words gives each move of every game a hint, a name and reasons in both languages."""

from __future__ import annotations

from itertools import islice

import pytest

from companion.engine import Player, Seat
from companion.games import GAMES, game_words, teller_of
from companion.games.take_a_train import events as ev
from companion.mechanics.advising import REASONS, said
from companion.mechanics.policy import Ranked, term
from companion.mechanics.telling import SentenceContext
from tests.games.completeness import HOUSE
from tests.tools.advice import advised, moments

ANNA = Seat(0)
PEOPLE = [Player("Anna", "red", "circle"), Player("Bill", "blue", "square")]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", HOUSE)
def test_advice_is_whole(name: str, lang: str) -> None:
    """Every advised move has reasons, and the hint does not name a move."""
    game, seen = GAMES[name], 0
    for _, state, seat in islice(moments(game, 300), 15):
        found = advised(game, state, seat, lang)
        if found is None:
            continue
        seen += 1
        texts = [found.hint, *[text for each in found.moves for text in (each.move, *each.reasons)]]
        assert all(text and "{" not in text and "advice." not in text for text in texts), texts
        assert all(1 <= len(each.reasons) <= REASONS for each in found.moves)
        assert found.moves[0].move not in found.hint
    assert seen >= 10


def test_a_wagon_in_words() -> None:
    """Terms become sentences in the game's words, including arguments against a move and rounded amounts."""
    game, say = GAMES["take-a-train"], game_words(GAMES["take-a-train"], "en")
    pays = term("pays", 900, card="food-300", train=1, times=3, cargo="food", wagons=3)
    best = Ranked(ev.Took(ANNA, 2, 1), 700.0, (pays, term("later", -96.0), term("others", -88.0, seat=1, most=450)))
    other = Ranked(ev.TurnPassed(ANNA), -3.0, ())
    found = said([best, other], teller_of(game), SentenceContext(PEOPLE, say), ANNA, money=True)
    (move,) = found.moves
    assert move.move == "Take food 300 for train 2"
    assert move.reasons == (
        "There it brings $900 more.",
        "But the rest of the round then earns you about $100 less.",
        "Bill can then take at most $450 from the market.",
    )
    assert found.hint.startswith("Look at your food train")


def test_what_must_be_done_is_said_to_be_so() -> None:
    """The only possible move gets one neutral reason, even if it loses money."""
    game, say = GAMES["take-a-train"], game_words(GAMES["take-a-train"], "en")
    forced = Ranked(ev.Opened(ANNA, 300), -140.0, (term("limit", 160.0, card="steam-1"), term("price", -300)))
    (move,) = said([forced], teller_of(game), SentenceContext(PEOPLE, say), ANNA, money=True).moves
    assert move.move == "Open at $300"
    assert move.reasons == ("You have to do this: the rules allow nothing better here.",)
