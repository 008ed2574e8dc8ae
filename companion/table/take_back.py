"""A seat may take back its last move for a few seconds without asking anybody.

All games share one rule. A move qualifies only if nobody has learned anything from it and nobody could answer it at
once; some events bind all the same (a pass, a bid, an answer).
"""

from __future__ import annotations

import msgspec

from companion.engine import AnyGame, AnyState, Deciding, Event, Seat, Timing
from companion.match.actor import Actor
from companion.match.history import History, HistoryNode
from companion.match.match import Match
from companion.messages import SECOND

WINDOW = 5 * SECOND
"""How long a seat may take its move back, in nanoseconds."""


class OwnMove(msgspec.Struct, frozen=True):
    """A move that its seat may take back to record `to`, before the moment `until` (nanoseconds of CLOCK_MONOTONIC)."""

    seat: Seat
    to: int
    seq: int
    """The move's last record."""
    until: int


def own_move(match: Match, before: HistoryNode, by: Actor, now: int, held_back: bool = False) -> OwnMove | None:
    """Return the move just made after a node by `by`, if its seat may take it back.

    A move that ends the match may be taken back only while its result is `held_back`.

    If the dealer has drawn since, the move stays.
    """
    line = match.line
    nodes = line.nodes[before.depth :]
    if by.seat is None or by != Actor.at_seat(by.seat) or not nodes or any(node.entry.by != by for node in nodes):
        return None
    state = before.entry.after
    if match.state.over and not held_back:
        return None
    for node in nodes:
        if not qualifies(line.game, state, node.entry.event, node.entry.after, by.seat):
            return None
        state = node.entry.after
    return OwnMove(by.seat, before.entry.seq, nodes[-1].entry.seq, now + WINDOW)


def goes_unseen(line: History, seat: Seat, since: int) -> bool:
    """Whether a seat saw none of the events after a record: secret events possible at any moment.

    Its offer then stays on its page, since removing it would reveal the secret.
    """
    nodes = line.made[since + 1 :]
    return bool(nodes) and all(node is not None and _is_unseen(line.game, node, seat) for node in nodes)


def _is_unseen(game: AnyGame, node: HistoryNode, seat: Seat) -> bool:
    """Whether an entry may happen at any moment and left a seat's view unchanged."""
    assert node.parent is not None
    before, after = node.parent.entry.after, node.entry.after
    return game.stands(node.entry.event) and bool(game.view(before, seat) == game.view(after, seat))


def qualifies(game: AnyGame, before: AnyState, event: Event, after: AnyState, seat: Seat) -> bool:
    """Whether a seat may take back its own event, which led from one state to the other."""
    if game.stands(event) or event.facts.binding:
        return False
    if game.reveals(event, after) or game.secret(before, event):
        return False
    if game.has_sealed(before) or game.has_sealed(after):
        return False
    if not _decided_alone(before, event, seat) or _is_pressed(_timing(before), event):
        return False
    if after.over:
        return True  # nobody answers, and the end stays hidden until this time has passed
    if len(after.agenda[0].awaits(after.table)) > 1:
        return False  # several seats may answer at this very moment: closed fists, claims
    # With real cards, somebody may already hold the next drawn card.
    if isinstance(_timing(after), Deciding | None) and not any(o.chance for o in after.agenda[0].legal(after.table)):
        # A move invisible to the others cannot be announced to them.
        return bool(game.view(before, None) != game.view(after, None))
    return False


def _timing(state: AnyState) -> Timing | None:
    """Return the meaning of a press in a state."""
    return state.agenda[0].timing(state.table) if state.agenda else None


def _decided_alone(before: AnyState, event: Event, seat: Seat) -> bool:
    """Whether the table waited only for this seat, and the event was its own choice, not a draw."""
    head = before.agenda[0]
    if tuple(head.awaits(before.table)) != (seat,):
        return False
    return any(event in offer for offer in head.legal(before.table) if offer.by == seat and not offer.chance)


def _is_pressed(timing: Timing | None, event: Event) -> bool:
    """Whether a button means this event, or any: no tap takes back a press."""
    return timing is not None and (not isinstance(timing, Deciding) or type(event) is type(timing.event))
