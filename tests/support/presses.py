"""Presses for tests: a lot and a referee without a journal or threads, and an independent implementation of the rule.

Times are nanoseconds; `MS` makes them readable. Nothing here waits.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from companion.engine import Event, Raising, Refusal, Seat, State, Timing, apply, rule
from companion.games import GAMES
from companion.match.actor import Actor
from companion.messages import MILLISECOND, SECOND, Contact, Cue, Press, Source
from companion.referee.open_auction import REACTION
from companion.referee.pace import USUAL, Pace
from companion.referee.press_rulings import OWN, PressEvidence, Ruling, evidence_of
from companion.referee.referee import AFTERWARDS, Referee
from companion.referee.verdict import Judged
from companion.table.snapshot import Snapshot
from companion.table.table import Table

MS, S = MILLISECOND, SECOND
GAME = GAMES["take-a-train"]


class Arrival(NamedTuple):
    """A press or an announcement, and its time of delivery."""

    now: int
    what: Press | Event


def hit(
    seat: int, at: int, late: int = 0, contact: Contact = "closed", since: int = 0, source: Source = "pin"
) -> Arrival:
    """Return a press with its contact in nanoseconds, delivered after a delay."""
    return Arrival(at + late, Press(seat, at, contact, since, source))


def held(seat: int, since: int, after: int = 700 * MS, late: int = 0) -> Arrival:
    """Return a report that a button has been held since a contact."""
    return hit(seat, since + after, late, "held", since)


class Lot(Protocol):
    """The referee's view of a game: the meaning of a press, refusals, and applying an event."""

    def timing(self) -> Timing | None:
        """Return the present meaning of a press."""
        ...

    def rule(self, event: Event) -> Refusal | None:
        """Return the reason why an event is refused, or None."""
        ...

    def happen(self, event: Event) -> None:
        """Apply an event."""
        ...


class Played:
    """A state of a real game."""

    def __init__(self, state: State[Any]) -> None:
        self.state = state

    def timing(self) -> Timing | None:
        """Return the present meaning of a press."""
        return self.state.agenda[0].timing(self.state.table) if self.state.agenda else None

    def rule(self, event: Event) -> Refusal | None:
        """Return the reason why the rules refuse an event, or None."""
        return rule(GAME, self.state, event)

    def happen(self, event: Event) -> None:
        """Apply an event."""
        self.state = apply(GAME, self.state, event)


class Court:
    """A referee and its lot. The results of presses are in `events`, `rulings`, `told` and `cues`."""

    def __init__(self, lot: Lot, now: int = 0, pace: Pace = USUAL) -> None:
        self.lot, self.now = lot, now
        self.referee = Referee(pace)
        self.events: list[Event] = []
        self.rulings: list[Ruling] = []
        self.told: list[tuple[Seat, Refusal]] = []
        self.cues: list[tuple[int, Cue]] = []
        self._tickets = count(1)
        self._show(self.referee.watch(lot.timing(), now))

    @property
    def state(self) -> Any:
        """The state of the real game."""
        assert isinstance(self.lot, Played)
        return self.lot.state

    def play(self, arrivals: Iterable[Arrival], until: int = 60 * S) -> Court:
        """Deliver everything in order of delivery, and let time pass until a given time."""
        for now, what in sorted(arrivals, key=lambda arrival: arrival.now):
            self.deliver(now, what)
        return self.wait(until)

    def deliver(self, now: int, what: Press | Event) -> None:
        """Deliver a press or an announcement now."""
        self.wait(now - 1)
        self.now = now
        if isinstance(what, Press):
            evidence = evidence_of(what, now)
        else:
            seat: Any = getattr(what, "seat", OWN)
            evidence = PressEvidence(seat, now, now, source="said", event=what, ticket=next(self._tickets))
        self._show(self.referee.hear(evidence))
        self._judge()

    def wait(self, until: int) -> Court:
        """Let time pass until a given time, and judge everything when it is due."""
        while (due := self.referee.due()) is not None and due <= until:
            self.now = max(self.now, due)
            self._judge()
        self.now = max(self.now, until)
        return self

    def clear(self, *events: Event) -> Court:
        """Change the table by other means than a press, such as a pause."""
        for event in events:
            self.lot.happen(event)
        told, cues = self.referee.clear(self.lot.timing(), self.now)
        self.told += [(each.heard.seat, each.refusal) for each in told if each.refusal is not None]
        self._show(cues)
        return self

    def _judge(self) -> None:
        while (ruling := self.referee.next(self.now, self.lot.rule)) is not None:
            self.rulings.append(ruling)
            if ruling.event is not None:
                self.events.append(ruling.event)
                self.lot.happen(ruling.event)
            if ruling.judged is not None:
                self._show(self.referee.confirm(ruling))
            if ruling.refusal is not None:
                self.told.append((ruling.heard.seat, ruling.refusal))
            self._show(ruling.cues)
            if ruling.event is not None:
                self._show(self.referee.watch(self.lot.timing(), self.now))

    def _show(self, cues: tuple[Cue, ...]) -> None:
        self.cues += [(self.now, cue) for cue in cues]

    @property
    def verdicts(self) -> list[Judged]:
        """All verdicts in their order."""
        return [ruling.judged for ruling in self.rulings if ruling.judged is not None]

    def shown(self, kind: type[Cue]) -> list[Any]:
        """Return the cues of a kind."""
        return [cue for _, cue in self.cues if type(cue) is kind]


