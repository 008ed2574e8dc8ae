"""Mishaps for people who play: a world in which services die, the camera is covered, tablets sleep and cards are
misplaced.

A seed decides the time of each mishap. Each comes at a moment at which it matters and must be noticed: by a message on
the page, a broken count, an oddity or lost readiness. An unnoticed mishap fails the test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Any

from companion.demo.acts import Face, MoveCard
from companion.demo.ground_truth import GroundTruth
from companion.demo.physical_table import PhysicalTable
from companion.demo.play_loop import PlayLoop
from companion.demo_records import PageLogLine, PageState
from companion.engine import Confirming, Deciding, Event, Raising, Seat, Unveiling, follow, name_of
from companion.games.take_a_train import events as ev
from companion.i18n import Words
from tests.end_to_end.sleeping_tablet import Tablet
from tests.end_to_end.world import Evening
from web.words import words

EXCHANGE, FISTS, WAGONS = "killed between exchange and refill", "killed with fists half closed", "killed in the wagons"
HALF_READY = ("killed half ready", "buttons lost half ready")
COUNTING = ("killed in a count", "buttons lost in a count")
CAMERA = ("covered", "camera killed", "leaned over in a reveal")
TABLETS = ("tablet asleep", "answer lost")
MISPLACED = "card misplaced"
SUMS = "killed while sums are counted"
FEWEST, MOST = 3, 10
"""The number of events between two mishaps."""
ALSO = 0.25
"""The probability of a second mishap at the same time."""
SOON = 10.0
"""The seconds within which a page must report a fault."""
RARE = frozenset({EXCHANGE, *HALF_READY, *COUNTING, FISTS, SUMS})
"""Mishaps with few possible moments: the first of each comes as soon as it can."""
UNSAID = (ev.Raised, ev.Counted, ev.CountBroken, ev.FistCounted)
"""Events that are repeated after a broken count, or never sent if a sum is typed."""


class Remembering(GroundTruth):
    """A truth that records its events."""

    def __init__(self, *given: Any, slips: float) -> None:
        super().__init__(*given, slips=slips)
        self.happened: list[Event] = []

    def apply(self, event: Event) -> None:
        """Record and apply an event."""
        self.happened.append(event)
        super().apply(event)


class Mishaps:
    """People's world (an `HttpWorld`) with mishaps; `struck` counts them by name, `noticed` those that were noticed."""

    playing: PlayLoop

    def __init__(self, evening: Evening, truth: Remembering, seed: int) -> None:
        self.evening, self.truth = evening, truth
        self.luck = Random(f"{seed} mishaps")
        self.struck: Counter[str] = Counter()
        self.noticed: Counter[str] = Counter()
        self.lagged = 0
        """How often the companion knew less than the people near the end of a camera mishap."""
        self.twice: Counter[tuple[str, Any]] = Counter()
        """Events accepted twice without effect, such as the same amount in the same fist."""
        self.log: list[str] = []
        self._next = 0
        self._deaf = False
        """Whether the next answer to a tap is lost."""
        self._asleep: list[tuple[Tablet, int]] = []
        """Sleeping tablets with the event count at which each wakes."""
        self._say: Words = words("en")

    # --- people's world ---------------------------------------------------------------------------

    def press(self, seat: Seat) -> None:
        """Press a button, after a possible mishap."""
        self._befall(self._at_press)
        self.evening.press(seat)

    def move(self, moved: MoveCard) -> None:
        """Move a card, after a possible mishap."""
        self._befall(lambda: self._at_move(moved))
        self.evening.move(moved)

    def lay_tokens(self, place: str, tokens: Sequence[str], heaped: bool = False) -> None:
        """Lay tokens at a place, after a possible mishap."""
        self._befall(self._at_lay)
        self.evening.lay_tokens(place, tokens, heaped)

    def claim(self, seat: Seat, mark: str) -> None:
        """Confirm the sum that a seat's tokens suggest."""
        self.evening.claim(seat, mark)

    def tap(self, seat: Seat | None, event: Event, *then: Event) -> str:
        """Send an event from a tablet, after a possible mishap, and return the refusal, if any."""
        self._befall(lambda: self._at_tap(seat, event))
        if self._deaf:
            self._deaf = False
            return self._answer_lost(seat, event)
        return self.evening.tap(seat, event, *then)

    def choose(self, mark: str) -> None:
        """Answer the camera's question."""
        self.evening.choose(mark)

    def amend(self, place: str) -> None:
        """Correct a misreading."""
        self.evening.amend(place)

    def look(self, seats: Collection[Seat] = ()) -> PageState:
        """Look at the tablets."""
        return self.evening.look(seats)

    def read_log(self, seat: Seat | None) -> tuple[PageLogLine, ...]:
        """Read the latest log lines on a tablet."""
        return self.evening.read_log(seat)

    def read_cards(self) -> dict[str, list[tuple[str, Face]]]:
        """Return the cards at each place as the page shows them."""
        return self.evening.read_cards()

    def rest(self, seconds: float) -> None:
        """Let time pass."""
        self.evening.rest(seconds)

    def settle(self) -> None:
        """Let the camera read the table."""
        self.evening.settle()

    # --- when -------------------------------------------------------------------------------------

    @property
    def _ripe(self) -> bool:
        return len(self.truth.happened) >= self._next

    @property
    def _sees(self) -> bool:
        """Return whether the camera sees everything."""
        here = self.evening
        return not (here.blind or here.gone or here.hidden)

    def _befall(self, found: Callable[[], dict[str, Callable[[], None]]]) -> None:
        """Trigger one of the mishaps possible now, and sometimes a second one."""
        for each in [each for each in self._asleep if len(self.truth.happened) >= each[1]]:
            self._wakes(*each)
        for _ in range(2 if self.luck.random() < ALSO else 1):
            possible = found()
            if not self._ripe:
                possible = {name: do for name, do in possible.items() if name in RARE and not self.struck[name]}
            if possible:
                name = min(possible, key=lambda name: (self.struck[name], self.luck.random()))
                self._strike(name)
                possible[name]()
                self.noticed[name] += 1

    def _strike(self, name: str) -> None:
        self.struck[name] += 1
        self.log.append(f"{len(self.truth.happened)} {name}")
        self._next = len(self.truth.happened) + self.luck.randint(FEWEST, MOST)

    def _at_press(self) -> dict[str, Callable[[], None]]:
        """Return the mishaps possible before a press."""
        now, here = self.truth.timing, self.evening
        if self.truth.differs(here.look()):
            return {}
        if isinstance(now, Raising) and now.count:
            return {
                COUNTING[0]: lambda: self._breaks_count("restart"),
                COUNTING[1]: lambda: self._breaks_count("buttons"),
            }
        if isinstance(now, Unveiling) and here.look().ready:
            return {
                HALF_READY[0]: lambda: self._loses_readiness("restart"),
                HALF_READY[1]: lambda: self._loses_readiness("buttons"),
            }
        if isinstance(now, Deciding):
            return {WAGONS: self._killed}
        return {}

    def _at_move(self, moved: MoveCard) -> dict[str, Callable[[], None]]:
        """Return the mishaps possible before a hand moves a card."""
        found: dict[str, Callable[[], None]] = {}
        if self._sees:
            found = {CAMERA[0]: self._covers, CAMERA[1]: self._loses_camera}
            if moved.place in ("market", "auction") and not moved.source:
                found[CAMERA[2]] = lambda: self._leans(moved.place)
        if isinstance(self.truth.timing, Deciding):
            found[WAGONS] = self._killed
        if moved.place == "market" and self.truth.happened and isinstance(self.truth.happened[-1], ev.Exchanged):
            found[EXCHANGE] = self._killed
        return found

    def _at_lay(self) -> dict[str, Callable[[], None]]:
        """Return the mishaps possible before a hand lays tokens."""
        found: dict[str, Callable[[], None]] = {}
        if self._sees:
            found = {CAMERA[0]: self._covers, CAMERA[1]: self._loses_camera}
        if isinstance(self.truth.timing, Confirming):
            found[SUMS] = self._killed
        return found

    def _at_tap(self, seat: Seat | None, event: Event) -> dict[str, Callable[[], None]]:
        """Return the mishaps possible before a tap."""
        found: dict[str, Callable[[], None]] = {
            TABLETS[0]: lambda: self._falls_asleep(seat),
            TABLETS[1]: lambda: setattr(self, "_deaf", True),
        }
        now, layout = self.truth.timing, self.truth.layout()
        if isinstance(event, ev.Committed) and isinstance(now, Unveiling) and now.closed:
            found[FISTS] = self._killed
        if self._sees and not layout.loose and not self.playing.lying.mismatched_places(layout):
            places = [place for place in ("market", "auction") if self.playing.lying.spot(place).up]
            if places:
                found[MISPLACED] = lambda: self._misplaces(self.luck.choice(places))
        return found

    # --- what -------------------------------------------------------------------------------------

    def _all(self) -> PageState:
        """Return the state that all tablets show."""
        return self.evening.look(self.truth.seats)

    def _until(self, true: Callable[[], bool]) -> None:
        """Let time pass until the condition is true; fail after `SOON` seconds."""
        for _ in range(int(SOON / 0.25)):
            if true():
                return
            self.evening.rest(0.25)
        assert true(), (self.log, self.evening.look())

    def _page_says(self, key: str) -> bool:
        """Return whether the shared tablet's page contains a sentence."""
        return self._say(key) in self.evening.anybody.read(self.evening.tablet)

    def _kill(self) -> None:
        """Restart the killed companion, and check that a tablet's stream ends and resumes with the current page."""
        tablet = Tablet(self.evening, self.luck.choice(self.truth.seats))
        self.evening.kill()
        assert tablet.stream.ended
        tablet.wake()
        assert tablet.right, self.log
        tablet.sleep()

    def _killed(self) -> None:
        """Kill the companion at a moment at which no state may be lost."""
        before = self._all()
        self._kill()
        after = self._all()
        assert (after.view, after.own) == (before.view, before.own), self.log

    def _breaks_count(self, cause: str) -> None:
        broken = self.truth.game.interruption(self.truth.state, cause)
        self._kill() if cause == "restart" else self._lose_buttons()
        assert self.evening.table.snapshot().entries[-1].event == broken, self.log
        assert not self.truth.differs(self._all(), follow(self.truth.game, self.truth.state, broken)), self.log

    def _loses_readiness(self, cause: str) -> None:
        before = self._all()
        assert before.ready
        self._kill() if cause == "restart" else self._lose_buttons()
        after = self._all()
        assert (after.view, after.own, after.ready) == (before.view, before.own, ()), self.log

    def _lose_buttons(self) -> None:
        self.evening.lose_buttons(self.luck.uniform(3, 9))
        assert self._page_says("buttons.lost"), self.log

    def _covers(self) -> None:
        seconds = self.luck.uniform(6, 15)
        self.evening.cover(seconds)
        self._until(lambda: self._page_says("camera.dark"))
        self._watch_lag(seconds - SOON / 2)

    def _loses_camera(self) -> None:
        seconds = self.luck.uniform(6, 15)
        self.evening.lose_camera(seconds)
        assert self._page_says("camera.lost"), self.log
        self._until(lambda: not self.evening.table.snapshot().sight.active)
        self._watch_lag(seconds - SOON / 2)

    def _leans(self, place: str) -> None:
        """Cover a place while its cards are turned up, which the companion learns when it sees them again."""
        seconds = self.luck.uniform(6, 10)
        self.evening.lean(place, seconds)
        self.evening.settle()
        self._watch_lag(seconds - SOON / 2)

    def _watch_lag(self, seconds: float) -> None:
        """Shortly before the mishap ends, record whether the companion knows less than the people."""

        def look() -> None:
            self.lagged += bool(self.truth.differs(self.evening.look()))

        self.evening.later(seconds, look)

    def _misplaces(self, place: str) -> None:
        """Remove a card by mistake, wait until a page reports it, and put it back."""
        lying, card = self.playing.lying, self.playing.lying.spot(place).up[0]
        away, back = MoveCard(card, place, ""), MoveCard(card, "", place)
        for moved, odd in ((away, [place]), (back, [])):
            self.evening.move(moved)
            lying.do(moved)
            self.evening.settle()
            self._until(lambda odd=odd: [each.place for each in self.evening.look().odd] == odd)  # type: ignore[misc]

    def _falls_asleep(self, seat: Seat | None) -> None:
        """Let a tablet fall asleep for a while, either disconnected or with an unread stream."""
        tablet = Tablet(self.evening, seat)
        self.luck.choice((tablet.sleep, tablet.doze))()
        self._asleep.append((tablet, len(self.truth.happened) + self.luck.randint(4, 40)))
        self.noticed[TABLETS[0]] -= 1  # it counts as noticed when the tablet wakes

    def _wakes(self, tablet: Tablet, until: int) -> None:
        self._asleep.remove((tablet, until))
        assert not tablet.right, (self.log, "nothing was to be missed")
        tablet.wake()
        assert tablet.right, (self.log, tablet.key)
        tablet.sleep()
        self.noticed[TABLETS[0]] += 1

    def _answer_lost(self, seat: Seat | None, event: Event) -> str:
        """Let a tablet fall asleep before it receives the answer to a tap, which its person repeats later."""
        tablet = Tablet(self.evening, seat)
        said = self.evening.tap(seat, event)
        tablet.sleep()
        self.evening.rest(2)
        before, count = self._all(), self.evening.count
        again = self.evening.tap(seat, event, seen=tablet.last)
        after = self._all()
        assert (before.view, before.own) == (after.view, after.own), (self.log, event)
        assert again or self.evening.count <= count + 1, (self.log, event)
        self.twice += _told([] if again else [event])
        assert not tablet.right, (self.log, event)
        tablet.wake()
        assert tablet.right, (self.log, event)
        tablet.sleep()
        return said

    def end(self) -> None:
        """Check that each mishap was noticed and that no event was lost or accepted twice."""
        for each in list(self._asleep):
            self._wakes(*each)
        assert self.noticed == self.struck, (self.struck - self.noticed, self.log)
        heard = [entry.event for entry in self.evening.table.snapshot().entries]
        assert _told(heard) == _told(self.truth.happened) + self.twice, self.log


def _told(events: list[Event]) -> Counter[tuple[str, Any]]:
    """Return how often each seat did each action, without sums that the camera counts before confirmation."""
    return Counter([(name_of(each), getattr(each, "seat", None)) for each in events if not isinstance(each, UNSAID)])


def troubled(evening: Evening, seed: int) -> Mishaps:
    """Return people with mishaps who play an evening's match.

    They make no mistakes themselves, because without a camera nobody would remind them.
    """
    setup, game = evening.table.snapshot().setup, evening.table.snapshot().game
    assert setup is not None
    truth = Remembering(game, setup, seed, slips=0.0)
    found = Mishaps(evening, truth, seed)
    found.playing = PlayLoop(found, truth, PhysicalTable(game.places(evening.players)))
    return found
