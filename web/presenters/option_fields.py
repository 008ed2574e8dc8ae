"""A game's options as controls of the set-up page, and their values in a form."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from secrets import SystemRandom
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple

import msgspec
from werkzeug.datastructures import MultiDict

from companion.engine import PER_PLAYER, AnyGame
from companion.games import definition_of, teller_of
from companion.i18n import Words
from companion.mechanics.definition import MatchOptions
from companion.mechanics.options import ruled
from web.forms import InvalidForm, read_number
from web.game_pages import pages_of

Control = Literal["choice", "number", "row", "pick", "each"]
"""Kinds of controls: one of several values, a number, a row of numbers, several of many values, a value for each
player.
"""
LONGEST_ROW = 6
"""The number of fields for an option that is a row of numbers."""
YES_NO = ("yes", "no")
"""The values of an option that is true or false."""


class SetupField(NamedTuple):
    """An option as a control."""

    name: str
    control: Control
    default: Any
    edition: bool = False
    """Whether its default depends on the edition."""
    values: tuple[str, ...] = ()
    """The values to choose from; none for numbers."""
    truth: bool = False
    """Whether the values stand for true and false."""
    least: int | None = None
    """The least number, or the fewest values to pick; None without a bound. `most` likewise."""
    most: int | None = None
    sets: Mapping[str, tuple[str, ...]] = {}
    """Predefined sets by name; if a set is too small, the rest is drawn."""
    with_sets: Mapping[str, Mapping[str, str]] = {}
    """Values that a set proposes for other options, by its name."""
    by_players: Mapping[int, int] = {}
    """The default by the number of players."""

    def is_drawn(self, chosen: str) -> bool:
        """Return whether values must be drawn in addition to a set's."""
        return len(self.sets[chosen]) < (self.least or 0)

    def empty(self) -> object:
        """Return one player's value for an empty field."""
        return self.values[0] if self.values else max(0, self.least or 0)


def fields_of(game: AnyGame) -> dict[str, tuple[SetupField, ...]]:
    """Return the game's options as controls, by group. Options of other types have none and keep their default."""
    options = definition_of(game).options
    if options is None:
        return {}
    hints = typing.get_type_hints(options.record, include_extras=True)
    found = {name: _field(options, name, hints[name]) for name in options.names}
    groups = pages_of(game).option_groups.items()
    return {group: tuple([field for name in names if (field := found[name])]) for group, names in groups}


def without_control(game: AnyGame) -> tuple[str, ...]:
    """Return the options whose type has no control."""
    options = definition_of(game).options
    if options is None:
        return ()
    hints = typing.get_type_hints(options.record, include_extras=True)
    return tuple([name for name in options.names if _field(options, name, hints[name]) is None])


def _field(options: MatchOptions, name: str, hint: object) -> SetupField | None:
    """Return an option's control; None for a type that has none."""
    given = dict(zip(options.names, options.record.__struct_defaults__, strict=True))[name]
    edition = name in {each for preset in options.presets.values() for each in preset}
    kind, metas = _plain(hint)
    field = SetupField(name, "number", given, edition)
    if typing.get_origin(kind) is Literal:
        return field._replace(control="choice", values=_values(kind))
    if kind is bool:
        return field._replace(control="choice", values=YES_NO, truth=True, default=YES_NO[not given])
    if kind is int:
        least, most = _bounds(metas)
        return field._replace(least=least, most=most, by_players=options.by_players.get(name, {}))
    if typing.get_origin(kind) is not tuple:
        return None
    item, bounds = _plain(typing.get_args(kind)[0])
    values = _values(item) if typing.get_origin(item) is Literal else ()
    if not values and item is not int:
        return None
    if PER_PLAYER in metas:
        least, most = _bounds(bounds)
        return field._replace(control="each", values=values, least=least, most=most)
    if not values:
        return field._replace(control="row")
    least = max([meta.min_length for meta in metas if meta.min_length is not None], default=0)
    most = min([meta.max_length for meta in metas if meta.max_length is not None], default=len(values))
    sets = {key: tuple(map(str, each)) for key, each in options.sets.get(name, {}).items()}
    proposed = options.with_sets.get(name, {})
    return field._replace(
        control="pick", values=values, least=least, most=min(most, len(values)), sets=sets, with_sets=proposed
    )


def value_name(game: AnyGame, option: str, value: str, say: Words) -> str:
    """Return the words for a value: `option.<name>.<value>`; without them, the card of that name."""
    key = f"option.{option}.{value}"
    card = "" if say.has(key) else teller_of(game).card_name(value, say)
    return say(key) if card in ("", value) else card


