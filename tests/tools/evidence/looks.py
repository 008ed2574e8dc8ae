"""One moment of a game as everybody sees it, as canonical text by aspect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from random import Random
from typing import Any

import msgspec

from companion.engine import AnyGame, AnyState, Event, Offer, Seat, legal, rule, seen
from companion.match.match import encode_body

MOST = 250
"""The most events of an offer to list; of a larger one and of chance some are drawn."""
DRAWN = 4
"""Events drawn from such an offer, each with its own seed."""
Looks = dict[str, bytes]


def as_text(value: object) -> bytes:
    """Return a value as JSON with sorted keys."""
    return msgspec.json.encode(value, order="sorted", enc_hook=_other)


def _other(value: object) -> object:
    """Return what JSON lacks: a kind of event by its tag, and an offer as its events."""
    if isinstance(value, type) and issubclass(value, Event):
        return value.__struct_config__.tag
    raise TypeError(f"{value!r} cannot be written as text")


def listed(offers: Iterable[Offer]) -> list[tuple[int | None, bool, list[str]]]:
    """Return what offers allow: actor, whether by chance, and sorted events, however they were offered.

    Only an offer with too many events keeps something of its form: its parts, or a few events drawn by fixed seeds.
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
    """Return each field of a view; `names` gives the recorded name of a field that has a new one."""
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
    """Return every aspect of a state, with the views of these seats.

    `whole` adds the views of devices that sealed nothing, who holds what, and what the camera expects; `tried` are
    events for which the rules say whether and why they refuse them. `last` is the state before, and the event that led
    to this one.
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
