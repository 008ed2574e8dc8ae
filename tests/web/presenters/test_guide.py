"""Test the tips of a first turn: a game's own or the default ones, in every language, and short enough for a phone."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from companion.i18n import LANGUAGES, Words
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.page_checks import LONGEST_TIP, MOST_TIPS, moments
from tests.games.completeness import HOUSE
from web.presenters.guide import ANY, PLACES, GuideStep, guide_steps
from web.words import package, words

SAID = {"guide_page.house.sign": "Here.", "guide_page.house.hand": "Cards."}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", [*HOUSE, ""])
def test_tips_are_few_short_and_point_at_what_the_house_knows(name: str, lang: str) -> None:
    """A game's own tips and the default ones have the same steps in every language and name known targets."""
    steps = guide_steps(words(lang, package(GAMES[name]) if name else ""))
    known = {ANY, *(moments(GameFiles(GAMES[name])) if name else ())}
    assert 3 <= len(steps) <= MOST_TIPS
    assert [step.text for step in steps if not 0 < len(step.text) <= LONGEST_TIP] == []
    assert {step.name.partition(".")[2] for step in steps} <= set(PLACES)
    assert {step.moment for step in steps} <= known
    english = guide_steps(words("en", package(GAMES[name]) if name else ""))
    assert [step[:3] for step in steps] == [step[:3] for step in english]
    assert bool(name) == (f"{ANY}.hand" not in [step.name for step in steps])


def test_a_game_that_says_nothing_gets_the_house_s_tips() -> None:
    """A game without tips gets the default ones, and elements that it marks come before the default targets."""
    assert guide_steps(Words("en", SAID)) == [
        GuideStep("any.sign", "any", ("[data-guide='sign']", *PLACES["sign"]), "Here."),
        GuideStep("any.hand", "any", ("[data-guide='hand']", *PLACES["hand"]), "Cards."),
    ]


def test_a_game_s_own_tips_take_the_place_of_the_house_s() -> None:
    """A game's own tips follow the order of its file, and a language without tips uses the fallback's."""
    own = Words("en", SAID | {"guide.act.whistle": "Blow.", "guide.any.sign": "Look."})
    tips = [GuideStep("act.whistle", "act", ("[data-guide='whistle']",), "Blow."),
            GuideStep("any.sign", "any", ("[data-guide='sign']", *PLACES["sign"]), "Look.")]  # fmt: skip
    assert guide_steps(own) == tips
    assert guide_steps(Words("fr", {"guide_page.house.sign": "Ici."}, own)) == tips
