"""The table as the only writer: simultaneous and stale proposals, consent, pauses, restarts, draws, the owner's box."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from companion.engine import BadSetup, Event, Moved, Seat, Setup, legal, state_hash
from companion.games.take_a_train import events as ev
from companion.journal.journal import Journal, JournalError, JournalInUse
from companion.match.actor import Actor
from companion.match.chance import hash_seed
from companion.match.diff import Difference
from companion.match.history import AmendConflict, HistoryEntry
from companion.match.match import Match, MatchError
from companion.table import table as tables
from companion.table.snapshot import Snapshot, TableAnswer
from companion.table.table import Table
from companion.threads.worker import WorkerClosed
from tests.support.matches import BLIND_LOT, MARKET, OPEN_LOT, TO_WAGONS, dealt, ours, quick
from tests.support.paces import HURRIED

__all__ = ["quick"]
pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def table(tmp_path: Path, quick: None) -> Iterator[Table]:
    """Yield a table in its own folder."""
    with Table(tmp_path / "journal.db", pace=HURRIED) as table:
        yield table


def played(table: Table, setup: Setup, *events: Event) -> Snapshot:
    """Start a match with some events and return its snapshot."""
    table.start(setup)
    for event in events:
        answer = table.propose(event, Actor.TABLE)
        assert answer.accepted, (event, answer)
    return table.snapshot()


def wander(table: Table, luck: Random, until: int) -> None:
    """Play at random until the match has a number of records or is over."""
    while (shown := table.snapshot()).seq < until and not shown.over:
        assert shown.state is not None
        offers = legal(shown.game, shown.state)
        if offers[0].chance and shown.setup is not None and shown.setup.deck == "dealt":
            answer = table.draw(Actor.TABLE, shown.seq)
        else:
            event = offers[int(luck.random() * len(offers))].pick(luck.random)
            answer = table.propose(event, Actor.TABLE, shown.seq, shown.match_id)
        assert answer.accepted, answer


def key(answer: TableAnswer) -> str:
    """Return the key of an answer's refusal."""
    assert not answer.accepted
    assert answer.refusal is not None
    return answer.refusal.key


# --- answers and snapshots ------------------------------------------------------------------------


def test_an_answer_comes_when_it_is_durable(tmp_path: Path, table: Table) -> None:
    """An accepted event is in the journal and the snapshot before its proposer gets the answer."""
    match_id = table.start(ours())
    answer = table.propose(ev.StarterNamed(Seat(1)), Actor.TABLE)
    assert answer == TableAnswer(True, 1)
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        (record,) = journal.records(match_id)
    assert (record.seq, record.by) == (1, "table")
    shown = table.snapshot()
    assert (shown.match_id, shown.seq, [entry.seq for entry in shown.entries]) == (match_id, 1, [1])


def test_a_refusal_changes_nothing(table: Table) -> None:
    """A refused proposal returns its rule and leaves the snapshot unchanged."""
    before = played(table, ours(), *BLIND_LOT[:4])
    answer = table.propose(ev.Committed(Seat(1), 9000), Actor.at_seat(1))
    assert key(answer) == "bid_exceeds_cash"
    assert answer.refusal is not None
    assert (answer.refusal.rule, answer.refusal.audience, answer.seq) == ("R-16", Seat(1), 4)
    assert table.snapshot() is before


def test_without_a_match_nothing_can_be_done(table: Table) -> None:
    """Without a match every action is refused with `no_match`."""
    answers = [
        table.propose(OPEN_LOT[0], Actor.TABLE),
        table.draw(Actor.TABLE),
        table.redo(Actor.HOST),
        table.ask_undo(0, Actor.HOST),
        table.consent(Seat(0), True),
        table.amend(1, OPEN_LOT[0], Actor.HOST),
        table.correct(Seat(0), 50, Actor.HOST),
        table.pause(Actor.HOST),
    ]
    assert {key(answer) for answer in answers} == {"no_match"}
    assert (table.snapshot().match_id, table.version(None)) == ("", 0)


