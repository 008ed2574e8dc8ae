"""Test that the texts of Trains describe its cards under every ruling, by comparing pages with the rules' behaviour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from companion.engine import Refusal, Seat, apply, rule
from companion.games import game_words, teller_of
from companion.games.trains import events as ev
from companion.games.trains.deck.faces import printed_text
from companion.games.trains.extras import extras
from companion.games.trains.options import Options
from companion.games.trains.rails import SUBWAY, price
from companion.games.trains.rules import RULES
from companion.games.trains.steps.effects import new_trains
from companion.games.trains.steps.setup import start_refusal
from companion.i18n import LANGUAGES
from tests.games.trains.build import A, after, offered, on_small_map, turn
from tests.support.web.visitors import Room

__all__ = ["on_small_map"]
RULINGS = {name: get_args(get_type_hints(Options)[name]) for name in ("edition", "ironworks_on", "wagon_factory")}
"""The options that change the effect of a card, with their values."""
KINGDOM = (
    "ironworks", "wagon_factory", "subway_excavation", "stationmasters_office", "bullet_train", "tunnel", "early_train",
    "control_room",
)  # fmt: skip
PHRASES: dict[str, dict[tuple[str, object], tuple[str, ...]]] = {
    "en": {
        ("feeds", "rails"): ("each Rail card",), ("feeds", "lay_rails"): ("each Lay Rails",),
        ("trashes", "any"): ("Trash a card", "any card becomes"),
        ("trashes", "train"): ("Trash a Train", "a Train becomes"),
        ("costs", "exactly"): ("exactly 3",), ("costs", "up_to"): ("up to 3",),
        ("remote", 4): ("except at remote",), ("remote", 0): ("nothing at all", "not even at remote"),
        ("copies", "play"): ("in play",), ("copies", "hand"): ("of your hand",),
    },
    "fr": {
        ("feeds", "rails"): ("chaque carte Rails",), ("feeds", "lay_rails"): ("chaque Pose de rails",),
        ("trashes", "any"): ("Écarte une carte", "toute carte devient"),
        ("trashes", "train"): ("Écarte un Train", "un Train devient"),
        ("costs", "exactly"): ("exactement 3",), ("costs", "up_to"): ("jusqu'à 3",),
        ("remote", 4): ("sauf aux lieux",), ("remote", 0): ("rien du tout", "même aux lieux"),
        ("copies", "play"): ("en jeu",), ("copies", "hand"): ("de ta main",),
    },
}  # fmt: skip
"""The patterns that describe each possible effect, by language."""
TOLD = {
    "feeds": (("text", "ironworks"), ("lasting", "ironworks")),
    "trashes": (("text", "wagon_factory"), ("refusal", "wagon_factory")),
    "costs": (("text", "wagon_factory"), ("refusal", "wagon_factory")),
    "remote": (("text", "subway_excavation"), ("lasting", "subway_excavation")),
    "copies": (("text", "stationmasters_office"),),
}
"""The kinds of text in which an effect is described."""


def every_ruling() -> Iterator[dict[str, Any]]:
    """Yield the options of every combination of rulings."""
    for values in product(*RULINGS.values()):
        yield dict(zip(RULINGS, values, strict=True))


def done(options: dict[str, Any]) -> dict[str, object]:
    """Return the effects that the rules have under some rulings."""
    options = {"kingdom": KINGDOM, **options}
    fed = after(
        turn(["tunnel"], active=["ironworks"], rails=(("SM", "F1"), ("IU",)), **options), ev.Played(A, "tunnel")
    )
    table = turn(**options).table
    costs = {table.fixed.prices[new] for new in new_trains(table, "express_train")}
    office = turn(["stationmasters_office", "control_room"], play=["tunnel"], rails=(("SM",), ("IU",)), **options)
    copied = [each for each in offered(after(office, ev.Played(A, "stationmasters_office")), A)]
    return {
        "feeds": "rails" if fed.table.coins else "lay_rails",
        "trashes": "any" if new_trains(table, "waste") or new_trains(table, "landfill") else "train",
        "costs": "exactly" if costs == {table.fixed.prices["express_train"] + 3} else "up_to",
        "remote": sum(part.amount for part in price(table, A, "R4", SUBWAY)),
        "copies": "hand" if ev.CardChosen(A, "control_room") in copied else "play",
    }


def said(room: Room, lang: str, options: Mapping[str, Any], part: str, card: str) -> str:
    """Return a page's words about a card: its text, its lasting effect, or the refusal."""
    words, table = game_words(RULES, lang), turn(kingdom=KINGDOM, **options).table
    if part == "refusal":
        state = turn(["waste", card], kingdom=KINGDOM, **options)
        verdict = rule(RULES, after(state, ev.Played(A, card)), ev.Rebuilt(A, "waste", "waste"))
        assert isinstance(verdict, Refusal)
        return teller_of(RULES).refused(verdict, (), words, table)
    rulings = extras(turn(kingdom=KINGDOM, **options))["rulings"]
    macros: Any = room.app.jinja_env.get_template("trains/parts.html").make_module({"words": words})
    text = macros.said(part, card, rulings, lambda name: teller_of(RULES).card_name(name, words, table))
    return unescape(str(text)).strip()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.usefixtures("on_small_map")
