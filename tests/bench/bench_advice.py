"""Measures how long advice takes in each game, at full speed and on a quarter of a core.

`python -m tests.bench.bench_advice [--pieces 40] [--seed 1]`: at moments of whole games, the time from a seat's
question to its sentences in each language. The advising process shares the same fraction of a core. The first answer,
which includes the start of that process, is listed separately. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice

from companion.bots.advice import question_of
from companion.bots.adviser import Adviser
from companion.engine import AnyGame, AnyState, Player, Seat
from companion.games import GAMES, game_words, teller_of
from companion.i18n import LANGUAGES
from companion.mechanics.advising import said
from companion.mechanics.telling import SentenceContext
from tests.bench.processes import QUARTER, can_slow, percentile, resident, slowed
from tests.games.completeness import HOUSE
from tests.tools.advice import NAMES, moments

PEOPLE = [Player(name, "red", "circle") for name in NAMES]


def ask(adviser: Adviser, game: AnyGame, state: AnyState, seat: Seat) -> float:
    """Ask for advice to a seat and return the seconds until all sentences arrived."""
    begun = time.perf_counter()
    question = question_of(game, state, seat)
    found = adviser.ask(question) if question is not None else ()
    for lang in LANGUAGES if found else ():
        context = SentenceContext(PEOPLE, game_words(game, lang), table=state.table)
        said(found, teller_of(game), context, seat, bool(game.money))
    return time.perf_counter() - begun


def show(name: str, pieces: int, seed: int, share: float) -> None:
    """Print how long advice takes in a game."""
    game = GAMES[name]
    asked = [(state, seat) for _, state, seat in islice(moments(game, seed), pieces)]
    with slowed(share):
        adviser = Adviser()
        try:
            first, *times = [ask(adviser, game, *each) for each in asked]
            memory = resident(adviser.process)[0] if adviser.process is not None else 0.0
        finally:
            adviser.close()
    middle, most = percentile(times, 0.5), max(times)
    later = f"then {middle:.3f} s (most {most:.2f} s)"
    print(f"{name:15} {share:4.0%} of a core: first {first:.2f} s, {later}, {memory:.0f} MB")


def main(arguments: list[str] | None = None) -> None:
    """Measure all games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    for share in (1.0, *([QUARTER] if can_slow() else [])):
        for name in HOUSE:
            show(name, chosen.pieces, chosen.seed, share)


if __name__ == "__main__":
    main()