def test_what_cannot_begin_is_said(table: Table) -> None:
    """An impossible match is refused with a sentence, and the present one stays."""
    shown = played(table, ours(), *OPEN_LOT)
    with pytest.raises(BadSetup, match="2 to 6 players"):
        table.start(ours(7))
    with pytest.raises(MatchError, match="no game called 'chess'"):
        table.start(Setup("chess", 2, deck="box"))
    with pytest.raises(JournalError, match="no match '9'"):
        table.resume("9")
    assert table.snapshot() is shown
    assert len(table.matches()) == 1


def test_a_waiter_is_woken_by_a_change(table: Table) -> None:
    """Waiting returns as soon as there is a newer snapshot, or the same one after the timeout."""
    shown = played(table, ours())
    assert table.wait(shown.number, 0) is shown
    assert table.wait(shown.number - 1, 60) is shown
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(table.wait, shown.number, 60)
        table.propose(OPEN_LOT[0], Actor.TABLE)
        assert waiting.result().seq == 1


def test_closing_wakes_who_waits_and_ends_the_work(tmp_path: Path) -> None:
    """Closing the table wakes all waiting threads, refuses further work and releases the journal."""
    table = Table(tmp_path / "journal.db", pace=HURRIED)
    table.start(ours())
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(table.wait, table.snapshot().number, 60)
        table.close()
        assert waiting.result() is table.snapshot()
    table.close()
    with pytest.raises(WorkerClosed):
        table.propose(OPEN_LOT[0], Actor.TABLE)
    with Table(tmp_path / "journal.db", pace=HURRIED) as again:
        assert again.snapshot().match_id == "1"


def test_a_second_table_leaves_with_a_sentence(tmp_path: Path, table: Table) -> None:
    """A second table on the same journal is refused."""
    with pytest.raises(JournalInUse, match="Another companion"):
        Table(tmp_path / "journal.db", pace=HURRIED)
    assert len(played(table, ours(), *OPEN_LOT).entries) == len(OPEN_LOT)


