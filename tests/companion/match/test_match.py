"""Undo, redo and amend keep only fitting events, and a match can be reopened, exported and read back."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine import BadSetup, Event, Moved, Refusal, Seat, Setup, State, state_hash
from companion.games import GAMES
from companion.games.take_a_train import events as ev
from companion.journal.journal import Journal, JournalError, Record
from companion.match.actor import Actor
from companion.match.diff import CardChange, Difference, MoneyChange
from companion.match.history import VERDICTS, AmendConflict, Amended, BadRecord, History, Restored, Rewound
from companion.match.match import Match, MatchError
from companion.match.notation import TextError, export, read_match_file, read_text
from companion.mechanics.money import total
from companion.referee.verdict import Judged
from tests.support.matches import BLIND_LOT, MARKET, OPEN_LOT, TO_WAGONS, begun, dealt, ours, quick, say, stroll

__all__ = ["quick"]
pytestmark = pytest.mark.usefixtures("quick")

SETUPS = [dealt(2), dealt(4, edition="fr"), dealt(6), ours(3), ours(5, bid_channel="hand")]


def hashes(match: Match) -> list[str]:
    """Return the hash of every state in the history."""
    return [state_hash(entry.after) for entry in match.entries]


# --- names ----------------------------------------------------------------------------------------


def names(setup: Setup) -> list[str]:
    """Return the players' names by seat."""
    return [player.name for player in setup.seated()]


def test_a_seat_can_be_renamed_in_mid_game(tmp_path: Path) -> None:
    """Renaming a seat changes journal, list and export, and neither affects undo nor is undone."""
    with begun(tmp_path, ours(), *OPEN_LOT) as match:
        before, to = hashes(match), match.last_move()
        assert to is not None
        match.rewind(to, Actor.HOST)
        match.rename(Seat(1), "Zoë", Actor.HOST)
        assert names(match.setup) == ["Player 1", "Zoë", "Player 3"] and match.can_redo
        match.redo(Actor.HOST)
        match.rename(Seat(1), "Zoe", Actor.HOST)
        match.rewind(0, Actor.HOST)
        assert names(match.setup) == names(Match.open(match.journal, match.id).setup) == ["Player 1", "Zoe", "Player 3"]
        assert match.journal.summary(match.id).players == ("Player 1", "Zoe", "Player 3")
        assert (
            names(match.journal.header(match.id).setup) == names(match.line.begun_as) == [f"Player {n}" for n in "123"]
        )
        read = read_text(export(match.journal, match.id, secrets=True))
        assert names(read.setup) == names(match.setup) and [read.seq, read.nodes] == [match.seq, []]
        assert [state_hash(node.entry.after) for node in read.ends[to + 1 : len(before)]] == before[
            to : len(before) - 1
        ]


def test_another_match_does_not_get_the_names_of_a_lost_one(tmp_path: Path) -> None:
    """A new match does not get names that were stored under its number before."""
    with begun(tmp_path, ours()) as match:
        match.journal.keep("players/2", b'[{"name":"Eve"}]')
        other = Match.begin(match.journal, ours(2))
        assert match.journal.summary(other.id).players == ("Player 1", "Player 2")


def test_nobody_is_renamed_who_does_not_sit_there() -> None:
    """A text that renames a missing seat is refused with its line."""
    lines = ['{"game":"take-a-train","players":3}', '{"event":"seat_renamed","seat":3,"name":"Eve"}']
    with pytest.raises(TextError, match="line 2: seat_renamed cannot follow: nobody sits at seat 3"):
        read_text(lines)


def test_why_an_undo_cannot_be_redone(tmp_path: Path) -> None:
    """The reason why a redo is impossible is stored until play goes on."""
    with begun(tmp_path, ours(), *BLIND_LOT[:2]) as match:
        say(match, BLIND_LOT[2])
        match.rewind(2, Actor.HOST)
        assert (match.can_redo, match.line.redo_lost) == (False, "revealed")
        assert Match.open(match.journal, match.id).line.redo_lost == "revealed"
        say(match, BLIND_LOT[2])
        assert match.line.redo_lost == ""
        say(match, BLIND_LOT[3])
        match.rewind(match.last_move() or 0, Actor.HOST)
        assert (match.can_redo, match.line.redo_lost) == (True, "")
        match.amend(1, ev.StarterNamed(Seat(1)), Actor.HOST)
        assert (match.can_redo, match.line.redo_lost) == (False, "corrected")


# --- replaying ------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_reopened_match_is_the_same(tmp_path: Path, setup: Setup) -> None:
    """F-12: a reopened match has the same entries, ledger and last move."""
    with begun(tmp_path, setup) as match:
        stroll(match, Random(1), 400)
        again = Match.open(match.journal, match.id)
        assert again.entries == match.entries
        assert again.ledger == match.ledger
        assert (again.seq, again.setup, again.last_move()) == (match.seq, match.setup, match.last_move())


