"""Build states of Express for its tests, with dealt or real cards.

The types A and B of the acceptance tests are Hopper, of value 3, and Gondola, of value 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.engine import Event, Seat, Setup, State
from companion.games.express import events as ev
from companion.games.express.fixed import Fixed, Options
from companion.games.express.profile import Card, shipped
from companion.games.express.rules import RULES, sides_of
from companion.games.express.steps.draw import Draw
from companion.games.express.steps.lay import Lay
from companion.games.express.steps.setup import PlayHand
from companion.games.express.table import DISCARD, PILE, SLOT, Table, engine_of, hand_of, new_hand
from companion.games.express.trains import DIESEL, Train
from companion.mechanics.hands import SeveralHands
from companion.mechanics.zones import Zones, only
from tests.games.playing import Playing

PLAYING: Playing[Table] = Playing(RULES)
after, why, offered, accepted = PLAYING.after, PLAYING.why, PLAYING.offered, PLAYING.accepted
A, B, C, D = Seat(0), Seat(1), Seat(2), Seat(3)


def begun(players: int = 2, deck: Any = "dealt", **options: Any) -> State[Table]:
    """Return a match that has begun."""
    return RULES.begin(Setup(RULES.name, players, options, deck=deck))


def fixed_for(players: int, dealt: bool = True, **chosen: Any) -> Fixed:
    """Return the fixed part of a match with the shipped figures, scored as in the acceptance tests."""
    options = Options(**{"scoring": "set_of_three"} | chosen)
    profile = shipped("ours")
    return Fixed(players, sides_of(options, profile, players), options, profile, dealt)


def train(number: int, cars: str, fresh: int = 0, diesel: bool = False) -> Train:
    """Return a train built from car names separated by spaces."""
    return Train(number, tuple(cars.split()), diesel, fresh)


def laid(
    held: Mapping[int, str] = {},
    trains: Mapping[int, Sequence[str]] = {},
    *,
    players: int = 2,
    maintenance: Mapping[int, str] = {},
    discard: str = "box_car",
    slot: str = "",
    turn: Seat = A,
    phase: str = "lay",
    first: bool = False,
    pile: int | None = None,
    totals: Sequence[int] = (),
    **chosen: Any,
) -> State[Table]:
    """Return a state in the middle of a dealt hand. Each text lists cards separated by spaces: hands by seat, trains by
    side.

    A card `+diesel` joins its train. Every locomotive is a Box Car. The pile holds all other cards, or only the first
    `pile` of them, and the rest leaves the game.
    """
    fixed = fixed_for(players, **chosen)
    sides = fixed.sides
    match = SeveralHands(players, len(sides.groups), fixed.options.hands, history=(tuple(totals),) if totals else ())
    table = new_hand(fixed, match)
    placed = {hand_of(seat): tuple(cards.split()) for seat, cards in held.items()}
    placed |= {DISCARD: tuple(discard.split()), SLOT: tuple(slot.split())}
    rows = []
    for side in range(len(sides.groups)):
        own = []
        for number, text in enumerate(trains.get(side, ()), 1):
            cards = tuple(text.split())
            own.append(Train(number, tuple([card for card in cards if card[0] != "+"]), "+diesel" in cards))
            placed[engine_of(side, number)] = ("box_car",)
        rows.append(tuple(own))
    shields = [tuple(maintenance.get(side, "").split()) for side in range(len(sides.groups))]
    used = Counter([card for cards in placed.values() for card in cards])
    used += Counter([card for own in rows for each in own for card in each.cars + (DIESEL,) * each.diesel])
    used += Counter([card for own in shields for card in own])
    assert not used - Counter(fixed.cards), used - Counter(fixed.cards)
    left = tuple((Counter(fixed.cards) - used).elements())
    audiences = {name: zone.audience for name, zone in table.zones.zones.items()}
    for side in range(len(sides.groups)):
        audiences |= {engine_of(side, each.number): only(*sides.groups[side]) for each in rows[side]}
    zones: Zones[str] = Zones.of(audiences, {PILE: left[:pile]})
    for name, cards in placed.items():
        zones = zones.put(name, *cards, known=audiences[name])
    table = replace(
        table,
        zones=zones,
        trains=tuple(rows),
        maintenance=tuple(shields),
        turn=turn,
        handed_out=True,
        started=(not first,) * players,
        laying=phase == "lay",
        drew=2 if phase == "lay" else 0,
    )
    return State(table, (Lay(turn) if phase == "lay" else Draw(turn), PlayHand()))


def hand(state: State[Table], seat: int) -> list[str]:
    """Return a dealt hand in alphabetical order."""
    return sorted(state.table.zones.named(hand_of(seat)))


def lays(state: State[Table], *steps: str, seat: Seat = A) -> State[Table]:
    """Return the state after laying cards: `1 hopper` adds to train 1, `hopper/box_car` begins a new train."""
    for step in steps:
        event: Event
        if "/" in step:
            event = ev.TrainBegun(seat, *step.split("/"))
        else:
            number, card = step.split()
            event = ev.CarLaid(seat, int(number), card)
        state = after(state, event)
    return state


def book(**cards: Card) -> dict[str, Card]:
    """Return the shipped cards by name, with the given ones replaced."""
    return {card.id: card for card in shipped("ours").cards} | cards
