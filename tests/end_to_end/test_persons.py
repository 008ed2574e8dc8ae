"""Seats that persons take over and give back in the middle of a game: the others follow, to the true end."""

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
"""How often somebody takes a seat over, or gives it back, between two moves."""
IDLE = 60
"""After so many looks at which nothing happens nothing ever will."""


def taken_over(folder: Path, players: int, seed: int, game: str = "take-a-train") -> tuple[int, int]:
    """Play a whole game; return how many things persons did that were followed, and how many had a seat at once."""
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
    """Two at once, in the middle of auctions, with amounts in fists: persons tap, press, and move their own cards."""
    followed, most = taken_over(tmp_path, 2, 3)
    assert followed > 20 and most == 2


@pytest.mark.slow
def test_all_seats_are_taken_over(tmp_path: Path) -> None:
    """Four persons and no program: also where somebody claims before the camera has read what was turned up."""
    followed, most = taken_over(tmp_path, 4, 5)
    assert followed > 100 and most == 4


def test_lines_are_taken_over_and_given_back(tmp_path: Path) -> None:
    """Game of Trains: what a person draws shows on its own tablet, and is placed there."""
    followed, most = taken_over(tmp_path, 4, 3, "game-of-trains")
    assert followed > 10 and most == 3


@pytest.mark.whole_games
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_seats_are_taken_over_in_other_games(tmp_path: Path, players: int, seed: int) -> None:
    """All auctions; ties that are broken before the others have looked at the fists; races between people."""
    assert taken_over(tmp_path, players, seed)[0] > 20
