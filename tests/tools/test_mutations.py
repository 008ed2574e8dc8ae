"""Tests that a mutation changes one place of a file and nothing else."""

from __future__ import annotations

import ast

from tests.tools.mutations import mutated, mutations

SOURCE = '''"""Text, with 1 in it."""


def least(cards, most=3):
    """Return `é` too."""
    if not cards or len(cards) > most:
        return f"{most + 1}"
    return "a" + "b" if cards[0] == "é" else True
'''


def test_every_place_is_changed_by_itself() -> None:
    """Each mutation is another program with the same lines, and texts, even in f-strings, stay unchanged."""
    found = [mutated(SOURCE, each) for each in mutations("x.py", SOURCE)]
    lines = SOURCE.splitlines()
    assert len(found) == len(set(found)) == 9 and SOURCE not in found
    for text in found:
        ast.parse(text)
        other = text.splitlines()
        assert len(other) == len(lines) and sum(one != two for one, two in zip(lines, other, strict=True)) == 1
    assert any("(len(cards) >= most)" in text for text in found) and any("most=4" in text for text in found)
