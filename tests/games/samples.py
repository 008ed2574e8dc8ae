"""The sample games of a game's folder: journals replayed by the rules, and what they end in.

`python -m tests.games.samples` writes each folder's `expected.json` again.
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
    """Return where a game's samples are; there may be none."""
    return Path(str(files(game, "samples")))


def names(game: AnyGame) -> tuple[str, ...]:
    """Return the names of a game's samples."""
    return tuple(sorted(file.stem for file in folder(game).glob("*.jsonl")))


def replay(game: AnyGame, name: str) -> list[AnyState]:
    """Return every state of a sample, the first one before its first event; the rules check every event."""
    line = read_text_file(folder(game) / f"{name}.jsonl")
    assert line.game is game
    return [line.root.entry.after, *[node.entry.after for node in line.nodes]]


def table_of(game: AnyGame, name: str) -> list[list[str]]:
    """Return the rows of the table by which the README explains a sample, without its head."""
    text = (folder(game) / "README.md").read_text(encoding="utf-8")
    section = re.split(r"^## ", text.split(f"## {name}:")[1], flags=re.M)[0]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\|.*\|$", section, re.M)][2:]


def outcomes(game: AnyGame) -> dict[str, Any]:
    """Return what a game's samples end in."""
    states = {name: replay(game, name) for name in names(game)}
    return {name: {"events": len(own) - 1, "hash": state_hash(own[-1])} for name, own in states.items()}


def expected(game: AnyGame) -> dict[str, Any]:
    """Return what a game's samples ended in when `expected.json` was written."""
    found: dict[str, Any] = json.loads((folder(game) / "expected.json").read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Write what the samples of all games end in."""
    for game in GAMES.values():
        if names(game):
            text = json.dumps(outcomes(game), indent=2) + "\n"
            (folder(game) / "expected.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
