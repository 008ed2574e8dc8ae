"""The fields of a match's records that are still secret during play. Each game names its secret fields."""

from __future__ import annotations

from companion.engine import Event, Seat
from companion.match.history import History, HistoryNode, SeatFreed, walk_back

PublicEvents = frozenset[tuple[int, Event]]
"""Events, each with its record number, whose secrets are now public."""


def public_events(line: History) -> PublicEvents:
    """Return the events whose secrets became public in any former or current line of play."""
    found: set[tuple[int, Event]] = set()
    visited: set[HistoryNode] = set()
    for end in line.ends:
        for node in walk_back(end):
            if node in visited:
                break
            visited.add(node)
            places = line.game.newly_public((n.entry.event for n in walk_back(node)), node.entry.effects)
            if places:
                recent = [n.entry for n, _ in zip(walk_back(node), range(max(places) + 1), strict=False)]
                found |= {(recent[at].seq, recent[at].event) for at in places}
    return frozenset(found)


def secret_fields(line: History, node: HistoryNode, known: PublicEvents) -> frozenset[str]:
    """Return the fields of an entry's event that are not public now; `known` is the result of `public_events`."""
    if line.state.over or node.parent is None:
        return frozenset()
    event, before = node.entry.event, node.parent.entry.after
    fields = set(line.game.no_longer_shown(line.state, before, event))
    if (node.entry.seq, event) not in known:
        fields |= set(line.game.secret(before, event))
    return frozenset(fields)


def freed_at(line: History) -> dict[Seat, int]:
    """Return each seat that was ever freed, with the record that freed it last."""
    return {body.seat: seq for seq, body in line.devices if isinstance(body, SeatFreed)}


def veiled_seats(line: History) -> frozenset[Seat]:
    """Return the seats that were freed after sealing a bid or card, which their new device must not show.

    Otherwise the host could free a seat, join it and read its bid.
    """
    freed = freed_at(line)
    if not freed or not line.game.has_sealed(line.state):
        return frozenset()
    nodes = line.nodes
    found = set()
    for seat, seq in freed.items():
        events = (node.entry.event for node in reversed(nodes))
        if any(nodes[-1 - at].entry.seq < seq for at in line.game.sealing_events(line.state, seat, events)):
            found.add(seat)
    return frozenset(found)