def test_the_same_seed_and_decisions_give_the_same_journal(tmp_path: Path) -> None:
    """F-12: the same seed and decisions give the same journal, apart from the times."""
    said = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        with begun(tmp_path / name, dealt(4), seed="one") as match:
            match.clock = lambda: "2030-01-01T00:00:00.000Z"
            stroll(match, Random(5), 300)
            said.append(match.journal.records(match.id)[1:])
    assert said[0] == said[1]
    (tmp_path / "c").mkdir()
    with begun(tmp_path / "c", dealt(4), seed="two") as match:
        stroll(match, Random(5), 50)
        assert [r.body for r in match.journal.records(match.id)] != [r.body for r in said[0]][: match.seq]


def test_a_match_that_may_not_begin_any_more_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If newer rules refuse the setup of a match, opening it is refused with the reason."""
    with begun(tmp_path, dealt(3)) as match:

        def refuse(self: object, setup: Setup) -> State[Any]:
            raise BadSetup(Refusal("R-01", "players"), "Nobody plays alone.")

        monkeypatch.setattr(type(match.game), "begin", refuse)
        with pytest.raises(MatchError, match=r"cannot begin by these rules: Nobody plays alone\."):
            Match.open(match.journal, match.id)


def test_a_match_keeps_the_cards_it_began_with(tmp_path: Path) -> None:
    """The header contains the whole catalogue, so that a changed catalogue does not affect old matches."""
    with begun(tmp_path, dealt(3)) as match:
        setup = match.journal.header(match.id).setup
        assert isinstance(setup.catalogue, dict)
        assert len(setup.catalogue["locomotives"]) == 18
        assert [player.name for player in setup.seated()] == ["Player 1", "Player 2", "Player 3"]
        assert len(setup.seed_hash) == 64


def test_the_ledger_and_the_cash_agree(tmp_path: Path) -> None:
    """Every seat's tokens equal its cash, and each payment is recorded with its entry."""
    with begun(tmp_path, dealt(4)) as match:
        assert [total(seat) for seat in match.ledger.seats] == [5000] * 4
        stroll(match, Random(3), 2000)
        assert match.state.over
        assert tuple(total(seat) for seat in match.ledger.seats) == match.state.table.cash
        assert total(match.ledger.bank) == match.state.table.bank
        for entry in match.entries:
            moves = [effect for effect in entry.effects if isinstance(effect, Moved)]
            assert [payment.amount for payment in entry.payments] == [effect.amount for effect in moves]
        assert match.journal.matches()[0].ended is not None


def test_a_refused_event_leaves_no_trace(tmp_path: Path) -> None:
    """F-15: a refused move leaves state and journal unchanged, even if only one of its events is refused."""
    with begun(tmp_path, ours(), *BLIND_LOT[:4]) as match:
        before, seq = state_hash(match.state), match.seq
        refusal = match.propose(ev.Committed(Seat(1), 325), Actor.at_seat(1))
        assert refusal is not None
        assert refusal.rule == "R-04"
        refusal = match.propose(ev.Committed(Seat(1), 300), Actor.at_seat(1), ev.Committed(Seat(2), -50))
        assert refusal is not None
        assert (state_hash(match.state), match.seq, len(match.journal.records(match.id))) == (before, seq, seq)


def test_a_move_of_several_events_is_one_commit(tmp_path: Path) -> None:
    """All events of a move, drawn ones included, share one move number."""
    with begun(tmp_path, dealt(3)) as match:
        stroll(match, Random(4), 60)
        moves: dict[int, list[Record]] = {}
        for record in match.journal.records(match.id):
            moves.setdefault(record.move, []).append(record)
        assert list(moves) == list(range(1, len(moves) + 1))
        assert any(len(records) > 1 for records in moves.values())
        for number, records in moves.items():
            people = [record.by for record in records if record.by != "dealer"]
            assert len(people) == (number > 1)


# --- undo and redo --------------------------------------------------------------------------------


def test_undo_then_redo_is_identity(tmp_path: Path) -> None:
    """F-13: undoing moves and redoing them restores every state, entry and ledger."""
    with begun(tmp_path, ours(), *BLIND_LOT[:7]) as match:
        line, before = match.entries, hashes(match)
        steps = 0
        while (to := match.last_move()) is not None and not match.reveals_after(to):
            assert match.rewind(to, Actor.HOST) is None
            steps += 1
            assert hashes(match) == before[: len(match.entries)]
        assert steps == 4
        while match.can_redo:
            assert match.redo(Actor.HOST) is None
            steps -= 1
        assert steps == 0
        assert match.entries == line
        assert Match.open(match.journal, match.id).entries == line
        assert match.redo(Actor.HOST) == Refusal("R-00", "nothing_to_redo")


