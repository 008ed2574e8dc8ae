"""How long a game is: lines that say something, of all its files together.

`python -m tests.games.sizes FOLDER...` prints it for each. Empty lines, comments, docstrings and tests do not count.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path


def files_of(folder: Path) -> list[Path]:
    """Return the files of a game: code, data, words, pages; its tests are not among them."""
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and "__pycache__" not in file.parts]
    return [file for file in files if not file.name.startswith("test_")]


def lines_of(folder: Path) -> int:
    """Return how many lines say something, of all files together."""
    return sum(counted(file) for file in files_of(folder))


def height_of(folder: Path) -> int:
    """Return how many lines there are in all, with the empty ones and docstrings."""
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files_of(folder))


def counted(file: Path) -> int:
    """Return how many lines of a file say something."""
    text = file.read_text(encoding="utf-8")
    told = documented(text) if file.suffix == ".py" else set()
    lines = enumerate(text.splitlines(), 1)
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") and at not in told for at, line in lines)


def documented(text: str) -> set[int]:
    """Return the numbers of the lines on which docstrings stand."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{name}: {lines_of(Path(name))} of {height_of(Path(name))} lines")
