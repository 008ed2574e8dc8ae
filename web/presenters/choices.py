"""Offers as generic controls: buttons, an amount, or cards to tick."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterable, Sequence

import msgspec

from companion.engine import Amounts, Choice, Event, Offer, PartedOffer, SeatEvent, fields_of, name_of, seat_of
from companion.mechanics.telling import seat_fields
from web.presenters.natural_order import in_natural_order

LISTED = 16
"""The most events of one kind with a button each; beyond that, people choose the parts."""
TICKED = 12
"""The most numbers in equal steps with a button each; beyond that, people enter an amount."""
LOOKED_AT = 4000
"""The most events of an offer to examine."""

SayEvent = Callable[[Event], str]
"""Words an event as a choice, such as "Take the wagon"."""
SayValue = Callable[[type[Event], str, object], str]
"""Words a value of an event's field, given the kind of event and the field's name, such as "wagon 42" for `card`."""


class ChoiceButton(msgspec.Struct, frozen=True):
    """One event as a button: its label and its form fields."""

    label: str
    fields: tuple[tuple[str, str], ...]


class AmountField(msgspec.Struct, frozen=True):
    """An amount to enter, with its bounds."""

    name: str
    low: int
    high: int
    step: int


class PickField(msgspec.Struct, frozen=True):
    """Values to tick, each with its form value and its words, and how many a move needs."""

    name: str
    values: tuple[tuple[str, str], ...]
    least: int
    most: int
    """The least and most values of a move."""
    many: bool
    """Whether the field holds several values."""
    stacks: str = ""
    """If set, the field is a pile, top card last, of all values except the one in this other field."""
    people: bool = False
    """Whether the values are seats."""


class ChoiceGroup(msgspec.Struct, frozen=True):
    """Events of one kind that a seat may choose: buttons, or fields and one submit button."""

    event: str
    title: str
    """The common name of these events as a choice; empty if their names differ."""
    buttons: tuple[ChoiceButton, ...] = ()
    amounts: tuple[AmountField, ...] = ()
    picks: tuple[PickField, ...] = ()
    seat: int | None = None
    """On pages shared by several seats, the seat whose event it is."""


def choice_groups(
    offers: Iterable[Offer], say_event: SayEvent, say_value: SayValue, seated: bool = False
) -> tuple[ChoiceGroup, ...]:
    """Return offers as groups of controls, in order: one for each kind and seat, and for each range of amounts.

    `seated`: the controls name the seat of their events, for pages shared by several seats.
    """
    events: dict[tuple[type[Event], int | None], list[Event]] = {}
    found: list[ChoiceGroup | tuple[type[Event], int | None]] = []
    for offer in offers:
        seat = offer.by if seated else None
        if isinstance(offer, Amounts):
            if ends := [*itertools.islice(offer, 2)]:
                field = AmountField("amount", offer.low, offer.high, offer.step)
                found.append(ChoiceGroup(name_of(ends[0]), common_title(ends, say_event), amounts=(field,), seat=seat))
            continue
        if isinstance(offer, PartedOffer):
            found.append(_parted(offer, say_event, say_value, seat))
            continue
        for event in itertools.islice(offer, LOOKED_AT):
            key = type(event), seat
            if key not in events:
                found.append(key)
            events.setdefault(key, []).append(event)
    groups: list[ChoiceGroup] = []
    for each in found:
        if isinstance(each, ChoiceGroup):
            groups.append(each)
        else:
            same = list(dict.fromkeys(events[each]))
            groups += [_group(own, say_event, say_value, seated, seat) for seat, own in by_seat(same, seated, each[1])]
    return tuple(dict.fromkeys(groups))


def by_seat(events: list[Event], seated: bool, seat: int | None) -> Iterable[tuple[int | None, list[Event]]]:
    """Return events of one kind by seat, for pages that must name the seat. Leave out events that name only a seat."""
    if not seated or seat is not None or not isinstance(events[0], SeatEvent) or not differing_fields(events):
        return ((seat, events),)
    found: dict[int | None, list[Event]] = {}
    for event in events:
        found.setdefault(seat_of(event), []).append(event)
    return found.items()


def _parted(offer: PartedOffer, say_event: SayEvent, say_value: SayValue, seat: int | None) -> ChoiceGroup:
    """Return the parts of an offer as fields."""
    some = [*itertools.islice(offer, 2)]
    picks = tuple([
        PickField(
            part.field,
            tuple([(value, say_value(offer.kind, part.field, value)) for value in part.values]),
            part.least,
            part.most,
            part.many,
            part.stacks,
            part.field in seat_fields(offer.kind),
        )
        for part in offer.parts()
    ])  # fmt: skip
    return ChoiceGroup(name_of(some[0]), common_title(some, say_event), picks=picks, seat=seat)


def common_title(events: Sequence[Event], say_event: SayEvent) -> str:
    """Return the common name of the first and the last event as a choice; empty if their names differ."""
    titles = {say_event(event) for event in (events[0], events[-1])}
    return titles.pop() if len(titles) == 1 else ""


def only_kinds(offer: Offer, names: Container[str]) -> Choice:
    """Return an offer of chance restricted to kinds of events with one of these names."""
    events = [event for event in itertools.islice(offer, LOOKED_AT) if name_of(event) in names]
    return Choice(offer.by, tuple(events), chance=True)


def _group(
    events: list[Event], say_event: SayEvent, say_value: SayValue, seated: bool, seat: int | None
) -> ChoiceGroup:
    """Return events of one kind as a button each or, if there are too many, by their parts."""
    parts = differing_fields(events)
    if len(events) > LISTED or (len(parts) == 1 and amount_field(events, parts[0])):
        return _by_parts(events, parts, say_event, say_value, seat)
    if len(parts) == 1 and isinstance(fields_of(events[0])[parts[0]], str):
        ordered = in_natural_order([fields_of(event)[parts[0]] for event in events])
        events.sort(key=lambda event: ordered.index(fields_of(event)[parts[0]]))
    buttons = [ChoiceButton(say_event(event), form_fields(event, seated)) for event in events]
    return ChoiceGroup(name_of(events[0]), common_title(events, say_event), tuple(buttons), seat=seat)


def differing_fields(events: list[Event]) -> list[str]:
    """Return the fields in which events differ, apart from their seat."""
    rows = [fields_of(event) for event in events]
    return [name for name in rows[0] if name != "seat" and len({row[name] for row in rows}) > 1]


def amount_field(events: list[Event], name: str) -> AmountField | None:
    """Return a field of many whole numbers in equal steps as an amount; None for any other field."""
    values = {fields_of(event)[name] for event in events}
    if name in ("card", "cards", *seat_fields(type(events[0]))) or len(values) <= TICKED:
        return None
    if not all([type(value) is int for value in values]):
        return None
    low, high = min(values), max(values)
    step = (high - low) // (len(values) - 1)
    return AmountField(name, low, high, step) if values == set(range(low, high + 1, step)) else None


def _by_parts(
    events: list[Event], parts: list[str], say_event: SayEvent, say_value: SayValue, seat: int | None
) -> ChoiceGroup:
    """Return events of one kind as a field for each differing part; the rules check the combination."""
    kind, amounts, picks = type(events[0]), [], []
    for name in parts:
        if amount := amount_field(events, name):
            amounts.append(amount)
            continue
        values = [fields_of(event)[name] for event in events]
        many = any([isinstance(value, tuple) for value in values])
        sizes = [len(value) for value in values] if many else [int(None not in values), 1]
        single = dict.fromkeys(itertools.chain.from_iterable(values) if many else values)
        single.pop(None, None)
        said = tuple([(form_value(value), say_value(kind, name, value)) for value in in_natural_order([*single])])
        picks.append(PickField(name, said, min(sizes), max(sizes), many, people=name in seat_fields(kind)))
    title = common_title(events, say_event)
    return ChoiceGroup(name_of(events[0]), title, amounts=tuple(amounts), picks=tuple(picks), seat=seat)


def form_fields(event: Event, seated: bool = False) -> tuple[tuple[str, str], ...]:
    """Return an event's form fields, without its seat unless the form has to name it."""
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
    """Return one form value; an empty text for None."""
    return "" if value is None else str(value)
