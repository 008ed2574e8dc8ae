"""All views of one moment of a game, as canonical text by aspect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from random import Random
from typing import Any

import msgspec

from companion.engine import AnyGame, AnyState, Event, Offer, Seat, legal, rule, seen
from companion.match.match import encode_body

MOST = 250
"""The maximum number of events of an offer to list; larger offers and chance are sampled."""
DRAWN = 4
"""The number of sampled events of such an offer, each with its own seed."""
Looks = dict[str, bytes]


def as_text(value: object) -> bytes:
    """Return a value as JSON with sorted keys."""
    return msgspec.json.encode(value, order="sorted", enc_hook=_other)


def _other(value: object) -> object:
    """Return a substitute for a value that JSON lacks: the tag of an event's class, or an offer's events."""
    if isinstance(value, type) and issubclass(value, Event):
        return value.__struct_config__.tag
    raise TypeError(f"{value!r} cannot be written as text")


def listed(offers: Iterable[Offer]) -> list[tuple[int | None, bool, list[str]]]:
    """Return the offered moves in any form of offer: actor, whether by chance, and sorted events.

    Only an offer with too many events keeps its form: its parts, or a few events sampled with fixed seeds.
    """
    found: dict[tuple[int | None, bool], set[str]] = {}
    for offer in offers:
        own = found.setdefault((offer.by, offer.chance), set())
        parts = getattr(offer, "parts", None)
        events = () if parts else tuple(islice(offer, MOST + 1))
        if parts:
            own.add(as_text(parts()).decode())
        if len(events) <= MOST:
            own.update(map(encode_body, events))
        if parts or offer.chance or len(events) > MOST:
            own.update([encode_body(offer.pick(Random(seed).random)) for seed in range(DRAWN)])
    return [(by, chance, sorted(own)) for (by, chance), own in sorted(found.items(), key=str)]


def fields_of(view: Any, names: dict[str, str]) -> Looks:
    """Return each field of a view; `names` maps a new field name to the recorded one."""
    found = {}
    for name in view.__struct_fields__:
        value = getattr(view, name)
        text = as_text(listed(value) if name == "offers" else value)
        if names:
            text = as_text(_renamed(msgspec.json.decode(text), names))
        found[names.get(name, name)] = text
    return found


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """Return decoded JSON with the recorded names of its fields."""
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(each, names) for key, each in value.items()}
    return [_renamed(each, names) for each in value] if isinstance(value, list) else value


def look(
    game: AnyGame,
    state: AnyState,
    seats: Iterable[int],
    *,
    whole: bool,
    tried: Sequence[Event] = (),
    last: tuple[AnyState, Event] | None = None,
    names: dict[str, str] | None = None,
) -> Looks:
    """Return each aspect of a state, with the views of these seats.

    `whole` adds the views of devices that sealed nothing, the holders of cards, and the camera's expectations. `tried`
    are events for which the rules state whether and why they refuse them. `last` is the previous state and the event
    that led to this one.
    """
    head = state.agenda[0] if state.agenda else None
    found = {
        "legal": as_text(listed(legal(game, state))),
        "awaited": as_text(head.awaits(state.table) if head else ()),
        "scores": as_text(game.scores(state)),
        "ranking": as_text(game.ranking(state)),
        "effects": as_text(state.effects),
        "refused": as_text([rule(game, state, event) for event in tried]),
    }
    if last is not None:
        found["secret"] = as_text((game.secret(*last), game.reveals(last[1], state)))
    views: dict[str, Any] = {"public": game.view(state, None)}
    views |= {f"seat {seat}": game.view(state, Seat(seat)) for seat in seats}
    if whole:
        views |= {f"veiled {seat}": game.veiled_view(state, Seat(seat)) for seat in seats}
        held = game.holdings(state)
        found["holdings"] = as_text((held.cash, held.bank, sorted(held.cards.items())))
        if seen(game):
            found["layout"] = as_text(game.layout(state))
    for viewer, view in views.items():
        found |= {f"{viewer}.{name}": text for name, text in fields_of(view, names or {}).items()}
    return found
