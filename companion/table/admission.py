"""Admission of proposals: whether the page was up to date, and whether its sender may propose the event."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.engine import AnyGame, AnyState, Event, Raising, Refusal, follow, legal, rule, seat_of
from companion.match.actor import Actor
from companion.match.history import CONTROLS
from companion.match.match import Match
from companion.table.sight_records import SightState
from companion.table.snapshot import TableAnswer


class PageMoment(msgspec.Struct, frozen=True):
    """What the proposing page showed: the last record and the match; None if the page does not say."""

    seq: int | None = None
    match: str | None = None


class Proposal(msgspec.Struct, frozen=True):
    """Events that happened one after another, proposed together by one actor."""

    events: tuple[Event, ...]
    by: Actor
    moment: PageMoment = PageMoment()
    sight: SightState | None = None
    """What the camera makes of the table once the events are accepted; None for a proposal without the camera."""


def reject(match: Match, key: str, **fields: int) -> TableAnswer:
    """Return a refusal that does not depend on the game's rules."""
    return TableAnswer(False, match.seq, Refusal("R-00", key, dict(fields)))


def answer_to(match: Match, refusal: Refusal | None) -> TableAnswer:
    """Return the answer for a ruling; None means accepted."""
    return TableAnswer(refusal is None, match.seq, refusal)


def actor_refusal(match: Match, events: Iterable[Event], by: Actor) -> str:
    """Return the key of why this actor may not propose these events in a row; empty if it may.

    Each event is checked against the state that those before it lead to. The check ends at an event that the rules
    refuse, as then all of them are refused anyway.
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
    """Whether an actor may propose an event: a seat its own, and what all see; the host and the table any event.

    All see chance that names no seat, and what is offered as the chance of the seat itself (a real card it played).
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


def stale_answer(match: Match, event: Event | None, page: PageMoment) -> TableAnswer | None:
    """Return the answer to a proposal from an outdated page, or None if the page is not outdated.

    A page is outdated if, at any moment since it was shown, the table stopped asking what it asked then. The game's
    `question` returns all that a decision depends on, such as the step, the lot and the cards on offer. An undo, a redo
    or an amendment also makes a page outdated. Other seats' closed fists, placed cards and claims do not change the
    question, nor does another seat's raise if this one raises further. Every moment since is checked, not only the
    first and the last, because a lot may return and look the same.
    """
    if page.match is not None and page.match != match.id:
        return TableAnswer(False, match.seq, Refusal("R-00", "stale"), stale=True)
    seen = page.seq
    if seen is None or seen == match.seq:
        return None
    line = match.line
    if 0 <= seen < match.seq and not any(isinstance(body, CONTROLS) for body in line.bodies[seen + 1 :]):
        first, *others = [_question(match.game, node.entry.after, event) for node in line.ends[seen:]]
        if all(question == first for question in others):
            return None
    changes = tuple([node.entry for node in line.nodes if node.entry.seq > seen])
    return TableAnswer(False, match.seq, Refusal("R-00", "stale"), stale=True, changes=changes)


def _question(game: AnyGame, state: AnyState, event: Event | None) -> object:
    """Return what a decision for an event depends on; for a draw of chance, the step itself."""
    return state.agenda[:1] if event is None else game.question(state, event)
