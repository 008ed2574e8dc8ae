"""Test the story of a finished game: the reasons for each place and for the win, and the sources of each score."""

from __future__ import annotations

import pytest

from companion.engine import Seat
from tests.support.finished import finished
from web.presenters import story as stories
from web.presenters.standings import Standing
from web.presenters.story import decisive_entry, lead_sentence, sources, story_of, tie_reason
from web.words import package, words

A, B = Seat(0), Seat(1)
GAMES = (("take-a-train", 3), ("express", 4), ("trains", 3), ("game-of-trains", 3))
HISTORY = ((0, 0), (5, 0), (5, 9), (12, 9), (12, 10))
SIDES = ((A,), (B,))
LEADERS = ((), (A,), (B,), (A,), (A,))


def test_the_decisive_moment_is_where_the_winner_went_ahead_for_good() -> None:
    """The decisive moment gives Jane the lasting lead, however large the others' gains are."""
    assert decisive_entry(HISTORY, SIDES, (A,)) == (2, True)


def test_who_led_from_the_start_decided_it_by_the_largest_gain() -> None:
    """Without a change of the lead the largest gain is decisive, and a game without gains has no decisive moment."""
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
    """One sentence names the leaders, and counts a change only between sole leaders."""
    assert lead_sentence(leaders, lambda seats: "".join("AB"[seat] for seat in seats), words("en")) == sentence


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_game_has_a_story(name: str, players: int, lang: str) -> None:
    """All sides are in the order of the ranking with the reason for their place, except a winner by points alone."""
    snapshot = finished(name, players)
    say = words(lang, package(snapshot.game))
    story = story_of(snapshot, lang, say)
    assert [each.standing.place for each in story.places] == sorted(each.standing.place for each in story.places)
    assert story.winner_seats == tuple(snapshot.game.winners(snapshot.state))
    assert all(each.why for each in story.places[1:])
    assert story.decisive and story.lead_sentence


def test_several_hands_are_told() -> None:
    """In Express, each side's points of all hands add up to its total."""
    snapshot = finished("express", 4)
    for each in story_of(snapshot, "en", words("en", package(snapshot.game))).places:
        (told,) = each.why
        figures = told.removeprefix("Hand by hand: ").replace("− ", "-").replace("+ ", "").split()
        assert len(figures) == 3 and sum(int(figure) for figure in figures) == each.standing.score


@pytest.mark.parametrize(
    ("places", "reasons"),
    [
        ((1, 2, 3), ["", "", ""]),
        ((1, 1, 3), ["They are level and share the victory."] * 2 + [""]),
        ((1, 2, 2), ["", "Level: they share the place.", "Level: they share the place."]),
    ],
)
def test_who_shares_a_place_is_told_so(places: tuple[int, ...], reasons: list[str]) -> None:
    """Sides that share a place are told so, and other sides get no reason."""
    standings = [Standing(place, (Seat(at),), 100 - place) for at, place in enumerate(places)]
    assert [tie_reason(standings, at, words("en")) for at in range(3)] == reasons


@pytest.mark.parametrize(
    ("game", "rule"),
    [
        ("trains", "Equal points: more cubes on the board win."),
        ("take_a_train", "Equal money: more claimed goals decide."),
    ],
)
def test_a_tie_names_the_rule_that_broke_it(game: str, rule: str) -> None:
    """The game's own tie rule explains different places with equal points or money."""
    say = words("en", f"companion.games.{game}")
    standings = [Standing(1, (A,), 40), Standing(2, (B,), 40)]
    assert [tie_reason(standings, at, say) for at in (0, 1)] == [rule] * 2


@pytest.mark.parametrize(("name", "players"), GAMES[:3])
def test_sources_add_up_to_the_scores(monkeypatch: pytest.MonkeyPatch, name: str, players: int) -> None:
    """A side's sources add up to the difference between its scores at the end and at the start."""
    monkeypatch.setattr(stories, "MOST", 99)
    snapshot = finished(name, players)
    game = snapshot.game
    states = [game.begin(snapshot.setup), *(entry.after for entry in snapshot.entries)]
    begun, ended = game.scores(states[0]), game.scores(states[-1])
    found = {each.seats[0]: each.parts for each in sources(snapshot, states, words("en", package(game)))}
    for seat, parts in found.items():
        figures = [(-1 if text[0] == "−" else 1) * int("".join(filter(str.isdigit, text))) for text, _ in parts]
        assert sum(figures) == ended[seat] - begun[seat], (seat, parts)


def test_a_game_without_sources_tells_the_distance() -> None:
    """In Game of Trains, which has no sources of points, a place is explained by what the side lacks."""
    snapshot = finished("game-of-trains", 3)
    places = story_of(snapshot, "en", words("en", package(snapshot.game))).places
    assert [each.why for each in places] == [(), ("1 behind Bill",), ("1 behind Tom",)]
