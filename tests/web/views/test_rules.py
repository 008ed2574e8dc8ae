"""Test the page of a game's rules."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.i18n import LANGUAGES
from companion.ops.rule_texts import RULEBOOK, rules_of, said_sources, written_rules
from tests.games.completeness import HOUSE
from tests.support.web.visitors import Room
from web.words import package, words


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Yield a room with an empty table."""
    with Room(tmp_path) as found:
        yield found


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_of_every_game_are_a_page(room: Room, name: str) -> None:
    """The page has every rule with its number, as a target of links, in the reader's language."""
    for lang in LANGUAGES:
        page = unescape(room.visitor(lang).read(f"/rules/{name}/"))
        assert words(lang, package(GAMES[name]))("game.title") in page
        for rule in rules_of(GAMES[name], lang):
            assert f'id="{rule.number}"' in page and rule.text in page


@pytest.mark.parametrize("name", HOUSE)
def test_how_it_goes_at_the_table_comes_first(room: Room, name: str) -> None:
    """A few steps in the reader's language come before the first rule."""
    for lang in LANGUAGES:
        page = unescape(room.visitor(lang).read(f"/rules/{name}/"))
        steps = words(lang, package(GAMES[name])).section("at_the_table").values()
        places = [page.index(f"<li>{step}</li>") for step in steps]
        assert len(places) > 3
        assert places == sorted(places) and places[-1] < page.index('id="R-01"') < page.index('id="R-00"')


@pytest.mark.parametrize("name", HOUSE)
def test_every_rule_says_where_it_comes_from(room: Room, name: str) -> None:
    """Each rule has its source, which is a rulebook with the place, public pages, our ruling or our figures, in both
    languages."""
    game = GAMES[name]
    kinds = [[[source.kind for source in rule.sources] for rule in rules_of(game, lang)] for lang in LANGUAGES]
    assert kinds[0] == kinds[1] and all(kinds[0])
    for lang in LANGUAGES:
        page, say = unescape(room.visitor(lang).read(f"/rules/{name}/")), words(lang, package(game))
        for rule in rules_of(game, lang):
            assert all(source.where[:2] in ("EN", "FR") for source in rule.sources if source.kind == RULEBOOK), rule
            assert f'{rule.text} <small class="source">{said_sources(rule, say)}</small>' in page


@pytest.mark.parametrize("name", HOUSE)
def test_reconstructed_figures_are_labelled(room: Room, name: str) -> None:
    """Set-up and rules say that our figures are reconstructed or our own, because no box's figures are public."""
    for lang, told in (("en", ("reconstructed", "our own")), ("fr", ("reconstitué", "les nôtres"))):
        say, visitor = words(lang, package(GAMES[name]))("game.figures"), room.visitor(lang)
        assert any(word in say for word in told)
        for path in (f"/rules/{name}/", room.lobby(name, host=visitor)):
            assert say in unescape(visitor.read(path))


def test_rules_are_a_tap_away(room: Room) -> None:
    """The set-up and every page of a match link to the rules, and an unknown game has none."""
    assert 'href="/rules/take-a-train/"' in room.anybody.get(room.lobby()).text
    room.context.lobby.close()
    room.set_up(2)
    for page in (room.host, *room.seats):
        assert 'href="/rules/take-a-train/"' in room.anybody.get(page).text
    assert room.anybody.get("/rules/chess/").status_code == 404


def test_rules_in_another_language_are_better_than_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose rules exist in one language shows them to everybody."""
    game = next(iter(GAMES.values()))
    english = rules_of(game, "en")
    monkeypatch.setattr("companion.ops.rule_texts.rules_of", lambda game, lang: english if lang == "en" else ())
    assert english and written_rules(game, "fr") == english
