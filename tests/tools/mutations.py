"""Changes one place of the rules at a time and counts how often the tests notice.

python -m tests.tools.mutations [--tree CHECKOUT] [--count 300] [--seed 1] [--out build/mutations.jsonl]

It works in a separate worktree, beside the file of results, and resumes where it stopped. First it records the calls of
each test of the rules. For each mutation it runs the quickest tests that call its function, for half a minute. To
compare two checkouts, run it for both with one seed. A mutation noticed only by other tests counts as missed in both.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.support.paths import ROOT

PICTURES = ("deck", "token_art")
"""Folders with drawings, whose coordinates no test checks."""
ROOMS = ("companion/engine", "companion/mechanics", "companion/match", "companion/referee", "companion/games")
ASKED = (*(f"tests/{room}" for room in ROOMS), "tests/games", "tests/tools/test_evidence.py")
"""The tests that may notice a mutation."""
BUDGET_S = 30
"""The limit in seconds for the recorded times of the quickest tests that call a changed function."""
TIMEOUT_S = 150
"""The limit of a run in seconds. A mutation that makes the tests hang, or five times slower, counts as noticed."""
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}


class Mutation(NamedTuple):
    """A place in a file and its replacement. Offsets count bytes of its line."""

    path: str
    line: int
    start: int
    end_line: int
    end: int
    text: str


def mutations(path: str, source: str) -> Iterator[Mutation]:
    """Yield all possible mutations of a file."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr):  # Python 3.11 does not report the positions of its parts
            continue
        waiting += ast.iter_child_nodes(node)
        for place, text in _changes(node):
            assert place.end_lineno is not None and place.end_col_offset is not None
            yield Mutation(path, place.lineno, place.col_offset, place.end_lineno, place.end_col_offset, text)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in COMPARED:
            yield node, f"({ast.unparse(ast.Compare(left, [COMPARED[type(op)]()], [right]))})"
        case ast.BinOp(left, op, right) if type(op) in COUNTED and not (_text(left) or _text(right)):
            yield node, f"({ast.unparse(ast.BinOp(left, COUNTED[type(op)](), right))})"
        case ast.BoolOp(op, values):
            other = ast.And() if isinstance(op, ast.Or) else ast.Or()
            yield node, f"({ast.unparse(ast.BoolOp(other, values))})"
        case ast.UnaryOp(ast.Not(), operand):
            yield node, f"bool({ast.unparse(operand)})"
        case ast.Constant(bool() as value):
            yield node, str(not value)
        case ast.Constant(int() as value):
            yield node, str(value + 1)
        case ast.If(test) | ast.IfExp(test):
            yield test, f"(not ({ast.unparse(test)}))"


def _text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def mutated(source: str, change: Mutation) -> str:
    """Return the source with that place changed; all lines outside it keep their numbers."""
    lines = source.encode().splitlines(keepends=True)
    first, last = change.line - 1, change.end_line - 1
    lines[first : last + 1] = [lines[first][: change.start] + change.text.encode() + lines[last][change.end :]]
    return b"".join(lines).decode()


def sample(root: Path, count: int, seed: int) -> list[Mutation]:
    """Return a sample of this size from the mutations of all rooms, with equal probability."""
    files = sorted(path for room in ROOMS for path in (root / room).rglob("*.py"))
    files = [path for path in files if path.parent.name not in PICTURES]
    every = [each for f in files for each in mutations(str(f.relative_to(root)), f.read_text("utf-8"))]
    return random.Random(seed).sample(every, count)


class Test(NamedTuple):
    """A test as it ran on the unchanged code: its seconds, and the functions (`path:line`) that it may depend on."""

    name: str
    seconds: float
    functions: frozenset[str]