def test_listeners_hear_every_change_in_order(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    """Listeners get every snapshot with its new entries in order, and a failing listener is logged."""
    heard: list[tuple[int, tuple[str, ...]]] = []

    def listen(shown: Snapshot, entries: tuple[HistoryEntry, ...]) -> None:
        heard.append((shown.seq, tuple(type(entry.event).__name__ for entry in entries)))

    def waits(shown: Snapshot, entries: tuple[HistoryEntry, ...]) -> None:
        table.matches()

    table.listen(waits)
    table.listen(listen)
    played(table, ours(), *OPEN_LOT[:2])
    table.pause(Actor.HOST)
    assert heard == [(0, ()), (1, ("StarterNamed",)), (2, ("TokenDrawn",)), (2, ())]
    assert "Never block on the writer" in caplog.text


def test_a_version_changes_only_for_those_who_could_see_it(table: Table) -> None:
    """The version for a viewer changes only with events that the viewer can see."""
    played(table, ours(), *BLIND_LOT[:6])
    assert [table.version(viewer) for viewer in (None, Seat(0), Seat(1), Seat(2))] == [6, 6, 6, 6]
    table.propose(BLIND_LOT[6], Actor.at_seat(1))
    assert [table.version(viewer) for viewer in (None, Seat(0), Seat(1), Seat(2))] == [6, 6, 7, 6]


# --- old pages and two at once --------------------------------------------------------------------


def test_another_seats_fist_makes_no_page_stale(table: Table) -> None:
    """Another seat's fist does not make a page stale."""
    seen = played(table, ours(), *BLIND_LOT[:4]).seq
    for seat, amount in ((2, 300), (0, 250), (1, 400)):
        assert table.propose(ev.Committed(Seat(seat), amount), Actor.at_seat(seat), seen).accepted
    shown = table.snapshot()
    assert shown.state is not None
    assert shown.state.table.cash == (5000, 4600, 5000)


def test_a_fist_for_a_lot_that_is_over_is_stale(table: Table) -> None:
    """A bid that arrives after the fists have opened is refused as stale, with the events since."""
    seen = played(table, ours(3), *BLIND_LOT[:7]).seq
    table.propose(BLIND_LOT[7], Actor.at_seat(2))
    late = table.propose(ev.Committed(Seat(0), 900), Actor.at_seat(0), seen)
    assert (late.stale, key(late)) == (True, "stale")
    assert [entry.event for entry in late.changes] == [BLIND_LOT[7]]


def test_a_first_fist_is_not_taken_for_a_second(table: Table) -> None:
    """In Double blind an amount meant for the first fist is not accepted for the second."""
    table.start(ours(3))
    for event in (BLIND_LOT[0], ev.TokenDrawn("double_blind"), *BLIND_LOT[2:6]):
        assert table.propose(event, Actor.TABLE).accepted
    seen = table.snapshot().seq
    assert table.propose(ev.Committed(Seat(2), 300), Actor.at_seat(2), seen).accepted
    assert table.propose(ev.Committed(Seat(0), 500), Actor.at_seat(0), seen).stale
    assert table.propose(ev.Committed(Seat(0), 500), Actor.at_seat(0), table.snapshot().seq).accepted


def test_a_higher_call_stands_though_the_price_has_moved(table: Table) -> None:
    """In an Open auction a higher raise from an older page is accepted, and a lower one is refused by the rules."""
    seen = played(table, ours(), *OPEN_LOT).seq
    assert table.propose(ev.Raised(Seat(1), 400), Actor.at_seat(1), seen).accepted
    assert table.propose(ev.Raised(Seat(2), 500), Actor.at_seat(2), seen).accepted
    low = table.propose(ev.Raised(Seat(0), 450), Actor.at_seat(0), table.snapshot().seq)
    assert (low.stale, key(low)) == (False, "must_raise")


def test_a_leaders_old_count_is_stale(table: Table) -> None:
    """A leader's count from a page with an older price is stale, even if that seat leads again."""
    seen = played(table, ours(), *OPEN_LOT[:5]).seq
    for seat, amount in ((1, 300), (0, 400)):
        assert table.propose(ev.Raised(Seat(seat), amount), Actor.at_seat(seat)).accepted
    late = table.propose(ev.Counted(Seat(0), 1), Actor.at_seat(0), seen)
    assert late.stale
    assert len(late.changes) == 2
    assert table.propose(ev.Counted(Seat(0), 1), Actor.at_seat(0), table.snapshot().seq).accepted


def test_a_slot_that_holds_another_card_is_stale(table: Table) -> None:
    """Taking from a place that holds another card than the page shows is stale."""
    shown = played(table, ours(2, exchanges_per_turn="unlimited"), *TO_WAGONS, MARKET)
    assert shown.state is not None
    seat = shown.state.table.order[0]
    who = Actor.at_seat(seat)
    assert table.propose(ev.Exchanged(seat, (0,)), who, shown.seq).accepted
    assert table.propose(ev.CardsRevealed(("coal-150",)), Actor.TABLE).accepted
    assert table.propose(ev.Took(seat, 0, 0), who, shown.seq).stale
    assert table.propose(ev.Took(seat, 0, 0), who, table.snapshot().seq).accepted


def test_one_card_cannot_be_turned_up_twice(table: Table) -> None:
    """The second of two identical reveals from the same page is stale."""
    seen = played(table, ours(), *BLIND_LOT[:2]).seq
    assert table.propose(BLIND_LOT[2], Actor.TABLE, seen).accepted
    assert table.propose(BLIND_LOT[2], Actor.TABLE, seen).stale


def test_pages_of_another_line_of_play_are_stale(table: Table) -> None:
    """Pages from before an undo, redo or amendment, or of another match, are stale."""
    seen = played(table, ours(), *BLIND_LOT[:6]).seq
    old = table.snapshot().match_id
    fist = ev.Committed(Seat(2), 300)
    assert table.ask_undo(5, Actor.HOST).accepted
    assert table.propose(fist, Actor.at_seat(2), seen).stale
    seen = table.snapshot().seq
    assert table.redo(Actor.HOST).accepted
    assert table.propose(fist, Actor.at_seat(2), seen).stale
    played(table, ours(), *BLIND_LOT[:6])
    assert table.propose(fist, Actor.at_seat(2), 6, old).stale
    assert table.propose(fist, Actor.at_seat(2), 99).stale
    assert table.propose(fist, Actor.at_seat(2), -1).stale
    assert table.propose(fist, Actor.at_seat(2), 6, table.snapshot().match_id).accepted


def test_a_claim_is_never_stale(table: Table) -> None:
    """An event that is allowed at any time is never stale."""
    seen = played(table, ours(), *BLIND_LOT[:4]).seq
    table.propose(BLIND_LOT[4], Actor.at_seat(0))
    answer = table.propose(ev.PurposesEntered(Seat(1), ("P-1", "P-2", "P-3")), Actor.at_seat(1), seen - 3)
    assert answer.accepted


def test_a_count_of_the_purse_is_stale_after_a_payment(table: Table) -> None:
    """A correction of a seat's money is stale if the seat has paid since."""
    seen = played(table, ours(), *BLIND_LOT[:7]).seq
    table.propose(BLIND_LOT[7], Actor.at_seat(2))
    assert table.correct(Seat(1), 5050, Actor.at_seat(1), seen).stale
    assert table.correct(Seat(0), 5050, Actor.at_seat(0), seen).accepted


def test_seats_that_act_at_once_never_overwrite_each_other(tmp_path: Path, table: Table) -> None:
    """Six threads that commit at the same time keep all accepted fists in order in the journal."""
    table.start(ours(6))
    for event in BLIND_LOT[:4]:
        assert table.propose(event, Actor.TABLE).accepted
    gate = threading.Barrier(6)
    seen = table.snapshot().seq

    def commit(seat: int) -> list[tuple[int, int]]:
        done = []
        for amount in range(250, 1000, 50):
            gate.wait(60)
            if seat == 5 and amount < 950:
                continue  # the last fist stays open until the end
            answer = table.propose(ev.Committed(Seat(seat), amount), Actor.at_seat(seat), seen)
            if answer.accepted:
                done.append((answer.seq, amount))
        return done

    with ThreadPoolExecutor(6) as pool:
        said = list(pool.map(commit, range(6)))
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        bodies = {record.seq: json.loads(record.body) for record in journal.records("1")}
    acknowledged = {seq: (seat, amount) for seat, done in enumerate(said) for seq, amount in done}
    assert acknowledged == {seq: (b["seat"], b["amount"]) for seq, b in bodies.items() if seq > 4}
    assert all(list(done) == sorted(done) for done in said)
    assert len(acknowledged) >= 5 * 14 + 1
    shown = table.snapshot()
    assert shown.state is not None
    final = {seat: amount for seat, amount in (acknowledged[seq] for seq in sorted(acknowledged))}
    opened = next(effect for effect in shown.entries[-1].effects if isinstance(effect, ev.FistsOpened))
    assert opened.amounts == tuple(final[seat] for seat in range(6))


def test_of_two_takers_one_is_told(table: Table) -> None:
    """Of two simultaneous takes of one seat one is accepted, and the other is stale."""
    shown = played(table, ours(2), *TO_WAGONS, MARKET)
    assert shown.state is not None
    seat = shown.state.table.order[0]
    with ThreadPoolExecutor(2) as pool:
        answers = list(
            pool.map(lambda slot: table.propose(ev.Took(seat, slot, slot), Actor.at_seat(seat), shown.seq), (0, 1))
        )
    assert sorted((answer.accepted, answer.stale) for answer in answers) == [(False, True), (True, False)]


def test_a_seat_speaks_for_itself(table: Table) -> None:
    """A seat's page can act only for its own seat, and the shared tablet for all."""
    played(table, ours(), *BLIND_LOT[:4])
    assert key(table.propose(ev.Committed(Seat(1), 300), Actor.at_seat(0))) == "not_your_seat"
    assert key(table.propose(ev.Committed(Seat(1), 300), Actor.bot(0))) == "not_your_seat"
    assert table.propose(ev.Committed(Seat(1), 300), Actor.bot(1)).accepted
    assert table.propose(ev.Committed(Seat(0), 300), Actor.TABLE).accepted
    played(table, ours(), *OPEN_LOT)
    assert key(table.propose(ev.CountBroken("cheek"), Actor.at_seat(1))) == "not_your_seat"
    assert table.propose(ev.CountBroken("buttons"), Actor.HOST).accepted
    played(table, ours())
    assert table.propose(ev.StarterNamed(Seat(2)), Actor.at_seat(0)).accepted
    assert table.propose(ev.TokenDrawn("pass"), Actor.at_seat(1)).accepted


# --- draws ----------------------------------------------------------------------------------------


def test_the_companion_deals_by_itself(table: Table) -> None:
    """The companion draws by itself, except for the token, which a person must request."""
    match_id = table.start(dealt(3))
    shown = table.snapshot()
    assert [(entry.by, type(entry.event).__name__) for entry in shown.entries] == [(Actor.DEALER, "PurposesDealt")]
    assert table.propose(ev.StarterNamed(Seat(2)), Actor.TABLE).accepted
    assert key(table.propose(ev.TokenDrawn("open"), Actor.TABLE)) == "dealer_draws"
    assert table.draw(Actor.at_seat(2), table.snapshot().seq).accepted
    token, *more = table.snapshot().entries[2:]
    assert (token.by, type(token.event).__name__) == (Actor.at_seat(2), "TokenDrawn")
    assert all(entry.by == Actor.DEALER and entry.move == token.move for entry in more)
    assert key(table.draw(Actor.at_seat(2))) == "nothing_to_draw"
    assert match_id == table.matches()[0].id


def test_nobody_else_deals(table: Table) -> None:
    """With real cards there is nothing for the companion to draw."""
    played(table, ours())
    assert key(table.draw(Actor.TABLE)) == "nothing_to_draw"


def test_two_taps_draw_one_token(table: Table) -> None:
    """A second tap on the bag from an old page is stale."""
    table.start(dealt(3))
    table.propose(ev.StarterNamed(Seat(0)), Actor.TABLE)
    seen = table.snapshot().seq
    answers = [table.draw(Actor.TABLE, seen) for _ in range(2)]
    assert [(answer.accepted, answer.stale) for answer in answers] == [(True, False), (False, True)]


def test_the_seed_is_hidden_until_the_end(table: Table) -> None:
    """The seed is shown only at the end of a match and fits the hash in the header."""
    seeds = []
    for _ in range(2):
        table.start(dealt(2))
        shown = table.snapshot()
        assert shown.setup is not None
        promise = shown.setup.seed_hash
        assert (shown.seed, len(promise)) == ("", 64)
        wander(table, Random(4), 10_000)
        assert hash_seed(table.snapshot().seed) == promise
        seeds.append(promise)
    assert seeds[0] != seeds[1]


def test_a_restart_goes_on_with_the_same_luck(tmp_path: Path) -> None:
    """Draws depend only on the seed and the record, so a restart does not change them."""
    hashes = []
    for name, restarts in (("a", False), ("b", True)):
        path = tmp_path / name / "journal.db"
        with Journal(path) as journal:
            Match.begin(journal, dealt(4), "fair")
            journal.keep(tables.CURRENT, b"1")
        luck = Random(2)
        table = Table(path, pace=HURRIED)
        for until in range(20, 140, 20):
            wander(table, luck, until)
            shown = table.snapshot()
            if restarts and shown.game.interruption(shown.state, "restart") is None:
                table.close()
                table = Table(path, pace=HURRIED)
        state = table.snapshot().state
        assert state is not None
        hashes.append((table.snapshot().seq, state_hash(state)))
        table.close()
    assert hashes[0] == hashes[1]


# --- pause and restart ----------------------------------------------------------------------------


def test_a_pause_stops_the_game_and_breaks_the_count(table: Table) -> None:
    """During a pause only corrections are accepted, the price stays and the count is broken."""
    played(table, ours(), *OPEN_LOT)
    assert table.pause(Actor.HOST).accepted
    shown = table.snapshot()
    assert shown.state is not None
    assert (shown.paused, shown.entries[-1].event) == (True, ev.CountBroken("pause"))
    assert (shown.state.agenda[0].price, shown.state.agenda[0].count) == (200, 0)
    assert key(table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1))) == "paused"
    assert key(table.draw(Actor.TABLE)) == "paused"
    assert table.correct(Seat(0), 5050, Actor.HOST).accepted
    assert table.unpause(Actor.HOST).accepted
    assert table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1)).accepted