@pytest.mark.parametrize("setup", [dealt(3), ours(4)], ids=str)
def test_a_match_can_be_rewound_to_every_point(tmp_path: Path, setup: Setup) -> None:
    """F-13: rewinding to a record restores its state, except into opened bids and counts."""
    with begun(tmp_path, setup) as match:
        stroll(match, Random(6), 90)
        before = [state_hash(end.entry.after) for end in match.line.ends]
        further = 0
        for to in range(match.seq, -1, -1):
            line = Match.open(match.journal, match.id).line
            landed = line.landing(to)
            line.add(Rewound(landed))
            assert state_hash(line.state) == before[landed]
            assert line.entries == match.entries[:landed]
            if landed < to:
                after = match.entries[to - 1].after
                assert line.game.has_sealed(after) or line.game.interruption(after, "undo")
                further += 1
            line.add(Restored(match.seq))
            assert line.entries == match.entries
        assert further < match.seq


def test_after_an_undo_chance_decides_anew(tmp_path: Path) -> None:
    """After an undo, draws have different results, so that nobody can foresee them."""
    with begun(tmp_path, dealt(4)) as match:
        assert match.rewind(0, Actor.HOST) is None
        dealt_first, again = match.line.made[1], match.entries[0]
        assert dealt_first is not None
        assert isinstance(again.event, ev.PurposesDealt)
        assert again.event != dealt_first.entry.event
        assert not match.can_redo
        assert Match.open(match.journal, match.id).entries == match.entries


def test_opened_fists_are_taken_afresh(tmp_path: Path) -> None:
    """An undo past opened fists goes back to before the first fist and cannot be redone."""
    with begun(tmp_path, ours(), *BLIND_LOT) as match:
        assert match.state.table.trains[1]
        assert match.reveals_after(7)
        assert match.rewind(7, Actor.HOST) is None
        assert match.entries[-1].event == BLIND_LOT[3]
        assert match.state.agenda[0].amounts == (None, None, None)
        assert not match.can_redo
        assert match.redo(Actor.HOST) is not None


def test_closed_fists_can_be_undone_and_redone(tmp_path: Path) -> None:
    """An undo between two closed fists reveals nothing and can be redone."""
    with begun(tmp_path, ours(), *BLIND_LOT[:6]) as match:
        assert not match.reveals_after(5)
        assert match.rewind(5, Actor.HOST) is None
        assert match.state.agenda[0].amounts == (250, None, None)
        assert match.redo(Actor.HOST) is None
        assert match.state.agenda[0].amounts == (250, 350, None)


def test_twist_turned_up_is_dealt_afresh(tmp_path: Path) -> None:
    """An undo past the turned-up Twist card goes back to before the hands were dealt or the first card was placed."""
    with begun(tmp_path, ours(2), *TO_WAGONS) as match:
        assert match.reveals_after(6)
        assert match.rewind(5, Actor.HOST) is None
        assert match.entries[-1].event == TO_WAGONS[1]
    (tmp_path / "dealt").mkdir()
    with begun(tmp_path / "dealt", dealt(2), ev.StarterNamed(Seat(0))) as match:
        assert match.propose(ev.TokenDrawn("twist"), Actor.TABLE) is None
        hands = match.entries[-1].event
        assert isinstance(hands, ev.TwistDealt)
        for _ in range(2):
            for _seat in range(2):
                say(match, next(iter(match.state.agenda[0].legal(match.state.table)[0])))
        assert not isinstance(match.state.agenda[0], type(match.line.ends[4].entry.after.agenda[0]))
        assert match.reveals_after(5)
        assert match.rewind(5, Actor.HOST) is None
        assert isinstance(match.entries[-1].event, ev.TwistDealt)
        assert match.entries[-1].event != hands


@pytest.mark.parametrize(
    ("events", "to", "revealed"),
    [
        (BLIND_LOT, 8, False),
        (BLIND_LOT, 7, True),
        (BLIND_LOT[:7], 3, False),
        (BLIND_LOT[:7], 2, True),
        (OPEN_LOT, 4, False),
        (TO_WAGONS[:6], 2, False),
        (TO_WAGONS, 6, True),
        ((*TO_WAGONS, MARKET), 7, True),
        ((*TO_WAGONS, MARKET), 8, False),
    ],
)
def test_what_was_turned_up_is_recognised(tmp_path: Path, events: tuple[Event, ...], to: int, revealed: bool) -> None:
    """Opened fists, cards and tokens count as revealed, but closed fists, raises and placed cards do not."""
    with begun(tmp_path, ours(2 if events[1] == TO_WAGONS[1] else 3), *events) as match:
        assert match.reveals_after(to) is revealed


