"""Remember how long a mismatch or a notice has lasted before it is shown, and for how long events are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from companion.engine import Seat, Spot
from companion.messages import SECOND
from companion.sight.moves import ProposedMove
from companion.sight.reconcile import Mismatch
from companion.table.sight_records import AcceptedEvents, TokenNotice

SHOWN = 4 * SECOND
"""How long accepted events are shown before the next reveal is read."""
PATIENCE = int(2.5 * SECOND)
"""How long a mismatch or a notice must last before it is shown: people may still be moving cards."""
CARRYING = 7 * SECOND
"""How long people have to move cards after an event that changes their places."""
AT_ONCE = ("open_hand", "hands")
"""Notices that are shown without patience."""


class ShownEvents(msgspec.Struct):
    """Remembers the last accepted events while they are shown."""

    events: AcceptedEvents | None = None
    until: int = 0

    def show(self, move: ProposedMove, now: int) -> None:
        """Show a move that the table accepted for a while."""
        self.events, self.until = AcceptedEvents(move.events, move.seq), now + SHOWN

    def hide_old(self, now: int) -> None:
        """Hide the events after their time."""
        if now >= self.until:
            self.events = None

    def due(self) -> list[int]:
        """Return the moment at which the shown events disappear, if there are any."""
        return [] if self.events is None else [self.until]


class LastingMismatches(msgspec.Struct):
    """Remembers the mismatched places, since when they have lasted, and which of them to leave out of the search."""

    found: tuple[Mismatch, ...] = ()
    found_at: int = 0
    since: dict[tuple[str, Spot, Spot], int] = {}
    """Since when each has lasted, even if it is explained."""
    searched: list[tuple[str, Spot, Spot]] = []
    """The mismatches whose oldest were left out last."""
    tolerated: frozenset[str] = frozenset()
    """Places, by the rules' names, that have not matched for long; the rest is judged without them."""
    must_carry: bool = False
    """Whether the rules expect different cards somewhere since the last judgement."""
    carry_until: int = 0

    def note(self, mismatches: tuple[Mismatch, ...], explained: tuple[Mismatch, ...], now: int) -> None:
        """Note the current mismatches, and those that are explained."""
        self.since = {each.key: self.since.get(each.key, now) for each in (*explained, *mismatches)}
        if mismatches != self.found:
            self.found, self.found_at = mismatches, now

    def allow_carrying(self, now: int) -> None:
        """Give people time if the rules have moved cards."""
        if self.must_carry and self.found:
            self.carry_until = now + CARRYING
        self.must_carry = False

    def due(self) -> list[int]:
        """Return the moment at which the mismatches are shown, if there are any."""
        return [max(self.found_at + PATIENCE, self.carry_until)] if self.found else []

    def shown(self, now: int) -> tuple[Mismatch, ...]:
        """Return the mismatches if they have lasted long enough to be shown."""
        return self.found if all(now >= due for due in self.due()) else ()

    def oldest(self, shown: tuple[Mismatch, ...]) -> Iterator[tuple[Mismatch, ...]]:
        """Yield the oldest mismatches, few first: a card may have been missing before an event.

        Each set of mismatches is searched once.
        """
        searched, self.searched = self.searched, [each.key for each in shown]
        if searched != self.searched:
            for last in sorted({self.since[key] for key in self.searched})[:-1]:
                yield tuple([each for each in shown if self.since[each.key] <= last])

    def keep_tolerated(self, mismatches: Collection[Mismatch]) -> None:
        """Stop tolerating places that match again: only these mismatches remain."""
        self.tolerated &= {each.name for each in mismatches}

    def tolerate(self, mismatches: Collection[Mismatch], strict: Collection[str]) -> None:
        """Judge the rest without these places if the rules allow it."""
        self.tolerated |= {each.name for each in mismatches if each.fault is None and each.name not in strict}


class LastingNotices(msgspec.Struct):
    """Remembers notices about tokens, and since when. Their figures may change while they last."""

    found: tuple[TokenNotice, ...] = ()
    shown: tuple[TokenNotice, ...] = ()
    since: dict[tuple[str, str, Seat | None], int] = {}

    def note(self, found: tuple[TokenNotice, ...], now: int) -> None:
        """Note the current notices."""
        self.found = found
        self.since = {key: self.since.get(key, now) for key in map(_kind, found)}
        self.shown = tuple([each for each in found if now >= self._from(each)])

    def due(self) -> list[int]:
        """Return the moments at which more notices become visible."""
        return [self._from(each) for each in self.found if each not in self.shown]

    def _from(self, notice: TokenNotice) -> int:
        return self.since[_kind(notice)] + (0 if notice.key in AT_ONCE else PATIENCE)


def _kind(notice: TokenNotice) -> tuple[str, str, Seat | None]:
    return notice.key, notice.place, notice.seat
