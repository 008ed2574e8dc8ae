"""Checks verdicts of contested counts against true contact times: `python -m tests.bench.bench_referee [--counts N]`.

Each lot is an Open auction in which the leader (or the companion) counts to three, while others press two to six times
near the deadline: exactly at three, at the same instant, in the same moment, or held. Contacts bounce for up to 10 ms.
Raw edges go through the real debounce and presses through the real referee, each up to 100 ms late and out of order,
while two processes keep the cores busy. Each verdict is compared with that of the rule's words for the true contacts
(`presses.Words`). A sample also goes through the real table and journal. Ends with code 1 when a verdict differs.
Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.engine import Event, Raising, Refusal, Seat, Setup, Timing
from companion.games.take_a_train import events as ev
from companion.journal import database
from companion.match.actor import Actor
from companion.messages import Press
from companion.referee.pace import USUAL, Pace
from companion.referee.referee import Referee
from companion.table.table import Table
from hardware.debounce import Debounce
from hardware.wiring.wiring import DEFAULT
from tests.support.presses import MS, Arrival, Court, Outcome, S, Touch, Verdict, Words, outcome_of, written

US = 1000
EDGES_LATE, BUS_LATE = 5 * MS, 100 * MS
"""The largest delay of an edge, and again of the press made from it, in ns."""
BOUNCE = 9_900 * US
HOLD = DEFAULT.hold_ms * MS
RICH = 5000


# --- what happens at the table --------------------------------------------------------------------


class Case(NamedTuple):
    """A contested count: the terms, each seat's money, all presses and their durations."""

    terms: Raising
    cash: tuple[int, ...]
    touches: tuple[Touch, ...]
    ends: tuple[int, ...]


HASTY = Pace(open_grace_ms=0)
"""A referee that waits for no press in transit."""


def terms(**fields: Any) -> Raising:
    """Return the terms of an Open auction in which seat 0 leads at 300."""
    given: dict[str, Any] = {
        "lot": (1, "steam-4"),
        "leader": Seat(0),
        "price": 300,
        "count": 0,
        "seats": 6,
        "raised": ev.Raised,
        "grown": ev.RaiseGrown,
        "together": ev.RaisedTogether,
        "counted": ev.Counted,
        "step": 50,
        "leap": 200,
        "counting": "leader",
    }
    return Raising(**(given | fields))


def case(luck: random.Random) -> Case:
    """Return a random contested count."""
    players = luck.randint(3, 6)
    companion = luck.random() < 0.2
    cash = tuple([RICH, *[luck.choice((RICH, RICH, RICH, 350, 300, 500)) for _ in range(players - 1)]])
    touches: list[tuple[int, int, int]] = []  # contact, seat, duration
    first = S + luck.randrange(100 * MS)
    second = first + S + luck.choice((0, luck.randrange(300 * MS), -luck.randrange(20 * MS)))
    third = second + S + luck.choice((0, luck.randrange(300 * MS)))
    if companion:
        third = first + 2 * S
        touches.append((first, 0, short(luck)))
    else:
        touches += [(at, 0, short(luck)) for at in (first, second, third)]
    instants: list[int] = []
    slow = luck.random() < 0.5
    for _ in range(luck.randint(2, 6)):
        at = contact(luck, third, instants)
        if slow and luck.random() < 0.9:  # everybody hesitated: this case is about the exact deadline
            at = third + abs(at - third)
        instants.append(at)
        held = luck.random() < 0.15
        touches.append((at, luck.randint(1, players - 1), HOLD + luck.randrange(1, 300 * MS) if held else short(luck)))
    if luck.random() < 0.3:  # somebody counts again, while another may change their mind
        seat = luck.randrange(players)
        again = third + 1200 * MS
        touches += [(again + n * S, seat, short(luck)) for n in range(3)]
        touches.append((contact(luck, again + 2 * S, instants), luck.randrange(1, players), short(luck)))
    if luck.random() < 0.3:  # somebody taps twice
        at, seat, _ = luck.choice(touches)
        touches.append((at + luck.randrange(100 * MS, 700 * MS), seat, short(luck)))
    chosen = fingers(touches)
    counting = "companion" if companion else "leader"
    return Case(terms(seats=players, counting=counting), cash, *chosen)


def short(luck: random.Random) -> int:
    """Return the duration of a press in ns, longer than the contact bounces."""
    return 30 * MS + luck.randrange(90 * MS)


def contact(luck: random.Random, deadline: int, others: Sequence[int]) -> int:
    """Return a moment near the deadline: exactly there, at or near another contact, or at random."""
    kind = luck.random()
    if kind < 0.12:
        return deadline
    if kind < 0.24 and others:
        return luck.choice(others)
    if kind < 0.34 and others:
        return luck.choice(others) + luck.randrange(-5 * MS, 5 * MS)
    if kind < 0.44:
        return deadline + luck.choice((-1, 1, -US, US, -MS, MS))
    if kind < 0.80:
        return deadline + luck.randrange(-60 * MS, 60 * MS)
    return deadline + luck.randrange(-700 * MS, 400 * MS)