def test_what_cannot_be_undone_is_said(tmp_path: Path) -> None:
    """An undo without a move, or to a record outside the history, is refused and not recorded."""
    with begun(tmp_path, ours(), *OPEN_LOT) as match:
        assert match.rewind(6, Actor.HOST) == Refusal("R-00", "nothing_to_undo")
        assert match.rewind(7, Actor.HOST) == Refusal("R-00", "no_such_record", {"seq": 7})
        assert match.rewind(-1, Actor.HOST) == Refusal("R-00", "no_such_record", {"seq": -1})
        assert match.rewind(4, Actor.HOST) is None
        assert match.rewind(6, Actor.HOST) == Refusal("R-00", "no_such_record", {"seq": 6})
        assert match.seq == 7
    (tmp_path / "new").mkdir()
    with begun(tmp_path / "new", ours()) as match:
        assert match.last_move() is None
        assert match.rewind(0, Actor.HOST) == Refusal("R-00", "nothing_to_undo")


def test_an_ended_match_can_be_undone_into(tmp_path: Path) -> None:
    """The last move of a game can be undone, and the match runs again until its next end."""
    with begun(tmp_path, dealt(2)) as match:
        stroll(match, Random(8), 5000)
        ended = match.journal.matches()[0].ended
        to = match.last_move()
        assert ended is not None
        assert to is not None
        assert match.rewind(to, Actor.HOST) is None
        assert match.journal.matches()[0].ended is None
        assert not match.state.over
        assert match.redo(Actor.HOST) is None
        assert match.journal.matches()[0].ended is not None


# --- amend ----------------------------------------------------------------------------------------


def test_an_amended_card_is_told_as_a_difference(tmp_path: Path) -> None:
    """An amended card changes market and trains, and the later events remain."""
    took = ev.Took(Seat(1), 0, 0)
    refill = ev.CardsRevealed(("cattle-100",))
    with begun(tmp_path, ours(2), *TO_WAGONS, MARKET) as match:
        seat = match.state.table.order[0]
        took = ev.Took(seat, 0, 0)
        say(match, took, refill)
        before = match.state
        found = match.amend(8, ev.CardsRevealed(("coal-150", "food-50", "oil-150")), Actor.HOST)
        assert found == Difference(
            seq=8,
            was=MARKET,
            now=ev.CardsRevealed(("coal-150", "food-50", "oil-150")),
            money=(),
            bank_then=before.table.bank,
            bank_now=before.table.bank,
            cards=(CardChange(("train", str(seat), "0", "1"), "coal-200", "coal-150"),),
        )
        assert [e.event for e in match.entries[-3:]] == [found.now, took, refill]
        assert match.entries[7].seq == 8
        again = Match.open(match.journal, match.id)
        assert again.entries == match.entries


def test_an_amended_price_moves_money(tmp_path: Path) -> None:
    """The difference of an amended price lists each seat's money and the bank's."""
    raised = (*OPEN_LOT[:5], ev.Raised(Seat(1), 900), *[ev.Counted(Seat(1), n) for n in (1, 2, 3)])
    with begun(tmp_path, ours(), *raised) as match:
        asked = match.amend(6, ev.Raised(Seat(1), 750), Actor.HOST, dry_run=True)
        assert match.seq == 9
        found = match.amend(6, ev.Raised(Seat(1), 750), Actor.HOST)
        assert found == asked
        assert isinstance(found, Difference)
        assert found.money == (MoneyChange(Seat(1), 4100, 4250),)
        assert [m.change for m in found.money] == [150]
        assert found.bank_now is not None
        assert found.bank_then is not None
        assert found.bank_now - found.bank_then == -150
        assert total(match.ledger.seats[1]) == 4250
        assert match.seq == 10


def test_an_amendment_that_makes_something_impossible_changes_nothing(tmp_path: Path) -> None:
    """An amendment that makes a later event impossible is refused with that event, and works after an undo."""
    with begun(tmp_path, ours(), *BLIND_LOT[:4]) as match:
        before = match.entries
        other = ev.LocosRevealed(("steam-1", "steam-2", "diesel-1"))
        found = match.amend(3, other, Actor.HOST)
        assert found == AmendConflict(4, BLIND_LOT[3], Refusal("R-26", "not_revealed", {"card": "steam-4"}))
        assert (match.entries, match.seq) == (before, 4)
        assert match.rewind(3, Actor.HOST) is None
        assert isinstance(match.amend(3, other, Actor.HOST), Difference)
        say(match, ev.Nominated(Seat(0), "steam-2"))


def test_an_amendment_must_be_legal_itself(tmp_path: Path) -> None:
    """An amended event must be legal in its place, and a record that is no event cannot be amended."""
    with begun(tmp_path, ours(), *BLIND_LOT[:5]) as match:
        found = match.amend(5, ev.Committed(Seat(0), 6000), Actor.HOST)
        assert isinstance(found, AmendConflict)
        assert (found.seq, found.refusal.rule, found.refusal.audience) == (5, "R-16", Seat(0))
        for seq in (0, 6, -3):
            found = match.amend(seq, ev.Committed(Seat(0), 300), Actor.HOST)
            assert isinstance(found, AmendConflict)
            assert found.refusal.key == "no_such_record"
        assert match.seq == 5