def test_a_restart_goes_on_where_the_plug_was_pulled(tmp_path: Path) -> None:
    """After a restart the present match is continued, and a running count is broken."""
    path = tmp_path / "journal.db"
    with Table(path, pace=HURRIED) as table:
        played(table, ours(), *BLIND_LOT)
        played(table, ours(), *OPEN_LOT)
    with Table(path, pace=HURRIED) as table:
        shown = table.snapshot()
        assert (shown.match_id, len(shown.entries)) == ("2", 7)
        assert shown.entries[-1].event == ev.CountBroken("restart")
        table.leave()
        assert table.snapshot().match_id == ""
    with Table(path, pace=HURRIED) as table:
        assert table.snapshot().match_id == ""
        table.resume("1")
        assert table.snapshot().seq == len(BLIND_LOT)
        assert [match.id for match in table.matches()] == ["2", "1"]


def test_a_match_that_cannot_be_opened_does_not_stop_the_table(tmp_path: Path) -> None:
    """If the last match cannot be opened, the table starts without a match and reports the reason."""
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        journal.create(Setup("chess", 2))
        journal.keep(tables.CURRENT, b"1")
    with Table(path, pace=HURRIED) as table:
        (finding,) = table.snapshot().findings
        assert "no game called 'chess'" in finding
        assert len(played(table, ours(), *OPEN_LOT).entries) == len(OPEN_LOT)


