"""Presses at a live table: whole lots by buttons, recorded verdicts, broken counts, cues and secrets."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.engine import Refusal, Seat, Setup
from companion.games.take_a_train import events as ev
from companion.journal.journal import Journal, JournalError
from companion.match.actor import Actor
from companion.match.notation import export, last_match, read_text
from companion.messages import (
    HOST,
    Count,
    Leading,
    Press,
    Raise,
    Ready,
    Refused,
    Reveal,
    Sold,
    Stopped,
    TokensReadable,
    Trouble,
    YourTurn,
)
from companion.referee.pace import Pace
from companion.referee.reveal import AHEAD
from companion.referee.verdict import Judged, PressMark
from companion.table.table import Table
from tests.support.matches import CARDS, MARKET, TO_WAGONS, quick
from tests.support.presses import MS, Live, S, held, hit

__all__ = ["quick"]
pytestmark = pytest.mark.usefixtures("quick")
A, B, C = Seat(0), Seat(1), Seat(2)
OPEN = (ev.StarterNamed(A), ev.TokenDrawn("open"), ev.LocosRevealed(("steam-4",)), ev.Opened(A, 200))
"""The events of an Open lot of power 200 in which A leads."""
BLIND = (ev.StarterNamed(A), ev.TokenDrawn("blind"), ev.LocosRevealed(CARDS), ev.Nominated(A, "steam-4"))
"""The events of a Blind lot of power 200 that A nominated."""
T1, T2, T3 = 10 * S, 11 * S, 12 * S


def setup(**options: Any) -> Setup:
    """Return a setup of three seats with real cards and the given options."""
    return Setup("take-a-train", 3, options, deck="ours")


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """Yield a table with an Open lot."""
    with Live(tmp_path / "journal.db") as live:
        live.table.start(setup())
        yield live.say(*OPEN)


def blind(path: Path, **options: Any) -> Live:
    """Return a table with a Blind lot."""
    live = Live(path)
    live.table.start(setup(**options))
    return live.say(*BLIND)


def judged(path: Path) -> list[Any]:
    """Return the records of the last match in a journal as its move, author and body."""
    with Journal(path, read_only=True) as journal:
        (match, *_) = journal.matches()
        return [(record.move, record.by, msgspec.json.decode(record.body)) for record in journal.records(match.id)]


# --- whole lots -----------------------------------------------------------------------------------


def test_an_open_lot_by_buttons_alone(live: Live) -> None:
    """An Open lot is played by buttons alone, and the last leader pays exactly its price."""
    live.play(hit(A, T1), hit(B, T1 + 300 * MS, 80 * MS), hit(C, T2), held(C, T2))
    assert live.events[4:] == [ev.Counted(A, 1), ev.Raised(B, 250), ev.Raised(C, 300), ev.RaiseGrown(C, 450)]
    live.play(hit(B, T3), *[hit(B, T3 + n * S) for n in (1, 2, 3)])
    assert live.events[8:] == [ev.Raised(B, 500), *[ev.Counted(B, n) for n in (1, 2, 3)]]
    assert live.cash == (5000, 4500, 5000)
    assert live.shown.state is not None and live.shown.state.table.bank == 106_000 - sum(live.cash)
    assert live.kinds(Sold) == [Sold(seat=B)]
    assert [cue.amount for cue in live.kinds(Raise)] == [250, 300, 450, 500]
    assert [cue.seat for cue in live.kinds(Leading)] == [None, A, B, C, B, None]
    assert [(entry.by, entry.event) for entry in live.shown.entries][-1] == (Actor.at_seat(1), ev.Counted(B, 3))


def test_an_open_lot_counted_by_the_companion(tmp_path: Path) -> None:
    """The companion continues a count that a leader began, and a raise in time stops it."""
    with Live(tmp_path / "journal.db") as live:
        live.table.start(setup(counting="companion"))
        live.say(*OPEN).play(hit(A, T1), hit(C, T3, 90 * MS), until=T3 + 2 * S)
        assert live.events[4:] == [ev.Counted(A, 1), ev.Counted(A, 2), ev.Raised(C, 250)]
        assert live.kinds(Stopped) == [Stopped()]
        live.play(hit(C, 20 * S), until=30 * S)
        assert live.events[7:] == [ev.Counted(C, n) for n in (1, 2, 3)]
        assert live.cash == (5000, 5000, 4750)
        assert [entry.by for entry in live.shown.entries][-2:] == [Actor.COMPANION, Actor.COMPANION]


def test_a_blind_lot_by_buttons_with_real_fists(tmp_path: Path) -> None:
    """A Blind lot with real hands is opened by buttons and confirmed by presses or typing, and only C pays."""
    with blind(tmp_path / "journal.db", bid_channel="hand") as live:
        live.play(*[hit(seat, T1 + seat * S) for seat in (A, B, C)])
        opens = T3 + AHEAD + 3 * S
        assert live.kinds(Reveal) == [Reveal(opens)]
        live.wait(opens - 1)
        assert live.shown.ready == (A, B, C)
        live.wait(opens)
        assert live.events == [*BLIND, ev.RevealSignalled()]
        assert live.shown.ready == ()
        live.say(ev.FistCounted(A, 200), ev.FistCounted(C, 650))
        live.say(ev.FistConfirmed(B, 350), by=Actor.at_seat(B))
        live.play(hit(A, live.now + S), hit(C, live.now + 2 * S))
        assert live.events[-3:] == [ev.FistConfirmed(B, 350), ev.FistConfirmed(A, 200), ev.FistConfirmed(C, 650)]
        assert [entry.by for entry in live.shown.entries][-2:] == [Actor.at_seat(A), Actor.at_seat(C)]
        assert live.cash == (5000, 5000, 4350)


def test_silence_is_no_consent_while_the_game_is_paused(tmp_path: Path) -> None:
    """During a pause silence confirms nothing, and its time starts again afterwards."""
    with blind(tmp_path / "journal.db", bid_channel="hand", silence_s=20) as live:
        live.say(ev.RevealSignalled(), ev.FistCounted(A, 200))
        live.wait(live.now + 10 * S)
        live.table.pause(Actor.HOST)
        live.wait(live.now + 60 * S)
        assert live.events[-1] == ev.FistCounted(A, 200)
        live.table.unpause(Actor.HOST)
        live.wait(live.now + 20 * S - 1)
        assert live.events[-1] == ev.FistCounted(A, 200)
        live.wait(live.now + 1)
        assert live.events[-1] == ev.FistConfirmed(A, 200)
        assert live.shown.entries[-1].by == Actor.COMPANION


def test_a_blind_lot_on_screens_opens_at_the_signal(tmp_path: Path) -> None:
    """In a Blind lot no view, verdict or export contains an amount before the signal, and all do after it."""
    path = tmp_path / "journal.db"
    with blind(path, reveal="signal") as live:
        for seat, amount in ((A, 1250), (B, 3350), (C, 850)):
            live.say(ev.Committed(seat, amount), by=Actor.at_seat(seat))
        live.play(*[hit(seat, T1 + seat * S) for seat in (A, B, C)])
        shown = live.shown
        public = told(live, None) + exported(path) + str(shown.verdicts) + str(live.cues) + str(live.told)
        assert [str(n) in public for n in (1250, 3350, 850)] == [False] * 3
        assert "3350" in told(live, B) and "3350" not in told(live, A)
        live.wait(T3 + AHEAD + 3 * S)
        assert live.events[-1] == ev.RevealSignalled()
        assert live.shown.entries[-1].by == Actor.COMPANION
        assert live.cash == (5000, 1650, 5000)
        assert "3350" in exported(path)


def told(live: Live, seat: Seat | None) -> str:
    """Return the JSON of a viewer's view."""
    view = live.shown.game.view(live.shown.state, seat)
    return msgspec.json.encode(view, enc_hook=lambda kind: kind.__name__).decode()