def test_undo_after_an_amendment_keeps_it(tmp_path: Path) -> None:
    """An amendment survives undo and redo of later moves."""
    with begun(tmp_path, ours(), *OPEN_LOT) as match:
        assert isinstance(match.amend(5, ev.Opened(Seat(0), 300), Actor.HOST), Difference)
        assert match.rewind(5, Actor.HOST) is None
        assert match.state.agenda[0].price == 300
        assert match.redo(Actor.HOST) is None
        assert match.state.agenda[0].count == 1
        assert Match.open(match.journal, match.id).entries == match.entries


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_mended_refolds_the_same(tmp_path: Path, seed: int) -> None:
    """F-12, F-13: random moves, undos, redos and amendments give the same history in memory, journal and text."""
    luck = Random(seed)
    with begun(tmp_path, ours(3 + seed % 2)) as match:
        amended = 0
        for _ in range(120):
            match_entries = match.entries
            choice = luck.random()
            if choice < 0.15 and match_entries:
                match.rewind(luck.choice(match_entries).seq, Actor.HOST)
            elif choice < 0.3:
                match.redo(Actor.HOST)
            elif choice < 0.45 and match_entries:
                entry = luck.choice(match_entries[-4:])
                node = match.line.at(entry.seq)
                assert node is not None
                assert node.parent is not None
                before = node.parent.entry.after
                offers = match.game.standing(before) + before.agenda[0].legal(before.table)
                found = match.amend(entry.seq, luck.choice(offers).pick(luck.random), Actor.HOST)
                amended += isinstance(found, Difference)
            else:
                stroll(match, luck, match.seq + luck.randrange(1, 5))
            assert match.entries == tuple([node.entry for node in match.line.nodes])
        assert amended > 0
        again = Match.open(match.journal, match.id)
        assert again.entries == match.entries
        assert (again.can_redo, again.line.undone) == (match.can_redo, match.line.undone)
        text = read_text(export(match.journal, match.id, secrets=True))
        assert [e.after for e in text.entries] == [e.after for e in match.entries]
        assert text.undone == match.line.undone


# --- text -----------------------------------------------------------------------------------------

HEADER = '{"game": "take-a-train", "players": 3, "options": {"edition": "en"}, "deck": "ours"}'


def test_a_match_written_by_hand_is_read(tmp_path: Path) -> None:
    """A hand-written match is read from a list or file, with blank lines and extra keys."""
    lines = [
        HEADER,
        "",
        '{"event": "starter_named", "seat": 0}',
        '  {"seq": 99, "at": "noon", "by": "me", "event": "token_drawn", "kind": "open"}  ',
        '{"event": "locos_revealed", "cards": ["steam-4"]}',
        '{"event": "purposes_entered", "seat": 2, "purposes": ["P-1", "P-2", "P-3"]}',
        '{"event": "opened", "seat": 0, "amount": 200}',
        '{"event": "rewound", "to": 4}',
        '{"event": "restored", "to": 5}',
        '{"event": "amended", "seq": 5, "with": {"event": "opened", "seat": 0, "amount": 350}}',
    ]
    line = read_text(lines)
    assert (line.seq, len(line.entries), line.state.agenda[0].price) == (8, 5, 350)
    file = tmp_path / "match.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    assert read_match_file(file).entries[-1].after == line.state


