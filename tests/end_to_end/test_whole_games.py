"""Whole games with pins, pages, referee, rules and a camera: people play, and the companion knows what they know.

It hears pins that bounce, sees cards, and is tapped on; all in one time that nothing waits for. `make whole-games`
plays many, in pixels, and prints how they went.
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
"""Options of a table where people close their fists round real money."""
OPTIONS: dict[str, dict[str, str]] = {
    "take-a-train": BY_HAND,
    "trains": {"edition": "okazu"},
    "express": {"hands": "1"},
}
"""By game, options other than those of the form that the tests fill in."""


def test_a_whole_game_of_buttons_cards_and_tablets(tmp_path: Path) -> None:
    """Every press, tap and card of a game is understood; nothing is told to the companion that people do not do."""
    with Evening(tmp_path, 2, pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, 3)
        report = play(playing)
        assert report.over
        agreed(evening, playing, report)
        by = {entry.by.role for entry in evening.table.snapshot().entries}
        assert by == {"seat", "table", "camera"}


def test_nothing_is_typed_that_the_next_card_tells(tmp_path: Path) -> None:
    """Longer stock is turned up and put away at once: the card after it says that it was there."""
    with Evening(tmp_path, 6, pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, 3)
        while not playing.truth.state.table.longer:
            playing.step()
        play(playing, playing.counts["events"] + 5)
        assert playing.counts["typed"] == 0


@pytest.mark.pixels
def test_a_first_auction_and_wagons_in_pixels(tmp_path: Path) -> None:
    """From the token to the first wagons the camera reads pictures of a rendered table, as difficult as by default."""
    with Evening(tmp_path, 2, 3) as evening:
        evening.sit_down()
        playing = people(evening, 3)
        agreed(evening, playing, play(playing, 68))


@pytest.mark.parametrize(("players", "seed"), [(2, 2), (2, 3), (3, 1), (3, 5), (4, 2), (4, 5)])
def test_a_whole_game_of_trains(tmp_path: Path, players: int, seed: int) -> None:
    """Lines, draws, pool, padlocks and refills are known by buttons and cards alone, and nobody is asked anything."""
    with Evening(tmp_path, players, game="game-of-trains", pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, seed)
        report = play(playing)
        assert report.over
        agreed(evening, playing, report)
        assert [report.counts.get(name, 0) for name in ("taps", *QUESTIONS)] == [1, 0, 0, 0, 0, 0]  # who begins


class Slow(Evening):
    """People whose hands are seen on their way: every other card lies there for some seconds before the next one."""

    def move(self, moved: MoveCard) -> None:
        """Move a card, and let the camera look at half of them."""
        super().move(moved)
        if sum([len(cards) for cards in self.told.cards.values()]) % 2:
            self.observer.accept_reading(self.told.seen())
            self.rest(4.0)


def test_what_is_seen_on_its_way_is_no_move_yet(tmp_path: Path) -> None:
    """A gap, a wagon in two hands, a pool that is half cleared: nothing is taken, asked or amended for it."""
    with Slow(tmp_path, 4, game="game-of-trains", pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, 8)
        report = play(playing)
        agreed(evening, playing, report)
        assert [report.counts.get(name, 0) for name in QUESTIONS] == [0, 0, 0, 0, 0]


def test_a_person_who_takes_a_seat_over_sees_the_card_in_its_hand(tmp_path: Path) -> None:
    """A drawn card shows when it is placed; a person who is to place it finds it on the own tablet, and does."""
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
    """A companion killed while a card is in a hand, a wagon that is taken away, a covered camera: all ends true."""
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
    """When a rendered table's camera starts again while lines are dealt: who looks at the table sees what is gone."""
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
    """While the camera is covered people say what was drawn and where it was placed; then it sees the same."""
    with Evening(tmp_path, 2, game="game-of-trains", pixels=False) as evening:
        evening.sit_down()
        playing = people(evening, 1)
        while not playing.truth.layout().held:
            playing.step()
        evening.cover(30.0)
        playing.step()
        assert playing.counts["typed"] == 2  # the card, and where it lies
        agreed(evening, playing, play(playing))


@pytest.mark.pixels
def test_lines_of_wagons_in_pixels(tmp_path: Path) -> None:
    """Lines are dealt, wagons exchanged, drawn and placed, in front of a camera."""
    with Evening(tmp_path, 2, 1, "game-of-trains") as evening:
        evening.sit_down()
        playing = people(evening, 1)
        agreed(evening, playing, play(playing, 14))


MANY = int(os.environ.get("COMPANION_EACH", "0"))
"""So many games are played with each number of players; 0: a few."""
FOLLOWED = {name: game for name, game in SEEN.items() if not is_example(game)}
NUMBERS = {name: tuple(game.seats) for name, game in FOLLOWED.items()}
"""By game, how many may play."""
SEEDS = 3
"""Seeds that are played with each number of players unless more are asked for."""
GAMES = [
    (game, n, seed) for game, numbers in NUMBERS.items() for n in numbers for seed in range(1, (MANY or SEEDS) + 1)
]


def test_every_game_that_a_camera_follows_is_played() -> None:
    """A game that people are offered with real cards is played whole."""
    assert set(FOLLOWED) == {game for game, _, _ in GAMES} >= {*OPTIONS, *COMPARED}
    for name, game in FOLLOWED.items():
        assert {players for game_name, players, _ in GAMES if game_name == name} <= set(game.seats)


@pytest.mark.whole_games
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize(("game", "players", "seed"), GAMES)
def test_whole_games(
    tmp_path: Path, game: str, players: int, seed: int, difficulty: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A whole game ends with the truth; how it went is printed."""
    one = recorded(game, players, difficulty, seed) or played(tmp_path, game, players, seed, difficulty)
    with capsys.disabled():
        print(f"\n{sentence(one)}")
    assert one.exact, one


def played(folder: Path, game: str, players: int, seed: int, difficulty: str) -> Figures:
    """Play one whole game and return how it went."""
    pixels = difficulty != "told"
    drawn = difficulty if pixels else "default"
    with Evening(folder, players, seed, game, difficulty=drawn, pixels=pixels) as evening:
        evening.sit_down(**OPTIONS.get(game, {}))
        return measured(evening, people(evening, seed), seed, difficulty)
