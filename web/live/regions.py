"""Regions: small templates rendered from a view, each only when something it looked at has changed.

Knows no rules and no people: what a template may see is what it is given here, and views hold no secrets of others.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from jinja2 import Environment, Template, TemplatesNotFound, meta

REMEMBERED = 8
"""Renderings that a region remembers: whose turn it is comes round again."""
Path = tuple[Any, ...]
"""Where a template looked: a record's name, then attributes and places."""
Looked = dict[Path, Any]

LOG = logging.getLogger(__name__)
MISSING = object()
BROKEN = '<p class="said bad">…</p>'
"""What stands where a region could not be drawn."""


class WatchedView:
    """A record that notes which of its attributes a template looked at, and what they were."""

    __slots__ = ("_at", "_looked", "_value")

    def __init__(self, value: Any, looked: Looked, at: Path) -> None:
        self._value = value
        self._looked = looked
        self._at = at

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._value, name, MISSING)
        path = (*self._at, name)
        if found is MISSING:
            self._looked[path] = MISSING
            raise AttributeError(name)
        if isinstance(found, msgspec.Struct):
            self._looked[(*path, type)] = type(found)
            return WatchedView(found, self._looked, path)
        if type(found) is tuple and found and isinstance(found[0], msgspec.Struct):
            return WatchedRow(found, self._looked, path)
        self._looked[path] = found
        return found

    def __getitem__(self, name: str) -> Any:
        if not isinstance(name, str):
            raise TypeError(name)
        try:
            return getattr(self, name)
        except AttributeError:
            raise KeyError(name) from None


class WatchedRow:
    """A tuple of records that notes whether a template looked at all of them or at one."""

    __slots__ = ("_at", "_looked", "_value")

    def __init__(self, value: tuple[Any, ...], looked: Looked, at: Path) -> None:
        self._value = value
        self._looked = looked
        self._at = at

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, int) and 0 <= place < len(self._value):
            path = (*self._at, place)
            self._looked[(*path, type)] = type(self._value[place])
            return WatchedView(self._value[place], self._looked, path)
        return whole(self)[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(whole(self))

    def __len__(self) -> int:
        return len(whole(self))

    def __contains__(self, item: object) -> bool:
        return item in whole(self)

    def __add__(self, other: tuple[Any, ...]) -> tuple[Any, ...]:
        return whole(self) + whole(other)  # type: ignore[no-any-return]


def whole(value: Any) -> Any:
    """Return a value as it is; of a watched one the template has then looked at everything."""
    if isinstance(value, WatchedView | WatchedRow):
        value._looked[value._at] = value._value
        return value._value
    return value


def found_at(watched: Mapping[str, Any], path: Path) -> Any:
    """Return what lies now where a template looked before."""
    value: Any = watched.get(path[0], MISSING)
    for step in path[1:]:
        if step is type:
            value = type(value)
        elif isinstance(step, int):
            value = value[step] if isinstance(value, tuple) and step < len(value) else MISSING
        else:
            value = getattr(value, step, MISSING)
    return value


class Region:
    """One region of one viewer channel: its template, and its last rendering with what that depended on."""

    strict = False
    """Whether a template's error is raised (in tests) or shown as a gap in the page and written to the log."""

    def __init__(self, name: str, template: Template, reads: frozenset[str], fixed: Mapping[str, Any]) -> None:
        self.name = name
        self.template = template
        self.reads = reads
        self.fixed = fixed
        self.html = ""
        self.past: deque[tuple[dict[str, Any], Looked, str]] = deque(maxlen=REMEMBERED)
        """The last different renderings, the latest first: what was given, what the template looked at, its text."""

    def render(self, watched: Mapping[str, Any], plain: Mapping[str, Any]) -> bool:
        """Render from records whose attributes are watched and from plain values; return whether the text changed."""
        given = {name: value for name, value in plain.items() if name in self.reads}
        for at, (was_given, looked, html) in enumerate(self.past):
            if given == was_given and same(watched, looked):
                if at:
                    del self.past[at]
                    self.past.appendleft((given, looked, html))
                break
        else:
            looked = {}
            html = self._drawn(given, {name: WatchedView(value, looked, (name,)) for name, value in watched.items()})
            self.past.appendleft((given, looked, html))
        changed = html != self.html
        self.html = html
        return changed

    def _drawn(self, given: Mapping[str, Any], sources: Mapping[str, WatchedView]) -> str:
        """Return the template's text."""
        try:
            return self.template.render(self.fixed, **given, **sources)
        except Exception:
            if self.strict:
                raise
            # One broken region must not take the page, the stream and everybody else's with it.
            LOG.exception("region %s could not be drawn", self.name)
            return BROKEN


def same(watched: Mapping[str, Any], looked: Looked) -> bool:
    """Whether everything a template looked at is as it was: then so is its text."""
    return all(found_at(watched, path) == was for path, was in looked.items())


class MarkedRegion(Region):
    """A region that is as everybody sees it, save while the table waits for this seat."""

    def __init__(self, own: Region, public: Region, seat: int) -> None:
        super().__init__(own.name, own.template, own.reads, own.fixed)
        self.public = public
        self.seat = seat

    def render(self, watched: Mapping[str, Any], plain: Mapping[str, Any]) -> bool:
        """Render for this seat, or take over what was rendered for all."""
        if self.seat in watched["view"].awaited:
            return super().render(watched, plain)
        changed = self.html != self.public.html
        self.html = self.public.html
        return changed


def region_of(environment: Environment, folder: str, name: str, fixed: Mapping[str, Any]) -> Region | None:
    """Return a region with the game's own template, else the house's; None where neither brings one."""
    try:
        template = environment.select_template([f"{folder}/{name}.html", f"regions/{name}.html"])
    except TemplatesNotFound:
        return None
    assert template.name is not None
    return Region(name, template, reads(environment, template.name), fixed)


@cache
def reads(environment: Environment, name: str) -> frozenset[str]:
    """Return the names that a template reads from its context."""
    assert environment.loader is not None
    source = environment.loader.get_source(environment, name)[0]
    if source not in _READ:
        _READ[source] = frozenset(meta.find_undeclared_variables(environment.parse(source)))
    return _READ[source]


_READ: dict[str, frozenset[str]] = {}
"""By a template's text: it is read once, however many houses one process opens."""
