"""The story of a finished game: who led when, what decided it, and sources that add up to the scores."""

from __future__ import annotations

import pytest

from companion.engine import Seat
from tests.support.finished import finished
from web.presenters.story import LeadStretch, decisive_entry, lead_sentence, sources, story_of, stretches
from web.words import package, words

A, B = Seat(0), Seat(1)
GAMES = (("take-a-train", 3), ("express", 4), ("trains", 3), ("game-of-trains", 3))
HISTORY = ((0, 0), (5, 0), (5, 9), (12, 9), (12, 10))
SIDES = ((A,), (B,))
LEADERS = ((), (A,), (B,), (A,), (A,))


def test_stretches_cover_the_game() -> None:
    """Each stretch begins where the one before ended; together they are the whole game."""
    assert tuple(stretches(LEADERS)) == (
        LeadStretch(0, 0.25, 0), LeadStretch(0.25, 0.25, 1), LeadStretch(0.5, 0.5, 0),
    )  # fmt: skip


def test_the_decisive_moment_is_where_the_winner_went_ahead_for_good() -> None:
    """The third entry gave Jane the lead that she kept, however much more others came to."""
    assert decisive_entry(HISTORY, SIDES, (A,)) == (2, True)


def test_who_led_from_the_start_decided_it_by_the_largest_gain() -> None:
    """There is no moment of going ahead; a game without any gain has no decisive moment at all."""
    assert decisive_entry(((1, 0), (2, 0), (9, 0), (10, 0)), SIDES, (A,)) == (1, False)
    assert decisive_entry(((1, 0), (1, 0)), SIDES, (A,)) == (None, False)
    assert decisive_entry(((0, 0),), SIDES, (A, B)) == (None, False)


@pytest.mark.parametrize(
    ("leaders", "sentence"),
    [
        (LEADERS, "The lead changed 2 times. A led longest."),
        (((), (A,), (A,), (B,)), "The lead changed once. A led longest."),
        (((), (), (B,)), "B led from start to finish."),
        (((), ()), "Nobody was ever ahead alone."),
    ],
)
def test_who_led_is_one_sentence(leaders: tuple[tuple[Seat, ...], ...], sentence: str) -> None:
    """Changes are counted between those who led alone."""
    assert lead_sentence(leaders, lambda seats: "".join("AB"[seat] for seat in seats), words("en")) == sentence


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_game_has_a_story(name: str, players: int, lang: str) -> None:
    """All sides stand in the ranking's order, leads cover the game, and the decisive moment is told."""
    snapshot = finished(name, players)
    story = story_of(snapshot, lang, words(lang, package(snapshot.game)))
    assert [each.place for each in story.standings] == sorted(each.place for each in story.standings)
    assert story.winner_seats == tuple(snapshot.game.winners(snapshot.state))
    assert sum(lead.length for lead in story.leads) == pytest.approx(1)
    assert story.chart and story.decisive and 0 < story.chart.turn <= 100


@pytest.mark.parametrize(("name", "players"), GAMES[:3])
def test_sources_add_up_to_the_scores(name: str, players: int) -> None:
    """What the sources brought a side is its score at the end less that at the start."""
    snapshot = finished(name, players)
    game = snapshot.game
    states = [game.begin(snapshot.setup), *(entry.after for entry in snapshot.entries)]
    begun, ended = game.scores(states[0]), game.scores(states[-1])
    found = {each.seats[0]: each.parts for each in sources(snapshot, states, words("en", package(game)))}
    for seat, parts in found.items():
        figures = [(-1 if text[0] == "−" else 1) * int("".join(filter(str.isdigit, text))) for text, _ in parts]
        assert sum(figures) == ended[seat] - begun[seat], (seat, parts)


def test_a_game_without_sources_tells_none() -> None:
    """Game of Trains has no points that come from somewhere: its story has no such slide."""
    snapshot = finished("game-of-trains", 3)
    assert story_of(snapshot, "en", words("en", package(snapshot.game))).sources == ()
