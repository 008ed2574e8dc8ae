"""The loop of people at a table: decide, act, wait until the companion shows the real state.

They answer its questions, correct its misreads, press again if nothing happened, and follow the acts of a person on a
seat that was taken over. If the companion differs from the real match for too long, they give up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.demo import page_sync
from companion.demo.acts import Act, LayTokens, MoveCard, PressButton, Rest, TakeClaim, TapPage
from companion.demo.ground_truth import GroundTruth
from companion.demo.hands import Hands
from companion.demo.http_world import HttpWorld
from companion.demo.physical_table import PhysicalTable
from companion.demo.token_hands import TokenHands
from companion.demo_records import PageState
from companion.engine import AnyState, Event, Seat, Unveiling, follow, name_of, seat_of

POLL = 0.25
"""Seconds between two looks at the pages."""
HURRY = 3.5
"""Seconds after which people turn up the next cards although the companion has not caught up yet, because an exchange
becomes visible only with the replacement cards.

Less than `AGAIN`, so that nobody types an act that the next card will show.
"""
AGAIN = 4.0
"""Seconds after which people press again, or straighten a card that the companion has not understood."""
LATE = 20.0
"""Seconds after which people no longer expect a camera to see their act."""
PATIENCE = 45.0
"""Seconds after which the companion is out of step."""
SOON = 1.0
"""The same as `AGAIN` while the camera sees nothing; people then type on a tablet what it cannot have seen."""
SEES = ("still", "moving")
"""The states of a camera that sees the table."""


class OutOfStep(Exception):
    """The companion has differed from the real match for too long."""

    def __init__(self, event: str, differs: tuple[str, ...]) -> None:
        super().__init__(f"after {event}: {', '.join(differs)}")
        self.event, self.differs = event, differs


class PlayLoop:
    """People playing one match. Persons play the seats in `taken`, programs play the others.

    `counts` has the keys events, moves, laid (moves to a place), presses, taps, asked, amended, again, put right,
    straightened, typed and followed; and, for tokens, laid, heeded (requests about tokens), numbers and spoken (amounts
    entered on a tablet, and those of them said aloud).
    """

    def __init__(self, world: HttpWorld, truth: GroundTruth, lying: PhysicalTable, patience: float = PATIENCE) -> None:
        self.world, self.truth, self.lying, self.patience = world, truth, lying, patience
        self.taken: frozenset[Seat] = frozenset()
        self.leaving: frozenset[Seat] = frozenset()
        """Seats that persons have given back while their last acts are still unknown."""
        self.counts: Counter[str] = Counter()
        self.hands = Hands(world, lying, self.counts)
        self.token_hands = None if truth.tokens is None else TokenHands(world, lying, self.counts, truth.tokens)
        self._states: list[AnyState] = [truth.state]
        """The states of the real match since the companion was last in step, beginning with that one."""
        self._events: list[Event] = []
        """The events between those states."""
        self._unseen = False
        """Whether the camera missed some of them."""
        self._next: Event | None = None
        self._interrupted: Event | None = None
        """The event in progress when the companion went away; the companion may or may not have received it."""
        self._pressed: Event | None = None
        """An event of all seats for which the programs have already pressed."""
        self._refused = ""
        self._held: Event | None = None
        """The event that added a card to a hand, and that nobody has entered yet."""
        self._behind = False
        """Whether persons' acts are understood, but an earlier event of the programs is not yet."""
        self._searched: object = None
        """The last search for persons' events without a result, which need not be repeated."""
        self._leaving_for = 0.0
        """Seconds for which the acts of a person who has left have been unknown."""

    def take_over(self, seat: Seat) -> None:
        """Let a person play a seat from now on."""
        if seat not in self.taken:
            self._next = None
        self.taken, self.leaving = self.taken | {seat}, self.leaving - {seat}

    def give_back(self, seat: Seat) -> None:
        """Let a program play a seat again once all acts of the person are known."""
        self.leaving |= {seat} & self.taken

    def step(self) -> None:
        """Make the next event and wait until the companion has understood it; raise `OutOfStep` if it does not."""
        if self.leaving and not self.truth.differs(self.world.look(self.truth.seats)):
            self.taken, self.leaving, self._leaving_for = self.taken - self.leaving, frozenset(), 0.0
        if self._behind:
            self._behind = False
            self._wait(self._states[-2], self._events[-1])
            return
        if self._held is not None and self.taken:
            self._tell_held()  # a person must see the card in its hand
        event = self._decide_next()
        if event is None or (self.taken and seat_of(event) is None and not self.truth.chance(event)):
            self._follow_persons(event)
            return
        before = self.truth.state
        if self._is_interrupted(before):
            return
        if self._held is not None and self.truth.tap_for(before, event) is not None:
            self._tell_held()  # an event that is only tapped shows no card
        if not self.taken and self.truth.only_taken_in_hand(before, event):
            self._held, self._next = event, None
            self._apply(event)
            return
        self._refused = ""
        self.hands.begin()
        if self.token_hands is not None:
            self.token_hands.begin()
        self._all(self.truth.clear(before, event, self.lying))
        together = self.truth.simultaneous(event)
        begun, self._interrupted = self._interrupted is event, event
        if not (begun and not self.truth.differs(self.world.look(), follow(self.truth.game, before, event))):
            self._all(self.truth.use_tokens(before, together, self.lying))
            self._all(self.truth.announce(before, event))
        moves = self.truth.moves(before, event, self.lying)
        if self.truth.made_with_cards(before, event):
            self._all(moves)
        self._next = self._interrupted = None
        for each in together:
            self._apply(each)
        # Wait for presses and taps first: a count broken by a restart sells nothing, closed fists pay nothing.
        if self._wait(before, event) and self._all(moves) + self._all(self.truth.settle_tokens(self.lying)):
            self._wait(before, event)

    def _tell_held(self) -> None:
        """Enter the event that added a card to a hand."""
        if self._held is not None:
            self._do(TapPage(self.truth.tapping_seat(self._states[-2], self._held), self._held))
            self._held = None

    def _decide_next(self) -> Event | None:
        if self._next is None:
            self._next = self.truth.decide(self.taken)
        return self._next

    def _apply(self, event: Event) -> None:
        self.truth.apply(event)
        self._pressed = None
        self._states.append(self.truth.state)
        self._events.append(event)
        self.counts["events"] += 1

    # --- acting -----------------------------------------------------------------------------------

    def _all(self, acts: Iterable[Act]) -> int:
        """Carry out acts; return how many there were."""
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
                self.counts.update(self.truth.amount_said(event))
            case LayTokens() if self.token_hands is not None:
                self.token_hands.lay(act)
            case TakeClaim() if self.token_hands is not None:
                self.token_hands.take(act, self.truth.timing)
            case Rest(seconds) if seconds:
                self.world.rest(seconds)
            case Rest():
                self.world.settle()
                if act.briefly:
                    while (shown := self.world.look()).unread and self.hands.straighten(shown):
                        pass  # straighten unnamed cards while they are still there

    def _may_press(self, seat: Seat) -> bool:
        """Return whether a program may press.

        It must not press for a person, after a faster person, or if its seat is already ready, since the press would
        cancel that.
        """
        if seat in self.taken or (self.taken and self.truth.differs(self.world.look())):
            return False
        return not isinstance(self.truth.timing, Unveiling) or seat not in self.world.look().ready

    # --- in step ----------------------------------------------------------------------------------

    def _wait(self, before: AnyState, event: Event) -> bool:
        """Wait until the companion shows the real state, and help as people do; return False if something else has
        happened."""
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
            if self._is_interrupted(before) or (self.taken and self._record_persons()):
                return False
            if waited >= HURRY and self.truth.made_with_cards(before, event) and self._next_shows():
                return False
            if self._answer(shown) or (self.token_hands is not None and self.token_hands.heed(shown)):
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
        """Read the shared tablet and, if it shows the real state, everybody's own."""
        shown = self.world.look()
        return self.world.look(self.truth.seats) if not self.truth.differs(shown) else shown

    def _in_step(self) -> None:
        self._states, self._events, self._held, self._unseen = [self.truth.state], [], None, False

    def _is_interrupted(self, state: AnyState) -> bool:
        """Record that the companion has interrupted a count (a restart, lost buttons); the people start it again."""
        for cause in ("restart", "buttons"):
            broken = self.truth.game.interruption(state, cause)
            for after in self.truth.after_break(state, broken) if broken is not None else ():
                if not self.truth.differs(self.world.look(), after):
                    self.truth.state = after
                    self.counts["broken"] += 1
                    self._next = self._interrupted = None
                    self._in_step()
                    return True
        return False

    def _next_shows(self) -> bool:
        """Return whether the companion needs the next cards to see what has happened."""
        if self.truth.state.over:
            return False
        event = self._decide_next()
        if event is not None and not self.truth.chance(event):
            event = self.truth.chance_event()
        if event is None or not self.truth.made_with_cards(self.truth.state, event):
            return False
        self._next = event
        return True

    # --- helping ----------------------------------------------------------------------------------

    def _answer(self, shown: PageState) -> bool:
        """Answer a question of the camera's correctly; return whether there was one."""
        for choice in shown.choices:
            for state in self._states[1:]:
                if not self.truth.differs(PageState(choice.view), state):
                    self.world.choose(choice.mark)
                    self.counts["asked"] += 1
                    return True
        return False

    def _help(self, shown: PageState, before: AnyState, event: Event, late: bool) -> None:
        """Help as people do if an act had no effect: look, press again, or straighten a card.

        If it is `late`, type the act, although the next card might show it.
        """
        if self._correct_table(shown) or self._help_tokens(shown, before, event, late):
            return
        seats = self.truth.pressing_seats(before, event)
        if seats is not None and not self.truth.differs(shown, before):
            self.counts["again"] += 1
            for seat in seats:
                if seat not in shown.ready and seat not in self.taken:
                    self.world.press(seat)
        elif self._refused:
            self._all([act for act in self.truth.announce(before, event) if isinstance(act, TapPage)])
        elif (
            self._unseen
            or self.truth.claimed_with_tokens(event)
            or self.truth.made_with_tokens(event)
            or not (self.hands.straighten(shown) or (self.truth.hides_an_act(before, event) and not late))
        ):
            self._type(shown)

    def _help_tokens(self, shown: PageState, before: AnyState, event: Event, late: bool) -> bool:
        """Help as people do if tokens had no effect: lay them again; return whether that may help.

        If it is `late`, or if no camera sees the tokens or counts them correctly, enter their value.
        """
        if self.token_hands is None:
            return False
        self.token_hands.try_again()
        late = late or shown.looking not in SEES
        found = page_sync.find_counts(self.truth, self._states[0], self._events, shown)
        counted = event in self.truth.counts
        if found is not None and (late or not counted or not page_sync.may_count(self.truth, *found)):
            self.truth.state, left = found
            if counted:
                self.truth.say_instead(left)
            self._in_step()
            return True
        if self.truth.claimed_with_tokens(event) and not late:
            self._all(self.truth.use_tokens(before, (event,), self.lying))
            return True
        return self.truth.made_with_tokens(event) and (not late or event in self.truth.counts)

    def _correct_table(self, shown: PageState) -> bool:
        """Correct the places that the companion reports: move wrong cards, or else amend the misread."""
        # a rendered table is bare after its camera has restarted
        self.lying.as_it_is(self.world.read_cards())
        if self.hands.correct_table(self.truth.layout()):
            return True
        for odd in shown.odd:
            here = self.lying.cards.get(odd.place, [])
            if odd.right and all(card in [name for name, _ in here] for card in odd.cards):
                self.world.amend(odd.place)
                self.counts["amended"] += 1
                return True
        return False

    def _type(self, shown: PageState) -> None:
        """Type on tablets the events that people made with cards or tokens and that the camera missed."""
        for before, event in page_sync.events_not_shown(self.truth, self._states[0], self._events, shown):
            if self.truth.shown_on_table(before, event):
                said = self.truth.adapt_event(before, event, self.world.look())
                self._refused = self.world.tap(self.truth.tapping_seat(before, event), said)
                self.counts["typed"] += 1

    # --- persons ----------------------------------------------------------------------------------

    def _follow_persons(self, event: Event | None) -> None:
        """Wait for persons and record their acts. `event` is the event that all seats must make together, or None."""
        if event is not None and event != self._pressed:
            self._pressed = event
            for seat in self.truth.pressing_seats(self.truth.state, event) or ():
                self._do(PressButton(seat))
        shown = self.world.look(self.truth.seats)
        if differs := self.truth.differs(shown):
            self._answer(shown)
            if self._record_persons():
                return
            self._leaving_for += POLL if self.leaving else 0.0
            if self._leaving_for >= self.patience:
                raise OutOfStep("what a person did", differs)
        self.world.rest(POLL)

    def _record_persons(self) -> bool:
        """Record the persons' acts, even before or instead of the programs' events that are not yet understood; then
        lay the cards by the rules."""
        said = page_sync.merge_logs([self.world.read_log(seat) for seat in (None, *self.truth.seats)])
        shown = self.world.look(self.truth.seats)
        if self._searched == (self._states[0], said, shown):
            return False
        found = page_sync.find_events(self.truth, self._states[0], said, shown)
        if not found or page_sync.is_misread(self.truth, self._events, found):
            self._searched = (self._states[0], said, shown) if not found else None
            return False
        done, self._next, self._interrupted = tuple(self._events), None, None
        self.truth.state = self._states[0]
        # The person may have moved cards, or only typed an event.
        self.lying.as_it_is(self.world.read_cards())
        for event in found:
            if not done:
                self._all(self.truth.moves(self.truth.state, event, self.lying))
            self._apply(event)
        self._in_step()
        self.counts["followed"] += len(found) - page_sync.count_shared(done, found)
        self.counts["events"] -= len(done)
        left = page_sync.unreported_events(self.truth, self.truth.state, done, found)
        for event in left:
            self._apply(event)
        self._behind = bool(left)
        if done:
            self._all(self.truth.lay_straight(self.lying))
        self._all(self.truth.settle_tokens(self.lying))
        return True