def test_a_disk_that_fails_is_said_and_nothing_changes(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the journal cannot be written, the proposal is refused and the state stays."""
    before = played(table, ours(), *OPEN_LOT)

    def full(*_: object, **__: object) -> None:
        raise JournalError("The journal could not be written, so nothing was changed: the disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", full)
        answer = table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1))
        assert key(answer) == "not_saved"
        assert answer.refusal is not None
        assert "disk is full" in answer.refusal.fields["why"]
        assert table.snapshot() is before
    assert table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1)).accepted


def test_a_fault_of_ours_costs_no_game(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an internal error the match is reloaded from the journal, and the proposer is told."""
    played(table, ours(), *OPEN_LOT)

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(Match, "_chain", broken)
        assert key(table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1))) == "went_wrong"
    assert table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1)).accepted
    assert [entry.event for entry in table.snapshot().entries] == [*OPEN_LOT, ev.Raised(Seat(1), 300)]


# --- undo, redo, amend, correct -------------------------------------------------------------------


def test_an_undo_past_a_reveal_asks_every_seat(table: Table) -> None:
    """An undo past opened fists needs the consent of all seats, and cannot be redone."""
    before = played(table, ours(), *BLIND_LOT)
    to = before.last_move
    assert to == 7
    assert key(table.rewind(to, Actor.HOST)) == "consent_needed"
    assert table.ask_undo(to, Actor.at_seat(1)).accepted
    asked = table.snapshot()
    assert asked.undo is not None
    assert (asked.undo.to, asked.undo.by, asked.undo.agreed, asked.seq) == (7, Actor.at_seat(1), (Seat(1),), 8)
    assert table.consent(Seat(0), True).accepted
    assert table.consent(Seat(0), True).accepted
    assert table.snapshot().seq == 8
    assert table.consent(Seat(2), True).accepted
    shown = table.snapshot()
    assert shown.state is not None
    assert (shown.seq, shown.undo, shown.can_redo) == (9, None, False)
    assert shown.state.agenda[0].amounts == (None, None, None)
    assert key(table.redo(Actor.HOST)) == "nothing_to_redo"


