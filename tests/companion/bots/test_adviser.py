"""The adviser process matches the bot's advice, runs only while it is needed, and can die at any moment."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Iterator

import pytest

from companion.bots.advice import advice, can_advise, question_of
from companion.bots.adviser import MOST, NICENESS, AdviceFailed, Adviser
from companion.games import GAMES
from tests.companion.bots.test_ranked import RANKING, hidden_otherwise, reached
from tests.games.completeness import HOUSE

LEAST = 19
"""The lowest scheduling priority, as a nice value."""


@pytest.fixture
def adviser() -> Iterator[Adviser]:
    """Yield an adviser and close it afterwards."""
    found = Adviser()
    yield found
    found.close()


def test_it_answers_as_the_bot_in_the_table_would(adviser: Adviser) -> None:
    """In every game the process returns the bot's best options with their reasons, at a lower priority than the
    test."""
    assert adviser.process is None
    for name in RANKING:
        game = GAMES[name]
        state, seat = reached(game, 3, 5, 25) or pytest.fail("the game ended")
        question = question_of(game, state, seat)
        assert question is not None
        assert adviser.ask(question) == tuple(advice(game, state, seat)[:MOST]) != ()
    assert adviser.process is not None
    mine, its = (os.getpriority(os.PRIO_PROCESS, process) for process in (0, adviser.process))
    assert its == min(LEAST, mine + NICENESS) > mine


@pytest.mark.parametrize("name", RANKING)
def test_the_question_holds_nothing_hidden(name: str) -> None:
    """The question to the process does not depend on hidden hands or piles."""
    game, compared = GAMES[name], 0
    for seed in range(20):
        found = reached(game, 2 + seed % 3, seed, seed * 4)
        if found is None:
            continue
        state, seat = found
        other = hidden_otherwise(state, seat, random.Random(seed))
        assert question_of(game, state, seat) == question_of(game, other, seat)
        compared += other != state
    assert compared > 5


def test_a_dead_process_is_started_again(adviser: Adviser) -> None:
    """After the process is killed, a new one answers the same question."""
    game = GAMES["trains"]
    state, seat = reached(game, 2, 1, 30) or pytest.fail("the game ended")
    question = question_of(game, state, seat)
    assert question is not None
    first, running = adviser.ask(question), adviser.process
    assert running is not None
    os.kill(running, signal.SIGKILL)
    os.waitid(os.P_PID, running, os.WEXITED | os.WNOWAIT)
    assert adviser.ask(question) == first
    assert adviser.process != running


@pytest.mark.parametrize("code", ["import time; time.sleep(60)", "pass", "print('nonsense' * 99)"])
def test_no_answer_is_an_error_in_time(code: str) -> None:
    """A process that stays silent, exits or replies with nonsense is killed, and the question fails."""
    game = GAMES["trains"]
    state, seat = reached(game, 2, 1, 30) or pytest.fail("the game ended")
    question = question_of(game, state, seat)
    assert question is not None
    adviser = Adviser([sys.executable, "-c", code])
    with pytest.raises(AdviceFailed):
        adviser.ask(question, patience=1.0)
    assert adviser.process is None


def test_only_games_that_give_reasons_advise() -> None:
    """The four built-in games give advice, and a game whose bot only plays at random does not."""
    assert all(can_advise(GAMES[name]) for name in HOUSE)
    assert not all(map(can_advise, GAMES.values()))
