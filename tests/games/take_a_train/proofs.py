"""What a test proves: a rule, a worked example, an acceptance case, a property, an option's choice.

Tags are `R-28` (a rule), `X-3` (a rulebook's example), `T-12` (an acceptance case), `F-16` (a property),
`E-2` (a row of the secrecy table) and `stall=k_lots` (an option's choice). `test_coverage.py` sees that none is
missing. Nothing here knows a rule itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., object])

HERE = Path(__file__).parent


def proves(*tags: str) -> Callable[[Test], Test]:
    """Say what a test proves, by tags."""
    assert tags, "say what the test proves"
    return lambda test: test


@cache
def proven() -> dict[str, list[str]]:
    """Return the tests that name each tag, read from the tests' source, whichever of them run now."""
    found: dict[str, list[str]] = {}
    for file in sorted(HERE.glob("test_*.py")):
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