def test_a_yes_can_be_taken_back_until_the_last_seat_agrees(table: Table) -> None:
    """A seat can withdraw its consent until the last seat agrees."""
    played(table, ours(), *BLIND_LOT)
    table.ask_undo(7, Actor.HOST)
    for seat, yes in ((0, True), (1, True), (0, None), (2, True)):
        assert table.consent(Seat(seat), yes).accepted
    asked = table.snapshot()
    assert asked.undo is not None
    assert (asked.undo.agreed, asked.seq) == ((Seat(1), Seat(2)), 8)
    assert table.consent(Seat(0), True).accepted
    assert (table.snapshot().undo, table.snapshot().seq) == (None, 9)


def test_one_no_ends_the_asking(table: Table) -> None:
    """A single refusal ends the request for an undo."""
    played(table, ours(), *BLIND_LOT)
    table.ask_undo(7, Actor.HOST)
    table.consent(Seat(0), True)
    assert table.consent(Seat(1), False).accepted
    assert table.snapshot().undo is None
    assert key(table.consent(Seat(2), True)) == "no_undo_asked"
    assert table.snapshot().seq == 8


def test_an_undo_that_is_asked_for_lapses_when_play_goes_on(table: Table) -> None:
    """A request for an undo ends when play goes on."""
    played(table, ours(), *BLIND_LOT)
    table.ask_undo(7, Actor.HOST)
    assert key(table.consent(Seat(3), True)) == "unknown_seat"
    assert table.propose(ev.LocosRevealed(("steam-2", "steam-3", "diesel-2")), Actor.TABLE).accepted
    assert table.snapshot().undo is None
    assert key(table.consent(Seat(0), True)) == "no_undo_asked"


