"""Seats that persons take over and give back in the middle of a game: the others follow, to the true end."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.engine import Seat
from companion.people.playing import Report
from tests.people.ends import agreed
from tests.people.persons import Person
from tests.people.world import Evening, people

OPTIONS = {"open_grace_ms": "150", "same_moment_ms": "150", "count_gap_ms": "1000", "reveal": "signal"}
CHANGES = 0.03
"""How often somebody takes a seat over, or gives it back, between two moves."""
IDLE = 60
"""After so many looks at which nothing happens nothing ever will."""


def taken_over(folder: Path, players: int, seed: int) -> tuple[int, int]:
    """Play a whole game; return how many things persons did that were followed, and how many had a seat at once."""
    with Evening(folder, players, pixels=False) as evening:
        evening.sit_down(**OPTIONS)
        playing, luck, idle, most = people(evening, seed), Random(seed), 0, 0
        persons: dict[Seat, Person] = {}
        while not playing.truth.state.over:
            if luck.random() < CHANGES:
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
        agreed(evening, playing, Report(True, dict(playing.counts)))
        return playing.counts["followed"], most


def test_seats_are_taken_over_and_given_back(tmp_path: Path) -> None:
    """Two at once, in the middle of auctions, with amounts in fists: persons tap, press, and move their own cards."""
    followed, most = taken_over(tmp_path, 2, 3)
    assert followed > 20 and most == 2


@pytest.mark.whole_games
@pytest.mark.parametrize(("players", "seed"), [(2, 2), (3, 1)])
def test_seats_are_taken_over_in_other_games(tmp_path: Path, players: int, seed: int) -> None:
    """Blind, Preemption and Pass; of three, a tie that is broken before the others have looked at the fists."""
    assert taken_over(tmp_path, players, seed)[0] > 20
