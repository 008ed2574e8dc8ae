"""Every game but the examples is complete: a game that lacks something fails here, with what it lacks in words."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.engine import Game, Place, Seat
from companion.games import GAMES, is_example, take_a_train
from companion.games.examples.twenty_tons import GAME as TINY
from companion.i18n import Words
from tests.games import completeness
from tests.games.completeness import CHECKS, lacking

LACKS = {"catalogue", "rules", "refused", "words", "tests", "playthroughs", "journal", "pages"}
"""What the example of docs/adding-a-game.md does not have: it is the smallest game, not a complete one."""


COMPLETE = [name for name, game in GAMES.items() if not is_example(game)]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", COMPLETE)
def test_a_game_is_complete(name: str, check: str) -> None:
    """Rules, words, playthroughs, bots, journal, camera, pages, deck: nothing is lacking."""
    assert lacking(GAMES[name], check) == []


# --- that it would be noticed ---------------------------------------------------------------------


def test_what_is_lacking_is_said_in_words() -> None:
    """Each check says what has to be made."""
    said = {check: lacking(TINY, check) for check in CHECKS}
    assert {check for check, found in said.items() if found} == LACKS
    assert "docs/rules/twenty-tons.md does not have R-04" in said["rules"]
    assert "there are no words for the refusal R-04 too_heavy in fr" in said["refused"]
    assert "there are no playthroughs" in said["playthroughs"]
    assert "docs/journal-format.md does not have wagon_turned" in said["journal"]
    assert "there is no test_secrecy.py" in said["tests"]
    assert "there are no templates" in said["pages"]
    assert "extras.py has no card_groups" in said["pages"]


class Unseen:
    """A game whose table no camera can follow."""

    name = "unseen"


def test_a_game_without_a_layout_is_noticed() -> None:
    """A camera needs places, layout and guesses, what no rule allows, and how events are read otherwise."""
    assert lacking(Unseen(), "camera") == [
        "the game has no places, layout, candidate_events, faults and with_other_card"
    ]  # type: ignore[arg-type]


def test_a_game_without_cards_is_noticed() -> None:
    """The house draws plain cards, but has to know which."""
    assert lacking(Unseen(), "deck") == [  # type: ignore[arg-type]
        "there is neither deck.py, which draws the cards, nor cards.py, which lists them"
    ]


def test_one_thing_less_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule without a test, a sentence that one language lacks, a card that is not drawn, a card at no place."""
    game = take_a_train.GAME
    proven = completeness.proven
    monkeypatch.setattr(
        completeness, "proven", lambda folder: {tag: at for tag, at in proven(folder).items() if tag != "R-28"}
    )
    assert lacking(game, "rules") == ["no test in take_a_train proves R-28"]
    words_of = completeness.words_of

    def poorer(asked: Game[Any], lang: str) -> Words:
        said = words_of(asked, lang)
        return Words(lang, {key: text for key, text in said.sentences.items() if (lang, key) != ("fr", "correct.same")})

    monkeypatch.setattr(completeness, "words_of", poorer)
    assert lacking(game, "words") == ["words in en and fr are not the same: correct.same…"]
    whole = completeness.design(game.name)
    thinner = replace(whole, counts={card: count for card, count in whole.counts.items() if card != "twin"})
    monkeypatch.setattr(completeness, "design", lambda name: thinner)
    assert lacking(game, "deck") == ["twin is not drawn"]
    places = game.places
    monkeypatch.setattr(type(game), "places", lambda self, n: tuple([p for p in places(n) if p.name != "market"]))
    assert lacking(game, "camera") == ["cards lie at market, which is no place"]
    vast = [Place(f"seat.{seat + 1}.shed", "spread", 40, Seat(seat)) for seat in range(6)]
    monkeypatch.setattr(type(game), "places", lambda self, n: (*places(n), *vast[:n]))
    assert any(said.startswith("no mat for 6 players: ") for said in lacking(game, "camera"))
