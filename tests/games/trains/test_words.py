"""The words of Trains must be complete in every language and use one name for each thing."""

from __future__ import annotations

import re
import typing
from functools import partial
from importlib import resources

import pytest

from companion.games.trains import boards
from companion.games.trains import events as ev
from companion.games.trains.catalogue import shipped
from companion.games.trains.rules import RULES
from companion.i18n import LANGUAGES
from tests.games.sentences import effects_in, own_words_of, waiting_steps, words_of
from tests.games.trains.document import NUMBERS, OWN

PACKAGE = "companion.games.trains"
words = partial(words_of, PACKAGE)
own = partial(own_words_of, PACKAGE)
FOLDER = resources.files(PACKAGE)
FAULTS = {"missing", "double", "unknown", "range", "count"}
"""Kinds of faults in a list of cards."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_and_effect_is_told(lang: str) -> None:
    """Every event and effect has a sentence, which may be empty if another sentence covers it."""
    named = {str(e.__struct_config__.tag) for e in typing.get_args(RULES.events)}
    assert {key.removesuffix("_one") for key in own(lang).section("event")} >= named
    told = set(own(lang).section("effect"))
    assert effects_in(ev) <= {key.split(".")[0] for key in told}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_moment_is_said_to_the_seat_and_to_others(lang: str) -> None:
    """Every step of the table has a sentence for its seat and one for the others."""
    moments = {f"{m}.{whom}" for m in waiting_steps(PACKAGE) for whom in ("you", "other")}
    assert moments <= set(words(lang).section("moment"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_board_and_fault_has_a_name(lang: str) -> None:
    """All cards have distinct names, and the boards and the faults of a list have names too."""
    said = own(lang)
    assert set(said.section("card")) == {card.id for card in shipped().cards}
    assert len(set(said.section("card").values())) == len(shipped().cards)
    assert set(said.section("board")) >= {board.name for board in boards.shipped()}
    assert set(said.section("list_fault")) == FAULTS


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_card_and_its_rule_are_called_alike(lang: str) -> None:
    """A card's rule has the same title as the card."""
    said, table = own(lang), OWN.table(lang)
    assert [card for card, number in NUMBERS.items() if table[number]["title"] != said(f"card.{card}")] == []


@pytest.mark.parametrize(
    ("lang", "other"),
    [
        ("fr", r"[Dd]étrui"),  # the rulebook uses "écarter"
        ("fr", r"\b(un|deux|nouveau) trains?\b"),  # the category is "Train"
        ("fr", r"[Cc]artes? (de rails|Rail)\b"),  # the category is "Rails"
        ("fr", r"Ce tour-ci,|sur la carte\b"),  # the words are "ce tour" and, for the map, "le plateau"
        ("fr", r"emporter un Déchet"),  # Waste is "rendu"
        ("en", r"[Vv]iolet|take a Waste away"),  # set-up offers purple, and Waste is returned
    ],
)
def test_a_thing_has_one_word(lang: str, other: str) -> None:
    """No text uses a second word for the same thing."""
    said = own(lang).sentences | {number: entry["text"] for number, entry in OWN.table(lang).items()}
    assert {key: text for key, text in said.items() if re.search(other, text)} == {}
