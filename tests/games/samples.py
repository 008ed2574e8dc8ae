"""Replay the sample games in the folders of all games, and record their results.

`python -m tests.games.samples` writes the `expected.json` of each folder.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from companion.engine import AnyGame, AnyState, state_hash
from companion.games import GAMES, files
from companion.match.notation import read_text_file


def folder(game: AnyGame) -> Path:
    """Return the folder of a game's samples, which may not exist."""
    return Path(str(files(game, "samples")))


def names(game: AnyGame) -> tuple[str, ...]:
    """Return the names of a game's samples."""
    return tuple(sorted(file.stem for file in folder(game).glob("*.jsonl")))


def replay(game: AnyGame, name: str) -> list[AnyState]:
    """Return all states of a sample, starting with the one before its first event. The rules check every event."""
    line = read_text_file(folder(game) / f"{name}.jsonl")
    assert line.game is game
    return [line.root.entry.after, *[node.entry.after for node in line.nodes]]


def table_of(game: AnyGame, name: str) -> list[list[str]]:
    """Return the rows, without the header, of the table that explains a sample in the README."""
    text = (folder(game) / "README.md").read_text(encoding="utf-8")
    section = re.split(r"^## ", text.split(f"## {name}:")[1], flags=re.M)[0]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\|.*\|$", section, re.M)][2:]


def outcomes(game: AnyGame) -> dict[str, Any]:
    """Return the number of events and the final hash of each of a game's samples."""
    states = {name: replay(game, name) for name in names(game)}
    return {name: {"events": len(own) - 1, "hash": state_hash(own[-1])} for name, own in states.items()}


def expected(game: AnyGame) -> dict[str, Any]:
    """Return the recorded results of a game's samples from `expected.json`."""
    found: dict[str, Any] = json.loads((folder(game) / "expected.json").read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Write the results of the samples of all games."""
    for game in GAMES.values():
        if names(game):
            text = json.dumps(outcomes(game), indent=2) + "\n"
            (folder(game) / "expected.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
