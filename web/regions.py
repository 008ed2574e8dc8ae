"""Regions: small templates rendered from a view, each only when something it looked at has changed.

Knows no rules and no people: what a template may see is what it is given here, and views hold no secrets of others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, Template, meta

MISSING = object()


class Watched:
    """A value that remembers which of its attributes a template looked at, and what they were."""

    __slots__ = ("_looked", "_value")

    def __init__(self, value: Any, looked: dict[str, Any]) -> None:
        object.__setattr__(self, "_value", value)
        object.__setattr__(self, "_looked", looked)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._value, name, MISSING)
        self._looked[name] = found
        if found is MISSING:
            raise AttributeError(name)
        return found

    def __getitem__(self, name: str) -> Any:
        if not isinstance(name, str):
            raise TypeError(name)
        try:
            return getattr(self, name)
        except AttributeError:
            raise KeyError(name) from None


class Region:
    """One region of one viewer channel: its template, and its last rendering with what that depended on."""

    def __init__(self, name: str, template: Template, reads: frozenset[str], fixed: Mapping[str, Any]) -> None:
        self.name = name
        self.template = template
        self.reads = reads
        self.fixed = fixed
        self.html = ""
        self.looked: dict[str, dict[str, Any]] | None = None
        self.given: dict[str, Any] = {}

    def render(self, watched: Mapping[str, Any], plain: Mapping[str, Any]) -> bool:
        """Render from records whose attributes are watched and from plain values; return whether the text changed."""
        given = {name: value for name, value in plain.items() if name in self.reads}
        if given == self.given and self.looked is not None and self._same(watched):
            return False
        looked: dict[str, dict[str, Any]] = {name: {} for name in watched}
        sources = {name: Watched(value, looked[name]) for name, value in watched.items()}
        html = self.template.render(self.fixed, **given, **sources)
        self.looked, self.given = looked, given
        changed = html != self.html
        self.html = html
        return changed

    def _same(self, watched: Mapping[str, Any]) -> bool:
        """Whether everything the template looked at last time is as it was: then so is its text."""
        assert self.looked is not None
        return all(
            getattr(watched[name], attribute, MISSING) == was
            for name, looked in self.looked.items()
            for attribute, was in looked.items()
        )


def region_of(environment: Environment, folder: str, name: str, fixed: Mapping[str, Any]) -> Region:
    """Return a region with the game's own template, else the house's."""
    template = environment.select_template([f"{folder}/{name}.html", f"regions/{name}.html"])
    assert template.name is not None and environment.loader is not None
    source = environment.loader.get_source(environment, template.name)[0]
    reads = meta.find_undeclared_variables(environment.parse(source))
    return Region(name, template, frozenset(reads), fixed)
