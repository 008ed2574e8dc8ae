"""What of a match everybody may know while it runs: which records are still secret. The games say which fields are."""

from __future__ import annotations

from companion.engine import Event, Seat
from companion.match.history import History, HistoryNode, SeatFreed, back

Told = frozenset[tuple[int, Event]]
"""Events, by the number of their record, whose secrets have become public."""


def told(line: History) -> Told:
    """Return the events whose secrets have become public in any line of play that the match ever had."""
    found: set[tuple[int, Event]] = set()
    visited: set[HistoryNode] = set()
    for end in line.ends:
        for node in back(end):
            if node in visited:
                break
            visited.add(node)
            places = line.game.told((n.entry.event for n in back(node)), node.entry.effects)
            if places:
                recent = [n.entry for n, _ in zip(back(node), range(max(places) + 1), strict=False)]
                found |= {(recent[at].seq, recent[at].event) for at in places}
    return frozenset(found)


def hidden(line: History, node: HistoryNode, known: Told) -> frozenset[str]:
    """Return the fields of an entry's event that not everybody may know now."""
    if line.state.over or node.parent is None:
        return frozenset()
    event, before = node.entry.event, node.parent.entry.after
    fields = set(line.game.forgotten(line.state, before, event))
    if (node.entry.seq, event) not in known:
        fields |= set(line.game.secret(before, event))
    return frozenset(fields)


def freed_at(line: History) -> dict[Seat, int]:
    """Return the seats that were ever freed, each with the number of the record that freed it last."""
    return {body.seat: seq for seq, body in line.devices if isinstance(body, SeatFreed)}


def veiled(line: History) -> frozenset[Seat]:
    """Return the seats whose device may not read what lies sealed from them: it was put there before they were freed.

    Otherwise the host could free a seat, join it and read its bid.
    """
    freed = freed_at(line)
    if not freed or not line.game.sealed(line.state):
        return frozenset()
    nodes = line.nodes
    found = set()
    for seat, seq in freed.items():
        events = (node.entry.event for node in reversed(nodes))
        if any(nodes[-1 - at].entry.seq < seq for at in line.game.sealed_by(line.state, seat, events)):
            found.add(seat)
    return frozenset(found)