def fingers(wanted: Sequence[tuple[int, int, int]]) -> tuple[tuple[Touch, ...], tuple[int, ...]]:
    """Return the possible presses: a button must be released for a while before the next press."""
    touches: list[Touch] = []
    ends: list[int] = []
    free: dict[int, int] = {}
    for at, seat, long in sorted(wanted):
        if at < free.get(seat, 0):
            continue
        free[seat] = at + long + 60 * MS
        touches.append(Touch(at, seat, at + HOLD if long >= HOLD else None))
        ends.append(at + long)
    return tuple(touches), tuple(ends)


class Lot:
    """An Open lot without a game, for speed: the leader, the price and the count."""

    def __init__(self, terms: Raising, cash: Sequence[int]) -> None:
        self.terms, self.cash = terms, cash
        self.sold = False
        self.tied: tuple[int, ...] = ()

    def timing(self) -> Timing | None:
        """Return the present meaning of a press."""
        return None if self.sold or self.tied else self.terms

    def able(self, seat: int, amount: int) -> bool:
        """Return whether a seat can pay an amount."""
        return self.cash[seat] >= amount

    def rule(self, event: Event) -> Refusal | None:
        """Return the reason to refuse an event, or None."""
        if isinstance(event, ev.Counted) or self.able(event.seat, event.amount):  # type: ignore[attr-defined]
            return None
        return Refusal("R-16", "bid_exceeds_cash", {}, event.seat)  # type: ignore[attr-defined]

    def happen(self, event: Event) -> None:
        """Apply an event."""
        match event:
            case ev.Raised(seat, amount) | ev.RaiseGrown(seat, amount):
                self.terms = msgspec.structs.replace(self.terms, leader=seat, price=amount, count=0)
            case ev.Counted(_, count) if count < 3:
                self.terms = msgspec.structs.replace(self.terms, count=count)
            case ev.Counted():
                self.sold = True
            case ev.RaisedTogether(seats, amount):
                self.terms = msgspec.structs.replace(self.terms, price=amount)
                self.tied = tuple(seats)


# --- delivery -------------------------------------------------------------------------------------


class Edge(NamedTuple):
    """An edge of a button with its time of delivery."""

    now: int
    at: int
    closed: bool


def chatter(luck: random.Random, at: int, closed: bool) -> list[tuple[int, bool]]:
    """Return a contact's change with its bounces: pairs of edges within 10 ms."""
    bounces = 2 * luck.choice((0, 0, 1, 1, 2, 3))
    moments = sorted(luck.sample(range(20 * US, BOUNCE, 10 * US), bounces))
    return [(at, closed), *[(at + moment, closed == bool(n % 2)) for n, moment in enumerate(moments)]]


def delivered(luck: random.Random, case: Case) -> list[Arrival]:
    """Return the presses that leave the buttons' debounce and the bus, each with its own random delay."""
    edges: dict[int, list[tuple[int, bool]]] = {}
    for touch, end in zip(case.touches, case.ends, strict=True):
        edges.setdefault(touch.seat, []).extend(chatter(luck, touch.at, True) + chatter(luck, end, False))
    arrivals: list[Arrival] = []
    for seat, own in edges.items():
        for now, press in debounced(luck, seat, own):
            if press.contact != "opened":
                arrivals.append(Arrival(now + luck.randrange(BUS_LATE), press))
    return arrivals


def debounced(luck: random.Random, seat: int, edges: list[tuple[int, bool]]) -> Iterator[tuple[int, Press]]:
    """Yield one button's presses with their times of delivery; delayed edges keep their order, as on a pin."""
    moments = [at for at, _ in edges]
    mail: list[Edge] = []
    for at, closed in edges:
        mail.append(Edge(max(at + luck.randrange(EDGES_LATE), mail[-1].now if mail else 0), at, closed))
    button = Debounce(seat, DEFAULT, 0)
    n = 0
    while True:
        due = button.due()
        if n < len(mail) and (due is None or mail[n].now <= due):
            now = mail[n].now
            told = button.edge(mail[n].at, mail[n].closed)
            n += 1
        elif due is None or (n == len(mail) and due > mail[-1].now + S):
            return
        else:
            now = max(due, mail[n - 1].now if n else 0)
            behind = bisect_right(moments, now)
            told = button.tick(now, edges[behind - 1][1] if behind else False)
        for press in told:
            yield now, press


