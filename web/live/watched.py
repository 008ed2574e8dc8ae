"""Records which values a template reads, and tells whether they have changed since.

Records, mappings and tuples are wrapped while a template is drawn, so that they note each read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from types import MethodType
from typing import Any, NamedTuple

import msgspec

MISSING = object()


class Key(NamedTuple):
    """The keys at which a template read a mapping."""

    key: object


class Has(NamedTuple):
    """The members for which a template searched a tuple."""

    item: object


class Called(NamedTuple):
    """The result of a method without arguments."""


CALLED = Called()
Path = tuple[str | int | type | Key | Has | Called | None, ...]
"""A path that a template read: a record's name, then attributes, indexes and keys; `type` stands for a value's type,
and None for its length.
"""
Looks = dict[Path, object]
"""A template's read, and the value found."""


PLAIN = frozenset([str, int, bool, type(None)])


def watch(value: object, looks: Looks, path: Path) -> object:
    """Return a record, mapping or tuple wrapped to record reads; record any other value now."""
    if type(value) in PLAIN:
        looks[path] = value
        return value
    if isinstance(value, msgspec.Struct):
        looks[(*path, type)] = type(value)
        return WatchedView(value, looks, path)
    if type(value) is dict:
        return WatchedMapping(value, looks, path)
    if type(value) is tuple:
        return WatchedRow(value, looks, path)
    if type(value) is MethodType:
        return watched_method(value, looks, path)
    looks[path] = value
    return value


def watched_method(method: MethodType, looks: Looks, path: Path) -> Callable[..., object]:
    """Return a record's method wrapped to note its result; with arguments, the whole record counts as read."""

    def call(*given: object, **named: object) -> object:
        found: object = method(*given, **named)
        if given or named:
            looks[path[:-1]] = method.__self__
        else:
            looks[(*path, CALLED)] = found
        return found

    return call


class WatchedView:
    """A record that records which attributes a template reads, and their values; each once."""

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
        found = self.__dict__[name] = watch(value, self._looks, path)
        return found

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
    """A tuple that records which part a template reads: all of it, its length or some of its items."""

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
    if type(value) in WATCHED:
        watched: Any = value
        watched._looks[watched._at] = watched._value
        return watched._value
    return value


WATCHED = frozenset([WatchedView, WatchedRow, WatchedMapping])


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
        elif step is CALLED:
            value = value() if type(value) is MethodType else MISSING
        elif step is None:
            value = len(value) if type(value) is tuple or type(value) is dict else MISSING
        else:
            value = type(value)
    return value


class Seen:
    """All reads of a template. A comparison reads all attributes of a record in one call."""

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
        self.names = frozenset([look_name(start, looks) for start in {path[:2] for path in looks}])
        """The names of all reads, as in `changed_names`."""
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
        except (AttributeError, KeyError):  # the record is now of another kind
            return False
        return all([value_at(watched, path) == was for path, was in self._others.items()])


def look_name(path: Path, looks: Looks) -> str:
    """Return the name of a read: `view.moment` for a record's field or anything in it, else the record's own name."""
    root = str(path[0])
    if len(path) > 1:
        if path[1] is type:
            return f"{root}.class"
        if path[1] in getattr(looks.get((root, type)), "__struct_fields__", ()):
            return f"{root}.{path[1]}"
    return root


def changed_names(was: Mapping[str, object], now: Mapping[str, object]) -> set[str]:
    """Return the names of all changes in watched records: each changed record, and each of its changed fields."""
    found: set[str] = set()
    for root, value in now.items():
        old = was.get(root, MISSING)
        if old is value:
            continue
        if type(old) is not type(value):
            found |= {root, f"{root}.class"}
        elif isinstance(value, msgspec.Struct):
            fields = [f"{root}.{name}" for name in value.__struct_fields__ if differs(old, value, name)]
            if fields:
                found |= {root, *fields}
        elif old != value:
            found.add(root)
    return found


def differs(old: object, new: object, name: str) -> bool:
    """Whether an attribute of two records differs."""
    was, now = getattr(old, name), getattr(new, name)
    return was is not now and bool(was != now)
