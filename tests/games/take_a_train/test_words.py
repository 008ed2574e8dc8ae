"""The words of Take a Train must be complete in every language."""

from __future__ import annotations

import typing
from functools import partial
from importlib import resources

import pytest

from companion.engine import Step
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.catalogue import CARGO, DRIVES, SPECIALS
from companion.games.take_a_train.purposes import PURPOSES
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.steps import (
    lots,
    market,
    preemption,
    reveal,
    sealed_auctions,
    spoken_auctions,
    twist,
    wagons,
)
from companion.games.take_a_train.steps import round as rounds
from companion.games.take_a_train.tell import TELLER
from companion.i18n import LANGUAGES
from tests.games.sentences import effects_in, words_of
from tests.games.take_a_train.document import CONDITIONS

PACKAGE = "companion.games.take_a_train"
words = partial(words_of, PACKAGE)
GAME = resources.files(PACKAGE)
STEPS = (
    *(lots, market, preemption),
    *(reveal, rounds, sealed_auctions, spoken_auctions, twist, wagons),
)
UNSAID = {"purposes_entered", "bids_revealed", "replacement_taken", "took", "counted", "correction_answered"}
"""Events without their own sentence, because effects or variants describe them or they stay hidden."""
VARIANTS = ("counted_1", "counted_2", "counted_3", "correction_agreed", "correction_refused")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_and_effect_is_told(lang: str) -> None:
    """Every event has a sentence unless another describes it, and every effect has one."""
    said = set(words(lang).section("event"))
    named = {str(e.__struct_config__.tag) for e in typing.get_args(RULES.events)}
    assert said == (named - UNSAID) | set(VARIANTS)
    told = words(lang).section("effect")
    for effect in effects_in(ev):
        assert any(key.split("_")[0] in (effect.split("_")[0], "lot", "round") for key in told), effect


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_purpose_is_explained(lang: str) -> None:
    """Every purpose has a title, a condition and a short form, and an entry in the rule document."""
    assert list(CONDITIONS) == [purpose.id for purpose in PURPOSES]
    said = set(words(lang).section("purpose"))
    assert said == {f"{p.id}.{part}" for p in PURPOSES for part in ("title", "text", "short")}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_moment_is_said_to_the_seat_and_to_others(lang: str) -> None:
    """Every step of the table has a sentence for its seat and one for the others."""
    steps = {
        str(step.__struct_config__.tag)
        for module in STEPS
        for step in vars(module).values()
        if isinstance(step, type) and hasattr(step, "automatic") and step.__module__ == module.__name__
        if not step.automatic and step.legal is not Step.legal
    }
    fists = {f"fists_{n}" for n in ("second", "preemption", "ready", "opening")}
    moments = steps | {"over", "open_fists_correction"} | fists
    assert set(words(lang).section("moment")) == {
        *[f"{m}.{whom}" for m in moments for whom in ("you", "other")],
        *[f"{m}.{name}" for m, sentences in TELLER.signs.items() for name in sentences],
        *[f"{m}.other_one" for m in ("fists", "fists_second", "fists_preemption")],
        "calling.raise",
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_name_is_there(lang: str) -> None:
    """Auctions, drives, cargo and special cards have names."""
    said = words(lang)
    for section, names in (
        ("kind", ev.KINDS),
        ("kind_short", ev.KINDS),
        ("kind_text", ev.KINDS),
        ("drive", DRIVES),
        ("cargo", CARGO),
        ("special", SPECIALS),
        ("special_text", SPECIALS),
    ):
        assert set(said.section(section)) == set(names)
