"""What a group of regions keeps of its macros: their modules, and what a macro drew of the same arguments.

A module of macros that reads nothing but the group's fixed values is made once. Such a macro draws the same of the same
arguments, so `kept(macro, …)` in a template draws it once. A group is one viewer's in one language: nobody else is
shown what it keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from jinja2 import Template
from jinja2.environment import TemplateModule
from jinja2.runtime import Macro

from web.live.regions import names_read_in_all, unwatch

MOST = 120
"""Texts that a group keeps; of more, those go that were needed least recently."""
KNOWN = frozenset(["dict", "range", "namespace", "once"])
"""Names of an environment that are the same everywhere and at any time."""

MakeModule = Callable[[dict[str, object]], TemplateModule]
CardNames = tuple[tuple[str, str], ...]
"""Cards that a macro named, and what they were called."""


class MacroCache:
    """The modules and texts of one group. `fixed` is what its templates know besides views; `card` says a card's name.

    A card can get another name while a match lasts, so a text is kept as long as its cards are called the same.
    """

    def __init__(self, fixed: Mapping[str, object], card: Callable[[str], str]) -> None:
        self.fixed = {**fixed, "kept": self, "card": self._say_card}
        self._card = card
        self._named: list[tuple[str, str]] | None = None
        """Cards that the text has named so far that is being drawn to be kept."""
        self._loose: dict[str, frozenset[str] | None] = {}
        """The names that a template's macros read and that are not fixed; None where they cannot be told."""
        self._modules: dict[str, TemplateModule] = {}
        self._macros: set[Macro] = set()
        self.texts: dict[tuple[object, ...], tuple[str, CardNames, Sequence[object]]] = {}
        """Texts with the cards they name and what they were drawn of, by the macro and that."""

    def _say_card(self, name: str) -> str:
        """Return a card's name; note that a text depends on it."""
        said = self._card(name)
        if self._named is not None:
            self._named.append((name, said))
        return said

    def module(self, template: Template, given: Collection[str], make: MakeModule) -> TemplateModule | None:
        """Return a template's module, made once; None for one that reads a name of those `given` that is not fixed."""
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
        """Return what a macro draws; drawn once if it reads nothing but fixed values and what it is given.

        What is given has to be hashable, or a list of that. A mapping is known by the object that it is, and must not
        change.
        """
        if macro not in self._macros:
            return macro(*given)
        plain = [tuple(each) if type(each) is list else unwatch(each) for each in given]
        key = (macro, *[(type(each), id(each) if isinstance(each, dict) else each) for each in plain])
        found = self.texts.pop(key, None)
        if found is None or any([self._card(name) != said for name, said in found[1]]):
            found = *self._draw(macro, plain), plain  # what lies at an id stays there as long as it is kept
            if len(self.texts) >= MOST:
                del self.texts[next(iter(self.texts))]
        self.texts[key] = found
        if self._named is not None:
            self._named += found[1]
        return found[0]

    def _draw(self, macro: Macro, given: Sequence[object]) -> tuple[str, CardNames]:
        """Return what a macro draws, and the cards that it names."""
        around, self._named = self._named, []
        try:
            return macro(*given), tuple(dict.fromkeys(self._named))
        finally:
            self._named = around
