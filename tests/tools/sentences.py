"""Draws sentences from docstrings, comments and docs for a judge: `python -m tests.tools.sentences`.

`--seed N` repeats a draw, `--count N` draws more or fewer than 65, `--under PATH` draws only from some folders or
files. `--keys FILE` writes each sentence's file, which a judge should not know.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"/\*+(.*?)\*/|^\s*//+ ?(.*?)$", re.S | re.M)
HASH = re.compile(r"^\s*#(?!!) ?(.+)$", re.M)
FENCE = re.compile(r"^```.*?^```|^\|.*?$|^#.*?$|^<.*?$", re.S | re.M)
END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`*\"“])")
GENERATED = ("docs/reference/", "web/static/vendor/")
FEWEST = 5
"""The number of words from which a sentence is drawn."""


class Sentence(NamedTuple):
    """A sentence with the path of its file."""

    text: str
    path: str


def parts_of(path: Path) -> Iterator[str]:
    """Return a file's pieces of prose, each as one text."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield node.value.value
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.string.lstrip("# ")
    elif path.suffix in {".js", ".css"}:
        yield from (found[1] or found[2] for found in BLOCK.finditer(text))
    elif path.suffix == ".md":
        yield from re.split(r"\n\s*(?:\n|[-*] |\d+\. )", FENCE.sub("", text))
    elif path.suffix in {".sh", ".toml", ".service"} or text.startswith("#!"):
        yield from HASH.findall(text)


def sentences(under: list[str]) -> list[Sentence]:
    """Return each sentence of the project's own prose, in the order of its files."""
    listed = subprocess.run(["git", "ls-files", *under], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found = []
    for name in listed.splitlines():
        if name.startswith(GENERATED) or ".fr." in name:
            continue
        try:
            prose = list(parts_of(ROOT / name))
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        for part in prose:
            for sentence in END.split(" ".join(part.split())):
                if len(re.findall(r"[A-Za-z’']{2,}", sentence)) >= FEWEST:
                    found.append(Sentence(sentence, name))
    return found


def main(argv: list[str] | None = None) -> None:
    """Print a draw and its seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--count", type=int, default=65)
    parser.add_argument("--under", nargs="+", default=[])
    parser.add_argument("--keys", type=Path)
    given = parser.parse_args(argv)
    every = sentences(given.under)
    drawn = random.Random(given.seed).sample(every, min(given.count, len(every)))
    print(f"{len(drawn)} of {len(every)} sentences, seed {given.seed}")
    for number, each in enumerate(drawn, 1):
        print(f"{number}. {each.text}")
    if given.keys is not None:
        given.keys.write_text("".join(f"{number} {each.path}\n" for number, each in enumerate(drawn, 1)))


if __name__ == "__main__":
    main()