def test_texts_follow_the_rulings_in_force(tmp_path: Path, lang: str) -> None:
    """Under every value of every option, a card's text, effect line and refusal describe exactly the rules'
    behaviour."""
    seen: dict[str, set[object]] = {}
    with Room(tmp_path) as room:
        for options in every_ruling():
            for matter, value in done(options).items():
                seen.setdefault(matter, set()).add(value)
                for part, card in TOLD[matter]:
                    text = said(room, lang, options, part, card).lower()
                    for (about, other), phrases in PHRASES[lang].items():
                        if about == matter:
                            found = any(phrase.lower() in text for phrase in phrases)
                            assert found == (other == value), (options, part, card, other, text)
    assert {(matter, value) for matter, values in seen.items() for value in values} == set(PHRASES[lang])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.usefixtures("on_small_map")
def test_texts_call_cards_as_the_edition_does(tmp_path: Path, lang: str) -> None:
    """No text, effect line or refusal of the later edition uses a card's name from the first edition."""
    words, teller = game_words(RULES, lang), teller_of(RULES)
    options = {"edition": "later"}
    table = turn(kingdom=KINGDOM, **options).table
    renamed = [words(f"card.{card}") for card in words.section("later.card")]
    renamed = [
        name for name in renamed if name not in words.section("later.card").values() and name != words("card.waste")
    ]
    refused = Refusal("R-10", "not_on_deck", {"card": "early_train"})
    with Room(tmp_path) as room:
        texts = [said(room, lang, options, "text", card) for card in KINGDOM]
        texts += [said(room, lang, options, "lasting", card) for card in ("early_train", "ironworks", "tunnel")]
    texts.append(teller.refused(refused, (), words, table))
    assert [(name, text) for text in texts for name in renamed if name in text] == []
    assert words("later.card.early_train") in texts[-1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_printed_cards_fit_every_table(lang: str) -> None:
    """A printed card says that a table may rule otherwise if, and only if, an option changes its effect."""
    words = game_words(RULES, lang)
    note = words("printed.ruled", said="")
    ruled = {"ironworks", "wagon_factory", "subway_excavation", "stationmasters_office"}
    assert {card for card in words.section("text") if note in printed_text(card, words)} == ruled


@pytest.mark.usefixtures("on_small_map")
def test_a_river_at_the_start_is_allowed_or_not() -> None:
    """The option's question, its values and the rule agree on whether a start at a river is allowed."""
    allowed = {value: start_refusal(turn(river_start=value).table, "V1") is None for value in ("no", "yes")}
    assert allowed == {"no": False, "yes": True}
    for lang, yes, river in (("en", "Allowed", "river"), ("fr", "Permis", "rivière")):
        words = game_words(RULES, lang)
        assert words("option.river_start.yes") == yes and river in words("option.river_start.text")
        assert not any(water in words("option.river_start.text") for water in ("water", "eau"))


@pytest.mark.usefixtures("on_small_map")
def test_the_last_card_put_back_is_drawn_first() -> None:
    """The help and the log say that the last returned card is drawn first, as in the rules."""
    kingdom = ("information_central", *KINGDOM[:7])
    state = turn(["information_central"], deck=["waste", "tunnel", "express_train", "lay_rails"], kingdom=kingdom)
    for event in (ev.Played(A, "information_central"), ev.Applied(A)):
        state = apply(RULES, state, event)
    while isinstance(turned := next(iter(state.agenda[0].legal(state.table)[0])), ev.CardRevealed):
        state = apply(RULES, state, turned)
    back = ("waste", "lay_rails", "express_train", "tunnel")
    state = apply(RULES, state, ev.RevealedTaken(Seat(0), None, back))
    assert state.table.zones.named("deck.0")[-1] == "tunnel"
    for lang, last in (("en", "last one"), ("fr", "dernière")):
        words = game_words(RULES, lang)
        keys = ("help.take_revealed.three", "event.revealed_taken", "event.all_put_back")
        assert [key for key in keys if last not in words(key, name="", card="", back="")] == []