def by_arrival(arrivals: Sequence[Arrival]) -> list[Arrival]:
    """Return the same presses stamped with their times of delivery."""
    heard: dict[tuple[int, int], int] = {}
    found: list[Arrival] = []
    for now, what in sorted(arrivals, key=lambda arrival: arrival.now):
        assert isinstance(what, Press)
        since = heard.get((what.seat, what.since), 0)
        heard[what.seat, what.at] = now
        found.append(Arrival(now, msgspec.structs.replace(what, at=now, since=since if what.since else 0)))
    return found


def judged(
    case: Case, arrivals: Sequence[Arrival], terms: Raising, times: list[int] | None = None, pace: Pace = USUAL
) -> Outcome:
    """Return the referee's verdicts, and append the duration of each call in ns to `times`."""
    lot = Lot(terms, case.cash)
    court = Court(lot, pace=pace)
    if times is not None:
        court.referee = Timed(times)
        court.referee.watch(terms, 0)
    court.play(arrivals)
    return outcome_of(court, int(lot.terms.leader), lot.terms.price, lot.sold, lot.tied)


class Timed(Referee):
    """A referee whose rulings are timed: from receiving a press to the next request for a ruling."""

    def __init__(self, times: list[int]) -> None:
        super().__init__()
        self._times = times
        self._spent = 0

    def hear(self, evidence: Any) -> Any:
        """Receive a press."""
        begun = time.perf_counter_ns()
        cues = super().hear(evidence)
        self._spent += time.perf_counter_ns() - begun
        return cues

    def next(self, now: int, rule: Any) -> Any:
        """Return the next ruling."""
        begun = time.perf_counter_ns()
        ruling = super().next(now, rule)
        self._spent += time.perf_counter_ns() - begun
        if ruling is not None:
            self._times.append(self._spent)
            self._spent = 0
        return ruling


def truth(case: Case) -> Outcome:
    """Return the verdicts of the rule's words for the true contacts."""
    return written(Words(case.terms, Lot(case.terms, case.cash).able).judge(case.touches))


# --- through the real table -----------------------------------------------------------------------


def at_the_table(folder: Path, case: Case, arrivals: Sequence[Arrival]) -> Outcome:
    """Return the verdicts of the real table: the writer, the journal, and the game's own rules."""
    now = 0
    players = case.terms.seats
    setup = Setup("take-a-train", players, {"counting": case.terms.counting}, deck="ours")
    with Table(folder / "journal.db", clock=lambda: now) as table:
        table.start(setup)
        opening = (ev.StarterNamed(Seat(0)), ev.TokenDrawn("open"), ev.LocosRevealed(("diesel-1",)))
        for event in (*opening, ev.Opened(Seat(0), 300)):
            assert table.propose(event, Actor.TABLE).accepted
        for seat, cash in enumerate(case.cash):
            assert cash == RICH or table.correct(Seat(seat), cash, Actor.HOST).accepted
        begun = table.snapshot().seq
        for at, what in [*sorted(arrivals, key=lambda arrival: arrival.now), Arrival(60 * S, Press(-9, 0))]:
            while (due := table.referee.due()) is not None and due < at:
                now = max(now, due)
                table.tick()
            now = max(now, at)
            if isinstance(what, Press) and what.seat >= 0:
                table.press(what)
        shown = table.snapshot()
        found = [verdict_of(mark) for each in shown.verdicts for mark in news(each)]
        view = shown.game.view(shown.state, None)
        sold = [effect for entry in shown.entries for effect in entry.effects if isinstance(effect, ev.Sold)]
        assert shown.seq > begun and shown.state is not None
    if sold:
        return Outcome(int(sold[0].seat), sold[0].price, True, (), tuple(found))
    tied = tuple(getattr(shown.state.agenda[0], "tied", ()))
    return Outcome(int(view.lot.leader or 0), view.lot.price, False, tied, tuple(found))


def news(judged: Any) -> Any:
    """Return the verdict marks that are new."""
    return judged.marks if judged.marks[0].outcome == "tied" else judged.marks[-1:]


def verdict_of(mark: Any) -> Verdict:
    """Return the part of a mark that can be compared; the journal does not store its contact."""
    return Verdict(0, mark.seat, mark.outcome, mark.number, mark.at * US)


# --- the run --------------------------------------------------------------------------------------


def _spin() -> None:
    n = 0
    while True:
        n += 1


@contextlib.contextmanager
def busy(processes: int = 2) -> Iterator[None]:
    """Keep the cores busy."""
    context = multiprocessing.get_context("spawn")
    spinning = [context.Process(target=_spin, daemon=True) for _ in range(processes)]
    for each in spinning:
        each.start()
    try:
        yield
    finally:
        for each in spinning:
            each.kill()
            each.join()


def spread(values: Sequence[int]) -> str:
    """Return the median, the 99th percentile and the maximum in microseconds."""
    ordered = sorted(values)
    p99 = ordered[int(len(ordered) * 0.99)]
    return f"p50 {statistics.median(ordered) / US:.1f} µs, p99 {p99 / US:.1f} µs, longest {ordered[-1] / US:.0f} µs"


