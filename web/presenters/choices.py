"""Offers as controls that any page can draw: buttons, an amount, or cards to tick."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterable

import msgspec

from companion.engine import Amounts, Choice, Event, Offer, PartedOffer, fields_of, name_of

LISTED = 40
"""Most events of one kind that are drawn as a button each; more are chosen by their parts."""
LOOKED_AT = 4000
"""Most events of an offer that are looked at."""

SayEvent = Callable[[Event], str]
"""Says an event as a choice: Take the wagon."""
SayValue = Callable[[str, object], str]
"""Says a field's value by the field's name: wagon 42 for `card`."""


class ChoiceButton(msgspec.Struct, frozen=True):
    """One event as a button: its label and its fields as a form sends them."""

    label: str
    fields: tuple[tuple[str, str], ...]


class AmountField(msgspec.Struct, frozen=True):
    """An amount to enter, with its bounds."""

    name: str
    low: int
    high: int
    step: int


class PickField(msgspec.Struct, frozen=True):
    """Values to tick: each as sent and as said, and how many belong to a move."""

    name: str
    values: tuple[tuple[str, str], ...]
    least: int
    most: int
    """Of how many values a move consists, at least and at most."""
    many: bool
    """Whether the field holds several values."""
    stacks: str = ""
    """If set, the field is a pile, the top one last, of all values but the one in this other field."""


class ChoiceGroup(msgspec.Struct, frozen=True):
    """All events of one kind that a seat may choose: buttons, or fields and one button to send them."""

    event: str
    title: str
    buttons: tuple[ChoiceButton, ...] = ()
    amounts: tuple[AmountField, ...] = ()
    picks: tuple[PickField, ...] = ()


def choice_groups(
    offers: Iterable[Offer], say_event: SayEvent, say_value: SayValue, seated: bool = False
) -> tuple[ChoiceGroup, ...]:
    """Return offers as groups of controls, one for each kind of event, in the order in which they are offered.

    `seated`: the controls name the seat of their events, for pages that are no seat's own.
    """
    events: dict[type[Event], list[Event]] = {}
    found: dict[type[Event], ChoiceGroup] = {}
    for offer in offers:
        if isinstance(offer, Amounts):
            first = next(iter(offer), None)
            if first is not None:
                field = AmountField("amount", offer.low, offer.high, offer.step)
                found[offer.kind] = ChoiceGroup(name_of(first), say_event(first), amounts=(field,))
            continue
        if isinstance(offer, PartedOffer):
            found[offer.kind] = _parted(offer, say_event, say_value)
            continue
        for event in itertools.islice(offer, LOOKED_AT):
            events.setdefault(type(event), []).append(event)
    for kind, same in events.items():
        found[kind] = (
            _listed(same, say_event, seated) if len(same) <= LISTED else _by_parts(same, say_event, say_value, seated)
        )
    return tuple(found.values())


def _parted(offer: PartedOffer, say_event: SayEvent, say_value: SayValue) -> ChoiceGroup:
    """Return the parts of an offer as fields."""
    first = next(iter(offer))
    picks = tuple([
        PickField(
            part.field,
            tuple([(value, say_value(part.field, value)) for value in part.values]),
            part.least,
            part.most,
            part.many,
            part.stacks,
        )
        for part in offer.parts()
    ])  # fmt: skip
    return ChoiceGroup(name_of(first), say_event(first), picks=picks)


def only_kinds(offer: Offer, names: Container[str]) -> Choice:
    """Return an offer of chance with the kinds of events that have one of these names alone."""
    events = [event for event in itertools.islice(offer, LOOKED_AT) if name_of(event) in names]
    return Choice(offer.by, tuple(events), chance=True)


def _listed(events: list[Event], say_event: SayEvent, seated: bool) -> ChoiceGroup:
    """Return events of one kind as a button each."""
    buttons = [ChoiceButton(say_event(event), form_fields(event, seated)) for event in dict.fromkeys(events)]
    return ChoiceGroup(name_of(events[0]), say_event(events[0]), tuple(buttons))


def _by_parts(events: list[Event], say_event: SayEvent, say_value: SayValue, seated: bool) -> ChoiceGroup:
    """Return events of one kind as a field for each part in which they differ; the rules judge the whole."""
    picks = []
    for name in events[0].__struct_fields__:
        values = [getattr(event, name) for event in events]
        if name == "seat" and not seated:
            continue
        if len(set(values)) == 1 and not (name == "seat" and seated):
            continue
        many = isinstance(values[0], tuple)
        sizes = [len(value) for value in values] if many else [1]
        single = dict.fromkeys(itertools.chain.from_iterable(values) if many else values)
        said = tuple([(form_value(value), say_value(name, value)) for value in single])
        picks.append(PickField(name, said, min(sizes), max(sizes), many))
    return ChoiceGroup(name_of(events[0]), say_event(events[0]), picks=tuple(picks))


def form_fields(event: Event, seated: bool = False) -> tuple[tuple[str, str], ...]:
    """Return an event's fields as a form sends them; without its seat unless the form has to name it."""
    found: list[tuple[str, str]] = []
    for name, value in fields_of(event).items():
        if name == "seat" and not seated:
            continue
        if isinstance(value, tuple) and value and isinstance(value[0], tuple):
            found += [(f"{name}_{row}", form_value(item)) for row, items in enumerate(value) for item in items]
        elif isinstance(value, tuple):
            found += [(name, form_value(item)) for item in value]
        else:
            found.append((name, form_value(value)))
    return tuple(found)


def form_value(value: object) -> str:
    """Return one value as a form sends it; nothing for None."""
    return "" if value is None else str(value)
