"""Finished matches for tests of later pages; bots play them in a journal before a table opens it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from companion.bots.simulation import next_event, policies_for
from companion.engine import AnyGame, AnyState, Event, Player, Setup, legal, seat_of
from companion.journal.journal import Journal
from companion.match.actor import Actor
from companion.match.match import Match
from companion.table.table import CURRENT
from tests.support.web.visitors import COLOURS, HOST_PIN, JOURNAL, NAMES, SHAPES, Room
from web.security.access import Viewer

TRAINS = "take-a-train"


def people(players: int) -> tuple[Player, ...]:
    """Return the given number of players."""
    return tuple([Player(*each) for each in zip(NAMES[:players], COLOURS, SHAPES, strict=False)])


def play_out(journal: Journal, game: str, players: int = 3, seed: int = 7, **options: Any) -> str:
    """Let bots play a whole match with companion-dealt cards and return its id; it stays on the table."""
    match = Match.begin(journal, Setup(game, people(players), options), str(seed))

    def draw() -> bool:
        return match.draw(Actor.TABLE) is None

    def propose(event: Event, by: Actor) -> bool:
        return match.propose(event, by) is None

    play_moves(match.game, players, seed, lambda: match.state, draw, propose)
    journal.keep(CURRENT, match.id.encode())
    return match.id


def all_but_the_last(journal: Journal, game: str, players: int = 3, seed: int = 1) -> tuple[Event, Actor]:
    """Let bots play a match, then undo its end; return the event that ends it, and its player.

    The companion's deals after that event follow by themselves.
    """
    match = Match.open(journal, play_out(journal, game, players, seed))
    at = next(at for at, entry in enumerate(match.entries) if entry.after.over)
    at = max(at for at, entry in enumerate(match.entries[: at + 1]) if entry.by not in (Actor.DEALER, Actor.COMPANION))
    last = match.entries[at]
    match.rewind(match.entries[at - 1].seq, Actor.HOST)
    return last.event, last.by


def play_on(room: Room, seed: int = 7) -> None:
    """Let bots play the match on the table to its end. Time must not count in the game."""
    table = room.table
    players = len(table.snapshot().setup.seated())  # type: ignore[union-attr]

    def draw() -> bool:
        return table.draw(Actor.TABLE).accepted

    def propose(event: Event, by: Actor) -> bool:
        return table.propose(event, by).accepted

    play_moves(table.snapshot().game, players, seed, lambda: table.snapshot().state, draw, propose)


def play_moves(
    game: AnyGame,
    players: int,
    seed: int,
    now: Callable[[], Any],
    draw: Callable[[], bool],
    propose: Callable[[Event, Actor], bool],
) -> None:
    """Play to the end: the companion draws chance events where it does so, and bots decide all others."""
    luck, policies = Random(seed).random, policies_for(game, "sensible", players)
    while True:
        state: AnyState = now()
        if state.over:
            return
        event = next_event(game, state, policies, luck)
        seat = seat_of(event)
        chance = any(offer.chance and event in offer for offer in legal(game, state))
        if not (chance and draw()):
            assert propose(event, Actor.TABLE if seat is None else Actor.at_seat(seat)), event


def finished(folder: Path, game: str, players: int = 3, seed: int = 7, **options: Any) -> str:
    """Put a finished match into a new journal, and return its id."""
    with Journal(folder / JOURNAL) as journal:
        return play_out(journal, game, players, seed, **options)


def seat_people(room: Room) -> None:
    """Open everybody's page at the current match."""
    context, snapshot = room.context, room.table.snapshot()
    match, players = snapshot.match_id, len(snapshot.setup.seated())  # type: ignore[union-attr]
    room.pin = context.access.open_match(match, HOST_PIN).room
    room.host = f"/h/{context.access.admit(Viewer('host', match))}/"
    room.seats = []
    for seat in range(players):
        context.access.claim(match, seat, f"111{seat}")
        room.seats.append(f"/s/{context.access.admit(Viewer('seat', match, seat))}/")
    context.hub.refresh()
