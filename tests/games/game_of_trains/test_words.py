"""The words of Game of Trains must be complete in every language."""

from __future__ import annotations

import typing
from functools import partial
from importlib import resources

import pytest

from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.catalogue import ABILITIES
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps import pool, setup, turn
from companion.i18n import LANGUAGES
from tests.games.sentences import effects_in, words_of

PACKAGE = "companion.games.game_of_trains"
words = partial(words_of, PACKAGE)
GAME = resources.files(PACKAGE)
UNSAID = {"card_drawn", "placed", "kept", "reshuffled"}
"""Events without their own sentence, because their effects describe them or they stay hidden."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_and_effect_is_told(lang: str) -> None:
    """Every event has a sentence unless its effects describe it, and every effect has one."""
    named = {str(e.__struct_config__.tag) for e in typing.get_args(RULES.events)}
    assert set(words(lang).section("event")) == named - UNSAID
    told = words(lang).section("effect")
    for name in effects_in(ev):
        assert any(key.startswith(name) for key in told), name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_ability_and_moment_is_explained(lang: str) -> None:
    """Every ability has a title and a text, and every step a sentence for its seat and one for the others."""
    said = words(lang)
    assert set(said.section("ability")) == {f"{a}.{part}" for a in ABILITIES for part in ("title", "text")}
    steps = {
        str(step.__struct_config__.tag)
        for module in (pool, setup, turn)
        for step in vars(module).values()
        if isinstance(step, type) and hasattr(step, "automatic") and step.__module__ == module.__name__
        if not step.automatic
    }
    moments = {f"{m}.{whom}" for m in steps | {"over"} for whom in ("you", "other")} | {"act.draw"}
    assert set(said.section("moment")) == moments
