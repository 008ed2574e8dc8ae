"""Tests of whole games with pins, pages, referee, rules and a camera.

The companion receives bouncing pins, pictures of cards and taps, in simulated time. `make whole-games` plays many games
in pixels and prints their figures.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.demo.acts import MoveCard
from companion.games import SEEN, is_example
from companion.games.game_of_trains.catalogue import wagon_id
from companion.games.game_of_trains.layout import line_place
from tests.end_to_end.figures import DIFFICULTIES, QUESTIONS, Figures, recorded, sentence
from tests.end_to_end.outcome import COMPARED, agreed, measured
from tests.end_to_end.play import play
from tests.end_to_end.world import Evening, people

BY_HAND = {"bid_channel": "hand"}
"""The options of a table with real money in fists."""
OPTIONS: dict[str, dict[str, str]] = {
    "take-a-train": BY_HAND,
    "trains": {"edition": "okazu"},
    "express": {"hands": "1"},
}
"""Options by game that differ from those of the form filled in by the tests."""


def test_a_whole_game_of_buttons_cards_and_tablets(tmp_path: Path) -> None:
    """Each press, tap and card of a game is understood, without input beyond what people do at a table."""
    with Evening(tmp_path, 2, pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, 3)
        report = play(playing)
        assert report.over
        agreed(evening, playing, report)
        by = {entry.by.role for entry in evening.table.snapshot().entries}
        assert by == {"seat", "table", "camera"}


def test_nothing_is_typed_that_the_next_card_tells(tmp_path: Path) -> None:
    """Longer stock put away at once is inferred from the next card, without typing."""
    with Evening(tmp_path, 6, pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, 3)
        while not playing.truth.state.table.longer:
            playing.step()
        play(playing, playing.counts["events"] + 5)
        assert playing.counts["typed"] == 0


@pytest.mark.pixels
def test_a_first_auction_and_wagons_in_pixels(tmp_path: Path) -> None:
    """From the token to the first wagons, the camera reads a rendered table at default difficulty."""
    with Evening(tmp_path, 2, 3) as evening:
        evening.sit_down()
        playing = people(evening, 3)
        agreed(evening, playing, play(playing, 68))


@pytest.mark.parametrize(("players", "seed"), [(2, 2), (2, 3), (3, 1), (3, 5), (4, 2), (4, 5)])
def test_a_whole_game_of_trains(tmp_path: Path, players: int, seed: int) -> None:
    """Lines, draws, pool, padlocks and refills are known from buttons and cards alone, without questions."""
    with Evening(tmp_path, players, game="game-of-trains", pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, seed)
        report = play(playing)
        assert report.over
        agreed(evening, playing, report)
        assert [report.counts.get(name, 0) for name in ("taps", *QUESTIONS)] == [1, 0, 0, 0, 0, 0]  # the first player


class Slow(Evening):
    """People whose hands the camera sees on their way: every other card pauses for some seconds."""

    def move(self, moved: MoveCard) -> None:
        """Move a card, and let the camera read the table after every other move."""
        super().move(moved)
        if sum([len(cards) for cards in self.told.cards.values()]) % 2:
            self.observer.accept_reading(self.told.seen())
            self.rest(4.0)


def test_what_is_seen_on_its_way_is_no_move_yet(tmp_path: Path) -> None:
    """A gap, a card on its way and a half-cleared pool cause no event, question or correction."""
    with Slow(tmp_path, 4, game="game-of-trains", pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, 8)
        report = play(playing)
        agreed(evening, playing, report)
        assert [report.counts.get(name, 0) for name in QUESTIONS] == [0, 0, 0, 0, 0]


def test_a_person_who_takes_a_seat_over_sees_the_card_in_its_hand(tmp_path: Path) -> None:
    """A drawn card appears on the tablet of a person who takes over its seat and can be placed from there."""
    with Evening(tmp_path, 2, game="game-of-trains", pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, 1)
        while not playing.truth.layout().held:
            playing.step()
        assert not evening.look().view["seats"][0]["holds"] and not evening.look().view["seats"][1]["holds"]
        seat = playing.truth.state.agenda[0].seat
        playing.take_over(seat)
        playing.step()
        (held,) = evening.look({seat}).own[seat]["hand"]
        here, card = line_place(seat, 7), wagon_id(held["number"])
        for moved in (MoveCard(playing.lying.spot(here).up[0], here, "pool"), MoveCard(card, "", here)):
            evening.move(moved)
        evening.settle()
        playing.step()
        assert playing.lying.spot(here).up == (card,)
        playing.give_back(seat)
        agreed(evening, playing, play(playing))


def test_what_goes_wrong_on_purpose_changes_no_line(tmp_path: Path) -> None:
    """A kill during a move, a removed wagon and a covered camera do not change the lines."""
    with Evening(tmp_path, 3, game="game-of-trains", pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, 1)
        while not playing.truth.layout().held:
            playing.step()
        evening.kill()
        play(playing, 40)
        away = MoveCard(playing.lying.spot(line_place(1, 2)).up[0], line_place(1, 2), "")
        evening.move(away)
        playing.lying.do(away)
        evening.settle()
        evening.rest(8)
        assert [each.place for each in evening.look().odd] == [away.source]
        play(playing, 50)
        assert evening.look().odd == ()
        evening.cover(12.0)
        agreed(evening, playing, play(playing))


def test_a_table_that_lost_its_cards_is_laid_again(tmp_path: Path) -> None:
    """A rendered camera that restarts during a deal shows the missing cards, which people lay again."""
    with Evening(tmp_path, 3, game="game-of-trains", pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, 1)
        play(playing, 2)
        for place, here in evening.read_cards().items():
            for card, _ in here:
                evening.move(MoveCard(card, place, ""))
        evening.settle()
        agreed(evening, playing, play(playing))
        assert playing.counts["put right"] == 1


def test_a_turn_that_no_camera_sees_is_said_on_a_tablet(tmp_path: Path) -> None:
    """While the camera is covered, people enter the draw and its place, and the camera then sees the same."""
    with Evening(tmp_path, 2, game="game-of-trains", pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, 1)
        while not playing.truth.layout().held:
            playing.step()
        evening.cover(30.0)
        playing.step()
        assert playing.counts["typed"] == 2  # the card and its place
        agreed(evening, playing, play(playing))


@pytest.mark.pixels
def test_lines_of_wagons_in_pixels(tmp_path: Path) -> None:
    """The camera follows the deal, and wagons that are exchanged, drawn and placed."""
    with Evening(tmp_path, 2, 1, "game-of-trains") as evening:
        evening.sit_down()
        playing = people(evening, 1)
        agreed(evening, playing, play(playing, 14))


MANY = int(os.environ.get("COMPANION_EACH", "0"))
"""The number of games for each number of players; 0 plays a few."""
FOLLOWED = {name: game for name, game in SEEN.items() if not is_example(game)}
NUMBERS = {name: tuple(game.seats) for name, game in FOLLOWED.items()}
"""The allowed numbers of players by game."""
SEEDS = 3
"""The seeds for each number of players if no number is requested."""
GAMES = [
    (game, n, seed) for game, numbers in NUMBERS.items() for n in numbers for seed in range(1, (MANY or SEEDS) + 1)
]


def test_every_game_that_a_camera_follows_is_played() -> None:
    """Each game offered with real cards is played to its end."""
    assert set(FOLLOWED) == {game for game, _, _ in GAMES} >= {*OPTIONS, *COMPARED}
    for name, game in FOLLOWED.items():
        assert {players for game_name, players, _ in GAMES if game_name == name} <= set(game.seats)


@pytest.mark.whole_games
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize(("game", "players", "seed"), GAMES)
def test_whole_games(
    tmp_path: Path, game: str, players: int, seed: int, difficulty: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A whole game ends with the truth, and its figures are printed."""
    one = recorded(game, players, difficulty, seed) or played(tmp_path, game, players, seed, difficulty)
    with capsys.disabled():
        print(f"\n{sentence(one)}")
    assert one.exact, one


def played(folder: Path, game: str, players: int, seed: int, difficulty: str) -> Figures:
    """Play one whole game and return its figures."""
    pixels = difficulty != "told"
    drawn = difficulty if pixels else "default"
    with Evening(folder, players, seed, game, difficulty=drawn, pixels=pixels) as evening:
        evening.sit_down(**OPTIONS.get(game, {}))
        return measured(evening, people(evening, seed), seed, difficulty)
