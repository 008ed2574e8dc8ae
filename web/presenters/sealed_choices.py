"""Secret choices of seats: each is private until they are all opened, then public until the next time."""

from __future__ import annotations

from companion.engine import AnyState, Seat, SeatEvent
from companion.match.chance import head_name
from companion.table.snapshot import Snapshot

Secret = tuple[SeatEvent, tuple[str, ...]]
"""An event, and the fields that were secret when it happened."""
LOOKED_AT = 64
"""The number of last entries to search: earlier ones are no longer of interest."""


def own_sealed(snapshot: Snapshot, seat: Seat) -> Secret | None:
    """Return a seat's secret choice for its own device; None for none.

    It is the seat's last partly secret choice in the present step. A device that took the seat later does not show it;
    otherwise the host could free a seat, join it and read its choice.
    """
    game, entries, state = snapshot.game, snapshot.entries, snapshot.state
    if state is None or not state.agenda or seat in snapshot.veiled:
        return None
    since, step = snapshot.freed_at(seat), head_name(state)
    for at in last_entries(snapshot):
        entry, before = entries[at], state_before(snapshot, at)
        if entry.seq <= since or head_name(before) != step or newly_public(snapshot, at):
            return None
        event = entry.event
        if isinstance(event, SeatEvent) and event.seat == seat and is_chosen(before, event):
            fields = game.secret(before, event)
            if fields:
                return event, fields
    return None


def is_chosen(before: AnyState, event: SeatEvent) -> bool:
    """Whether a seat chose an event, as opposed to chance."""
    offers = before.agenda[0].legal(before.table)
    return any([event in offer for offer in offers if offer.by == event.seat and not offer.chance])


def shown_at_last_opening(snapshot: Snapshot) -> tuple[Secret, ...]:
    """Return the choices of several seats that were opened together last, by seat, while the game shows them."""
    game, state = snapshot.game, snapshot.state
    for at in last_entries(snapshot):
        opened = newly_public(snapshot, at)
        found = {number: event for number in opened if isinstance(event := snapshot.entries[number].event, SeatEvent)}
        if len({event.seat for event in found.values()}) > 1 and state is not None:
            told = [(event, state_before(snapshot, at)) for at, event in found.items()]
            if any([game.no_longer_shown(state, before, event) for event, before in told]):
                return ()
            secrets = [(event, game.secret(before, event)) for event, before in told]
            return tuple(sorted(secrets, key=lambda each: each[0].seat))
    return ()


def last_entries(snapshot: Snapshot) -> range:
    """Return the positions of the last entries, the latest first."""
    count = len(snapshot.entries)
    return range(count - 1, max(0, count - LOOKED_AT) - 1, -1)


def state_before(snapshot: Snapshot, at: int) -> AnyState:
    """Return the state before an entry."""
    assert snapshot.setup is not None
    return snapshot.entries[at - 1].after if at else snapshot.game.begin(snapshot.setup)


def newly_public(snapshot: Snapshot, at: int) -> tuple[int, ...]:
    """Return the positions of the entries whose secrets an entry revealed."""
    back = (snapshot.entries[place].event for place in range(at, -1, -1))
    return tuple([at - place for place in snapshot.game.newly_public(back, snapshot.entries[at].effects)])
