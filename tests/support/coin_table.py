"""A table under a camera that reads tokens without errors. The test sets the clock; nothing waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.engine import Event, Refusal, Seat, Setup, TokenGame
from companion.match.actor import Actor
from companion.messages import MILLISECOND, SECOND, Cue, Press, Sighted, TokenSighting, TokensReadable
from companion.referee.pace import Pace
from companion.sight.observer import SightObserver
from companion.table.sight_records import SightState, TokenNotice
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from tests.support.sealed_coins.rules import RULES
from tests.support.web.offering import offered

A, B, C = Seat(0), Seat(1), Seat(2)
PLAYERS = 3
DOUBT = "?"
"""The name in the layout of a token that the camera cannot name."""
SOON = 50 * MILLISECOND


class CoinTable:
    """A table on which people lay tokens, and a camera that reads them wherever the table allows it."""

    def __init__(self, table: Table, game: TokenGame[Any], now: int = 10 * SECOND) -> None:
        self.table, self.game, self.now, self.number = table, game, now, 0
        self.lying: dict[str, tuple[str, ...]] = {}
        self.open_hands: tuple[str, ...] = ()
        self.edges_hidden: tuple[str, ...] = ()
        """Places that the camera cannot read, because something covers their edges."""
        self.covered: tuple[str, ...] = ()
        self.cues: list[Cue] = []
        self.told: list[tuple[Seat, Refusal]] = []
        self.observer: SightObserver

    def clock(self) -> int:
        """Return the time."""
        return self.now

    # --- the camera -------------------------------------------------------------------------------

    def readable(self) -> tuple[str, ...]:
        """Return the places that the camera may read now."""
        (cue,) = [cue for cue in self.table.cues.standing_cues() if isinstance(cue, TokensReadable)]
        return cue.places

    def reading(self, places: tuple[str, ...] | None = None) -> Sighted:
        """Return the camera's present reading of these places; None: of all places that it may read."""
        self.number += 1
        here = self.readable() if places is None else places
        here = tuple([place for place in here if place not in self.edges_hidden])
        here = tuple([place for place in here if place not in self.covered])
        tokens = [
            TokenSighting(place, None if name == DOUBT else name, "unknown" if name == DOUBT else "")
            for place in here
            for name in self.lying.get(place, ())
        ]
        names = [place.name for place in self.game.token_places(PLAYERS)]
        empty = tuple([name for name in names if name not in here and not self.lying.get(name)])
        return Sighted(
            self.now,
            self.number,
            tokens=tuple(tokens),
            token_places=here,
            open_hands=self.open_hands,
            empty_places=empty,
        )

    def look(self, seconds: float = 0.0) -> None:
        """Let the camera read the table, and let some seconds pass."""
        self.now += SOON
        self.observer.accept_reading(self.reading())
        self.wait(seconds)

    def wait(self, seconds: float = 0.0) -> None:
        """Let time pass; the observer looks before and after."""
        self.observer.look()
        self.now += int(seconds * SECOND)
        self.table.tick()
        self.observer.look()
        due = self.observer.due()
        assert due is None or due > self.now, "what has been judged is due again"

    def lay(self, place: str, *tokens: str, seconds: float = 0.0) -> None:
        """Put exactly these tokens at a place, and let the camera read them."""
        self.lying[place] = tokens
        self.look(seconds)

    def restart(self) -> None:
        """Replace the observer, as a restart does: it forgets the camera's earlier readings."""
        self.observer.close()
        self.observer = SightObserver(self.table, self.clock)
        self.look()

    # --- people -----------------------------------------------------------------------------------

    def press(self, seat: int) -> None:
        """Press a seat's button, and let the referee judge the press."""
        self.now += SOON
        self.table.press(Press(seat, self.now))
        self.wait()

    def say(self, event: Event, by: Actor = Actor.HOST) -> None:
        """Enter an event."""
        self.now += SOON
        assert self.table.propose(event, by).accepted, event
        self.observer.look()

    def signal(self) -> None:
        """Let everybody press ready, so that the fists open."""
        timing: Any = self.shown.timing
        for seat in timing.seats:
            self.press(seat)
        self.wait(4)

    # # --- results ----------------------------------------------------------------------------------

    @property
    def shown(self) -> Snapshot:
        """The table's present snapshot."""
        return self.table.snapshot()

    @property
    def sight(self) -> SightState:
        """The camera's findings."""
        return self.shown.sight

    @property
    def events(self) -> list[Event]:
        """The line of play."""
        return [entry.event for entry in self.shown.entries]

    @property
    def notices(self) -> list[TokenNotice]:
        """The visible notices."""
        return list(self.sight.notices)


@contextmanager
def coin_table(folder: Path, game: TokenGame[Any] = RULES, **options: Any) -> Iterator[CoinTable]:
    """Yield a table of three people with real tokens, a new match, and a camera that has seen an empty mat."""
    moments = [10 * SECOND]
    with (
        offered(game),
        Table(folder / "journal.db", lambda: found.now if moments[1:] else moments[0], Pace(double_tap_ms=0)) as table,
    ):
        found = CoinTable(table, game)
        moments.append(0)
        table.cues.listen(found.cues.extend)
        table.cues.listen_to_refusals(lambda seat, refusal: found.told.append((seat, refusal)))
        table.start(Setup(game.name, PLAYERS, options, "reconstruction", "ours"))
        found.observer = SightObserver(table, found.clock)
        found.look()
        yield found
        found.observer.close()
