"""The loop of people at a table: decide, act, wait until the companion shows the same as the truth.

They answer what it asks, put right what it misread, press again where nothing came of it, and follow what a person does
on a seat that was taken over. Refuses to know how acts reach the companion. What differs for too long is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from companion.demo.acts import Act, MoveCard, PressButton, Rest, TapPage
from companion.demo.ground_truth import GroundTruth
from companion.demo.hands import Hands
from companion.demo.page_sync import followed, left_of, misread, shared, told, unknown
from companion.demo.physical_table import PhysicalTable
from companion.demo.world import PageState, World
from companion.engine import (
    Event,
    Seat,
    State,
    Unveiling,
    follow,
    name_of,
    seat_of,
)

POLL = 0.25
"""Seconds between two looks at the pages."""
HURRY = 3.5
"""Seconds after which cards that follow at once are turned up, though the companion has not understood yet: an exchange
shows only with the cards that replace the old ones. Sooner than `AGAIN`: nobody types what the next card tells."""
AGAIN = 4.0
"""Seconds after which somebody presses again, or lays a card straighter that nobody has understood."""
LATE = 20.0
"""Seconds after which people no longer hope that a camera will see what they did."""
PATIENCE = 45.0
"""Seconds after which the companion is out of step."""
SOON = 1.0
"""The same while the camera sees nothing: what it cannot have seen is said on a tablet."""
SEES = ("still", "moving")
"""What a camera does that sees the table."""


class PlayReport(msgspec.Struct, frozen=True):
    """How a game went. `counts`: events, moves, laid (those onto a place), presses, taps, asked, amended, again,
    put right, straightened, typed, followed."""

    over: bool
    counts: dict[str, int]
    differs: tuple[str, ...] = ()
    """The fields in which the companion differs from the truth where it is out of step; empty: it never was."""
    at: str = ""
    """The event after which it was out of step, or what was refused."""


class OutOfStep(Exception):
    """The companion shows something else than the truth for too long."""

    def __init__(self, event: str, differs: tuple[str, ...]) -> None:
        super().__init__(f"after {event}: {', '.join(differs)}")
        self.event, self.differs = event, differs


class PlayLoop:
    """People who play one match in a world. `taken` are the seats that persons play; the programs play the others."""

    def __init__(self, world: World, truth: GroundTruth, lying: PhysicalTable, patience: float = PATIENCE) -> None:
        self.world, self.truth, self.lying, self.patience = world, truth, lying, patience
        self.taken: frozenset[Seat] = frozenset()
        self.leaving: frozenset[Seat] = frozenset()
        """Seats that persons have given back, and what they did last is not yet known."""
        self.counts: Counter[str] = Counter()
        self.hands = Hands(world, lying, self.counts)
        self._since: list[State[Any]] = [truth.state]
        """The states of the truth since the companion was last in step, that one included."""
        self._events: list[Event] = []
        """What has happened between them."""
        self._unseen = False
        """Whether the camera did not see all of it."""
        self._next: Event | None = None
        self._begun: Event | None = None
        """What was being done when the companion went away: it may have heard of it, or not."""
        self._pressed: Event | None = None
        """What all do together, and the programs have pressed for already."""
        self._refused = ""
        self._held: Event | None = None
        """What brought a card into a hand, of which nobody has told the companion."""
        self._behind = False
        """Whether something that programs did is still to be understood, after what persons did meanwhile."""
        self._leaving = 0.0
        """Seconds for which all that a person did, who has left, has not been known."""

    def take_over(self, seat: Seat) -> None:
        """Let a person play a seat from now on."""
        if seat not in self.taken:
            self._next = None
        self.taken, self.leaving = self.taken | {seat}, self.leaving - {seat}

    def give_back(self, seat: Seat) -> None:
        """Let a program play a seat again, as soon as all that the person did is known."""
        self.leaving |= {seat} & self.taken

    def run(self, until: int = 1 << 30) -> PlayReport:
        """Play until the game is over, or so many events have happened, or the companion is out of step."""
        try:
            while not self.truth.state.over and self.counts["events"] < until:
                self.step()
        except OutOfStep as error:
            return PlayReport(False, dict(self.counts), error.differs, str(error.event))
        return PlayReport(self.truth.state.over, dict(self.counts))

    def step(self) -> None:
        """Do the next thing and wait until the companion has understood; raise `OutOfStep` where it does not."""
        if self.leaving and not self.truth.differs(self.world.look(self.truth.seats)):
            self.taken, self.leaving, self._leaving = self.taken - self.leaving, frozenset(), 0.0
        if self._behind:
            self._behind = False
            self._wait(self._since[-2], self._events[-1])
            return
        if self._held is not None and self.taken:
            self._do(TapPage(None, self._held))  # a person has to see what it holds
            self._held = None
        event = self._decided()
        if event is None or (self.taken and self._together(event)):
            self._follow(event)
            return
        before = self.truth.state
        if self._stopped(before):
            return
        if not self.taken and self.truth.held(before, event):
            self._held, self._next = event, None
            self._happens(event)
            return
        self._refused = ""
        self.hands.begin()
        begun, self._begun = self._begun is event, event
        if not (begun and not self.truth.differs(self.world.look(), follow(self.truth.game, before, event))):
            self._all(self.truth.says(before, event))
        moves = self.truth.moves(before, event, self.lying)
        if self.truth.shown(before, event):
            self._all(moves)
        self._next = self._begun = None
        self._happens(event)
        # What is said is waited for: a count that a restart has broken sells nothing, closed fists pay nothing.
        if self._wait(before, event) and self._all(moves):
            self._wait(before, event)

    def _decided(self) -> Event | None:
        if self._next is None:
            self._next = self.truth.decides(self.taken)
        return self._next

    def _happens(self, event: Event) -> None:
        self.truth.happens(event)
        self._pressed = None
        self._since.append(self.truth.state)
        self._events.append(event)
        self.counts["events"] += 1

    # --- acting -----------------------------------------------------------------------------------

    def _all(self, acts: Iterable[Act]) -> int:
        """Do all of these; return how many they were."""
        done = 0
        for act in acts:
            self._do(act)
            done += 1
        return done

    def _do(self, act: Act) -> None:
        match act:
            case MoveCard():
                self.hands.move(act)
            case PressButton(seat):
                if self._may_press(seat):
                    self.world.press(seat)
                    self.counts["presses"] += 1
            case TapPage(seat, event):
                self._refused = self.world.tap(seat, event)
                self.counts["taps"] += 1
            case Rest(seconds) if seconds:
                self.world.rest(seconds)
            case Rest():
                self.world.settle()
                if act.briefly:
                    self.hands.have_it_read()

    def _may_press(self, seat: Seat) -> bool:
        """Whether a program may press: not for a person, nor when a person has just been faster, and who is ready
        already would take it back."""
        if seat in self.taken or (self.taken and self.truth.differs(self.world.look())):
            return False
        return not isinstance(self.truth.timing, Unveiling) or seat not in self.world.look().ready

    # --- in step ----------------------------------------------------------------------------------

    def _wait(self, before: State[Any], event: Event) -> bool:
        """Wait until the companion shows the truth, and help it as people do; False: something else has happened."""
        waited = again = 0.0
        while True:
            shown = self._look()
            differs = self.truth.differs(shown)
            if not differs:
                self._in_step()
                return True
            self._unseen = self._unseen or shown.looking not in SEES
            if shown.paused:
                self.world.rest(POLL)
                continue
            if self._stopped(before) or self._meanwhile():
                return False
            if waited >= HURRY and self.truth.shown(before, event) and self._goes_on():
                return False
            if self._answer(shown):
                waited = again = 0.0
            elif again >= (SOON if self._unseen else AGAIN):
                again = 0.0
                self._help(shown, before, event, waited >= LATE)
            if waited >= self.patience:
                what = f"{name_of(event)} ({self._refused})" if self._refused else name_of(event)
                raise OutOfStep(what, differs)
            self.world.rest(POLL)
            waited, again = waited + POLL, again + POLL

    def _look(self) -> PageState:
        """Look at the shared tablet and, where that is right, at everybody's own."""
        shown = self.world.look()
        return self.world.look(self.truth.seats) if not self.truth.differs(shown) else shown

    def _in_step(self) -> None:
        self._since, self._events, self._held, self._unseen = [self.truth.state], [], None, False

    def _stopped(self, state: State[Any]) -> bool:
        """Take note that the companion has broken a count (a restart, lost buttons); the people begin it anew."""
        for cause in ("restart", "buttons"):
            broken = self.truth.game.interrupted(state, cause)
            for after in self.truth.anew(state, broken) if broken is not None else ():
                if not self.truth.differs(self.world.look(), after):
                    self.truth.state = after
                    self.counts["broken"] += 1
                    self._next = self._begun = None
                    self._in_step()
                    return True
        return False

    def _goes_on(self) -> bool:
        """Whether cards turn up at once, by which alone the companion can see what has happened, before all else."""
        if self.truth.state.over:
            return False
        event = self._decided()
        if event is not None and not self.truth.chance(event):
            event = self.truth.brought()
        if event is None or not self.truth.shown(self.truth.state, event):
            return False
        self._next = event
        return True

    # --- helping ----------------------------------------------------------------------------------

    def _answer(self, shown: PageState) -> bool:
        """Answer a question of the camera's eye truly; return whether there was one."""
        for choice in shown.choices:
            for state in self._since[1:]:
                if not self.truth.differs(PageState(choice.view), state):
                    self.world.choose(choice.mark)
                    self.counts["asked"] += 1
                    return True
        return False

    def _help(self, shown: PageState, before: State[Any], event: Event, late: bool) -> None:
        """Do what people do when nothing comes of what they did: look, press again, lay a card straight, and where it
        is `late` say what they did with a card though the next one might show it."""
        if self._put_right(shown):
            return
        seats = self.truth.pressed(before, event)
        if seats is not None and not self.truth.differs(shown, before):
            self.counts["again"] += 1
            for seat in seats:
                if seat not in shown.ready and seat not in self.taken:
                    self.world.press(seat)
        elif self._refused:
            self._all([act for act in self.truth.says(before, event) if isinstance(act, TapPage)])
        elif self._unseen or not (self.hands.straighten(shown) or (self.truth.acted(before, event) and not late)):
            self._type(shown)

    def _put_right(self, shown: PageState) -> bool:
        """Put right what the companion shows as odd: the cards where they lie wrong, else what it misread."""
        self.lying.as_it_is(self.world.lies())  # a rendered table whose camera began anew has lost its cards
        if self.hands.put_right(self.truth.lies()):
            return True
        for odd in shown.odd:
            here = self.lying.cards.get(odd.place, [])
            if odd.right and all(card in [name for name, _ in here] for card in odd.cards):
                self.world.amend(odd.place)
                self.counts["amended"] += 1
                return True
        return False

    def _type(self, shown: PageState) -> None:
        """Say on the tablets what was done with the cards and nobody has seen."""
        for before, event in unknown(self.truth, self._since[0], self._events, shown):
            if self.truth.shown(before, event) or self.truth.held(before, event):
                said = self.truth.pointed(before, event, self.world.look())
                self._refused = self.world.tap(self.truth.teller(before, event), said)
                self.counts["typed"] += 1

    # --- persons ----------------------------------------------------------------------------------

    def _together(self, event: Event) -> bool:
        """Whether all seats do it together, those of persons too."""
        return seat_of(event) is None and not self.truth.chance(event)

    def _follow(self, event: Event | None) -> None:
        """Wait for a person: take note of what it has done. `event` is what all do together, if that is due."""
        if event is not None and event != self._pressed:
            self._pressed = event
            for seat in self.truth.pressed(self.truth.state, event) or ():
                self._do(PressButton(seat))
        shown = self.world.look(self.truth.seats)
        if differs := self.truth.differs(shown):
            self._answer(shown)
            if self._persons():
                return
            self._leaving += POLL if self.leaving else 0.0
            if self._leaving >= self.patience:
                raise OutOfStep("what a person did", differs)
        self.world.rest(POLL)

    def _persons(self) -> bool:
        """Take note of what persons have done, also before something that programs did was understood, or instead of
        it; the cards that lie differently by the rules then are moved by all."""
        said = told([self.world.said(seat) for seat in (None, *self.truth.seats)])
        shown = self.world.look(self.truth.seats)
        found = followed(self.truth, self._since[0], said, shown)
        if not found or misread(self.truth, self._events, found):
            return False
        done, self._next, self._begun = tuple(self._events), None, None
        self.truth.state = self._since[0]
        self.lying.as_it_is(self.world.lies())  # the person may have moved them itself, or only said so
        for event in found:
            if not done:
                self._all(self.truth.moves(self.truth.state, event, self.lying))
            self._happens(event)
        self._in_step()
        self.counts["followed"] += len(found) - shared(done, found)
        self.counts["events"] -= len(done)
        left = left_of(self.truth, self.truth.state, done, found)
        for event in left:
            self._happens(event)
        self._behind = bool(left)
        if done:
            self._all(self.truth.laid(self.lying))
        return True

    def _meanwhile(self) -> bool:
        """Take note of what a person has done while the programs waited for something else."""
        return bool(self.taken) and self._persons()
