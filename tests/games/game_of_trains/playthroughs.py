"""Replaying the journals of `playthroughs/`: what they end in.

`python -m tests.games.game_of_trains.playthroughs` writes `playthroughs/expected.json` again.
"""

from __future__ import annotations

import json
from typing import Any

from companion.engine import state_hash
from companion.match.history import History
from companion.match.notation import read_text_file
from tests.games.game_of_trains import HERE

FOLDER = HERE / "playthroughs"
EXPECTED = FOLDER / "expected.json"
NAMES = tuple(sorted(file.stem for file in FOLDER.glob("*.jsonl")))


def replay(name: str) -> History:
    """Return the line of play of a journal, every event checked by the rules."""
    return read_text_file(FOLDER / f"{name}.jsonl")


def outcome(name: str) -> dict[str, Any]:
    """Return what a journal ends in, as `expected.json` keeps it."""
    line = replay(name)
    return {"events": len(line.nodes), "hash": state_hash(line.state)}


if __name__ == "__main__":
    EXPECTED.write_text(json.dumps({name: outcome(name) for name in NAMES}, indent=2) + "\n", encoding="utf-8")
