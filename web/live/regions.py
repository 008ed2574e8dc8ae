"""Regions of pages: small templates, each rendered again only when something it read has changed.

A template sees only what it is given here, and views hold no secrets of other seats.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import msgspec
from jinja2 import Environment, Template, TemplatesNotFound, TemplateSyntaxError, meta

from web.live.compiled_templates import CompiledTemplates, NamesRead
from web.presenters.buttons import PressState

REMEMBERED = 8
"""Renderings that a region remembers: earlier states, such as whose turn it is, come back."""
LOG = logging.getLogger(__name__)
EVERYWHERE = frozenset(["view", "me", "snapshot", "occupancy"])
"""Watched records that a template's imported macros also read."""
MISSING = object()
BROKEN = '<p class="message bad">…</p>'
"""Replaces a region that could not be rendered."""


class LazyValues(dict[str, object]):
    """Plain values by name, some made only when a region reads them; `names` lists all."""

    def __init__(self, values: Mapping[str, object], makers: Mapping[str, Callable[[], object]]) -> None:
        super().__init__(values)
        self._makers = makers
        self.names = values.keys() | makers.keys()

    def __missing__(self, name: str) -> object:
        self[name] = self._makers[name]()
        return self[name]


class PerSeat(NamedTuple):
    """A value of regions that differs by seat: a seat's page gets its own alone, any other page None."""

    values: tuple[tuple[int, object], ...] = ()

    def of(self, seat: int | None) -> object:
        """Return a seat's value."""
        return dict(self.values).get(seat) if seat is not None else None


class Key(NamedTuple):
    """The keys at which a template read a mapping."""

    key: object


class Has(NamedTuple):
    """The members for which a template searched a tuple."""

    item: object


Path = tuple[str | int | type | Key | Has | None, ...]
"""A path that a template read: a record's name, then attributes, indexes and keys; `type` stands for a value's type,
and None for its length.
"""
Looks = dict[Path, object]
"""A template's read, and the value found."""


def watch(value: object, looks: Looks, path: Path) -> object:
    """Return a record, mapping or tuple wrapped to record reads; record any other value now."""
    if isinstance(value, msgspec.Struct):
        looks[(*path, type)] = type(value)
        return WatchedView(value, looks, path)
    if type(value) is dict:
        return WatchedMapping(value, looks, path)
    if type(value) is tuple:
        return WatchedRow(value, looks, path)
    looks[path] = value
    return value


class WatchedView:
    """A record that records which attributes a template reads, and their values."""

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
        return watch(value, self._looks, path)

    def __getitem__(self, name: str) -> object:
        if not isinstance(name, str):
            raise TypeError(name)
        try:
            return getattr(self, name)
        except AttributeError:
            raise KeyError(name) from None


class WatchedMapping(Mapping[object, object]):
    """A mapping that records which keys a template reads, and their values."""

    __slots__ = ("_at", "_looks", "_value")

    def __init__(self, value: dict[object, object], looks: Looks, at: Path) -> None:
        self._value = value
        self._looks = looks
        self._at = at

    def __getitem__(self, key: object) -> object:
        path = (*self._at, Key(key))
        if key not in self._value:
            self._looks[path] = MISSING
            raise KeyError(key)
        return watch(self._value[key], self._looks, path)

    def __iter__(self) -> Iterator[object]:
        self._looks[self._at] = self._value
        return iter(self._value)

    def __len__(self) -> int:
        self._looks[(*self._at, None)] = len(self._value)
        return len(self._value)


