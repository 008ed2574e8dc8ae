"""Cues for lamps and screens, made only from public facts and sent to all listeners."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from companion.engine import Raising, Refusal, Seat, fields_of, name_of, tokens_seen
from companion.match.history import HistoryEntry
from companion.messages import STANDING, Cue, Leading, Sold, TokensReadable, Trouble, YourTurn
from companion.table.snapshot import Snapshot
from companion.threads.listeners import Listeners

CueListener = Callable[[tuple[Cue, ...]], object]
"""Gets cues for lamps and screens in the writer's thread. It must not block."""
RefusalListener = Callable[[Seat, Refusal], object]
"""Gets the reason why a seat's press had no effect, for that seat only, in the writer's thread. It must not block."""
LOG = logging.getLogger(__name__)


class CueBoard:
    """Shows cues in the writer's thread, and keeps the standing ones for late listeners in any thread."""

    def __init__(self) -> None:
        self._listeners: Listeners[tuple[Cue, ...]] = Listeners("a cue could not be shown")
        self._seats: Listeners[Seat, Refusal] = Listeners("could not tell a seat why its press was refused")
        self._lock = threading.RLock()
        """Held while cues are shown, so that a new listener gets the standing cues before newer ones."""
        self._standing: dict[type[Cue], Cue] = {}

    def listen(self, listener: CueListener) -> None:
        """Call a function with the standing cues, then with every new one."""
        with self._lock:
            try:
                listener(self.standing_cues())
            except Exception:
                LOG.exception("a cue could not be shown")
            self._listeners.add(listener)

    def listen_to_refusals(self, listener: RefusalListener) -> None:
        """Call a function with every refusal of a press from now on."""
        self._seats.add(listener)

    def greet(self, listener: CueListener) -> None:
        """Call a function once with the standing cues, before newer ones are shown."""
        with self._lock:
            listener(self.standing_cues())

    def standing_cues(self) -> tuple[Cue, ...]:
        """Return the standing cues."""
        return tuple(self._standing.values())

    def show(self, cues: tuple[Cue, ...]) -> None:
        """Show cues to all listeners, except unchanged standing ones."""
        fresh: list[Cue] = []
        with self._lock:
            for each in cues:
                if isinstance(each, STANDING):
                    if self._standing.get(type(each)) == each:
                        continue
                    self._standing = self._standing | {type(each): each}
                fresh.append(each)
            if fresh:
                self._listeners.tell(tuple(fresh))

    def refuse(self, seat: Seat, refusal: Refusal) -> None:
        """Tell a seat why its press had no effect."""
        self._seats.tell(seat, refusal)


def standing_cues(snapshot: Snapshot, trouble: str = "") -> tuple[Cue, ...]:
    """Return the cues that stand while the table stays unchanged."""
    state = snapshot.state
    if state is None or not state.agenda:
        return YourTurn(), Leading(), Trouble(what=trouble)
    timing = state.agenda[0].timing(state.table)
    awaited = snapshot.game.view(state, None).awaited
    return (
        YourTurn(seats=tuple([int(seat) for seat in awaited])),
        Leading(seat=timing.leader if isinstance(timing, Raising) else None),
        Trouble(what="paused" if snapshot.paused else trouble),
    )


def tokens_readable(snapshot: Snapshot) -> TokensReadable:
    """Return the places for tokens that the camera may read while the table stays unchanged.

    There are none between games; a pause changes nothing, since fists stay closed. Show this before the rest of a
    snapshot: the places must be black before people hear that they may close their fists.
    """
    state, game, setup = snapshot.state, snapshot.match_game, snapshot.setup
    if state is None or game is None or setup is None or not tokens_seen(game):
        return TokensReadable()
    if state.over or setup.deck == "dealt":
        return TokensReadable()
    return TokensReadable(places=tuple(sorted(game.readable_places(state))))


def event_cues(entries: tuple[HistoryEntry, ...]) -> tuple[Cue, ...]:
    """Return the cues for new events: an effect `sold` names the seat that bought."""
    sold = [effect for entry in entries for effect in entry.effects if name_of(effect) == "sold"]
    return tuple([Sold(seat=fields_of(effect)["seat"]) for effect in sold])