def _plain(hint: object) -> tuple[object, tuple[msgspec.Meta, ...]]:
    """Return a type without its annotations and without None, and the annotations."""
    metas: tuple[msgspec.Meta, ...] = ()
    while True:
        if typing.get_origin(hint) is typing.Annotated:
            hint, *marks = typing.get_args(hint)
            metas += tuple([each for each in marks if isinstance(each, msgspec.Meta)])
        elif typing.get_origin(hint) in (typing.Union, UnionType):
            kinds = [each for each in typing.get_args(hint) if each is not NoneType]
            if len(kinds) != 1:
                return hint, metas
            hint = kinds[0]
        else:
            return hint, metas


def _values(literal: object) -> tuple[str, ...]:
    return tuple(map(str, typing.get_args(literal)))


def _bounds(metas: Iterable[msgspec.Meta]) -> tuple[int | None, int | None]:
    """Return the least and the most that annotations allow."""
    least = [int(meta.ge) for meta in metas if meta.ge is not None]
    most = [int(meta.le) for meta in metas if meta.le is not None]
    return max(least, default=None), min(most, default=None)


# --- values in a form -----------------------------------------------------------------------------


def read_options(
    fields: Iterable[SetupField], form: MultiDict[str, str], players: Mapping[int, str]
) -> dict[str, object]:
    """Return the chosen options as plain data; raise `InvalidForm`.

    `players`: the names of the players, by the number of their row.
    """
    found = {field.name: _read(field, form, players) for field in fields if field.name in form}
    return {name: value for name, value in found.items() if value is not None}


def read_decided(game: AnyGame, form: MultiDict[str, str]) -> dict[str, object]:
    """Return an older page's values for options that the game has since dropped: the game refuses other values."""
    options = definition_of(game).options
    return {} if options is None else {name: form[name] for name in ruled(options.record) if name in form}


def _read(field: SetupField, form: MultiDict[str, str], players: Mapping[int, str]) -> object:
    """Return a form's value for an option; None for its default."""
    texts = [text.strip() for text in form.getlist(field.name)]
    match field.control:
        case "pick":
            return _read_pick(field, texts)
        case "each":
            return _read_each(field, texts, players)
        case "row":
            texts = texts[:LONGEST_ROW]
            row = [_read_bounded(field, text) if text else None for text in texts]
            return row + [None] * (LONGEST_ROW - len(row)) if any(texts) else None
        case "choice":
            text = texts[0] if field.edition or texts[0] != str(field.default) else ""
            truth = {YES_NO[0]: True, YES_NO[1]: False} if field.truth else {}
            return truth.get(text, text) if text else None
        case "number":
            usual = field.by_players.get(len(players), field.default)
            text = texts[0] if field.edition or texts[0] != str(usual) else ""
            return _read_bounded(field, text) if text else None


def _read_bounded(field: SetupField, text: str, name: str = "") -> int:
    """Return a number within the option's bounds. `name`: the player it belongs to, if any."""
    whose = "error.option_each" if name else "error.option"
    try:
        number = read_number(field.name, text)
    except InvalidForm:
        raise InvalidForm(f"{whose}_number", option=field.name, name=name, said=text[:40]) from None
    bounds = (field.least, field.most)
    if (field.least is not None and number < field.least) or (field.most is not None and number > field.most):
        key = "range" if None not in bounds else "least" if field.most is None else "most"
        raise InvalidForm(
            f"{whose}_{key}", option=field.name, name=name, least=field.least, most=field.most, said=number
        )
    return number


def _read_pick(field: SetupField, texts: Iterable[str]) -> list[str] | None:
    """Return the picked values, in the option's own order."""
    picked = {text for text in texts if text}
    for text in sorted(picked - set(field.values)):
        raise InvalidForm("error.option_unknown", option=field.name, said=text[:40])
    assert field.least is not None and field.most is not None
    if not field.least <= len(picked) <= field.most:
        key = "error.option_count" if field.least == field.most else "error.option_counts"
        raise InvalidForm(key, option=field.name, least=field.least, most=field.most, picked=len(picked))
    return None if picked == set(field.default) else [value for value in field.values if value in picked]


def _read_each(field: SetupField, texts: Sequence[str], players: Mapping[int, str]) -> list[object] | None:
    """Return a value for each player; an empty field counts as none."""
    found: list[object] = []
    for row, name in players.items():
        text = texts[row] if row < len(texts) else ""
        if text and field.values and text not in field.values:
            raise InvalidForm("error.option_unknown", option=field.name, said=text[:40])
        value = text if field.values else _read_bounded(field, text, name) if text else ""
        found.append(field.empty() if value == "" else value)
    return None if all(value == field.empty() for value in found) else found


def draw(field: SetupField, luck: Random | None = None, given: Sequence[str] = ()) -> tuple[str, ...]:
    """Return as many values as can be picked, the given ones and others drawn at random, in the option's own order."""
    others = [value for value in field.values if value not in given]
    drawn = {*given, *(luck or SystemRandom()).sample(others, (field.most or 0) - len(given))}
    return tuple([value for value in field.values if value in drawn])
