"""At the table's door: does a proposal come from a page that still shows what is asked, and from whom may it come?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.engine import (
    Event,
    Game,
    Raising,
    Refusal,
    State,
    follow,
    legal,
    name_of,
    rule,
    seat_of,
)
from companion.match.history import CONTROLS
from companion.match.match import Match
from companion.table.snapshot import TableAnswer


def refused(match: Match, key: str, **fields: Any) -> TableAnswer:
    """Return the answer that something cannot be, whatever the rules of the game say."""
    return TableAnswer(False, match.seq, Refusal("R-00", key, fields))


def ruled(match: Match, refusal: Refusal | None) -> TableAnswer:
    """Return the answer after a ruling; None is acceptance."""
    return TableAnswer(refusal is None, match.seq, refusal)


def unsaid(match: Match, events: Iterable[Event], by: str) -> str:
    """Return why these events, one after another, are not this person's to say; empty where they are.

    Each is asked of the table as those before it leave it. Where one of them cannot be, the rules refuse all of them:
    whether those after it could be said is no question any more.
    """
    game, state = match.game, match.state
    for at, event in enumerate(events):
        now = state.agenda[0].timing(state.table) if state.agenda else None
        if at and isinstance(now, Raising) and timed(now, event):
            return "by_itself"
        if match.dealer.forbids(state, event):
            return "dealer_draws"
        if not may_say(game, state, event, by):
            return "not_your_seat"
        if not state.agenda or rule(game, state, event) is not None:
            return ""
        state = follow(game, state, event)
    return ""


def may_say(game: Game[Any], state: State[Any], event: Event, by: str) -> bool:
    """Whether this seat may say the event: its own, or what chance brings. The table and the host may say all."""
    who, _, number = by.partition(":")
    if who not in ("seat", "bot") or name_of(event) in game.declared:
        return True
    seat = seat_of(event)
    if seat is not None:
        return str(seat) == number
    return any(offer.chance and event in offer for offer in legal(game, state))


def timed(meaning: Raising, event: Event) -> bool:
    """Whether the referee judges this event by its moment: a raise or a count."""
    leader = meaning.leader
    return type(event) in (type(meaning.raised(leader, 0)), type(meaning.counted(leader, 1)))


def stale(match: Match, event: Event | None, seen: int | None, match_id: str | None) -> TableAnswer | None:
    """Return the answer to a proposal from a page that shows what is no more, or None.

    `seen` is the record that the page showed. The page is stale when, at any moment since, the table stopped asking
    what it asked then: the game's `question` says on what the decision depends, such as the step, the lot and the
    cards on offer. It is stale, too, when an undo, a redo or an amendment has come between. Other seats' closed
    fists, placed cards and claims change no question; nor does another's raise for one who says still more.
    Every moment since is looked at, not only the first and the last, for a lot may come back that looks the same.
    """
    if match_id is not None and match_id != match.id:
        return TableAnswer(False, match.seq, Refusal("R-00", "stale"), stale=True)
    if seen is None or seen == match.seq:
        return None
    line = match.line
    if 0 <= seen < match.seq and not any(isinstance(body, CONTROLS) for body in line.bodies[seen + 1 :]):
        first, *others = [_asked(match.game, node.entry.after, event) for node in line.ends[seen:]]
        if all(question == first for question in others):
            return None
    changes = tuple([node.entry for node in line.nodes if node.entry.seq > seen])
    return TableAnswer(False, match.seq, Refusal("R-00", "stale"), stale=True, changes=changes)


def _asked(game: Game[Any], state: State[Any], event: Event | None) -> object:
    """Return the question behind an event, or, for a draw of chance, the step itself."""
    return state.agenda[:1] if event is None else game.question(state, event)
