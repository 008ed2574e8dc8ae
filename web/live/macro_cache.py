"""The cache of a group of regions for its macros: their modules, and their output by arguments.

A module of macros that reads only the group's fixed values is made once. Its macros give the same output for the same
arguments, so `kept(macro, …)` in a template draws it once. A group is one viewer's in one language: nobody else sees
its cache.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from jinja2 import Template
from jinja2.environment import TemplateModule
from jinja2.runtime import Macro

from web.live.regions import names_read_in_all
from web.live.watched import unwatch

MOST = 120
"""Texts that a group keeps; the least recently used go first."""
KNOWN = frozenset(["dict", "range", "namespace", "once"])
"""Names of an environment that never change."""

MakeModule = Callable[[dict[str, object]], TemplateModule]
CardNames = tuple[tuple[str, str], ...]
"""Cards that a macro named, with their names."""


class MacroCache:
    """The modules and texts of one group. `fixed` has the values that its templates read besides views; `card` returns
    a card's name.

    A card's name can change during a match, so a text is kept only while its cards keep their names.
    """

    def __init__(self, fixed: Mapping[str, object], card: Callable[[str], str]) -> None:
        self.fixed = {**fixed, "kept": self, "card": self._say_card}
        self._card = card
        self._named: list[tuple[str, str]] | None = None
        """Cards named so far in the text being drawn."""
        self._loose: dict[str, frozenset[str] | None] = {}
        """The variable names that a template's macros read; None if they cannot be determined."""
        self._modules: dict[str, TemplateModule] = {}
        self._macros: set[Macro] = set()
        self.texts: dict[tuple[object, ...], tuple[str, CardNames, Sequence[object]]] = {}
        """Texts by macro and arguments, each with the cards that it names and its inputs."""

    def _say_card(self, name: str) -> str:
        """Return a card's name, and record that a text depends on it."""
        said = self._card(name)
        if self._named is not None:
            self._named.append((name, said))
        return said

    def module(self, template: Template, given: Collection[str], make: MakeModule) -> TemplateModule | None:
        """Return a template's module, made once; None if the template reads one of the `given` names."""
        name = str(template.name)
        if name not in self._loose:
            reads = names_read_in_all(template.environment, name)
            self._loose[name] = None if reads is None else reads - KNOWN - self.fixed.keys()
        loose = self._loose[name]
        if loose is None or not loose.isdisjoint(given):
            return None
        if name not in self._modules:
            module = self._modules[name] = make(dict(self.fixed))
            self._macros |= {each for each in vars(module).values() if isinstance(each, Macro)}
        return self._modules[name]

    def __call__(self, macro: Macro, *given: object) -> str:
        """Return a macro's output; cached if it reads only fixed values and its arguments.

        Arguments must be hashable, or lists of hashable values. A mapping is identified by its object id and must not
        change.
        """
        if macro not in self._macros:
            return macro(*given)
        plain = [tuple(each) if type(each) is list else unwatch(each) for each in given]
        key = (macro, *[(type(each), id(each) if isinstance(each, dict) else each) for each in plain])
        found = self.texts.pop(key, None)
        if found is None or any([self._card(name) != said for name, said in found[1]]):
            found = *self._draw(macro, plain), plain  # an id stays valid as long as its object exists
            if len(self.texts) >= MOST:
                del self.texts[next(iter(self.texts))]
        self.texts[key] = found
        if self._named is not None:
            self._named += found[1]
        return found[0]

    def _draw(self, macro: Macro, given: Sequence[object]) -> tuple[str, CardNames]:
        """Return a macro's output, and the cards that it names."""
        around, self._named = self._named, []
        try:
            return macro(*given), tuple(dict.fromkeys(self._named))
        finally:
            self._named = around
