"""Tests of seats that persons take over and return during a game, which the companion follows to the true end."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.engine import Seat
from tests.end_to_end.outcome import agreed
from tests.end_to_end.persons import Person
from tests.end_to_end.play import PlayReport
from tests.end_to_end.world import Evening, people

OPTIONS = {"take-a-train": {"reveal": "signal"}}
CHANGES = {"take-a-train": 0.03, "game-of-trains": 0.06}
"""The probability that a seat changes hands between two moves, by game."""
IDLE = 60
"""The number of idle looks after which a game counts as stuck."""


def taken_over(folder: Path, players: int, seed: int, game: str = "take-a-train") -> tuple[int, int]:
    """Play a whole game and return the number of followed actions of persons and the most persons at one time."""
    with Evening(folder, players, game=game, pixels=False) as evening:
        evening.sit_down(**OPTIONS.get(game, {}))
        playing, luck, idle, most = people(evening, seed), Random(seed), 0, 0
        persons: dict[Seat, Person] = {}
        while not playing.truth.state.over:
            if luck.random() < CHANGES[game]:
                seat = Seat(luck.randrange(players))
                if persons.pop(seat, None) is not None:
                    playing.give_back(seat)
                else:
                    playing.take_over(seat)
                    persons[seat] = Person(evening, playing, seat, seed + playing.counts["events"])
            before, most = playing.counts["events"], max(most, len(persons))
            playing.step()
            acted = [person.play() for person in persons.values()]
            idle = 0 if any(acted) or playing.counts["events"] > before else idle + 1
            assert idle < IDLE, playing.truth.differs(evening.look(playing.truth.seats))
        agreed(evening, playing, PlayReport(True, dict(playing.counts)))
        return playing.counts["followed"], most


def test_seats_are_taken_over_and_given_back(tmp_path: Path) -> None:
    """Two persons at a time take seats during auctions with amounts in fists, and they tap, press and move cards."""
    followed, most = taken_over(tmp_path, 2, 3)
    assert followed > 20 and most == 2


@pytest.mark.slow
def test_all_seats_are_taken_over(tmp_path: Path) -> None:
    """Four persons play without programs, even if one claims before the camera has read the revealed cards."""
    followed, most = taken_over(tmp_path, 4, 5)
    assert followed > 100 and most == 4


def test_lines_are_taken_over_and_given_back(tmp_path: Path) -> None:
    """In Game of Trains, a card drawn by a person shows on the person's tablet and is placed from there."""
    followed, most = taken_over(tmp_path, 4, 3, "game-of-trains")
    assert followed > 10 and most == 3


@pytest.mark.whole_games
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_seats_are_taken_over_in_other_games(tmp_path: Path, players: int, seed: int) -> None:
    """Seats change hands in all kinds of auctions, even before a tie-break and during a race."""
    assert taken_over(tmp_path, players, seed)[0] > 20