@pytest.mark.parametrize(
    ("lines", "where", "why"),
    [
        ([], 1, "there is no header"),
        (["", " "], 2, "there is no header"),
        (['{"event": "starter_named", "seat": 0}'], 1, "the header is missing"),
        (["[1]"], 1, "each line is one JSON object"),
        (["{game}"], 1, "this is not JSON"),
        (['{"game": "chess", "players": 2}'], 1, "there is no game called 'chess': choose one of take-a-train"),
        (['{"game": "take-a-train", "players": 1}'], 1, "Take a Train is for 2 to 6 players"),
        (['{"game": "take-a-train"}'], 1, "the header does not fit: Object missing required field `players`"),
        (['{"game": "take-a-train", "players": 3, "format": 2}'], 1, "newer companion"),
        (['{"game": "take-a-train", "players": 3, "colour": "red"}'], 1, "unknown field `colour`"),
        (['{"game": "take-a-train", "players": 3, "options": {"twin": 1}}'], 1, "there is no option twin"),
        ([HEADER, '{"seat": 0}'], 2, "an event is missing"),
        ([HEADER, '{"event": "cheated", "seat": 0}'], 2, "cheated does not fit: Invalid value 'cheated'"),
        ([HEADER, '{"event": "starter_named"}'], 2, "missing required field `seat`"),
        ([HEADER, '{"event": "starter_named", "seat": "0"}'], 2, "Expected `int`, got `str` - at `$.seat`"),
        ([HEADER, '{"event": "starter_named", "seat": 0, "card": "x"}'], 2, "unknown field `card`"),
        ([HEADER, '{"event": "starter_named", "seat": 7}'], 2, "starter_named is not allowed here."),
        ([HEADER, "", '{"event": "bid", "seat": 0, "amount": 100}'], 3, "(R-29)"),
        ([HEADER, '{"event": "rewound", "to": 4}'], 2, "record 4 is not in the line of play"),
        ([HEADER, '{"event": "restored", "to": 1}'], 2, "there is no record 1"),
        ([HEADER, '{"event": "amended", "seq": 1, "with": {"event": "passed", "seat": 0}}'], 2, "record 1 is no event"),
        (
            [HEADER, '{"event": "amended", "seq": 1, "with": {"event": "rewound", "to": 0}}'],
            2,
            "Invalid value 'rewound'",
        ),
        (
            [HEADER, '{"event": "committed", "seat": 0, "amount": null, "secret": true}'],
            2,
            "left out because it is secret",
        ),
    ],
)
def test_what_is_wrong_in_a_text_is_said_with_its_line(lines: list[str], where: int, why: str) -> None:
    """An error in a text is reported with the number of its line and the reason."""
    with pytest.raises(TextError) as caught:
        read_text(lines, "match.jsonl")
    assert str(caught.value).startswith(f"match.jsonl, line {where}: ")
    assert why in str(caught.value)
    assert caught.value.line == where


def test_a_rule_broken_in_a_text_is_given(tmp_path: Path) -> None:
    """An illegal event in a text is reported with its rule and reason in words."""
    lines = [HEADER, '{"event": "starter_named", "seat": 0}', '{"event": "token_drawn", "kind": "open"}']
    lines += [
        '{"event": "locos_revealed", "cards": ["steam-4"]}',
        '{"event": "opened", "seat": 1, "amount": 200}',
    ]
    with pytest.raises(TextError, match=r"line 5: opened is not allowed here\. .*Player 1.* \(R-00\)") as caught:
        read_text(lines)
    assert caught.value.refusal == Refusal("R-00", "not_your_turn", {"seat": 0})


def test_files_that_are_no_match_are_named(tmp_path: Path) -> None:
    """A file that is not a match is refused with the reason."""
    picture = tmp_path / "a.png"
    picture.write_bytes(b"\x89PNG\r\n\xff")
    with Journal(tmp_path / "journal.db"):
        pass
    text = tmp_path / "a.jsonl"
    text.write_text(HEADER)
    for path, match_id, why in (
        (tmp_path / "none", None, "cannot be read: No such file"),
        (tmp_path, None, "a folder, not a file"),
        (picture, None, "neither a journal nor a text"),
        (tmp_path / "journal.db", None, "There is no match"),
        (tmp_path / "journal.db", "3", "There is no match '3'"),
        (text, "3", "a text with one match"),
    ):
        with pytest.raises(JournalError) as caught:
            read_match_file(path, match_id)
        assert why in str(caught.value)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_export_and_read_are_a_round_trip(tmp_path: Path, setup: Setup) -> None:
    """An exported match reads back to the same states, and a finished match hides nothing."""
    with begun(tmp_path, setup) as match:
        stroll(match, Random(9), 10_000)
        lines = list(export(match.journal, match.id))
        assert not any('"secret"' in line for line in lines)
        assert json.loads(lines[0]).get("seed") == ("7" if setup.deck == "dealt" else None)
        (tmp_path / "a.jsonl").write_text("\n".join(lines))
        text, file = read_match_file(tmp_path / "a.jsonl"), match.journal.path
        assert [state_hash(e.after) for e in text.entries] == hashes(match)
        assert text.entries == match.entries
        assert text.setup == match.setup
    assert read_match_file(file).entries == text.entries


def test_an_unfinished_match_is_exported_without_secrets(tmp_path: Path) -> None:
    """An unfinished match is exported without closed fists, replaced amounts, dealt purposes and the seed."""
    with begun(tmp_path, ours(), *BLIND_LOT[:7], ev.PurposesEntered(Seat(2), ("P-1", "P-2", "P-3"))) as match:
        lines = [json.loads(line) for line in export(match.journal, match.id)][1:]
        assert [(line["event"], line.get("amount"), line.get("secret")) for line in lines[4:]] == [
            ("committed", None, True),
            ("committed", None, True),
            ("committed", None, True),
            ("purposes_entered", None, True),
        ]
        assert lines[7]["purposes"] is None
        say(match, BLIND_LOT[7], ev.CashCorrected(Seat(1), 4650))
        lines = [json.loads(line) for line in export(match.journal, match.id)][1:]
        assert [(line["seat"], line.get("amount"), line.get("secret")) for line in lines[4:]] == [
            (0, 250, None),
            (1, None, True),
            (1, 400, None),
            (2, None, True),
            (2, 300, None),
            (1, None, True),
        ]
        assert lines[9]["to"] is None
        whole = [json.loads(line) for line in export(match.journal, match.id, secrets=True)][1:]
        assert [line.get("amount") for line in whole[4:7]] == [250, 350, 400]
        assert whole[9]["to"] == 4650