class WatchedRow(Sequence[Any]):
    """A tuple that records whether a template reads all of it, its length or some of its items."""

    __slots__ = ("_at", "_looks", "_value")

    def __init__(self, value: tuple[object, ...], looks: Looks, at: Path) -> None:
        self._value = value
        self._looks = looks
        self._at = at

    def _all(self) -> tuple[object, ...]:
        """Return the whole tuple and record that the template has read all of it."""
        self._looks[self._at] = self._value
        return self._value

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, int) and 0 <= place < len(self._value):
            return watch(self._value[place], self._looks, (*self._at, place))
        return self._all()[place]

    def __iter__(self) -> Iterator[object]:
        return iter(self._all())

    def __len__(self) -> int:
        self._looks[(*self._at, None)] = len(self._value)
        return len(self._value)

    def __contains__(self, item: object) -> bool:
        plain = unwatch(item)
        found = self._looks[(*self._at, Has(plain))] = plain in self._value
        return found

    def __add__(self, other: object) -> object:
        return self._all() + unwatch(other)  # type: ignore[operator]

    def __radd__(self, other: object) -> object:
        return other + self._all()  # type: ignore[operator]

    def __eq__(self, other: object) -> bool:
        return self._all() == unwatch(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __str__(self) -> str:
        return str(self._all())


def unwatch(value: object) -> object:
    """Return an unwrapped value; if it was watched, record that the template has read all of it."""
    if isinstance(value, WatchedView | WatchedRow | WatchedMapping):
        value._looks[value._at] = value._value
        return value._value
    return value


def value_at(watched: Mapping[str, object], path: Path) -> object:
    """Return the current value at a path that a template read before."""
    value: object = watched
    for step in path:
        if type(step) is str:
            value = value.get(step, MISSING) if value is watched else getattr(value, step, MISSING)
        elif type(step) is int:
            value = value[step] if type(value) is tuple and step < len(value) else MISSING
        elif type(step) is Key:
            value = value.get(step.key, MISSING) if type(value) is dict else MISSING
        elif type(step) is Has:
            value = type(value) is tuple and step.item in value
        elif step is None:
            value = len(value) if type(value) is tuple or type(value) is dict else MISSING
        else:
            value = type(value)
    return value


class Seen:
    """What a template read. Comparing reads all attributes of a record in one call."""

    def __init__(self, looks: Looks) -> None:
        attributes: dict[str, list[tuple[str, object]]] = {}
        self._others: Looks = {}
        for path, was in looks.items():
            root, *steps = path
            if steps and was is not MISSING and all([type(step) is str or step is type for step in steps]):
                dotted = ".".join([step if isinstance(step, str) else "__class__" for step in steps])
                attributes.setdefault(str(root), []).append((dotted, was))
            else:
                self._others[path] = was
        self._records = [
            (
                root,
                attrgetter(*[name for name, _ in found]),
                found[0][1] if len(found) == 1 else tuple([was for _, was in found]),
            )
            for root, found in attributes.items()
        ]

    def is_unchanged(self, watched: Mapping[str, object]) -> bool:
        """Whether everything the template read is unchanged, and so is its text."""
        try:
            for root, look, was in self._records:
                if look(watched[root]) != was:
                    return False
        except (AttributeError, KeyError):  # a record of another kind
            return False
        return all([value_at(watched, path) == was for path, was in self._others.items()])


class Region:
    """One region of one viewer channel: its template, and its last renderings with their dependencies."""

    strict = False
    """Whether a template's error is raised (in tests), or logged and shown as a gap in the page."""

    def __init__(self, name: str, template: Template, reads: frozenset[str], fixed: Mapping[str, object]) -> None:
        self.name = name
        self.template = template
        self.reads = reads
        self.fixed = fixed
        self.html = ""
        self.past: deque[tuple[dict[str, object], Seen, str]] = deque(maxlen=REMEMBERED)
        """The last different renderings, the latest first: plain values, recorded reads, text."""

    def render(self, watched: Mapping[str, object], plain: LazyValues) -> bool:
        """Render from watched records and plain values; return whether the text changed."""
        try:
            given = {name: plain[name] for name in self.reads & plain.names}
        except Exception:
            return self._show(self._gap())
        for at, (was_given, seen, html) in enumerate(self.past):
            if given == was_given and seen.is_unchanged(watched):
                if at:
                    del self.past[at]
                    self.past.appendleft((given, seen, html))
                break
        else:
            looks: Looks = {}
            names = [name for name in watched if name in EVERYWHERE or (name in self.reads and name not in given)]
            html = self._text(given, {name: watch(watched[name], looks, (name,)) for name in names})
            self.past.appendleft((given, Seen(looks), html))
        return self._show(html)

    def _show(self, html: str) -> bool:
        """Adopt a text; return whether it differs."""
        changed = html != self.html
        self.html = html
        return changed

    def _text(self, given: Mapping[str, object], views: Mapping[str, object]) -> str:
        """Return the template's text."""
        try:
            return self.template.render(self.fixed, **given, **views)
        except Exception:
            return self._gap()

    def _gap(self) -> str:
        """Log the current error and return the replacement: a region must not take the page down."""
        if self.strict:
            raise
        LOG.exception("region %s could not be drawn", self.name)
        return BROKEN


class MarkedRegion(Region):
    """A region that is the same for everybody, unless this seat is asked or may press; or always its own, with
    `always`.
    """

    def __init__(self, own: Region, public: Region, seat: int, always: bool = False) -> None:
        super().__init__(own.name, own.template, own.reads, own.fixed)
        self.public = public
        self.seat = seat
        self.always = always

    def render(self, watched: Mapping[str, object], plain: LazyValues) -> bool:
        """Render for this seat, or adopt the common rendering."""
        press = plain["press"]
        asked = self.seat in getattr(watched["view"], "awaited", ())
        if self.always or asked or (isinstance(press, PressState) and press.may_press(self.seat)):
            return super().render(watched, plain)
        return self._show(self.public.html)


def region_of(environment: Environment, folder: str, name: str, fixed: Mapping[str, object]) -> Region | None:
    """Return a region with the game's own template, else the common one; None if there is neither.

    An unreadable template leaves a gap.
    """
    try:
        template = environment.select_template([f"{folder}/{name}.html", f"regions/{name}.html"])
    except TemplatesNotFound:
        return None
    except TemplateSyntaxError:
        if Region.strict:
            raise
        LOG.exception("region %s cannot be read", name)
        return Region(name, environment.from_string(BROKEN), frozenset(), fixed)
    assert template.name is not None
    return Region(name, template, names_read(environment, template.name), fixed)


Found = TypeVar("Found")


def once(find: Callable[[Environment, str], Found]) -> Callable[[Environment, str], Found]:
    """Compute something once for each environment and name; it is dropped with the environment."""
    kept: WeakKeyDictionary[Environment, dict[str, Found]] = WeakKeyDictionary()

    @wraps(find)
    def find_once(environment: Environment, name: str) -> Found:
        found = kept.setdefault(environment, {})
        if name not in found:
            found[name] = find(environment, name)
        return found[name]

    return find_once


@once
def names_read(environment: Environment, name: str) -> frozenset[str]:
    """Return the names that a template reads from its context."""
    return _parsed(environment, name)[0]


@once
def names_read_in_all(environment: Environment, name: str) -> frozenset[str] | None:
    """Return the names that a template reads, including its imports and includes; None if they cannot be determined."""
    names, others = _parsed(environment, name)
    for other in others:
        found = None if other is None else names_read_in_all(environment, other)
        if found is None:
            return None
        names |= found
    return names


def _parsed(environment: Environment, name: str) -> NamesRead:
    """Return the names that a template reads, and the templates that it refers to."""
    assert environment.loader is not None
    source = environment.loader.get_source(environment, name)[0]

    def parse() -> NamesRead:
        tree = environment.parse(source)
        return NamesRead(
            frozenset(meta.find_undeclared_variables(tree)), frozenset(meta.find_referenced_templates(tree))
        )

    if source not in _PARSED:
        kept = environment.bytecode_cache
        _PARSED[source] = kept.names_read(name, source, parse) if isinstance(kept, CompiledTemplates) else parse()
    return _PARSED[source]


_PARSED: dict[str, NamesRead] = {}
"""By a template's text, so that each is parsed once in a process with several applications."""
