"""Test the words for faults of the layout."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.engine import Fault, Player, Seat, Setup, Spot
from companion.games import game_of_trains
from companion.games.game_of_trains import sight
from companion.games.game_of_trains.tell import TELLER
from companion.i18n import LANGUAGES
from companion.table.sight_records import LayoutMismatch, SightState
from companion.table.snapshot import Snapshot
from tests.games.game_of_trains.build import turn
from web.presenters.sight import sight_text
from web.words import package, words

GAME: Any = game_of_trains.GAME.rules
KEYS = sorted(set(re.findall(r'Fault\([^"]*"(\w+)"', Path(sight.__file__).read_text(encoding="utf-8"))))
PLAYERS = (Player("Ann"), Player("Ben"), Player("Zoé"))


def table(*odd: LayoutMismatch) -> Snapshot:
    """Return a table with these findings."""
    setup = Setup("game-of-trains", PLAYERS, {}, "reconstruction", "ours")
    return Snapshot(1, "1", 1, GAME, setup, turn(), sight=SightState(True, mismatches=odd))


def sentence(fault: Fault, lang: str = "en") -> str:
    """Return the public text of a fault."""
    odd = LayoutMismatch(fault.place, fault.place, Spot(), Spot(), fault=fault)
    said = sight_text(table(odd), words(lang, package(GAME)), TELLER, lambda _: [])
    assert said.barred
    return said.mismatches[0].sentence


def test_the_card_the_place_and_what_becomes_of_it_are_said() -> None:
    """The sentence names the card, the place and the remedy, so that people need not know the rule."""
    pair = Fault("pool", "pair", None, ("wagon-8", "wagon-61"))
    assert sentence(pair) == "Wagon 8 and wagon 61 have the same ability: both leave the pool for the discard."
    six = Fault("seat.2.wagon.3", "six", Seat(1), (), 3)
    assert sentence(six) == "Ben has only six wagons: position 3 is empty."
    assert sentence(six, "fr") == "Ben n'a que six wagons\N{NO-BREAK SPACE}: la place 3 est vide."


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_fault_has_a_sentence(lang: str) -> None:
    """Every fault that the game can find has a sentence, and no sentence is unused."""
    assert set(words(lang, package(GAME)).section("fault")) == set(KEYS)
    for key in KEYS:
        fault = Fault("seat.1.wagon.4", key, Seat(0), ("wagon-8",), 4)
        assert "{" not in sentence(fault, lang) and not sentence(fault, lang).startswith("Fault.")


def test_what_only_lies_elsewhere_bars_nothing() -> None:
    """An extra card is reported, but does not stop the game."""
    odd = LayoutMismatch("pool", "pool", Spot(("wagon-8",)), Spot(), ("wagon-8",))
    said = sight_text(table(odd), words("en", package(GAME)), TELLER, lambda _: [])
    assert not said.barred and said.mismatches[0].sentence == "The pool: wagon 8 should not lie there."


@pytest.mark.parametrize(
    ("seen", "expected", "sentence"),
    [
        (0, 1, "The pool: the card that should lie face down is missing."),
        (0, 2, "The pool: 2 cards that should lie face down are missing."),
        (1, 0, "The pool: one card too many lies face down."),
        (3, 1, "The pool: 2 cards too many lie face down."),
    ],
)
def test_cards_face_down_are_counted(seen: int, expected: int, sentence: str) -> None:
    """Face-down cards are counted, because nobody knows their names."""
    odd = LayoutMismatch("pool", "pool", Spot(down=seen), Spot(down=expected))
    assert sight_text(table(odd), words("en", package(GAME)), TELLER, lambda _: []).mismatches[0].sentence == sentence


BOTH, ONE = ("wagon-8", "wagon-61"), ("wagon-8",)


@pytest.mark.parametrize(
    ("extra", "missing", "unnamed", "sentence"),
    [
        ((), ONE, 0, "The pool: wagon 8 is missing."),
        ((), BOTH, 0, "The pool: wagon 8 and wagon 61 are missing."),
        ((), ONE, 1, "The pool: a card is not recognised. Expected: wagon 8."),
        ((), (), 1, "The pool: a card is not recognised."),
        ((), (), 2, "The pool: 2 cards are not recognised."),
        ((), BOTH, 1, "The pool: not every card is recognised. Expected: wagon 8 and wagon 61."),
        (ONE, ("wagon-61",), 0, "The pool: wagon 8 lies there instead of wagon 61."),
        (BOTH, ("wagon-1",), 0, "The pool: wagon 8 and wagon 61 lie there instead of wagon 1."),
    ],
)
def test_one_card_is_one_and_several_are_several(
    extra: tuple[str, ...], missing: tuple[str, ...], unnamed: int, sentence: str
) -> None:
    """The sentence about a mismatch agrees with one card and with several."""
    odd = LayoutMismatch("pool", "pool", Spot(extra, unnamed=unnamed), Spot(missing), extra, missing)
    assert sight_text(table(odd), words("en", package(GAME)), TELLER, lambda _: []).mismatches[0].sentence == sentence
