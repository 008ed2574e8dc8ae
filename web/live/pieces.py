"""Pieces of regions (cards, trains, names) that are drawn once and used again. Knows Jinja, but no game.

Games draw the same train on every page at every commit. A macro that reads nothing but its arguments and what never
changes during a match gives the same text for the same arguments; so the text is kept. What a macro reads is found in
its source, not promised by hand; one that reads anything else is run every time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from jinja2 import Environment, Template, meta, nodes

from web.live.regions import whole

STEADY = frozenset({"words", "lang", "players", "static", "money", "score", "name", "names"})
"""Names whose values are the same for all viewers of a language during a match."""
FIXED = frozenset({"csrf", "seen", "urls", "seat", "viewer", "dealt", "setup", "game"})
"""Names whose values are the same for one group of regions during a match."""
MOST = 4096
"""Pieces that are kept for a language; then all are drawn anew."""
KEPT = "kept_pieces"
"""The name under which a region's context holds its pieces."""


Texts = dict[Any, Any]
"""Texts of pieces, by macro and arguments."""


class PieceCache:
    """Pieces of one match and language, and those of one group of regions."""

    def __init__(self, shared: dict[Any, Any]) -> None:
        self.shared = shared
        self.own: dict[Any, Any] = {}
        self.modules: dict[str, Any] = {}


@cache
def reads(environment: Environment, name: str) -> dict[str, frozenset[str]]:
    """Return what each macro of a template reads besides its arguments, directly or through its neighbours."""
    assert environment.loader is not None
    tree = environment.parse(environment.loader.get_source(environment, name)[0])
    macros = [node for node in tree.body if isinstance(node, nodes.Macro)]
    found: dict[str, set[str]] = {}
    for macro in macros:
        alone = nodes.Template([macro], lineno=1)
        alone.set_environment(environment)
        found[macro.name] = meta.find_undeclared_variables(alone) - set(environment.globals) - {"loop"}
    names = set(found)
    grown = True
    while grown:
        grown = False
        for read in found.values():
            more = read.union(*(found[other] for other in read & names))
            if more != read:
                read |= more
                grown = True
    return {name: frozenset(read - names) for name, read in found.items()}


class Pieces:
    """A template's macros as a region imports them: kept where they can be, run where they must be."""

    def __init__(self, template: PiecesTemplate, variables: dict[str, Any], shared: bool, local: Any) -> None:
        self._template = template
        self._given = (variables, shared, local)
        self._kept: PieceCache = variables[KEPT]
        self._fresh: Any = None

    def __getattr__(self, name: str) -> Any:
        assert self._template.name is not None
        read = reads(self._template.environment, self._template.name).get(name)
        if read is None or not read <= STEADY | FIXED:
            if self._fresh is None:
                self._fresh = self._template.module_of(*self._given)
            found = getattr(self._fresh, name)
        else:
            found = self._keeping(name, self._kept.shared if read <= STEADY else self._kept.own)
        setattr(self, name, found)
        return found

    def _keeping(self, name: str, store: dict[Any, Any]) -> Callable[..., Any]:
        """Return a macro that remembers its texts."""
        template, kept = self._template, self._kept
        module = kept.modules.get(template.name or "")
        if module is None:
            module = kept.modules[template.name or ""] = template.module_of(*self._given)
        macro = getattr(module, name)

        def piece(*arguments: Any, **named: Any) -> Any:
            if "caller" in named:
                return macro(*arguments, **named)
            arguments = tuple([whole(argument) for argument in arguments])
            named = {name: whole(argument) for name, argument in named.items()}
            key = (name, arguments, tuple(named.items()))
            try:
                found = store.get(key)
            except TypeError:  # an argument that cannot be remembered
                return macro(*arguments, **named)
            if found is None:
                if len(store) >= MOST:
                    store.clear()
                found = store[key] = macro(*arguments, **named)
            return found

        return piece


class PiecesTemplate(Template):
    """A template whose macros, imported with a context that keeps pieces, are kept."""

    def module_of(self, variables: dict[str, Any] | None, shared: bool, local: Any) -> Any:
        """Return the template's macros as Jinja makes them."""
        return super().make_module(variables, shared, local)

    def make_module(self, vars: dict[str, Any] | None = None, shared: bool = False, locals: Any = None) -> Any:
        """Return the template's macros, kept where the importing region keeps pieces."""
        if vars is None or KEPT not in vars:
            return super().make_module(vars, shared, locals)
        return Pieces(self, vars, shared, locals)