def why(court: Court, seat: Seat) -> tuple[str, str, Seat | None]:
    """Return the rule, the key and the audience of the last message to a seat."""
    refusal = next(refusal for told, refusal in reversed(court.told) if told == seat)
    return refusal.rule, refusal.key, refusal.audience


class Live:
    """A real table with its own clock, and all messages to lamps and seats. Nothing waits."""

    def __init__(self, path: Path, now: int = 5 * S, pace: Pace = USUAL) -> None:
        self.now = now
        self.cues: list[tuple[int, Cue]] = []
        self.told: list[tuple[Seat, Refusal]] = []
        self.table = Table(path, clock=lambda: self.now, pace=pace)
        self.table.cues.listen(lambda cues: self.cues.extend((self.now, cue) for cue in cues))
        self.table.cues.listen_to_refusals(lambda seat, refusal: self.told.append((seat, refusal)))

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: object) -> None:
        self.table.close()

    def say(self, *events: Event, by: Actor = Actor.TABLE) -> Live:
        """Apply events that are not races."""
        for event in events:
            answer = self.table.propose(event, by)
            assert answer.accepted, (event, answer)
        return self

    def wait(self, until: int) -> Live:
        """Let time pass until a given time, and judge everything that is due."""
        while (due := self.table.referee.due()) is not None and due <= until:
            self.now = max(self.now, due)
            self.table.tick()
        self.now = max(self.now, until)
        return self

    def play(self, *arrivals: Arrival, until: int = 0) -> Live:
        """Deliver presses in order of delivery, then let a second pass, or the time up to a given time."""
        for now, what in sorted(arrivals, key=lambda arrival: arrival.now):
            assert isinstance(what, Press)
            self.wait(now - 1)
            self.now = now
            self.table.press(what)
        return self.wait(until or self.now + S)

    @property
    def shown(self) -> Snapshot:
        """The table's present snapshot."""
        return self.table.snapshot()

    @property
    def events(self) -> list[Event]:
        """The line of play."""
        return [entry.event for entry in self.shown.entries]

    @property
    def cash(self) -> tuple[int, ...]:
        """Everybody's money."""
        assert self.shown.state is not None
        return tuple(self.shown.state.table.cash)

    def kinds(self, kind: type[Cue]) -> list[Any]:
        """Return the cues of a kind."""
        return [cue for _, cue in self.cues if type(cue) is kind]


# # --- the rule, implemented independently -------------------------------------------------------------


class Touch(NamedTuple):
    """A finger's press: the true time of its contact, its seat, and the time from which it counts as held, if it
    does."""

    at: int
    seat: int
    held: int | None = None


class Verdict(NamedTuple):
    """The outcome of one touch: contact, seat, outcome, count or amount, and nanoseconds after the decisive event."""

    at: int
    seat: int
    outcome: str
    number: int = 0
    margin: int = 0


class Outcome(NamedTuple):
    """The outcome of a lot: leader or buyer, price, whether it was sold, ties, every verdict."""

    leader: int
    price: int
    sold: bool
    tied: tuple[int, ...]
    verdicts: tuple[Verdict, ...]


