"""Regions of pages: small templates, each rendered again only when something it looked at has changed.

A template sees nothing but what it is given here, and views hold no secrets of other seats.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import msgspec
from jinja2 import Environment, Template, TemplatesNotFound, meta

REMEMBERED = 8
"""Renderings that a region remembers: whose turn it is comes round again."""
Path = tuple[str | int | type, ...]
"""Where a template looked: a record's name, then attributes and places; `type` stands for the value's own type."""
Looks = dict[Path, object]
"""What a template looked at, and the value that it found there."""

LOG = logging.getLogger(__name__)
MISSING = object()
BROKEN = '<p class="message bad">…</p>'
"""Stands where a region could not be rendered."""


class LazyValues(Mapping[str, object]):
    """Plain values by name, of which some are made only when a region reads them."""

    def __init__(self, values: Mapping[str, object], makers: Mapping[str, Callable[[], object]]) -> None:
        self._values = dict(values)
        self._makers = makers

    def __getitem__(self, name: str) -> object:
        if name not in self._values:
            self._values[name] = self._makers[name]()
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._values, **self._makers})

    def __len__(self) -> int:
        return len({**self._values, **self._makers})

    def __contains__(self, name: object) -> bool:
        return name in self._values or name in self._makers


class WatchedView:
    """A record that notes which of its attributes a template looked at, and their values."""

    __slots__ = ("_at", "_looks", "_value")

    def __init__(self, value: object, looks: Looks, at: Path) -> None:
        self._value = value
        self._looks = looks
        self._at = at

    def __getattr__(self, name: str) -> object:
        value = getattr(self._value, name, MISSING)
        path = (*self._at, name)
        if value is MISSING:
            self._looks[path] = MISSING
            raise AttributeError(name)
        if isinstance(value, msgspec.Struct):
            self._looks[(*path, type)] = type(value)
            return WatchedView(value, self._looks, path)
        if type(value) is tuple and value and isinstance(value[0], msgspec.Struct):
            return WatchedRow(value, self._looks, path)
        self._looks[path] = value
        return value

    def __getitem__(self, name: str) -> object:
        if not isinstance(name, str):
            raise TypeError(name)
        try:
            return getattr(self, name)
        except AttributeError:
            raise KeyError(name) from None


class WatchedRow:
    """A tuple of records that notes whether a template looked at all of them or at one."""

    __slots__ = ("_at", "_looks", "_value")

    def __init__(self, value: tuple[object, ...], looks: Looks, at: Path) -> None:
        self._value = value
        self._looks = looks
        self._at = at

    def _all(self) -> tuple[object, ...]:
        """Return the whole tuple: the template has looked at everything."""
        self._looks[self._at] = self._value
        return self._value

    def __getitem__(self, place: int | slice) -> object:
        if isinstance(place, int) and 0 <= place < len(self._value):
            path = (*self._at, place)
            self._looks[(*path, type)] = type(self._value[place])
            return WatchedView(self._value[place], self._looks, path)
        return self._all()[place]

    def __iter__(self) -> Iterator[object]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __contains__(self, item: object) -> bool:
        return item in self._all()

    def __add__(self, other: tuple[object, ...]) -> tuple[object, ...]:
        added = unwatch(other)
        assert isinstance(added, tuple)
        return self._all() + added


def unwatch(value: object) -> object:
    """Return a value as it is; where it was watched, the template has then looked at everything in it."""
    if isinstance(value, WatchedView | WatchedRow):
        value._looks[value._at] = value._value
        return value._value
    return value


def value_at(watched: Mapping[str, object], path: Path) -> object:
    """Return the value that is now where a template looked before."""
    name, *steps = path
    value: object = watched.get(str(name), MISSING)
    for step in steps:
        if isinstance(step, type):
            value = type(value)
        elif isinstance(step, int):
            value = value[step] if isinstance(value, tuple) and step < len(value) else MISSING
        else:
            value = getattr(value, step, MISSING)
    return value


def is_unchanged(watched: Mapping[str, object], looks: Looks) -> bool:
    """Whether everything a template looked at is as it was: then so is its text."""
    return all(value_at(watched, path) == was for path, was in looks.items())


class Region:
    """One region of one viewer channel: its template, and its last renderings with what each depended on."""

    strict = False
    """Whether a template's error is raised (in tests), or logged and shown as a gap in the page."""

    def __init__(self, name: str, template: Template, reads: frozenset[str], fixed: Mapping[str, object]) -> None:
        self.name = name
        self.template = template
        self.reads = reads
        self.fixed = fixed
        self.html = ""
        self.past: deque[tuple[dict[str, object], Looks, str]] = deque(maxlen=REMEMBERED)
        """The last different renderings, the latest first: plain values, what the template looked at, its text."""

    def render(self, watched: Mapping[str, object], plain: Mapping[str, object]) -> bool:
        """Render from records whose attributes are watched and from plain values; return whether the text changed."""
        given = {name: plain[name] for name in self.reads if name in plain}
        for at, (was_given, looks, html) in enumerate(self.past):
            if given == was_given and is_unchanged(watched, looks):
                if at:
                    del self.past[at]
                    self.past.appendleft((given, looks, html))
                break
        else:
            looks = {}
            html = self._text(given, {name: WatchedView(value, looks, (name,)) for name, value in watched.items()})
            self.past.appendleft((given, looks, html))
        changed = html != self.html
        self.html = html
        return changed

    def _text(self, given: Mapping[str, object], views: Mapping[str, WatchedView]) -> str:
        """Return the template's text."""
        try:
            return self.template.render(self.fixed, **given, **views)
        except Exception:
            if self.strict:
                raise
            # One broken region must not take the page, the stream and everybody else's with it.
            LOG.exception("region %s could not be drawn", self.name)
            return BROKEN


class MarkedRegion(Region):
    """A region that is the same for everybody, except while the table waits for this seat, or for it `always`."""

    def __init__(self, own: Region, public: Region, seat: int, always: bool = False) -> None:
        super().__init__(own.name, own.template, own.reads, own.fixed)
        self.public = public
        self.seat = seat
        self.always = always

    def render(self, watched: Mapping[str, object], plain: Mapping[str, object]) -> bool:
        """Render for this seat, or take over what was rendered for all."""
        if self.always or self.seat in getattr(watched["view"], "awaited", ()):
            return super().render(watched, plain)
        changed = self.html != self.public.html
        self.html = self.public.html
        return changed


def region_of(environment: Environment, folder: str, name: str, fixed: Mapping[str, object]) -> Region | None:
    """Return a region with the game's own template, else the common one; None where there is neither."""
    try:
        template = environment.select_template([f"{folder}/{name}.html", f"regions/{name}.html"])
    except TemplatesNotFound:
        return None
    assert template.name is not None
    return Region(name, template, names_read(environment, template.name), fixed)


@cache
def names_read(environment: Environment, name: str) -> frozenset[str]:
    """Return the names that a template reads from its context."""
    assert environment.loader is not None
    source = environment.loader.get_source(environment, name)[0]
    if source not in _NAMES_READ:
        _NAMES_READ[source] = frozenset(meta.find_undeclared_variables(environment.parse(source)))
    return _NAMES_READ[source]


_NAMES_READ: dict[str, frozenset[str]] = {}
"""By a template's text: each is parsed once, however many applications one process opens."""