def test_undone_and_amended_secrets_stay_secret(tmp_path: Path) -> None:
    """A fist that was undone before it opened stays secret, and an amended fist is shown when it opens."""
    with begun(tmp_path, ours(), *BLIND_LOT[:6]) as match:
        assert match.rewind(5, Actor.HOST) is None
        say(match, ev.Committed(Seat(1), 4350))
        assert isinstance(match.amend(8, ev.Committed(Seat(1), 4300), Actor.HOST), Difference)
        public = "\n".join(export(match.journal, match.id))
        for amount in ("250", "350", "4350", "4300"):
            assert f'"amount":{amount}' not in public
        say(match, ev.Committed(Seat(2), 300))
        lines = [json.loads(line) for line in export(match.journal, match.id)]
        assert [line.get("amount") for line in lines[5:9]] == [250, None, None, None]
        assert lines[9]["with"]["amount"] == 4300
        assert lines[10]["amount"] == 300


def test_earlier_rounds_keep_their_amounts_to_themselves(tmp_path: Path) -> None:
    """R-25: a public export contains the amounts of the current round only."""
    with begun(tmp_path, ours()) as match:
        luck = Random(12)
        while match.state.table.round < 2:
            stroll(match, luck, match.seq + 1)
        lines = [json.loads(line) for line in export(match.journal, match.id)]
        said = [line for line in lines if line.get("event") in ("bid", "raised", "opened", "bids_revealed")]
        assert said
        assert [line for line in said if line.get("amount", line.get("amounts")) is not None] == []


