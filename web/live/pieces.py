"""MacroPieces of regions, such as cards, trains and names: template macros whose text is rendered once and reused.

Games show the same train on every page at every commit. A macro that reads only its arguments and values that never
change during a match gives the same text for the same arguments, so its text is cached. What a macro reads is found in
its source; a macro that reads anything else runs every time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple, cast

from jinja2 import Environment, Template, meta, nodes
from jinja2.environment import TemplateModule

from web.live.regions import unwatch

STEADY = frozenset({"words", "lang", "players", "sides", "static", "money", "score", "name", "names"})
"""Names whose values are the same for all viewers of a language during a match."""
FIXED = frozenset({"csrf", "seen", "urls", "seat", "viewer", "dealt", "setup", "game"})
"""Names whose values are the same for one group of regions during a match."""
Locals = Mapping[str, object] | None
MOST = 4096
"""MacroPieces to keep for a language; beyond that, all are rendered again."""
CACHE = "kept_pieces"
"""The name under which a region's context holds its `PieceCache`."""
Texts = dict[object, str]
"""Texts of pieces, by template, macro and arguments."""


class PieceCache:
    """MacroPieces of one match and language (`shared`), and those of one group of regions (`own`)."""

    def __init__(self, shared: Texts) -> None:
        self.shared = shared
        self.own: Texts = {}
        self.modules: dict[str, TemplateModule] = {}


class Macros(NamedTuple):
    """A template's macros with the names that each reads by itself, and the templates that it imports, by alias."""

    reads: dict[str, tuple[nodes.Macro, frozenset[str]]]
    aliases: dict[str, str]


PARSED: dict[str, Macros] = {}
"""What is known of a template's source: it is the same in every application of this process."""


@cache
def macro_reads(environment: Environment, name: str) -> dict[str, frozenset[str]]:
    """Return what each macro of a template reads besides its arguments, directly or through other macros."""
    parsed, found = parse_macros(environment, name), {}
    for each, (macro, alone) in parsed.reads.items():
        read = set(alone) - set(environment.globals)
        for alias in read & set(parsed.aliases):
            there = reads_through(macro, alias, macro_reads(environment, parsed.aliases[alias]))
            read = read if there is None else read - {alias} | there
        found[each] = read
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


def parse_macros(environment: Environment, name: str) -> Macros:
    """Return a template's macros, from its source."""
    assert environment.loader is not None
    source = environment.loader.get_source(environment, name)[0]
    if source not in PARSED:
        tree = environment.parse(source)
        reads = {}
        for macro in [node for node in tree.body if isinstance(node, nodes.Macro)]:
            alone = nodes.Template([macro], lineno=1)
            alone.set_environment(environment)
            reads[macro.name] = (macro, frozenset(meta.find_undeclared_variables(alone) - {"loop"}))
        aliases = {
            node.target: node.template.value
            for node in tree.find_all(nodes.Import)
            if isinstance(node.template, nodes.Const)
        }
        PARSED[source] = Macros(reads, aliases)
    return PARSED[source]


def reads_through(macro: nodes.Macro, alias: str, imported: Mapping[str, frozenset[str]]) -> set[str] | None:
    """Return what a macro reads through the macros of an imported template; None where it does more than call them."""
    calls = [node.attr for node in macro.find_all(nodes.Getattr) if is_name(node.node, alias)]
    plain = sum(is_name(node, alias) for node in macro.find_all(nodes.Name))
    if len(calls) < plain or not set(calls) <= set(imported):
        return None
    return set().union(*[imported[call] for call in calls])


def is_name(node: nodes.Node, alias: str) -> bool:
    """Whether a node of a template is this name."""
    return isinstance(node, nodes.Name) and node.name == alias


class MacroPieces:
    """A template's macros as a region imports them: cached where possible."""

    def __init__(self, template: PiecesTemplate, variables: dict[str, object], shared: bool, local: Locals) -> None:
        cache = variables[CACHE]
        assert isinstance(cache, PieceCache)
        self._template = template
        self._given = (variables, shared, local)
        self._cache = cache
        self._fresh: TemplateModule | None = None

    def __getattr__(self, name: str) -> Callable[..., str]:
        assert self._template.name is not None
        read = macro_reads(self._template.environment, self._template.name).get(name)
        if read is None or not read <= STEADY | FIXED:
            if self._fresh is None:
                self._fresh = self._template.module_of(*self._given)
            found: Callable[..., str] = getattr(self._fresh, name)
        else:
            found = self._cache_macro(name, self._cache.shared if read <= STEADY else self._cache.own)
        setattr(self, name, found)
        return found

    def _cache_macro(self, name: str, store: Texts) -> Callable[..., str]:
        """Return a macro that remembers its texts in a store."""
        template, modules = self._template, self._cache.modules
        module = modules.get(template.name or "")
        if module is None:
            module = modules[template.name or ""] = template.module_of(*self._given)
        macro: Callable[..., str] = getattr(module, name)

        def piece(*arguments: object, **named: object) -> str:
            if "caller" in named:
                return macro(*arguments, **named)
            arguments = tuple([unwatch(argument) for argument in arguments])
            named = {name: unwatch(argument) for name, argument in named.items()}
            key = (template.name, name, arguments, tuple(named.items()))
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
    """A template whose macros are cached where the importing region's context holds a `PieceCache`."""

    def module_of(self, variables: dict[str, object] | None, shared: bool, local: Locals) -> TemplateModule:
        """Return the template's macros as Jinja makes them."""
        return super().make_module(variables, shared, local)

    def make_module(
        self, vars: dict[str, object] | None = None, shared: bool = False, locals: Locals = None
    ) -> TemplateModule:
        """Return the template's macros, cached where the importing region has a cache."""
        if vars is None or CACHE not in vars:
            return super().make_module(vars, shared, locals)
        return cast(TemplateModule, MacroPieces(self, vars, shared, locals))
