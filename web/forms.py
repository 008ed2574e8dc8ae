"""Turns forms into events of the game: reads fields and checks who may send an event."""

from __future__ import annotations

import secrets
import threading
import typing
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType, UnionType

import msgspec
from werkzeug.datastructures import MultiDict

from companion.engine import AnyGame, AnyState, Event, event_kinds, follow_all
from web.game_pages import GamePages, pages_of
from web.security.access import Viewer
from web.security.csrf import MAX_FIELD
from web.whole_numbers import NotWhole, whole_number

MOST_FOLLOW = 8
"""The events that may directly follow another in one form."""
YES_OR_NO = {"true": True, "false": False}


class Drafts:
    """Unfinished forms under unguessable names. The oldest give way to newer ones.

    A button that changes a form can open a separate page without losing the input. Any thread may call it.
    """

    MOST = 32
    NEVER_KEPT = ("csrf", "pin")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, MultiDict[str, str]] = {}

    def keep(self, form: MultiDict[str, str]) -> str:
        """Keep a form without its PIN, and return its name."""
        name = secrets.token_urlsafe(9)
        kept = MultiDict([each for each in form.items(multi=True) if each[0] not in self.NEVER_KEPT])
        with self._lock:
            self._kept[name] = kept
            for old in tuple(self._kept)[: -self.MOST]:
                del self._kept[old]
        return name

    def find(self, name: str) -> MultiDict[str, str]:
        """Return a form by its name; an empty one if it is no longer kept."""
        with self._lock:
            found = self._kept.get(name)
            return MultiDict() if found is None else found.copy()


class InvalidForm(ValueError):
    """A form that is not a valid proposal; `key` names the sentence, `fields` fill it in."""

    def __init__(self, key: str, **fields: object) -> None:
        super().__init__(key)
        self.key = key
        self.fields = fields


@cache
@cache
def event_fields(kind: type[Event]) -> dict[str, object]:
    """Return an event's fields with their types."""
    hints = typing.get_type_hints(kind)
    return {name: hints[name] for name in kind.__struct_fields__}


def events_of(
    game: AnyGame, form: MultiDict[str, str], viewer: Viewer, state: AnyState | None = None
) -> tuple[Event, ...]:
    """Return the event that a viewer's form describes and the events that follow it at once (`then`).

    Following events read the same fields; their own fields (`then1_card`, counted from 1) take precedence. `state` is
    the state before them with real cards; None if the companion deals. Raises `InvalidForm`.
    """
    following = form.getlist("then")
    if len(following) > MOST_FOLLOW:
        raise InvalidForm("refused.misfit", field="then")
    found = [event_of(game, form, viewer, state)]
    for number, name in enumerate(following, 1):
        prefix = f"then{number}_"
        own: MultiDict[str, str] = form.copy()
        own["event"] = name
        for field in form:
            if field.startswith(prefix):
                own.setlist(field.removeprefix(prefix), form.getlist(field))
        state = None if state is None else follow_all(game, state, found[-1:])
        found.append(event_of(game, own, viewer, state))
    return tuple(found)


def event_of(game: AnyGame, form: MultiDict[str, str], viewer: Viewer, state: AnyState | None = None) -> Event:
    """Return the event that a viewer's form describes; raise `InvalidForm`."""
    name = form.get("event", "")
    kind = event_kinds(game.events).get(name)
    if kind is None:
        raise InvalidForm("refused.no_such_event")
    pages = pages_of(game)
    if name in pages.kept or viewer.role == "watch":
        raise InvalidForm("refused.not_yours")
    if name in pages.observed or (state is not None and is_observed(pages, kind, form, state)):
        return read_event(kind, form)
    check_own(pages, name, kind, viewer)
    return read_event(kind, form, {"seat": viewer.seat} if viewer.role == "seat" else {})


def read_event(
    kind: type[Event], form: MultiDict[str, str], known: Mapping[str, object] = MappingProxyType({})
) -> Event:
    """Return the event that a form describes, without reading the fields that are known already. Raises
    `InvalidForm`.
    """
    data: dict[str, object] = {"event": str(kind.__struct_config__.tag), **known}
    for field, wanted in event_fields(kind).items():
        if field not in known and (found := read_field(field, wanted, form)) is not msgspec.UNSET:
            data[field] = found
    return build_event(kind, data)


def is_observed(pages: GamePages, kind: type[Event], form: MultiDict[str, str], state: AnyState) -> bool:
    """Whether a form's event is chance that everybody sees happen, so that anybody may enter it."""
    try:
        return pages.observes(state, read_event(kind, form))
    except InvalidForm:
        return False