ALIKE: list[tuple[tuple[Event, ...], tuple[Event, ...]]] = [
    (BLIND_LOT[:7], (*BLIND_LOT[:4], *[ev.Committed(Seat(s), 700) for s in (0, 1, 1)])),
    ((ev.PurposesEntered(Seat(1), ("P-1", "P-2", "P-3")),), (ev.PurposesEntered(Seat(1), ("P-4", "P-5", "P-6")),)),
    ((ev.CashCorrected(Seat(0), 4000),), (ev.CashCorrected(Seat(0), 4050),)),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_matches_that_differ_in_secrets_are_exported_alike(
    tmp_path: Path, one: tuple[Event, ...], other: tuple[Event, ...]
) -> None:
    """F-16: matches that differ only in secrets have the same public export."""
    public, whole = [], []
    for name, events in (("one", one), ("other", other)):
        (tmp_path / name).mkdir()
        with begun(tmp_path / name, ours(), *events) as match:
            for found, secrets in ((public, False), (whole, True)):
                lines = [json.loads(line) for line in export(match.journal, match.id, secrets=secrets)][1:]
                found.append([{key: value for key, value in line.items() if key != "at"} for line in lines])
    assert public[0] == public[1]
    assert whole[0] != whole[1]


@pytest.mark.parametrize("seed", range(12))
def test_what_was_dealt_stays_out_of_a_public_export(tmp_path: Path, seed: int) -> None:
    """The public export contains neither the seed nor purposes, Twist's cards or the fists of a running lot."""
    secret = f"seed {seed} that is nowhere"
    with begun(tmp_path, dealt(2 + seed % 5), seed=secret) as match:
        luck = Random(seed)
        while match.state.table.kind != "twist" and not match.state.over:
            stroll(match, luck, match.seq + 1)
        stroll(match, luck, match.seq + 4 + seed)
        if match.state.over:
            assert match.rewind(match.last_move() or 0, Actor.HOST) is None
        text = "\n".join(export(match.journal, match.id))
        assert secret not in text
        fields = {"purposes_dealt": "purposes", "twist_dealt": "hands", "twist_picked": "card", "cash_corrected": "to"}
        lines = [json.loads(line) for line in text.splitlines()][1:]
        hidden = [line for line in lines if line["event"] in fields]
        assert len(hidden) >= 1
        assert all(line[fields[line["event"]]] is None and line["secret"] for line in hidden)
        with pytest.raises(TextError, match="left out because it is secret"):
            read_text(text.splitlines())


# --- matches that cannot be opened ----------------------------------------------------------------


def test_a_journal_whose_rules_have_changed_is_said(tmp_path: Path) -> None:
    """Records that the rules cannot apply are reported by number, without a traceback."""
    for body in ('{"event": "flown"}', '{"event": "bid", "seat": 0, "amount": 100}', '{"event": "rewound", "to": 9}'):
        (tmp_path / str(len(body))).mkdir()
        with begun(tmp_path / str(len(body)), ours(), *OPEN_LOT) as match:
            match.journal.append(match.id, [Record(7, "", "table", 7, body)])
            with pytest.raises(MatchError, match="record 7"):
                Match.open(match.journal, match.id)


def test_a_game_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A match of an unknown game is refused with the game's name."""
    with Journal(tmp_path / "journal.db") as journal:
        match_id = journal.create(Setup("chess", 2))
        with pytest.raises(MatchError, match="no game called 'chess'"):
            Match.open(journal, match_id)


def test_a_line_refuses_what_cannot_follow() -> None:
    """A history is unchanged after it refuses an impossible record."""
    line = History(GAMES["take-a-train"], ours())
    for event in OPEN_LOT:
        line.add(event)
    before = line.entries
    for body in (Rewound(9), Restored(-1), Restored(7), Amended(0, OPEN_LOT[0]), ev.Bid(Seat(0), 300)):
        with pytest.raises(BadRecord):
            line.add(body)
    assert (line.entries, line.seq) == (before, 6)


def test_verdicts_last_until_the_line_changes() -> None:
    """Verdicts stay available through later moves, and an undo, redo or amendment clears them."""
    line = History(GAMES["take-a-train"], ours(2))
    said = [Judged("count", str(number), ()) for number in range(VERDICTS + 2)]
    for verdict in said:
        line.add(verdict)
    line.add(ev.StarterNamed(Seat(0)))
    line.add(said[0])
    assert line.verdicts() == (*said[3:], said[0])
    for control in (Rewound(0), Restored(line.seq), Amended(VERDICTS + 3, ev.StarterNamed(Seat(1)))):
        line.add(control)
        assert line.verdicts() == ()
        line.add(said[1])
        assert line.verdicts() == (said[1],)


def test_states_share_what_did_not_change() -> None:
    """Consecutive states share a table that did not change, so that long matches need little memory."""
    line = History(GAMES["take-a-train"], ours())
    for event in OPEN_LOT:
        line.add(event)
    tables: list[State[Any]] = [entry.after for entry in line.entries[-3:]]
    assert tables[0].table is tables[1].table is tables[2].table


# --- rulings --------------------------------------------------------------------------------------


@pytest.fixture
def ruled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Take a Train have two rulings."""
    monkeypatch.setattr(type(GAMES["take-a-train"]), "rulings", ("one", "two"))


@pytest.mark.usefixtures("ruled")
def test_a_header_names_the_rulings_by_which_its_match_began(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match keeps its rulings when it is opened, amended, exported and read, and new matches use newer ones."""
    with begun(tmp_path, ours(), *OPEN_LOT) as match:
        assert match.journal.header(match.id).setup.rulings == ("one", "two")
        monkeypatch.setattr(type(match.game), "rulings", ("one", "two", "three"))
        opened = Match.open(match.journal, match.id)
        assert isinstance(opened.amend(1, ev.StarterNamed(Seat(1)), Actor.HOST), Difference | AmendConflict)
        lines = list(export(match.journal, match.id, secrets=True))
        assert json.loads(lines[0])["rulings"] == ["one", "two"]
        for line in (match.line, opened.line, read_text(lines)):
            assert line.setup.rulings == ("one", "two")
        assert Match.begin(match.journal, ours()).setup.rulings == ("one", "two", "three")


def test_a_header_without_rulings_means_the_earlier_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match without rulings keeps none, even if its game gains some later."""
    with begun(tmp_path, ours(), *OPEN_LOT) as match:
        before = list(export(match.journal, match.id, secrets=True))
        assert "rulings" not in json.loads(before[0])
        monkeypatch.setattr(type(match.game), "rulings", ("one",))
        assert Match.open(match.journal, match.id).setup.held(("one",)) == ()
        assert read_text(before).setup.held(("one",)) == ()
        assert list(export(match.journal, match.id, secrets=True)) == before


@pytest.mark.usefixtures("ruled")
def test_an_unknown_ruling_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match with an unknown ruling is refused, because a newer version wrote it."""
    said = "a newer companion wrote this: this one does not know the ruling 'two'"
    with begun(tmp_path, ours(), *OPEN_LOT) as match:
        lines = list(export(match.journal, match.id, secrets=True))
        monkeypatch.setattr(type(match.game), "rulings", ("one",))
        with pytest.raises(MatchError, match=said):
            Match.open(match.journal, match.id)
        with pytest.raises(TextError, match=said):
            read_text(lines)