def test_an_undo_that_reveals_nothing_is_done_at_once(table: Table) -> None:
    """An undo that reveals nothing is done at once and can be redone."""
    shown = played(table, ours(), *OPEN_LOT)
    assert shown.last_move is not None
    assert table.ask_undo(shown.last_move, Actor.HOST).accepted
    assert table.snapshot().can_redo
    assert table.redo(Actor.HOST).accepted
    assert table.snapshot().entries == shown.entries
    assert key(table.ask_undo(77, Actor.HOST)) == "no_such_record"


def test_an_amendment_says_what_changes(table: Table) -> None:
    """A trial amendment reports the same difference as the real one, and a conflict names its event."""
    played(table, ours(), *OPEN_LOT[:5], ev.Raised(Seat(1), 900), *[ev.Counted(Seat(1), n) for n in (1, 2, 3)])
    before = table.snapshot().seq
    asked = table.amend(6, ev.Raised(Seat(1), 750), Actor.HOST, dry_run=True)
    assert table.snapshot().seq == before
    done = table.amend(6, ev.Raised(Seat(1), 750), Actor.HOST)
    assert isinstance(done.outcome, Difference)
    assert (asked.outcome, done.seq) == (done.outcome, before + 1)
    misfit = table.amend(5, ev.Opened(Seat(0), 800), Actor.HOST)
    assert isinstance(misfit.outcome, AmendConflict)
    assert (misfit.accepted, misfit.outcome.seq, misfit.refusal) == (False, 6, misfit.outcome.refusal)


def test_secrets_and_the_dealers_draws_cannot_be_amended(table: Table) -> None:
    """Neither closed fists nor the companion's draws can be amended, because the host plays too."""
    played(table, ours(), *BLIND_LOT[:5])
    assert key(table.amend(5, ev.Committed(Seat(0), 300), Actor.HOST)) == "still_secret"
    played(table, ours(), *BLIND_LOT)
    assert table.amend(5, ev.Committed(Seat(0), 300), Actor.HOST).accepted
    table.start(dealt(3))
    shown = table.snapshot().entries[0]
    assert key(table.amend(1, shown.event, Actor.HOST)) == "dealer_draws"


