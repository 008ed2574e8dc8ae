"""The words of Express must be complete in every language."""

from __future__ import annotations

import typing
from functools import partial
from importlib import resources

import pytest

from companion.games.express import events as ev
from companion.games.express.extras import GROUPS
from companion.games.express.profile import FIGURES, shipped
from companion.games.express.rules import RULES
from companion.games.express.tell import TELLER
from companion.i18n import LANGUAGES
from tests.games.sentences import effects_in, own_words_of, waiting_steps, words_of

DISASTERS = {card.id for card in shipped("ours").cards if card.group == "disaster"}
PACKAGE = "companion.games.express"
words = partial(words_of, PACKAGE)
own = partial(own_words_of, PACKAGE)
FOLDER = resources.files(PACKAGE)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_and_effect_is_told(lang: str) -> None:
    """Every event, effect and disaster has a sentence, which may be empty if another sentence covers it."""
    named = {str(e.__struct_config__.tag) for e in typing.get_args(RULES.events)}
    told = own(lang).section("event")
    assert {key.split(".")[0] for key in told} == named
    assert {key.removesuffix("_one") for key in own(lang).section("effect")} == effects_in(ev)
    for key in ("event", "choice"):
        assert {name for name in own(lang).section(f"{key}.disaster_played")} == DISASTERS


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_moment_is_said_to_the_seat_and_to_others(lang: str) -> None:
    """Every step of the table has a sentence for its seat and one for the others."""
    assert set(own(lang).section("moment")) == {
        "draw.rest",
        *[f"{moment}.{whom}" for moment in waiting_steps(PACKAGE) for whom in ("you", "other")],
        *[f"{moment}.{name}" for moment, sentences in TELLER.signs.items() for name in sentences],
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_group_and_figure_has_a_name(lang: str) -> None:
    """All 28 kinds of cards have distinct names, and all groups and figures have names too."""
    said, kinds = own(lang), [card.id for card in shipped("ours").cards]
    assert set(said.section("card")) == set(kinds)
    assert len(set(said.section("card").values())) == len(kinds)
    assert set(said.section("ui.group")) == set(GROUPS)
    assert set(said.section("sheet.figure")) == {"count", "value", *FIGURES}