def exported(path: Path) -> str:
    """Return the public export of the last match."""
    with Journal(path, read_only=True) as journal:
        return "\n".join(export(journal, last_match(journal)))


def test_a_turn_is_passed_by_the_button(tmp_path: Path) -> None:
    """In the wagon stage a seat's press passes its turn, but not within the first 300 ms."""
    with Live(tmp_path / "journal.db") as live:
        live.table.start(Setup("take-a-train", 2, deck="ours"))
        live.say(*TO_WAGONS, MARKET)
        assert live.shown.state is not None
        first = live.kinds(YourTurn)[-1].seats
        assert len(first) == 1
        begun = live.now
        live.play(
            hit(1 - first[0], begun + S), hit(first[0], begun + 2 * S), hit(1 - first[0], begun + 2 * S + 299 * MS)
        )
        assert live.events[-1] == ev.TurnPassed(Seat(first[0]))
        assert live.told == [(Seat(1 - first[0]), Refusal("R-00", "not_open", {}))]
        live.play(hit(1 - first[0], begun + 3 * S))
        assert live.events[-1] == ev.TurnPassed(Seat(1 - first[0]))


# --- verdicts in the journal ----------------------------------------------------------------------


def test_a_verdict_is_one_commit_with_its_event(live: Live, tmp_path: Path) -> None:
    """A verdict is committed together with its event, and a press without effect has its own verdict."""
    live.play(hit(B, T1, 12 * MS), hit(C, T1 + 5 * MS))
    *_, raised, leads, missed = judged(tmp_path / "journal.db")
    assert raised == (leads[0], "seat:1", {"event": "raised", "seat": 1, "amount": 250})
    assert leads[1:] == (
        "referee",
        {
            "event": "judged",
            "kind": "raise",
            "lot": "1 steam-4",
            "marks": [mark(seat=1, at=0, outcome="leads", number=250, late=12_000)],
        },
    )
    assert missed[0] == leads[0] + 1
    assert missed[2]["marks"] == [mark(seat=2, at=5000, outcome="same_moment", number=250)]