def test_a_seats_money_is_put_to_what_lies_there(table: Table) -> None:
    """A correction of a seat's money is balanced by the bank, and an impossible one is refused privately."""
    played(table, ours(), *OPEN_LOT)
    assert table.correct(Seat(2), 4650, Actor.HOST).accepted
    shown = table.snapshot()
    assert shown.state is not None
    assert (shown.state.table.cash, shown.state.table.bank) == ((5000, 5000, 4650), 91350)
    assert shown.entries[-1].effects == (Moved(Seat(2), -350, "correction"),)
    wrong = table.correct(Seat(2), 4625, Actor.HOST)
    assert wrong.refusal is not None
    assert wrong.refusal.rule == "R-04"
    poor = table.correct(Seat(0), 100, Actor.HOST)
    assert poor.refusal is not None
    assert (poor.refusal.rule, poor.refusal.audience) == ("R-16", Seat(0))


# --- the owner's box ------------------------------------------------------------------------------


def box(players: int = 3) -> Setup:
    """Return a setup with the owner's own box."""
    return Setup("take-a-train", players, deck="box")


def known(table: Table) -> dict[str, object]:
    """Return the stored figures of the owner's box by card."""
    kept = table.read_value("catalogue/take-a-train")
    assert kept is not None
    data = json.loads(kept)
    locos = {loco["id"]: loco["power"] for loco in data["locomotives"] if loco["power"] is not None}
    wagons = {f"{row['type']}-{row['value']}": row["count"] for row in data["wagons"] if row["value"] is not None}
    prices = {f"token {n}": price for n, price in enumerate(data["sequence"], 1) if price is not None}
    return locos | wagons | prices


def test_what_is_read_off_the_owners_cards_is_kept_for_the_next_match(table: Table) -> None:
    """Figures and values that were read from the owner's cards are known in the next match."""
    played(
        table,
        box(2),
        ev.StarterNamed(Seat(0)),
        ev.TokenDrawn("twist"),
        *[ev.TwistPicked(Seat(seat)) for _ in range(2) for seat in range(2)],
        *[ev.FigureRead(card, 100 + 50 * n, 90 + n, 1) for n, card in enumerate(sum(TO_WAGONS[-1].trains, ()))],
        TO_WAGONS[-1],
        ev.CardsRevealed(("coal-200", "coal-200", "oil-350")),
    )
    learned = known(table)
    assert learned == {
        "steam-1": 100,
        "steam-2": 150,
        "steam-3": 200,
        "steam-4": 250,
        "diesel-1": 300,
        "diesel-2": 350,
        "coal-200": 2,
        "oil-350": 1,
        "token 2": 500,
    }
    table.start(box(2))
    shown = table.snapshot()
    assert shown.state is not None
    assert shown.state.table.fixed.book.locos["diesel-1"].power == 300
    assert shown.state.table.fixed.book.wagons.count("coal-200") == 2
    assert shown.state.table.fixed.book.wagons.count("coal") == 13


def test_a_misread_card_leaves_no_trace_once_it_is_mended(table: Table) -> None:
    """Amending or undoing a misread figure also corrects the stored figures."""
    cards = ("steam-1", "steam-2", "steam-3")
    events = [ev.FigureRead(card, 100, 90, 1) for card in cards]
    played(table, box(), ev.StarterNamed(Seat(0)), ev.TokenDrawn("pass"), *events)
    assert table.amend(4, ev.FigureRead("steam-2", 250, 90, 1), Actor.HOST).accepted
    assert known(table) == {"steam-1": 100, "steam-2": 250, "steam-3": 100, "token 2": 500}
    assert table.ask_undo(4, Actor.HOST).accepted
    assert known(table) == {"steam-1": 100, "steam-2": 250, "token 2": 500}


def test_a_whole_game_with_an_unread_box(tmp_path: Path) -> None:
    """Random games with the owner's box never refuse an unknown card, and learn more figures each time."""
    with Table(tmp_path / "journal.db", pace=HURRIED) as table:
        before = 0
        for seed in range(3):
            table.start(box(4))
            wander(table, Random(seed), 10_000)
            assert table.snapshot().over
            now = len(known(table))
            assert now >= before > -1
            before = now
        assert before > 20
