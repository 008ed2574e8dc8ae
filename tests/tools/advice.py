"""Prints advice from random positions of whole games, as a player reads it.

`python -m tests.tools.advice [GAME...] [--pieces 20] [--lang en] [--seed 1]`: people judge whether it is useful.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from itertools import count, islice

from companion.bots.advice import advice
from companion.bots.adviser import MOST
from companion.bots.bot import policy_of
from companion.bots.simulation import next_event
from companion.engine import AnyGame, AnyState, Player, Raising, Seat, Setup, Unveiling, apply
from companion.games import GAMES, game_words, teller_of
from companion.mechanics.advising import Advice, said
from companion.mechanics.telling import SentenceContext
from tests.games.completeness import HOUSE

NAMES = ("Anna", "Bill", "Chloe", "Dan")
LATEST = 400
"""The latest event after which a seat is asked."""


def moments(game: AnyGame, seed: int) -> Iterator[tuple[int, AnyState, Seat]]:
    """Yield one random moment per game at which a seat may ask."""
    for number in count(seed):
        luck = random.Random(number)
        policies = [policy_of(game, "sensible")] * luck.randint(2, len(NAMES))
        state, at = game.begin(Setup(game.name, len(policies))), luck.randrange(LATEST)
        for event in count():
            if not state.agenda:
                break
            asked = policies[0].asked(state)
            timed = isinstance(state.agenda[0].timing(state.table), Raising | Unveiling)
            if event >= at and asked and not timed:
                yield number, state, asked[0]
                break
            state = apply(game, state, next_event(game, state, policies, luck.random))


def advised(game: AnyGame, state: AnyState, seat: Seat, lang: str) -> Advice | None:
    """Return the advice to a seat, or None if it should rather wait."""
    found = advice(game, state, seat)[:MOST]
    people = [Player(name, "red", "circle") for name in NAMES]
    context = SentenceContext(people, game_words(game, lang), table=state.table)
    return said(found, teller_of(game), context, seat, bool(game.money)) if found else None


def main(arguments: list[str] | None = None) -> None:
    """Print the advice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=HOUSE)
    parser.add_argument("--pieces", type=int, default=20)
    parser.add_argument("--lang", default="en")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    for name in chosen.games:
        print(f"# {name}")
        for number, state, seat in islice(moments(GAMES[name], chosen.seed), chosen.pieces):
            found = advised(GAMES[name], state, seat, chosen.lang)
            if found is None:
                continue
            print(f"\n{number}. {NAMES[seat]}: {found.hint}")
            for each in found.moves:
                print(f"   - {each.move}. {' '.join(each.reasons)}")


if __name__ == "__main__":
    main()