def mark(**fields: Any) -> dict[str, Any]:
    """Return a mark as the journal stores it."""
    return msgspec.to_builtins(PressMark(**fields))  # type: ignore[no-any-return]


def test_a_verdict_that_cannot_be_written_is_none(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a verdict cannot be written, its event is dropped too, and the seat is told to press again."""
    before = (live.shown.seq, live.events)

    def full(*_: Any, **__: Any) -> None:
        raise JournalError("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(Journal, "append", full)
        live.play(hit(B, T1))
    assert (live.shown.seq, live.events) == before
    assert live.told == [(B, Refusal("R-00", "not_saved", {"why": "The disk is full."}))]
    live.play(hit(B, T2))
    assert live.events[-1] == ev.Raised(B, 250)


def test_verdicts_survive_a_restart(live: Live, tmp_path: Path) -> None:
    """After a restart the verdicts are shown again, and a running count is broken."""
    live.play(hit(B, T1), hit(C, T1 + 5 * MS), hit(B, T2))
    verdicts = live.shown.verdicts
    assert [each.kind for each in verdicts] == ["raise", "missed", "count"]
    live.table.close()
    with Live(tmp_path / "journal.db", now=2 * S) as again:
        assert again.shown.verdicts == verdicts
        assert again.events[-1] == ev.CountBroken("restart")
        again.play(*[hit(B, (10 + n) * S) for n in range(3)])
        assert again.events[-3:] == [ev.Counted(B, n) for n in (1, 2, 3)]
        assert again.cash == (5000, 4750, 5000)


def test_an_undo_takes_back_a_raise_whatever_was_judged_since(live: Live) -> None:
    """An undo takes back the last raise, even if verdicts were recorded after it."""
    live.play(hit(B, T1), hit(C, T2), hit(A, T2 + 50 * MS), hit(B, T2 + 60 * MS))
    events = live.events
    assert events[-2:] == [ev.Raised(B, 250), ev.Raised(C, 300)]
    last = live.shown.last_move
    assert last is not None and live.table.rewind(last, Actor.HOST).accepted
    assert live.events == events[:-1]
    assert live.shown.verdicts == ()
    assert live.table.redo(Actor.HOST).accepted
    assert live.events == events


def test_a_press_refused_after_an_undo_leaves_the_redo(live: Live) -> None:
    """A refused press after an undo does not prevent the redo."""
    assert live.table.correct(C, 200, Actor.HOST).accepted
    live.play(hit(B, T1))
    events, last = live.events, live.shown.last_move
    assert last is not None and live.table.rewind(last, Actor.HOST).accepted
    live.play(hit(C, T2))
    assert live.shown.verdicts[-1].marks[0].outcome == "not_accepted"
    assert live.shown.can_redo
    assert live.table.redo(Actor.HOST).accepted
    assert live.events == events


def test_a_verdict_between_makes_no_page_stale(live: Live) -> None:
    """Verdicts recorded after a page was shown do not make that page stale."""
    seen = live.shown.seq
    live.play(hit(A, T1), hit(A, T1 + 500 * MS), hit(B, T2), hit(B, T2 + 100 * MS))
    answer: list[Any] = []
    thread = threading.Thread(
        target=lambda: answer.append(live.table.propose(ev.Raised(C, 900), Actor.at_seat(2), seen))
    )
    finish(live, thread)
    assert answer[0].accepted
    assert live.events[-1] == ev.Raised(C, 900)


def finish(live: Live, thread: threading.Thread) -> None:
    """Start a thread that proposes something, and let the time pass that the referee holds it back."""
    thread.start()
    while thread.is_alive():
        live.wait(live.now + 200 * MS)
        thread.join(0.002)


def test_an_amendment_keeps_the_verdicts_records(live: Live, tmp_path: Path) -> None:
    """An amendment keeps the records of all verdicts."""
    thread = threading.Thread(target=lambda: live.table.propose(ev.Raised(B, 900), Actor.at_seat(1)))
    finish(live, thread)
    before = judged(tmp_path / "journal.db")
    opened = next(entry.seq for entry in live.shown.entries if isinstance(entry.event, ev.Opened))
    assert live.table.amend(opened, ev.Opened(A, 300), Actor.HOST).accepted
    after = judged(tmp_path / "journal.db")
    assert after[: len(before)] == before
    assert live.events[3:] == [ev.Opened(A, 300), ev.Raised(B, 900)]
    live.play(hit(C, 20 * S))
    assert live.events[-1] == ev.Raised(C, 950)


def test_an_exported_match_with_verdicts_is_read_back(live: Live, tmp_path: Path) -> None:
    """An exported match with verdicts reads back to the same events, state and moments."""
    live.play(
        hit(A, T1), hit(B, T1 + 400 * MS, 30 * MS), *[hit(B, T2 + n * S) for n in range(3)], hit(C, T2 + 2 * S + 1)
    )
    text = exported(tmp_path / "journal.db")
    line = read_text(text.splitlines())
    assert [node.entry.event for node in line.nodes] == live.events
    assert line.state == live.shown.state
    kinds = [body.kind for body in line.bodies if isinstance(body, Judged)]
    assert kinds == ["count", "raise", "count", "count", "sold", "missed"]
    (late,) = [body.marks[0] for body in line.bodies if isinstance(body, Judged) and body.kind == "missed"]
    assert (late.at, late.outcome) == (1, "too_late")


def test_the_wall_clock_does_not_matter(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jumps of the wall clock during a count do not change the result."""
    real = time.time
    for n, step in ((1, 0), (2, -86_400), (3, 86_400)):
        monkeypatch.setattr(time, "time", lambda by=step: real() + by)
        live.play(hit(A, T1 + n * S), until=T1 + n * S + 500 * MS)
    assert live.events[4:] == [ev.Counted(A, 1), ev.Counted(A, 2), ev.Counted(A, 3)]
    assert live.cash == (4800, 5000, 5000)


# --- what breaks a count --------------------------------------------------------------------------


def test_a_pause_breaks_the_count(live: Live) -> None:
    """A pause breaks the count but keeps price and leader, and counting restarts at one."""
    live.play(hit(A, T1), hit(A, T2), until=T2 + 500 * MS)
    assert live.table.pause(Actor.HOST).accepted
    assert live.events[-1] == ev.CountBroken("pause")
    assert live.kinds(Stopped) == [Stopped()]
    assert live.kinds(Trouble)[-1] == Trouble(what="paused")
    live.play(hit(A, T3), hit(B, T3))
    assert live.events[-1] == ev.CountBroken("pause")
    assert live.table.unpause(Actor.HOST).accepted
    live.play(hit(A, 20 * S))
    assert live.events[-1] == ev.Counted(A, 1)


@pytest.mark.parametrize(("apart", "paused"), [(200 * MS, True), (600 * MS - 1, True), (600 * MS, False)])
@pytest.mark.parametrize("late", [0, S])
def test_two_quick_taps_of_the_host_pause(live: Live, apart: int, paused: bool, late: int) -> None:
    """Two quick presses of the host's button count as one and pause the game."""
    live.play(hit(HOST, T2, late), hit(HOST, T2 + apart))
    assert live.shown.paused == paused


def test_the_hosts_button_pauses_and_goes_on(live: Live) -> None:
    """The host's button pauses and continues the game, and repeated or released presses do nothing."""
    live.play(hit(A, T1), until=T1 + 500 * MS)
    live.play(hit(HOST, T2), hit(HOST, T2, 50 * MS), hit(HOST, T2 + 200 * MS, contact="opened", since=T2))
    assert live.shown.paused
    assert live.events[-1] == ev.CountBroken("pause")
    live.play(hit(HOST, T3), held(HOST, T3))
    assert not live.shown.paused
    assert live.kinds(Trouble)[-1] == Trouble()


def test_lost_buttons_break_the_count(live: Live) -> None:
    """If the buttons are lost, the count is broken and restarts when they are back."""
    live.play(hit(A, T1), hit(A, T2), until=T2 + 500 * MS)
    live.table.trouble("buttons")
    assert live.events[-1] == ev.CountBroken("buttons")
    assert (live.kinds(Stopped), live.kinds(Trouble)[-1]) == ([Stopped()], Trouble(what="buttons"))
    live.play(hit(A, T3, source="screen"))
    assert live.events[-1] == ev.Counted(A, 1)
    live.table.trouble("")
    assert live.kinds(Trouble)[-1] == Trouble()
    assert live.events[-1] == ev.Counted(A, 1)
    live.play(*[hit(A, T3 + n * S) for n in (1, 2)])
    assert live.cash == (4800, 5000, 5000)


def test_lost_buttons_while_three_is_held_back_sell_nothing(live: Live) -> None:
    """If the buttons are lost 20 ms after the third count, the lot is not sold, because presses may be missing."""
    live.play(hit(A, T1), hit(A, T2), hit(A, T3), until=T3 + 20 * MS)
    live.table.trouble("buttons")
    live.wait(T3 + 5 * S)
    assert live.events[4:] == [ev.Counted(A, 1), ev.Counted(A, 2), ev.CountBroken("buttons")]


def test_an_undo_in_mid_count_lands_before_the_count(live: Live) -> None:
    """An undo during a count removes the whole count, and leader and price stay."""
    live.play(hit(B, T1), hit(B, T2), hit(B, T3))
    assert live.events[-2:] == [ev.Counted(B, 1), ev.Counted(B, 2)]
    last = live.shown.last_move
    assert last is not None and live.table.rewind(last, Actor.HOST).accepted
    assert live.events[-1] == ev.Raised(B, 250)
    live.play(hit(B, 20 * S))
    assert live.events[-1] == ev.Counted(B, 1)


def counted_back(live: Live, counting: str) -> int:
    """Let two be counted, undo and redo that, and return the time (ns)."""
    live.table.start(setup(counting=counting))
    live.say(*OPEN).play(hit(A, T1), *([hit(A, T2)] if counting == "leader" else []), until=T2 + 500 * MS)
    assert live.events[-1] == ev.Counted(A, 2)
    last = live.shown.last_move
    assert last is not None and live.table.rewind(last, Actor.HOST).accepted
    live.wait(20 * S)
    assert live.events[-1] == ev.Opened(A, 200)
    assert live.table.redo(Actor.HOST).accepted
    assert live.events[-1] == ev.Counted(A, 2)
    return live.now


def test_a_count_that_comes_back_takes_its_time(tmp_path: Path) -> None:
    """After a redone count the next number is accepted only a second later."""
    with Live(tmp_path / "journal.db") as live:
        back = counted_back(live, "leader")
        live.play(hit(A, back + 999 * MS), hit(A, back + S))
        assert live.told == [(A, Refusal("R-00", "too_soon", {}))]
        assert live.events[-2:] == [ev.Counted(A, 2), ev.Counted(A, 3)]


def test_the_companion_goes_on_with_a_count_that_comes_back(tmp_path: Path) -> None:
    """After a redone count the companion announces three again, and a raise in time stops it."""
    with Live(tmp_path / "journal.db") as live:
        back = counted_back(live, "companion")
        assert live.kinds(Count)[-1] == Count(back + S, 3)
        live.play(hit(B, back + S, 50 * MS))
        assert live.events[-1] == ev.Raised(B, 250)
        assert live.kinds(Stopped)[-1] == Stopped()


def test_a_press_on_its_way_before_an_undo_is_forgotten(live: Live) -> None:
    """A press from before an undo that is delivered after it does nothing."""
    live.play(hit(B, T1))
    last = live.shown.last_move
    assert last is not None and live.table.rewind(last, Actor.HOST).accepted
    live.play(hit(C, T1 + 500 * MS, 600 * MS))
    assert live.events[-1] == ev.Opened(A, 200)


def test_an_undo_past_the_signal_needs_everybody(tmp_path: Path) -> None:
    """An undo past opened fists needs everybody's consent, and then the fists are filled again."""
    with blind(tmp_path / "journal.db", reveal="signal") as live:
        live.say(ev.Committed(A, 200), ev.Committed(B, 350), ev.Committed(C, 650))
        live.play(*[hit(seat, T1 + seat * S) for seat in (A, B, C)], until=20 * S)
        assert live.events[-1] == ev.RevealSignalled()
        last = live.shown.last_move
        assert last is not None
        refusal = live.table.rewind(last, Actor.HOST).refusal
        assert refusal is not None and refusal.key == "consent_needed"
        live.table.ask_undo(last, Actor.HOST)
        for seat in (A, B, C):
            assert live.table.consent(seat, True).accepted
        assert live.events == list(BLIND)
        assert live.kinds(Ready)[-1] == Ready(waiting=(A, B, C))
        live.play(hit(A, 30 * S))
        assert live.told[-1] == (A, Refusal("R-00", "fist_first", {}))


# --- what people are told -------------------------------------------------------------------------


def test_standing_cues_are_shown_once_and_to_late_listeners(live: Live) -> None:
    """A standing cue is sent once, and a late listener gets all standing cues."""
    live.play(hit(A, T1), hit(B, T2), hit(B, T2 + 10 * MS))
    assert [cue.seat for cue in live.kinds(Leading)] == [None, A, B]
    late: list[Any] = []
    live.table.cues.listen(late.extend)
    assert Leading(seat=B) in late
    assert {type(cue) for cue in late} == {YourTurn, Leading, Trouble, TokensReadable}
    assert tuple(late) == live.table.cues.standing_cues()


def test_only_the_seat_is_told_why(live: Live) -> None:
    """Only the seat itself learns why its press was refused."""
    assert live.table.correct(C, 200, Actor.HOST).accepted
    live.play(hit(C, T1))
    ((seat, refusal),) = live.told
    assert (seat, refusal.key, refusal.audience) == (C, "bid_exceeds_cash", C)
    assert live.kinds(Refused) == [Refused(seat=C)]
    assert live.shown.verdicts[-1].marks == (PressMark(C, 0, "not_accepted"),)
    assert "200" not in str(live.shown.verdicts[-1])


def test_one_that_fails_to_listen_spoils_no_game(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    """An exception in a listener for cues is logged, and the raise is accepted."""

    def broken(*_: Any) -> None:
        raise RuntimeError("lamp")

    live.table.cues.listen(broken)
    live.table.cues.listen_to_refusals(broken)
    live.play(hit(B, T1), hit(C, T1 + MS))
    assert live.events[-1] == ev.Raised(B, 250)
    assert "a cue could not be shown" in caplog.text
    assert "could not tell a seat" in caplog.text


def test_presses_without_a_match_do_nothing(tmp_path: Path) -> None:
    """Presses without a match do nothing."""
    with Live(tmp_path / "journal.db") as live:
        live.play(hit(A, 6 * S), hit(HOST, 7 * S), held(A, 6 * S))
        live.table.start(setup())
        live.say(*OPEN)
        live.play(hit(B, 6 * S, 3 * S))
        assert live.events == list(OPEN)
        assert not live.shown.paused
        live.table.leave()
        live.play(hit(B, 20 * S), hit(HOST, 21 * S))
        assert live.shown.match_id == ""


def test_who_still_waits_when_the_table_closes_is_answered(live: Live) -> None:
    """A raise that waits for the grace when the table closes is answered as not accepted."""
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(live.table.propose(ev.Raised(B, 900), Actor.at_seat(1))))
    heard = threading.Event()
    hear = live.table.referee.hear

    def listened(evidence: Any) -> Any:
        cues = hear(evidence)
        heard.set()
        return cues

    live.table.referee.hear = listened  # type: ignore[method-assign]
    thread.start()
    assert heard.wait(10)
    live.table.tick()
    live.table.close()
    thread.join(10)
    assert answers[0].refusal == Refusal("R-00", "no_match")
    live.table.close()


def test_a_table_with_the_real_clock_judges_by_itself(tmp_path: Path) -> None:
    """At a table with the real clock a raise is judged without a call of `tick`."""
    with Table(tmp_path / "journal.db", pace=Pace(open_grace_ms=1)) as table:
        table.start(setup())
        for event in OPEN:
            assert table.propose(event, Actor.TABLE).accepted
        before = table.snapshot().number
        table.press(Press(B, time.monotonic_ns()))
        shown = table.snapshot()
        while shown.entries[-1].event != ev.Raised(B, 250):
            assert shown.number < before + 5
            shown = table.wait(shown.number, 10)
        assert [cue.seat for cue in table.cues.standing_cues() if isinstance(cue, Leading)] == [B]


def test_the_companions_count_is_announced_with_its_moments(tmp_path: Path) -> None:
    """The companion's counts are announced in advance with their moments."""
    with Live(tmp_path / "journal.db") as live:
        live.table.start(setup(counting="companion"))
        live.say(*OPEN).play(hit(A, T1), until=T1 + 500 * MS)
        assert live.kinds(Count) == [Count(number=1, seat=A), Count(T2, 2), Count(T3, 3)]


def test_a_button_of_a_seat_that_nobody_has_is_nothing(live: Live) -> None:
    """A press of a seat without a player is neither judged nor recorded."""
    before = live.shown
    live.play(hit(Seat(3), T1), hit(Seat(5), T1 + S))
    assert live.shown is before
    assert live.told == []
