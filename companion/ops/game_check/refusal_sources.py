"""Finds in the sources every refusal that a game or the referee can make: its rule, its key, its fields.

What is written out is found, one of two, a name assigned in the function, and what a function is called with.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import companion.referee.open_auction
import companion.referee.referee
import companion.referee.reveal

REFEREE = tuple(
    [
        Path(str(module.__file__))
        for module in (companion.referee.open_auction, companion.referee.referee, companion.referee.reveal)
    ]
)
"""Where the referee refuses, in its own words."""

Found = tuple[str, str, frozenset[str]]
Given = dict[str, ast.expr]


class CallScope:
    """A function, and what its parameters are given where it is called from (a scope of its own)."""

    def __init__(self, function: ast.FunctionDef, given: Given | None = None, caller: CallScope | None = None) -> None:
        self.function, self.given, self.caller = function, given or {}, caller

    def texts(self, node: ast.expr) -> set[str]:
        """Return the texts that an expression can be; none when it is not written out."""
        match node:
            case ast.Constant(str() as value):
                return {value}
            case ast.IfExp(body=first, orelse=second):
                return self.texts(first) | self.texts(second)
            case ast.Name(id=name) if name in self.given and self.caller is not None:
                return self.caller.texts(self.given[name])
            case ast.Name(id=name):
                return {text for value in self._assigned(name) for text in self.texts(value)}
        return set()

    def keys(self, node: ast.expr) -> set[str]:
        """Return the keys of a dictionary: written out, assigned in the function, or given to it."""
        match node:
            case ast.Dict(keys=keys):
                return {str(ast.literal_eval(key)) for key in keys if key is not None}
            case ast.BoolOp(values=values):
                return {key for value in values for key in self.keys(value)}
            case ast.Name(id=name) if name in self.given and self.caller is not None:
                return self.caller.keys(self.given[name])
            case ast.Name(id=name):
                return {key for value in self._assigned(name) for key in self.keys(value)}
        return set()

    def _assigned(self, name: str) -> Iterator[ast.expr]:
        for node in ast.walk(self.function):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if ast.unparse(target) == name:
                    yield node.value


def refusals(paths: Iterable[Path]) -> set[Found]:
    """Return every refusal that the sources can make."""
    found: set[Found] = set()
    for path in paths:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in _functions(tree):
            for call in _calls(function, "Refusal", "BadSetup"):
                for scope in _scopes(tree, function, call):
                    found |= _made(call, scope)
    return found


def _made(call: ast.Call, scope: CallScope) -> set[Found]:
    if ast.unparse(call.func) == "BadSetup":
        given = {str(keyword.arg) for keyword in call.keywords}
    else:
        given = scope.keys(call.args[2]) if len(call.args) > 2 else set()
    rules, keys = scope.texts(call.args[0]), scope.texts(call.args[1])
    return {(rule, key, frozenset(given)) for rule in rules for key in keys}


def _scopes(tree: ast.Module, function: ast.FunctionDef, call: ast.Call) -> Iterator[CallScope]:
    """Yield the function itself, or, where the refusal is made of its parameters, each call of it."""
    names = [arg.arg for arg in function.args.args if arg.arg != "self"]
    if not isinstance(call.args[1], ast.Name) or call.args[1].id not in names:
        yield CallScope(function)
        return
    for caller in _functions(tree):
        for each in _calls(caller, function.name, f"self.{function.name}"):
            given = dict(zip(names, each.args, strict=False)) | {str(k.arg): k.value for k in each.keywords}
            yield CallScope(function, given, CallScope(caller))


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _calls(function: ast.FunctionDef, *names: str) -> Iterator[ast.Call]:
    return (n for n in ast.walk(function) if isinstance(n, ast.Call) and ast.unparse(n.func) in names)
