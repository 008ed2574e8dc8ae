"""Tag tests with what they prove: a rule, an example, an acceptance case, a property or an option's choice.

Tags are `R-28` (a rule), `X-3` (a rulebook's example), `T-12` (an acceptance case), `F-16` (a property), `E-2` (a row
of the secrecy table) and `reveal=signal` (an option's choice). `test_documents.py` checks that none is missing. This
module itself knows no rules.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., object])


def proves(*tags: str) -> Callable[[Test], Test]:
    """Tag a test with what it proves."""
    assert tags, "say what the test proves"
    return lambda test: test


@cache
def proven(folder: Path) -> dict[str, list[str]]:
    """Return the tests in a folder by tag, read from their source, so that skipped tests count too."""
    found: dict[str, list[str]] = {}
    for file in sorted(folder.glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for tag in _tags(node):
                    assert node.name.startswith("test_"), f"{node.name} in {file.name} proves {tag} but is no test"
                    found.setdefault(tag, []).append(f"{file.name}::{node.name}")
    return found


def _tags(node: ast.FunctionDef) -> list[str]:
    """Return the tags of a function's `proves` decorators."""
    tags: list[str] = []
    for call in node.decorator_list:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "proves":
            tags += [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    return tags


# --- refusals -------------------------------------------------------------------------------------


def constants(node: ast.expr) -> list[str]:
    """Return the strings that an argument may be, or nothing if it is not a literal."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return constants(node.body) + constants(node.orelse)
    return []


def provoked(files: Iterable[Path]) -> set[tuple[str, str]]:
    """Return the rule and the key of every refusal that a test compares in full: `why(...) == (rule, key,
    audience)`."""
    found: set[tuple[str, str]] = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call):
                right = node.comparators[0]
                if getattr(node.left.func, "id", "") in ("why", "bad") and isinstance(right, ast.Tuple):
                    found |= {(rule, key) for rule in constants(right.elts[0]) for key in constants(right.elts[1])}
    return found
