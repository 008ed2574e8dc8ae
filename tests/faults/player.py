"""A table that plays at random through the one writer, and acknowledges every move on standard output once it is told.

`python -m tests.faults.player JOURNAL SEED [--moves N] [--asked]`. A line is `MATCH SEQ HASH`, the first of them what
the table resumed. With `--asked` a move is made for each line on standard input, and a refusal is told as `no …`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from companion.engine import Seat, legal, state_hash
from companion.journal import database
from companion.journal.journal import JournalError
from companion.match.actor import Actor
from companion.table.snapshot import Snapshot
from companion.table.table import Table, TableAnswer
from tests.support.matches import dealt
from tests.support.paces import HURRIED

PLAYERS = 3
UNDO = 0.1
"""How often a move is an undo instead."""


def acknowledged(shown: Snapshot) -> str:
    """Return the line that acknowledges where a table stands."""
    return f"{shown.match_id} {shown.seq} {state_hash(shown.state)}" if shown.state is not None else "- 0 -"


def move(table: Table, luck: Random) -> TableAnswer:
    """Make one move at random, or undo one; begin a new match where there is none, or it is over."""
    shown = table.snapshot()
    if shown.state is None or shown.over:
        table.start(dealt(PLAYERS))
        return TableAnswer(True)
    if shown.last_move is not None and luck.random() < UNDO:
        answer = table.ask_undo(shown.last_move, Actor.HOST)
        if not answer.accepted or table.snapshot().undo is None:
            return answer
        return [table.consent(Seat(seat), True) for seat in range(PLAYERS)][-1]
    offers = legal(shown.game, shown.state)
    offer = offers[int(luck.random() * len(offers))]
    event = offer.pick(luck.random)
    if offer.chance and not event.facts.entered:
        return table.draw(Actor.TABLE)
    return table.propose(event, Actor.TABLE)


def told(shown: Snapshot) -> None:
    """Acknowledge on standard output."""
    os.write(1, f"{acknowledged(shown)}\n".encode())


def play(path: Path, seed: str, moves: int = -1, tell: Callable[[Snapshot], None] = told) -> None:
    """Play without end, or so many moves; tell of each once it is done."""
    luck = Random(seed)
    with Table(path, pace=HURRIED) as table:
        tell(table.snapshot())
        while moves:
            moves -= 1
            move(table, luck)
            tell(table.snapshot())


def obey(path: Path, seed: str) -> None:
    """Make a move whenever a line comes in; tell refusals and what cannot be written as `no` and the sentence."""
    luck = Random(seed)
    with Table(path, pace=HURRIED) as table:
        print(acknowledged(table.snapshot()), flush=True)
        for _ in sys.stdin:
            try:
                answer = move(table, luck)
            except JournalError as error:
                print(f"no {error}", flush=True)
                continue
            refusal = answer.refusal
            why = refusal.fields.get("why", refusal.key) if refusal else ""
            print(acknowledged(table.snapshot()) if answer.accepted else f"no {why}", flush=True)


def main() -> None:
    """Play as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("journal", type=Path)
    parser.add_argument("seed")
    parser.add_argument("--moves", type=int, default=-1)
    parser.add_argument("--asked", action="store_true")
    asked = parser.parse_args()
    database.SYNCHRONOUS = os.environ.get("SYNCHRONOUS", database.SYNCHRONOUS)
    if asked.asked:
        obey(asked.journal, asked.seed)
    else:
        play(asked.journal, asked.seed, asked.moves)


if __name__ == "__main__":
    main()