def record(work: Path, calls: Path) -> list[Test]:
    """Return the calls of each test; the tests run only if the file of calls is missing."""
    if not calls.exists():
        part = calls.with_suffix(".part")
        part.unlink(missing_ok=True)
        environment = os.environ | {"CALLED_FUNCTIONS": str(part), "PYTHONPATH": str(Path(__file__).parent)}
        there = [each for each in ASKED if (work / each).exists()]
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "called_functions", "--tb=no", *there]
        subprocess.run(command, cwd=work, env=environment, stdout=subprocess.DEVNULL)
        part.rename(calls)
    lines = [json.loads(line) for line in calls.read_text().splitlines()]
    fixtures: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        fixtures[line["test"].split("::")[0]] |= set(line["fixtures"])
    return [
        Test(line["test"], line["seconds"], frozenset(line["functions"]) | fixtures[line["test"].split("::")[0]])
        for line in lines
    ]


def function_around(source: str, line: int) -> int | None:
    """Return the first line (of its decorators) of the innermost function around the line, or None."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    around = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    starts = [
        min(node.lineno, *(each.lineno for each in node.decorator_list)) if node.decorator_list else node.lineno
        for node in around
        if node.body[0].lineno <= line <= (node.end_lineno or 0)
    ]
    return max(starts, default=None)


def tests_of(every: list[Test], path: str, function: int | None) -> list[str]:
    """Return the tests that call a function; for a line outside functions, those that call any function of its file.

    If no test calls any function of the file, all tests are candidates, because they may read the file's constants.
    """
    if function is not None:
        chosen = [each for each in every if f"{path}:{function}" in each.functions]
    else:
        chosen = [each for each in every if any(name.startswith(f"{path}:") for name in each.functions)] or every
    budget, files = 0.0, defaultdict(list)
    for each in sorted(chosen, key=lambda test: test.seconds):
        budget += each.seconds
        if budget > BUDGET_S and files:
            break
        files[each.name.split("::")[0]].append(each)
    ordered = sorted(files.values(), key=lambda tests: sum(test.seconds for test in tests))
    return [test.name for tests in ordered for test in tests]


def noticed(work: Path, tests: list[str]) -> bool:
    """Run the tests until one fails, and return whether one did; a timeout counts as a failure."""
    if not tests:
        return False
    names = work.with_suffix(".asked")
    names.write_text("\n".join(tests))
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "--tb=no", f"@{names}"]
    run = subprocess.Popen(command, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0)
    try:
        return run.wait(TIMEOUT_S) != 0
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        return True


def main(arguments: list[str] | None = None) -> int:
    """Run the mutations missing in the file of results, then print the fractions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout, with all committed")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "mutations.jsonl")
    asked = parser.parse_args(arguments)
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    results = [json.loads(line) for line in asked.out.read_text().splitlines()] if asked.out.exists() else []
    work = asked.out.with_suffix(".tree").resolve()
    if not work.exists():
        subprocess.run(["git", "-C", str(asked.tree), "worktree", "add", "-q", "--detach", str(work)], check=True)
    every = record(work, asked.out.with_suffix(".calls"))
    wanted = sample(work, asked.count, asked.seed)
    for at, change in enumerate(wanted[len(results) :], len(results) + 1):
        file = work / change.path
        source = file.read_text("utf-8")
        try:
            file.write_text(mutated(source, change), "utf-8")
            found = noticed(work, tests_of(every, change.path, function_around(source, change.line)))
        finally:
            file.write_text(source, "utf-8")
        results.append({"path": change.path, "line": change.line, "text": change.text, "noticed": found})
        with asked.out.open("a") as out:
            out.write(json.dumps(results[-1]) + "\n")
        verdict = "noticed" if found else "MISSED "
        print(f"{at} of {len(wanted)}  {verdict}  {change.path}:{change.line}  {change.text}", flush=True)
    rooms = Counter("/".join(Path(each["path"]).parts[1:3]) for each in results)
    for room, total in sorted(rooms.items()):
        seen = sum(each["noticed"] for each in results if "/".join(Path(each["path"]).parts[1:3]) == room)
        print(f"{room:40} {seen:4} of {total:4} noticed")
    seen = sum(each["noticed"] for each in results)
    print(f"{'all':40} {seen:4} of {len(results):4} noticed: {seen / len(results):.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
