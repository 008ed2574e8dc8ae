"""Replaying the journals of `playthroughs/`: what they end in.

`python -m tests.games.take_a_train.playthroughs` writes `playthroughs/expected.json` again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from companion.engine import Setup, State, apply, state_hash
from companion.games.take_a_train.table import Table
from tests.games.take_a_train.build import GAME

FOLDER = Path(__file__).parent / "playthroughs"
EXPECTED = FOLDER / "expected.json"
NAMES = tuple(sorted(file.stem for file in FOLDER.glob("*.jsonl")))


def replay(name: str) -> list[State[Table]]:
    """Return every state of a journal, the first one before its first event."""
    header, *lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    decoder = msgspec.json.Decoder(GAME.events)
    states = [GAME.begin(msgspec.json.decode(header, type=Setup))]
    for line in lines:
        states.append(apply(GAME, states[-1], decoder.decode(line)))
    return states


def outcome(name: str) -> dict[str, Any]:
    """Return what a journal ends in, as `expected.json` keeps it."""
    states = replay(name)
    return {"events": len(states) - 1, "hash": state_hash(states[-1])}


if __name__ == "__main__":
    EXPECTED.write_text(json.dumps({name: outcome(name) for name in NAMES}, indent=2) + "\n", encoding="utf-8")
