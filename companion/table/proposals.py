"""Proposals of events by seats, the host or the table, and whether the sender may make them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.engine import AnyGame, AnyState, Event, Raising, Refusal, follow, legal, rule, seat_of
from companion.match.actor import Actor
from companion.match.match import Match
from companion.table.sight_records import SightState
from companion.table.snapshot import TableAnswer


class PageMoment(msgspec.Struct, frozen=True):
    """The state of the proposing page: the last record and the match; None if the page does not report it."""

    seq: int | None = None
    match: str | None = None


class Proposal(msgspec.Struct, frozen=True):
    """Consecutive events, proposed together by one actor."""

    events: tuple[Event, ...]
    by: Actor
    moment: PageMoment = PageMoment()
    sight: SightState | None = None
    """The camera's display once the events are accepted; None for a proposal without the camera."""


def reject(match: Match, key: str, **fields: int) -> TableAnswer:
    """Return a refusal that does not depend on the game's rules."""
    return TableAnswer(False, match.seq, Refusal("R-00", key, dict(fields)))


def answer_to(match: Match, refusal: Refusal | None) -> TableAnswer:
    """Return the answer for a ruling; None means accepted."""
    return TableAnswer(refusal is None, match.seq, refusal)


def actor_refusal(match: Match, events: Iterable[Event], by: Actor) -> str:
    """Return the key of the reason why this actor may not propose these consecutive events; empty if it may.

    Each event is checked against the state after the earlier ones. The check ends at an event that the rules refuse,
    since that refuses all of them anyway.
    """
    game, state = match.game, match.state
    for at, event in enumerate(events):
        now = state.agenda[0].timing(state.table) if state.agenda else None
        if at and isinstance(now, Raising) and is_timed(now, event):
            return "by_itself"
        if match.dealer.forbids(state, event):
            return "dealer_draws"
        if not may_propose(game, state, event, by):
            return "not_your_seat"
        if not state.agenda or rule(game, state, event) is not None:
            return ""
        state = follow(game, state, event)
    return ""


def may_propose(game: AnyGame, state: AnyState, event: Event, by: Actor) -> bool:
    """Whether an actor may propose an event: a seat its own and visible chance, the host and the table any event.

    Visible chance names no seat, or is offered as the seat's own chance (a real card it played).
    """
    if not by.seated or event.facts.entered:
        return True
    seat = seat_of(event)
    if seat == by.seat:
        return True
    seen = [offer for offer in legal(game, state) if offer.chance and seat in (None, offer.by)]
    return any(event in offer for offer in seen)


def is_timed(timing: Raising, event: Event) -> bool:
    """Whether the referee judges this event by its moment: a raise or a count."""
    leader = timing.leader
    return type(event) in (type(timing.raised(leader, 0)), type(timing.counted(leader, 1)))
