"""Counts the lines of folders, and compares two checkouts: lines deleted, moved, written and made denser.

`python -m tests.tools.sizes FOLDER...` prints the lines of each folder. `python -m tests.tools.sizes --before CHECKOUT
--after CHECKOUT` compares the four packages. Empty lines, comments and docstrings do not count.
"""

from __future__ import annotations

import argparse
import ast
import io
import tokenize
from collections import Counter
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("companion", "hardware", "vision", "web")
TEXT = {".py", ".toml", ".html", ".css", ".js", ".svg", ".txt", ".webmanifest"}
VENDORED = ("vendor", "fonts", "__pycache__")
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}
"""Tokens without meaning for the interpreter."""
LONG = 100
"""The number of characters from which a line counts as long."""


class Size(NamedTuple):
    """The contents of some files. `tokens` counts only Python's."""

    files: int
    lines: int
    characters: int
    tokens: int
    long: int


def files_of(folder: Path) -> list[Path]:
    """Return our own text files below a folder, without tests."""
    found = [file for file in sorted(folder.rglob("*")) if file.is_file() and file.suffix in TEXT]
    return [file for file in found if not file.name.startswith("test_") and not set(VENDORED) & set(file.parts)]


def lines_of(file: Path) -> list[str]:
    """Return the lines of a file that are neither empty nor comment nor docstring, without indentation."""
    text = file.read_text(encoding="utf-8")
    skipped = docstrings(text) if file.suffix == ".py" else set()
    lines = [line.strip() for number, line in enumerate(text.splitlines(), 1) if number not in skipped]
    return [line for line in lines if line and not line.startswith("#")]


def docstrings(text: str) -> set[int]:
    """Return the line numbers of docstrings."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


def tokens_of(file: Path) -> int:
    """Return the number of tokens of a Python file, without docstrings and layout."""
    text = file.read_text(encoding="utf-8")
    skipped = docstrings(text)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type not in LAYOUT and token.start[0] not in skipped for token in tokens)


def size_of(files: list[Path]) -> Size:
    """Return the sum of several files."""
    lines = [line for file in files for line in lines_of(file)]
    return Size(
        len(files),
        len(lines),
        sum(map(len, lines)),
        sum(tokens_of(file) for file in files if file.suffix == ".py"),
        sum(len(line) > LONG for line in lines),
    )


def places_of(checkout: Path) -> dict[str, Counter[str]]:
    """Return for each line the files of the four packages that contain it, with the number of times."""
    found: dict[str, Counter[str]] = {}
    for package in PACKAGES:
        for file in files_of(checkout / package):
            for line in lines_of(file):
                found.setdefault(line, Counter())[str(file.relative_to(checkout))] += 1
    return found


def compare(before: Path, after: Path) -> None:
    """Print the number of lines of the four packages by their fate."""
    old, new = places_of(before), places_of(after)
    kept = moved = deleted = written = 0
    for line in old.keys() | new.keys():
        was, now = old.get(line, Counter()), new.get(line, Counter())
        stayed = (was & now).total()
        carried = min(was.total(), now.total()) - stayed
        kept += stayed
        moved += carried
        deleted += was.total() - stayed - carried
        written += now.total() - stayed - carried
    print(f"lines: {kept:,} stayed, {moved:,} moved to another file, {deleted:,} deleted, {written:,} written")
    for title, kinds in (("Python", {".py"}), ("other text", TEXT - {".py"})):
        for name, checkout in (("before", before), ("after", after)):
            size = size_of([f for p in PACKAGES for f in files_of(checkout / p) if f.suffix in kinds])
            text = f"{title} {name}: {size.files} files, {size.lines:,} lines, {size.long:,} longer than {LONG}"
            if size.tokens:
                text += f", {size.tokens / size.lines:.2f} tokens a line"
            print(f"{text}, {size.characters / size.lines:.1f} characters a line")


def lines_in(folder: Path) -> int:
    """Return the number of meaningful lines in a folder's files."""
    return size_of(files_of(folder)).lines


def height_of(folder: Path) -> int:
    """Return the number of lines of a folder's files, including empty ones, comments and docstrings."""
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files_of(folder))


def main() -> None:
    """Count or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--after", type=Path)
    asked = parser.parse_args()
    for folder in asked.folders:
        print(f"{folder}: {lines_in(folder):,} of {height_of(folder):,} lines")
    if asked.before and asked.after:
        compare(asked.before, asked.after)


if __name__ == "__main__":
    main()
