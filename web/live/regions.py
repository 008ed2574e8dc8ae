"""Regions of pages: small templates, each rendered again only when something it read has changed.

A template sees only the values that it is given, and views hold no secrets of other seats.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from jinja2 import Environment, Template, TemplatesNotFound, TemplateSyntaxError, meta

from web.live.compiled_templates import CompiledTemplates, NamesRead
from web.live.watched import Looks, Seen, changed_names, watch
from web.presenters.buttons import PressState

REMEMBERED = 8
"""The number of renderings that a region remembers: earlier states, such as whose turn it is, recur."""
LOG = logging.getLogger(__name__)
EVERYWHERE = frozenset(["view", "me", "snapshot", "occupancy"])
"""Watched records that a template's imported macros also read."""
BROKEN = '<p class="message bad">…</p>'
"""Replaces a region that could not be rendered."""


class LazyValues(dict[str, object]):
    """Plain values by name, some made from a scene only when a region reads them; `names` lists all."""

    def __init__(
        self, values: Mapping[str, object], makers: Mapping[str, Callable[[Any], object]], scene: object = None
    ) -> None:
        super().__init__(values)
        self._makers = makers
        self._scene = scene
        self.names = values.keys() | makers.keys()

    def __missing__(self, name: str) -> object:
        self[name] = self._makers[name](self._scene)
        return self[name]


Sources = tuple[Mapping[str, object], LazyValues]
"""The input of regions: watched records by name, and plain values by name."""


class Changes(dict[str, bool]):
    """Whether each plain value differs from the last input. A value is compared only when a region reads it;
    `watched` names the differences in watched records.
    """

    def __init__(self, last: Sources, now: Sources) -> None:
        super().__init__()
        self.watched = changed_names(last[0], now[0])
        self._was, self._now = last[1], now[1]

    def __missing__(self, name: str) -> bool:
        found = self[name] = name not in self._was or bool(self._was[name] != self._now[name])
        return found


class PerSeat(NamedTuple):
    """A value of regions that differs by seat: a seat's page gets its own alone, any other page None."""

    values: tuple[tuple[int, object], ...] = ()

    def of(self, seat: int | None) -> object:
        """Return a seat's value."""
        return dict(self.values).get(seat) if seat is not None else None


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
        """The latest distinct renderings, the newest first: plain values, recorded reads, text."""
        self.current = False
        """Whether the first of them is valid for the last values."""

    def render(self, watched: Mapping[str, object], plain: LazyValues, changes: Changes | None = None) -> bool:
        """Render from watched records and plain values; return whether the text changed.

        `changes` has the differences from the last call; None: anything may differ.
        """
        still, self.current = self.current, False
        try:
            if changes is not None and still:
                given, seen, html = self.past[0]
                if seen.names.isdisjoint(changes.watched) and not any([changes[name] for name in given]):
                    self.current = True
                    return self._show(html)
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
        self.current = True
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
    """A region that is the same for everybody, except for a seat that is asked or may press. With `always`, each
    seat has its own.
    """

    def __init__(self, own: Region, public: Region, seat: int, always: bool = False) -> None:
        super().__init__(own.name, own.template, own.reads, own.fixed)
        self.public = public
        self.seat = seat
        self.always = always

    def render(self, watched: Mapping[str, object], plain: LazyValues, changes: Changes | None = None) -> bool:
        """Render for this seat, or adopt the common rendering."""
        press = watched["press"]
        asked = self.seat in getattr(watched["view"], "awaited", ())
        if self.always or asked or (isinstance(press, PressState) and press.may_press(self.seat)):
            return super().render(watched, plain, changes)
        self.current = False
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
"""Parsed templates by their text, so that each is parsed once in a process with several applications."""