class Words:
    """Rules R-47 to R-49 applied to the true events in order. It shares only two durations with the referee."""

    def __init__(self, terms: Raising, able: Any) -> None:
        """`able(seat, amount)`: whether the seat may raise to an amount and can pay it."""
        self.terms, self.able = terms, able
        self.leader, self.price = int(terms.leader), terms.price
        self.base = terms.price
        self.raised_at: int | None = None
        self.outbid_at: dict[int, int] = {}
        self.count, self.counted_at = 0, 0
        self.sold_at: int | None = None
        self.tied: tuple[int, ...] = ()
        self.own: list[int] = []
        self.found: list[Verdict] = []

    def judge(self, touches: Iterable[Touch]) -> Outcome:
        """Return the lot's outcome."""
        happenings: list[tuple[int, str, Touch]] = []
        for touch in touches:
            happenings.append((touch.at, "closed", touch))
            if touch.held is not None:
                happenings.append((touch.held, "held", touch))
        heapq.heapify(happenings)
        while (happenings or self.own) and not self.tied:
            instant = min([*self.own[:1], *[each[0] for each in happenings[:1]]])
            here: list[tuple[int, str, Touch]] = []
            while happenings and happenings[0][0] == instant:
                here.append(heapq.heappop(happenings))
            self._instant(instant, here)
        verdicts = tuple(self.found)
        return Outcome(self.leader, self.price, self.sold_at is not None, self.tied, verdicts)

    def _instant(self, now: int, here: list[tuple[int, str, Touch]]) -> None:
        """Judge all events of one instant: raises first, because a raise at the third count wins; then counts."""
        leader = self.leader
        closed = [touch.seat for _, what, touch in here if what == "closed"]
        if self.sold_at is not None:
            late = now - self.sold_at
            if late <= AFTERWARDS:
                self.found += [Verdict(now, seat, "too_late", 0, late) for seat in closed if seat != self.leader]
            return
        self._raises(now, sorted(seat for seat in closed if seat != leader))
        if self.tied:
            return
        for _, what, touch in here:
            if what == "held" and touch.seat == self.leader and self.raised_at == touch.at:
                self._grow(now, touch.seat)
        if self.own and self.own[0] == now:
            self.own.pop(0)
            self._counts(now, -1)
        if leader in closed:
            if leader == self.leader:
                self._press_of_leader(now, leader)
            else:
                self.found.append(Verdict(now, leader, "outbid", 0, now - self.outbid_at[leader]))

    def _raises(self, now: int, seats: list[int]) -> None:
        """Judge the presses at this instant of everybody except the leader."""
        meant = (USUAL.open_grace_ms * MS) + REACTION
        raising: list[int] = []
        for seat in seats:
            if seat in self.outbid_at and now - self.outbid_at[seat] <= meant:
                self.found.append(Verdict(now, seat, "outbid", 0, now - self.outbid_at[seat]))
            elif self.raised_at is not None and now - self.raised_at <= USUAL.same_moment_ms * MS:
                self.found.append(Verdict(now, seat, "same_moment", self.price, now - self.raised_at))
            else:
                raising.append(seat)
        amount = self.price + self.terms.step
        can = [seat for seat in raising if self.able(seat, amount)]
        if len(can) > 1:
            self.tied = tuple(can)
            self.price = amount
            # The beginner decides now; seats of one instant are heard in order, and not after a tie.
            self.found = [each for each in self.found if each.at < now or each.seat < can[0]]
            refused = [seat for seat in raising if seat < can[0]]
            self.found += [Verdict(now, seat, "not_accepted") for seat in refused]
            self.found += [Verdict(now, seat, "tied", amount) for seat in can]
            return
        for seat in raising:
            if seat in can:
                self.outbid_at[self.leader] = now
                self.base, self.price, self.leader, self.raised_at = self.price, amount, seat, now
                self.count, self.own = 0, []
                self.found.append(Verdict(now, seat, "leads", amount))
            elif can and seat > can[0]:
                self.found.append(Verdict(now, seat, "same_moment", amount))
            else:
                self.found.append(Verdict(now, seat, "not_accepted"))

    def _grow(self, now: int, seat: int) -> None:
        amount = self.base + self.terms.leap
        if amount <= self.price:
            return
        if not self.able(seat, amount):
            self.found.append(Verdict(now, seat, "not_accepted"))
            return
        self.price = amount
        self.count, self.own = 0, []
        self.found.append(Verdict(now, seat, "grown", amount))

    def _press_of_leader(self, now: int, seat: int) -> None:
        if self.raised_at is not None and now - self.raised_at < USUAL.double_tap_ms * MS:
            self.found.append(Verdict(now, seat, "too_soon", 0, now - self.raised_at))
            return
        if self.count and self.terms.counting == "companion":
            return
        if self.count and now - self.counted_at < USUAL.gap_ms(self.terms) * MS:
            self.found.append(Verdict(now, seat, "too_soon", 0, now - self.counted_at))
            return
        self._counts(now, seat)

    def _counts(self, now: int, seat: int) -> None:
        self.count += 1
        self.counted_at = now
        self.found.append(Verdict(now, seat, "counted", self.count))
        if self.count == 3:
            self.sold_at = now
        elif self.count == 1 and self.terms.counting == "companion":
            gap = USUAL.gap_ms(self.terms) * MS
            self.own = [now + gap, now + 2 * gap]


def outcome_of(court: Court, leader: int, price: int, sold: bool, tied: tuple[int, ...] = ()) -> Outcome:
    """Return the referee's result for a lot, in the same form."""
    found: list[Verdict] = []
    for ruling in court.rulings:
        if ruling.judged is None:
            continue
        together = ruling.judged.kind == "raise" and ruling.judged.marks[0].outcome == "tied"
        for mark in ruling.judged.marks if together else ruling.judged.marks[-1:]:
            at = ruling.heard.at
            found.append(Verdict(at, mark.seat, mark.outcome, mark.number, mark.at * 1000))
    return Outcome(leader, price, sold, tied, tuple(sorted(found)))


def written(outcome: Outcome) -> Outcome:
    """Return an outcome in the form of verdicts: margins in microseconds rounded away from zero, sorted by seat
    within an instant."""
    found = [verdict._replace(margin=-(-verdict.margin // 1000) * 1000) for verdict in outcome.verdicts]
    return outcome._replace(verdicts=tuple(sorted(found)))