def check_own(pages: GamePages, name: str, kind: type[Event], viewer: Viewer) -> None:
    """Raise `InvalidForm` if the event is restricted and this viewer may not send it."""
    if viewer.role == "seat":
        if "seat" not in kind.__struct_fields__:
            raise InvalidForm("refused.not_yours")
    elif name not in pages.hosts:
        raise InvalidForm("refused.seats_own")


def read_field(field: str, wanted: object, form: MultiDict[str, str]) -> object:
    """Return a field's value from the form as plain data; `UNSET` if the form does not have it."""
    origin, inner = typing.get_origin(wanted), typing.get_args(wanted)
    if origin is tuple:
        if typing.get_origin(inner[0]) is tuple:
            rows: list[list[str]] = []
            while f"{field}_{len(rows)}" in form:
                rows.append([item for item in form.getlist(f"{field}_{len(rows)}") if item])
            return rows
        values = form.getlist(field)
        if len(values) == 1 and "," in values[0]:
            values = values[0].split(",")
        return [read_value(field, inner[0], value) for value in values if value.strip() or is_optional(inner[0])]
    if field not in form:
        return msgspec.UNSET
    return read_value(field, wanted, form[field])


def is_optional(wanted: object) -> bool:
    """Whether a field may be left empty."""
    return type(None) in alternatives(wanted)


def alternatives(wanted: object) -> tuple[object, ...]:
    """Return the types that a field accepts; a named type, such as `Seat`, makes a different kind of union."""
    return typing.get_args(wanted) if typing.get_origin(wanted) in (UnionType, typing.Union) else (wanted,)


def is_number(wanted: object) -> bool:
    """Whether a field is a whole number."""
    return any(getattr(option, "__supertype__", option) is int for option in alternatives(wanted))


def read_value(field: str, wanted: object, text: str) -> object:
    """Return one value: a whole number or a boolean if the type is one, else text; None for an empty optional."""
    text = text.strip()
    if not text and is_optional(wanted):
        return None
    if len(text) > MAX_FIELD:
        raise InvalidForm("refused.too_long")
    if wanted is bool:
        return YES_OR_NO.get(text.lower(), text)
    return read_number(field, text) if is_number(wanted) else text


def read_number(field: str, text: str) -> int:
    """Read a whole number of dollars or pieces in any usual spelling; raise `InvalidForm` for anything else."""
    try:
        return whole_number(text)
    except NotWhole as error:
        raise InvalidForm(f"refused.{error.key}", said=text[:40] or "–", field=field) from None


def build_event(kind: type[Event], data: Mapping[str, object]) -> Event:
    """Build an event from plain data; raise `InvalidForm` naming the field that does not fit."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError:
        raise InvalidForm("refused.misfit", field=misfit(kind, data)) from None


def misfit(kind: type[Event], data: Mapping[str, object]) -> str:
    """Return the first field of an event that is missing or has an impossible value; empty if each value is valid by
    itself.
    """
    for field in msgspec.structs.fields(kind):
        if field.name not in data:
            if field.required:
                return field.name
            continue
        try:
            msgspec.convert(data[field.name], field.type)
        except msgspec.ValidationError:
            return field.name
    return ""


def form_of(data: object) -> MultiDict[str, str]:
    """Return decoded JSON as a form; raise `InvalidForm` unless it is an object of plain values.

    `then` is a list of event names, or of objects that hold an event and its own fields.
    """
    if not isinstance(data, dict):
        raise InvalidForm("refused.not_an_object")
    form = plain_form({name: value for name, value in data.items() if name != "then"})
    following = data.get("then", [])
    if not isinstance(following, list):
        raise InvalidForm("refused.misfit", field="then")
    for number, each in enumerate(following, 1):
        own = each if isinstance(each, dict) else {"event": each}
        if not isinstance(own.get("event"), str):
            raise InvalidForm("refused.misfit", field="then")
        for name, values in plain_form(own).lists():
            if name == "event":
                form.add("then", values[0])
            else:
                form.setlist(f"then{number}_{name}", values)
    return form


def plain_form(data: Mapping[str, object]) -> MultiDict[str, str]:
    """Return plain values by name as a form; each row of a nested list gets its own name."""
    form: MultiDict[str, str] = MultiDict()
    for name, value in data.items():
        values = value if isinstance(value, list) else [value]
        if values and all(isinstance(item, list) for item in values):
            for row, items in enumerate(values):
                form.setlist(f"{name}_{row}", [plain(name, item) for item in items])
        else:
            form.setlist(name, [plain(name, item) for item in values])
    return form


def plain(name: str, item: object) -> str:
    """Return one JSON value as a form would send it; raise `InvalidForm` for a list or an object."""
    if isinstance(item, list | dict):
        raise InvalidForm("refused.misfit", field=name[:40])
    return "" if item is None else str(item)
