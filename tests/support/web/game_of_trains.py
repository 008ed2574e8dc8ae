"""A table of Game of Trains for tests of its pages, set up directly with everybody's lines."""

from __future__ import annotations

import random

from companion.engine import Event, Seat, legal
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.catalogue import shipped
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.table import PILE
from companion.games.game_of_trains.view import TableView
from companion.match.actor import Actor
from tests.support.web import any_game
from tests.support.web.visitors import Room

LINES = ((80, 61, 47, 33, 12, 9, 5), (84, 70, 52, 40, 31, 20, 11), (79, 66, 58, 44, 30, 22, 3))
"""Three lines of real cards as they are dealt."""
KEPT = ((15, 1), (16, 3), (17, 2))
"""Each seat's kept card in the exchange, and its position."""
RISING = (6, 18, 24, 36, 48, 54, 72)
"""Rising numbers that are not in these lines."""
ABILITY = {wagon.number: wagon.ability or "" for wagon in shipped("reconstruction").wagons}


def lay(room: Room, players: int = 3, deck: str = "dealt", **options: str) -> None:
    """Begin a match on the table, with everybody in their seats."""
    any_game.lay(room, RULES.name, players, deck, **options)


def say(room: Room, *events: Event) -> None:
    """Propose events as a person at the table would."""
    for event in events:
        answer = room.table.propose(event, Actor.TABLE)
        assert answer.accepted, (event, answer)


def opened(room: Room, deck: str = "ours") -> None:
    """Play a game with real cards until Jane's first turn; 80, 52 and 66 are in the pool."""
    lay(room, deck=deck)
    for seat, line in enumerate(LINES):
        say(room, ev.LineDealt(Seat(seat), line))
    say(room, ev.FirstNamed(Seat(0)))
    for seat, (card, position) in enumerate(KEPT):
        say(room, ev.Kept(Seat(seat), card, position))
        tell_abilities(room)


def tell_abilities(room: Room) -> None:
    """Enter the abilities that the companion asks for, as on the cards."""
    while view(room).moment == "read_ability":
        card = view(room).asked[0].number
        say(room, ev.AbilityRead(card, ABILITY[card]))  # type: ignore[arg-type]


def turn(room: Room, seat: int, card: int, position: int) -> None:
    """Let a seat draw a card and put it into its line."""
    say(room, ev.Drew(Seat(seat)), ev.CardDrawn(card), ev.Placed(Seat(seat), position))
    tell_abilities(room)


def wander(room: Room, luck: random.Random) -> None:
    """Propose any legal event as a viewer who is allowed to do so."""
    snapshot = room.table.snapshot()
    assert snapshot.state is not None
    offers = legal(RULES, snapshot.state)
    offer = luck.choice(offers)
    event = offer.pick(luck.random)
    if offer.chance and snapshot.setup.deck == "dealt" and not event.facts.entered:
        assert room.table.draw(Actor.TABLE).accepted
    else:
        say(room, event)


def rise(room: Room) -> None:
    """Let Jane, whose turn it is, put wagons 1 to 7 into her line one by one, until it rises."""
    for position in range(1, 8):
        turn(room, 0, RISING[position - 1], position)
        for seat in (1, 2):
            if view(room).winner is None:
                turn(room, seat, spare(room), 7)


def free(room: Room) -> tuple[int, ...]:
    """Return the wagons that can be in the pile."""
    state = room.table.snapshot().state
    assert state is not None
    return tuple(state.table.zones.remaining(PILE))


def spare(room: Room) -> int:
    """Return a wagon that can be in the pile and is in nobody's way."""
    return next(card for card in free(room) if card not in RISING and ABILITY[card] != "protect")


def view(room: Room) -> TableView:
    """Return the current public view."""
    found: TableView = RULES.view(room.table.snapshot().state, None)  # type: ignore[arg-type]
    return found
