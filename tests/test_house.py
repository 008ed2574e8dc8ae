"""The house's laws that import-linter cannot check: names, packages and circles of files."""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.tools.floors import floors

PACKAGES = ("companion", "hardware", "vision", "web")
TOP_LEVEL = {"__init__", "__main__", "cli", "config", "demo_records", "i18n", "messages"}
"""The modules that may stand at companion's top level; everything else belongs into a folder."""
MOST_LINES = 4
"""Lines of a package's docstring: what it is, what it may import, where to enter."""


@cache
def sources() -> dict[str, Path]:
    """Return every module's file by the module's name; a package's is its `__init__`."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    """Return a module's syntax tree."""
    return ast.parse(sources()[module].read_text(encoding="utf-8"))


def classes() -> Iterator[tuple[str, ast.ClassDef]]:
    """Yield all public classes outside games, each with its module."""
    for module in sources():
        if not module.startswith("companion.games."):
            for node in tree(module).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    yield module, node


def bases(node: ast.ClassDef) -> set[str]:
    """Return the names of a class's bases, without their parameters and modules."""
    plain = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    return {base.attr if isinstance(base, ast.Attribute) else base.id for base in plain
            if isinstance(base, ast.Attribute | ast.Name)}  # fmt: skip


def events() -> set[str]:
    """Return the names of all events: classes that derive from `Event`."""
    found = {"Event"}
    while True:
        more = {node.name for _, node in classes() if bases(node) & found} - found
        if not more:
            return found
        found |= more


def imported(module: str) -> set[str]:
    """Return the modules of ours that a module imports, anywhere in its file."""
    known, found = sources(), set()
    package = module if known[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            inner = {f"{origin}.{alias.name}" for alias in node.names}
            found |= inner & known.keys()
            if inner - known.keys():
                found.add(origin)
    return (found & known.keys()) - {module}


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return all groups of modules that import one another in a circle."""
    reached = {}
    for start in graph:
        seen: set[str] = set()
        waiting = list(graph[start])
        while waiting:
            module = waiting.pop()
            if module not in seen:
                seen.add(module)
                waiting += graph[module]
        reached[start] = seen
    groups = {frozenset({a, *(b for b in reached[a] if a in reached[b])}) for a in graph if a in reached[a]}
    return sorted(sorted(group) for group in groups)


def test_public_class_names_are_unique() -> None:
    """Outside games no two public classes share a name; events may, for the journal names them by their tags."""
    found = defaultdict(list)
    exempt = events()
    for module, node in classes():
        if node.name not in exempt:
            found[node.name].append(module)
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == {}


def test_companion_gets_no_new_module_at_its_top_level() -> None:
    """A new idea gets a folder, or a place in one."""
    assert {path.stem for path in (ROOT / "companion").glob("*.py")} - TOP_LEVEL == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_say_in_a_few_lines_what_they_are(package: str) -> None:
    """Every package has a docstring: what it is, what it may import, where to enter."""
    wrong = {}
    for folder in sorted({path.parent for path in (ROOT / package).rglob("*.py")}):
        entry = folder / "__init__.py"
        text = ast.get_docstring(ast.parse(entry.read_text(encoding="utf-8"))) if entry.is_file() else None
        lines = [line for line in (text or "").splitlines() if line.strip()]
        if not 1 <= len(lines) <= MOST_LINES:
            wrong[str(folder.relative_to(ROOT))] = len(lines)
    assert wrong == {}


def test_the_law_about_a_table_covers_every_module() -> None:
    """What is neither forbidden to a table nor named here may not import what only plugins and commands do."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        laws = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    (law,) = [each for each in laws if "web.plugins" in each.get("forbidden_modules", ())]
    free = {"companion.__main__", "companion.cli", "vision.commands", "web.game_trial"}
    """The composition root, and what it alone imports."""
    named = {*law["source_modules"], *law["forbidden_modules"], *free}
    parts = {".".join(module.split(".")[:2]) for module in sources() if "." in module}
    assert {part for part in parts if part not in named and part.partition(".")[0] not in named} == set()
    assert {*law["forbidden_modules"]} >= {f"companion.{name}" for name in ("demo", "hall")} | {
        f"vision.{name}" for name in ("bench", "simulate")
    }


def test_the_companion_has_few_floors() -> None:
    """The longest chain of imports between its folders stays short: a newcomer reads it from the top."""
    assert len(floors("companion")) <= 8


def test_no_files_import_one_another_in_a_circle() -> None:
    """Nor by way of others, nor inside functions, nor for types alone."""
    assert circles({module: imported(module) for module in sources()}) == []


def test_a_circle_would_be_found() -> None:
    """Of modules that import one another all are named; those that merely lead there are not."""
    graph: dict[str, set[str]] = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}
    assert circles(graph) == [["b", "c"]]