def contest(counts: int, seed: int) -> int:
    """Judge contested counts in three ways, and return the number of verdicts wrong by true contact time."""
    times: list[int] = []
    tally = dict.fromkeys(
        ("presses", "verdicts", "sold", "tied", "late", "wrong", "hasty", "hasty sale", "stamped", "stamped sale"), 0
    )
    latest = 0
    for n in range(counts):
        luck = random.Random(seed * 1_000_003 + n)
        given = case(luck)
        arrivals = delivered(luck, given)
        latest = max(latest, *[now - what.at for now, what in arrivals if isinstance(what, Press)])
        true = truth(given)
        ours = judged(given, arrivals, given.terms, times)
        hasty = judged(given, arrivals, given.terms, pace=HASTY)
        stamped = judged(given, by_arrival(arrivals), given.terms)
        tally["presses"] += len(given.touches)
        tally["verdicts"] += len(true.verdicts)
        tally["sold"] += true.sold
        tally["tied"] += bool(true.tied)
        tally["late"] += any(verdict.outcome == "too_late" for verdict in true.verdicts)
        if ours != true:
            tally["wrong"] += 1
            if tally["wrong"] <= 3:
                print(f"WRONG at count {n}: {given.touches}\n  by contact {true}\n  judged     {ours}")
        tally["hasty"] += seats_of(hasty) != seats_of(true)
        tally["hasty sale"] += hasty[:4] != true[:4]
        tally["stamped"] += seats_of(stamped) != seats_of(true)
        tally["stamped sale"] += stamped[:4] != true[:4]
    say(counts, tally, latest)
    print(f"time for a verdict, both cores busy: {spread(times)} ({len(times):,} rulings)")
    return tally["wrong"]


def seats_of(outcome: Outcome) -> tuple[Any, ...]:
    """Return an outcome without moments: each seat's verdict and the end."""
    return outcome[:4], sorted((v.seat, v.outcome, v.number) for v in outcome.verdicts)


def say(counts: int, tally: dict[str, int], latest: int) -> None:
    """Print the results."""
    print(f"contested counts: {counts:,} ({tally['presses']:,} presses, {tally['verdicts']:,} verdicts)")
    print(
        f"  sold at three {tally['sold']:,}, raised in time or not counted out {counts - tally['sold']:,}, of these "
        f"tied {tally['tied']:,}; with a press too late {tally['late']:,}; delivered up to {latest / MS:.1f} ms late"
    )
    print(f"  verdicts that differ from true contact time: {tally['wrong']:,} counts")
    for name, said in (("hasty", "in the order of arrival, without grace"), ("stamped", "with grace, arrival stamps")):
        wrong, sale = tally[name], tally[f"{name} sale"]
        print(f"  {said}: {wrong:,} wrong ({wrong / counts:.1%}), {sale:,} with another leader or sale")


def sample(counts: int, seed: int) -> int:
    """Judge some counts through the real table, and return the number of wrong verdicts."""
    wrong = 0
    took: list[int] = []
    database.SYNCHRONOUS, safe = "OFF", database.SYNCHRONOUS
    try:
        for n in range(counts):
            luck = random.Random(seed * 7_000_003 + n)
            given = case(luck)
            arrivals = delivered(luck, given)
            true = truth(given)
            bare = tuple(sorted(verdict._replace(at=0) for verdict in true.verdicts))
            with tempfile.TemporaryDirectory(prefix="referee-bench-") as folder:
                begun = time.perf_counter_ns()
                ours = at_the_table(Path(folder), given, arrivals)
                took.append(time.perf_counter_ns() - begun)
            ours = ours._replace(verdicts=tuple(sorted(ours.verdicts)))
            if true.tied:  # nobody leads before the first bidder has decided
                true, ours = true._replace(leader=-1), ours._replace(leader=-1)
            if ours != true._replace(verdicts=bare):
                wrong += 1
                if wrong <= 3:
                    print(f"WRONG at the table, count {n}: {given.touches}\n  by contact {true}\n  judged     {ours}")
    finally:
        database.SYNCHRONOUS = safe
    each = statistics.median(took) / 1e6
    print(f"through the real table and journal: {counts:,} counts, {wrong} differ; {each:.1f} ms each (median)")
    return wrong


def main(arguments: Sequence[str] | None = None) -> None:
    """Run both and print the figures; end with code 1 if a verdict is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--counts", type=int, default=100_000, help="contested counts")
    parser.add_argument("--sample", type=int, default=300, help="of them through the real table")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    print(f"{os.cpu_count()} cores, two processes keep them busy")
    with busy():
        wrong = contest(given.counts, given.seed) + sample(given.sample, given.seed)
    if wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
