"""A seat can take its own move back for a while, if the event qualifies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from companion.engine import Event, Refusal, Seat, SeatEvent, Setup, event_kinds, legal, name_of, seat_of
from companion.games import GAMES
from companion.games.express.events import Reshuffled
from companion.games.take_a_train import events as tat
from companion.games.trains import events as ev
from companion.journal.journal import Journal
from companion.match.actor import Actor
from companion.match.history import Rewound
from companion.match.match import Match
from companion.match.notation import export, read_text
from companion.messages import Press
from companion.table import take_back
from companion.table.sight_records import SightState
from companion.table.snapshot import TableAnswer
from companion.table.table import Table
from companion.table.take_back import WINDOW, OwnMove, qualifies
from tests.support.kinds_walk import SETUPS, Stepped, kinds, walk
from tests.support.matches import quick
from tests.support.paces import HURRIED
from tests.support.presses import Live

__all__ = ["quick"]
pytestmark = pytest.mark.usefixtures("quick")
A, B = Seat(0), Seat(1)
BY_A, BY_B = Actor.at_seat(0), Actor.at_seat(1)

NEVER = {
    "take-a-train": {
        *("starter_named", "purposes_dealt", "purposes_entered", "token_drawn", "locos_revealed", "figure_read"),
        *("cost_read", "opened", "opening_declined", "bid", "passed", "committed", "bids_revealed", "reveal_signalled"),
        *("fist_counted", "fist_confirmed", "fist_corrected", "correction_answered"),
        *("raised", "raised_together", "raise_grown", "counted", "count_broken", "twist_dealt", "twist_picked"),
        *("twist_revealed", "cards_revealed", "exchanged", "turn_passed", "claimed", "claims_done", "cash_corrected"),
    },
    "trains": {
        *("kingdom_drawn", "first_named", "cards_drawn", "reshuffled", "top_seen", "card_revealed"),
        *("ended", "turn_passed", "card_named", "guessed_right", "guessed_wrong"),
    },
    "express": {
        *("dealer_card_drawn", "hands_dealt", "pile_drawn", "cards_drawn", "reshuffled", "train_begun", "car_laid"),
        *("maintenance_laid", "locomotive_exchanged", "discarded", "discarded_unused", "went_out", "turntable_played"),
        *("disaster_played", "protection_played", "protection_declined", "partner_asked", "partner_agreed"),
        *("partner_forbade", "question_withdrawn", "misdeal_called", "misdeal_accepted", "misdeal_rejected"),
        *("hand_shown", "hand_called"),
    },
    "game-of-trains": {
        *("line_dealt", "first_named", "hands_drawn", "drew", "card_drawn", "refilled", "reshuffled", "odd_kept"),
        "ability_read",
    },
}  # fmt: skip
"""Events that no seat can take back by itself, such as draws, bids, passes and claims."""
SOMETIMES = {
    "take-a-train": {"nominated", "loco_chosen", "wagon_chosen"},
    "trains": {
        *("start_placed", "played", "bought", "bought_on_deck", "declined", "applied", "rail_laid", "station_built"),
        *("card_chosen", "cards_discarded", "waste_returned", "crew_sent", "top_kept", "top_discarded"),
        *("revealed_taken", "rebuilt"),
    },
    "express": {"discard_taken", "laid_taken_back"},
    "game-of-trains": {"kept", "placed", "swapped", "shifted", "protected", "removed"},
}  # fmt: skip
"""Events that their seat can take back if nothing is drawn after them."""
BEFORE_CHANCE = {"take-a-train": {"took", "tie_broken", "tie_ordered", "bought", "replacement_taken", "flipped"}}
"""Events that can rarely be taken back, because a draw or a question to several seats follows."""
EVENTS = 300
"""The number of records of a randomly played match."""
STANDING = {"purposes_entered", "cash_corrected"}
"""Events that can happen at any time and that no offer lists."""


@cache
def steps(name: str) -> dict[str, list[tuple[Stepped, bool]]]:
    """Return the events of random games by kind, each with whether its seat could take it back."""
    found: dict[str, list[tuple[Stepped, bool]]] = {}
    for before, event, after in walk(name):
        seat = seat_of(event)
        free = seat is not None and qualifies(GAMES[name], before, event, after, seat)
        assert not (free and any(offer.chance for offer in legal(GAMES[name], after)))
        found.setdefault(name_of(event), []).append(((before, event, after), free))
    return found


# --- which events ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(SETUPS))
def test_every_kind_of_event_has_its_place_here(name: str) -> None:
    """Every kind of event is listed as binding or as one that can be taken back."""
    placed = [NEVER[name], SOMETIMES[name], BEFORE_CHANCE.get(name, set())]
    assert sorted(kind for each in placed for kind in each) == sorted(kinds(GAMES[name]))


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name in sorted(NEVER) for kind in sorted(NEVER[name])])
def test_what_binds_can_never_be_taken_back(name: str, kind: str) -> None:
    """In random games no binding event can be taken back by its seat."""
    met = steps(name).get(kind, [])
    assert [stepped for stepped, free in met if free] == []
    assert met or kind in {"guessed_right", "hand_shown", *STANDING} or (name, kind) == ("express", "reshuffled")


def test_what_random_play_does_not_meet_binds_by_its_kind() -> None:
    """Binding events that random games do not contain are binding by their kind."""
    game = GAMES["take-a-train"]
    assert game.stands(tat.PurposesEntered(A, ("P-1", "P-2", "P-3"))) and game.stands(tat.CashCorrected(A, 50))
    assert event_kinds(GAMES["trains"].events)["guessed_right"].facts.binding
    express = GAMES["express"]
    state = express.begin(Setup("express", 2, deck="ours"))
    assert express.reveals(Reshuffled(A), state)


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name in sorted(SOMETIMES) for kind in sorted(SOMETIMES[name])]
)
def test_what_can_be_taken_back(name: str, kind: str) -> None:
    """Each event of the other kinds can be taken back at least once, and never if it reveals or seals something."""
    free = [stepped for stepped, free in steps(name)[kind] if free]
    assert free
    game = GAMES[name]
    for before, event, after in free:
        assert not game.reveals(event, after) and not game.secret(before, event)


# --- a table with a clock of its own --------------------------------------------------------------


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """Yield a table of Trains with three seats, at which Jane places her first cube."""
    with Live(tmp_path / "journal.db", pace=HURRIED) as live:
        live.table.start(Setup("trains", 3))
        yield live.say(ev.FirstNamed(A))


def choice(live: Live, at: int = 0) -> Event:
    """Return an event that the seat on turn can choose."""
    shown = live.shown
    assert shown.state is not None
    return list(legal(shown.game, shown.state)[0])[at]


def moved(live: Live, by: Actor = BY_A) -> OwnMove:
    """Make a move that its seat can take back, and return the offer."""
    live.say(choice(live), by=by)
    own = live.shown.own_move
    assert own is not None
    return own


def key(answer: TableAnswer) -> str:
    """Return the key of an answer's refusal."""
    assert not answer.accepted and isinstance(answer.refusal, Refusal)
    return answer.refusal.key


def test_a_seat_takes_its_move_back_without_asking(live: Live) -> None:
    """Within five seconds a seat can take its move back, which is recorded as its undo."""
    before = live.shown
    event = choice(live)
    assert moved(live) == OwnMove(A, before.seq, before.seq + 1, live.now + WINDOW)
    live.now += WINDOW - 1
    assert live.table.take_back(A).accepted
    shown = live.shown
    assert (shown.state, shown.entries, shown.ledger) == (before.state, before.entries, before.ledger)
    assert (shown.seq, shown.own_move, shown.undo) == (before.seq + 2, None, None)
    (told,) = shown.taken_back
    assert (told.seat, told.seq, told.to) == (A, shown.seq, before.seq)
    assert [entry.event for entry in told.entries] == [event]


def test_it_is_taken_back_once(live: Live) -> None:
    """A second attempt to take a move back is refused."""
    moved(live)
    assert live.table.take_back(A).accepted
    after = live.shown
    assert key(live.table.take_back(A)) == "take_back_over"
    assert live.shown is after


def test_after_five_seconds_it_is_too_late(live: Live) -> None:
    """After exactly five seconds the offer ends, by the clock and for a tap."""
    own = moved(live)
    shown = live.shown
    live.now = own.until
    assert key(live.table.take_back(A)) == "take_back_over"
    assert live.shown is shown
    live.table.tick()
    assert (live.shown.own_move, live.shown.seq, live.shown.number) == (None, shown.seq, shown.number + 1)
    live.table.tick()
    assert live.shown.number == shown.number + 1
    assert key(live.table.take_back(A)) == "take_back_over"


def test_the_scheduler_withdraws_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a table with the real clock the scheduler withdraws the offer."""
    monkeypatch.setattr(take_back, "WINDOW", 1)
    seen = []
    with Table(tmp_path / "journal.db", pace=HURRIED) as table:
        table.start(Setup("trains", 3))
        table.propose(ev.FirstNamed(A), Actor.TABLE)
        table.listen(lambda shown, _: seen.append(shown.own_move))
        shown = table.snapshot()
        assert shown.state is not None
        assert table.propose(next(iter(legal(shown.game, shown.state)[0])), BY_A).accepted
        while (shown := table.snapshot()).own_move is not None:
            table.wait(shown.number, 1.0)
    assert [own is None for own in seen] == [False, True]


def test_only_its_own_seat_takes_it_back(live: Live) -> None:
    """Another seat cannot take the move back, and the offer stays."""
    own, shown = moved(live), live.shown
    assert key(live.table.take_back(B)) == "take_back_over"
    assert live.shown is shown
    assert shown.own_move == own


@pytest.mark.parametrize("by", [Actor.HOST, Actor.TABLE, Actor.CAMERA, Actor.bot(0)], ids=str)
def test_only_a_tap_on_the_seats_own_page_counts(live: Live, by: Actor) -> None:
    """A move entered by host, shared tablet, camera or bot cannot be taken back by its seat alone."""
    live.say(choice(live), by=by)
    assert live.shown.own_move is None
    assert key(live.table.take_back(A)) == "take_back_over"


def test_what_was_chosen_among_sightings_is_the_cameras(live: Live) -> None:
    """A choice among sightings has the camera's undo instead of the seat's."""
    assert live.table.propose(choice(live), BY_A, sight=SightState()).accepted
    assert live.shown.own_move is None


def test_a_page_that_does_not_show_the_move_cannot_take_it_back(live: Live) -> None:
    """A tap from a page that does not show the move, or of another match, does not take it back."""
    moved(live)
    seen, match = live.shown.seq, live.shown.match_id
    assert live.table.take_back(A, seen, match).accepted
    moved(live)
    for record, of in ((seen, match), (-1, match), (live.shown.seq, "77")):
        assert key(live.table.take_back(A, record, of)) == "take_back_over"
    assert live.table.take_back(A, live.shown.seq, match).accepted


# --- races ----------------------------------------------------------------------------------------


def another_acts(live: Live) -> None:
    """Let the next seat move."""
    live.say(choice(live), by=BY_B)
    assert live.shown.own_move is not None and live.shown.own_move.seat == B


def a_bot_acts(live: Live) -> None:
    """Let a bot move."""
    live.say(choice(live), by=Actor.bot(1))


def pauses(live: Live) -> None:
    """Pause the game and continue it."""
    assert live.table.pause(Actor.HOST).accepted and live.shown.own_move is None
    assert key(live.table.take_back(A)) == "take_back_over"
    live.table.unpause(Actor.HOST)


def host_undoes(live: Live) -> None:
    """Let the host undo the move."""
    assert live.table.ask_undo(live.shown.last_move or 0, Actor.HOST).accepted


def amends(live: Live) -> None:
    """Let the host replace the move."""
    last = live.shown.entries[-1]
    assert isinstance(last.event, ev.StartPlaced)
    other = next(each for each in range(1, 9) if (new := placed(live, each)) != last.event and new.seat == A)
    assert live.table.amend(last.seq, placed(live, other), Actor.HOST).accepted


def placed(live: Live, at: int) -> ev.StartPlaced:
    """Return another first cube of Jane's."""
    shown = live.shown
    event = list(legal(shown.game, shown.entries[-2].after)[0])[at]
    assert isinstance(event, ev.StartPlaced)
    return event


def frees(live: Live) -> None:
    """Let the host free the seat."""
    assert live.table.free_seat(A, Actor.HOST, {}).accepted


def leaves(live: Live) -> None:
    """Take the match off the table and resume it."""
    match = live.shown.match_id
    live.table.leave()
    assert key(live.table.take_back(A)) == "no_match"
    live.table.resume(match)


@pytest.mark.parametrize("act", [another_acts, a_bot_acts, pauses, host_undoes, amends, frees, leaves])
def test_whatever_else_happens_ends_it(live: Live, act: Callable[[Live], None]) -> None:
    """Every other action ends the offer, and a late tap is refused."""
    moved(live)
    act(live)
    shown = live.shown
    assert shown.own_move is None or shown.own_move.seat != A
    assert key(live.table.take_back(A)) == "take_back_over"
    assert live.shown is shown


def test_an_undo_that_is_asked_for_ends_it(tmp_path: Path) -> None:
    """A request for an undo ends the offer."""
    with Live(tmp_path / "journal.db", pace=HURRIED) as live:
        live.table.start(Setup("trains", 2, {"draw_kingdom": "yes"}))
        while live.shown.state is not None and live.shown.state.agenda[0].name != "act":
            shown = live.shown
            offers = legal(shown.game, shown.state)  # type: ignore[arg-type]
            live.say(next(iter(offers[0])), by=Actor.TABLE)
        seat = live.shown.state.agenda[0].awaits(live.shown.state.table)[0]  # type: ignore[union-attr]
        while live.shown.own_move is None:
            live.say(choice(live), by=Actor.at_seat(seat))
        live.table.ask_undo(0, Actor.HOST)
        assert (live.shown.undo is not None, live.shown.own_move) == (True, None)
        assert key(live.table.take_back(seat)) == "take_back_over"
        assert live.shown.undo is not None


def test_what_changes_nothing_does_not_end_it(live: Live) -> None:
    """A refused move, a trial amendment and news from the camera do not end the offer."""
    own = moved(live)
    assert not live.table.propose(ev.Ended(B), BY_B).accepted
    assert live.table.amend(live.shown.seq, placed(live, 3), Actor.HOST, dry_run=True).accepted
    live.table.show_sight(SightState(active=True))
    assert live.shown.own_move == own
    assert live.table.take_back(A).accepted


def test_asking_for_advice_is_no_move(live: Live) -> None:
    """A request for advice is only noted: the move before it can be taken back, and undo and redo ignore it."""
    before = live.shown
    moved(live)
    state = live.shown.state
    assert live.table.ask_advice(B).accepted
    assert live.shown.state is state
    assert live.shown.own_move is not None
    assert live.shown.advised == ((live.shown.seq, B),)
    assert live.table.take_back(A).accepted
    assert live.shown.state == before.state
    asked = live.shown.advised
    assert live.table.redo(Actor.HOST).accepted
    assert (live.shown.state, live.shown.advised) == (state, asked)
    assert live.shown.last_move == before.entries[-1].seq


def test_what_another_seat_does_in_secret_shows_on_no_page(tmp_path: Path) -> None:
    """Another seat's secret action ends the offer without a visible change on the seat's page.

    Entered purposes are public, so they end the offer visibly.
    """
    with Live(tmp_path / "journal.db", pace=HURRIED) as live:
        live.table.start(Setup("take-a-train", 3, deck="ours"))
        live.say(tat.StarterNamed(A), tat.TokenDrawn("pass"), tat.LocosRevealed(("steam-1", "steam-4", "diesel-1")))
        live.say(tat.Nominated(A, "steam-4"), by=BY_A)
        own = live.shown.own_move
        assert own is not None
        assert live.table.correct(B, 5000, BY_B).accepted
        assert live.shown.own_move == own
        assert key(live.table.take_back(A)) == "take_back_over"
        live.say(tat.PurposesEntered(B, ("P-1", "P-2", "P-3")), by=BY_B)
        assert live.shown.own_move is None


# --- auctions, presses, draws ---------------------------------------------------------------------


def test_neither_raises_nor_passes_nor_fists_nor_presses(tmp_path: Path) -> None:
    """Raises, passes, bids and presses of auctions and the market cannot be taken back."""
    opened = (tat.StarterNamed(A), tat.TokenDrawn("open"), tat.LocosRevealed(("steam-4",)))
    with Live(tmp_path / "journal.db", pace=HURRIED) as live:
        live.table.start(Setup("take-a-train", 3, deck="ours"))
        live.say(*opened).say(tat.Opened(A, 200), by=BY_A)
        assert live.shown.own_move is None
        assert live.table.propose(tat.Raised(B, 300), BY_B).accepted
        assert (live.events[-1], live.shown.own_move) == (tat.Raised(B, 300), None)
        live.table.press(Press(2, live.now))
        live.table.tick()
        assert isinstance(live.events[-1], tat.Raised) and live.shown.own_move is None
        live.table.start(Setup("take-a-train", 3, deck="ours"))
        live.say(tat.StarterNamed(A), tat.TokenDrawn("blind"), tat.LocosRevealed(("steam-1", "steam-4", "diesel-1")))
        live.say(tat.Nominated(A, "steam-4"), by=BY_A)
        live.say(tat.Committed(A, 250), by=BY_A)
        assert live.shown.own_move is None


def test_a_press_on_ones_turn_is_none_of_it(tmp_path: Path) -> None:
    """In Game of Trains a draw by button cannot be taken back."""
    with Live(tmp_path / "journal.db", pace=HURRIED) as live:
        live.table.start(Setup("game-of-trains", 2))
        while live.shown.timing is None:
            shown = live.shown
            live.say(next(iter(legal(shown.game, shown.state)[0])), by=Actor.TABLE)  # type: ignore[arg-type]
        seat = live.shown.state.agenda[0].awaits(live.shown.state.table)[0]  # type: ignore[union-attr]
        live.now += WINDOW
        live.table.press(Press(seat, live.now))
        live.table.tick()
        assert [name_of(event) for event in live.events[-2:]] == ["drew", "card_drawn"]
        assert (live.shown.entries[-2].by, live.shown.own_move) == (Actor.at_seat(seat), None)


# --- the journal ----------------------------------------------------------------------------------


def test_a_restart_ends_it(tmp_path: Path) -> None:
    """A restart ends the offer and keeps the move, and earlier take-backs are still listed."""
    path = tmp_path / "journal.db"
    with Live(path, pace=HURRIED) as live:
        live.table.start(Setup("trains", 3))
        live.say(ev.FirstNamed(A))
        moved(live)
        assert live.table.take_back(A).accepted
        moved(live)
        before = live.shown
    with Live(path, pace=HURRIED) as live:
        shown = live.shown
        assert (shown.state, shown.entries, shown.taken_back) == (before.state, before.entries, before.taken_back)
        assert shown.own_move is None
        assert key(live.table.take_back(A)) == "take_back_over"


def test_the_journal_keeps_an_undo_by_the_seat(tmp_path: Path, live: Live) -> None:
    """The journal, the export and a replay contain the take-back as an undo by the seat."""
    moved(live)
    assert live.table.take_back(A).accepted
    shown = live.shown
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        last = journal.records(shown.match_id)[-1]
        assert json.loads(last.body) == {"event": "rewound", "to": shown.entries[-1].seq}
        assert last.by == "seat:0"
        opened = Match.open(journal, shown.match_id, check=True)
        text = list(export(journal, shown.match_id, secrets=True))
    assert (opened.state, opened.line.taken_back) == (shown.state, shown.taken_back)
    told = json.loads(text[-1])
    assert (told["event"], told["by"], told["to"]) == ("rewound", "seat:0", shown.entries[-1].seq)
    line = read_text(text)
    assert (line.bodies[-1], line.state) == (Rewound(shown.entries[-1].seq), shown.state)
    assert [(each.seat, each.to) for each in line.taken_back] == [(A, shown.entries[-1].seq)]


def test_an_undo_of_anything_else_is_not_told_as_ones_own(live: Live) -> None:
    """An undo by the host and a redo are not listed as take-backs."""
    moved(live)
    assert live.table.ask_undo(live.shown.last_move or 0, Actor.HOST).accepted
    assert live.shown.taken_back == ()
    moved(live)
    taken = live.shown.state
    assert live.table.take_back(A).accepted and len(live.shown.taken_back) == 1
    assert live.table.redo(Actor.HOST).accepted
    assert (live.shown.state, live.shown.taken_back) == (taken, ())


def test_going_further_back_forgets_what_was_taken_back_there(live: Live) -> None:
    """An undo to an earlier record removes the take-backs after it."""
    moved(live)
    live.say(choice(live), by=BY_B)
    assert live.table.take_back(B).accepted and len(live.shown.taken_back) == 1
    assert live.table.ask_undo(live.shown.last_move or 0, Actor.HOST).accepted
    assert live.shown.taken_back == ()


# --- any game, at random --------------------------------------------------------------------------


AT_RANDOM = (
    Setup("take-a-train", 3),
    Setup("take-a-train", 2, deck="ours"),
    *SETUPS["trains"],
    *SETUPS["express"][:2],
    *SETUPS["game-of-trains"][:2],
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("setup", AT_RANDOM, ids=lambda setup: f"{setup.game}-{setup.deck}")
def test_taking_back_leads_to_where_one_was(tmp_path: Path, setup: Setup, seed: int) -> None:
    """Taking a move back restores state, entries, money and offers, also in the journal."""
    luck, taken = Random(seed), 0
    with Live(tmp_path / "journal.db", pace=HURRIED) as live:
        live.table.start(setup)
        while (before := live.shown).seq < EVENTS and before.state is not None and not before.over:
            offers = legal(before.game, before.state)
            event = offers[int(luck.random() * len(offers))].pick(luck.random)
            by = Actor.at_seat(event.seat) if isinstance(event, SeatEvent) else Actor.TABLE
            if not live.table.propose(event, by).accepted:
                assert live.table.draw(Actor.TABLE).accepted, event
            elif (own := live.shown.own_move) is not None:
                assert live.table.take_back(own.seat).accepted
                shown, taken = live.shown, taken + 1
                assert (shown.state, shown.entries, shown.ledger) == (before.state, before.entries, before.ledger)
                assert shown.view(None) == before.view(None) and shown.view(own.seat) == before.view(own.seat)
                assert live.table.propose(event, by).accepted
        match, state, told = live.shown.match_id, live.shown.state, live.shown.taken_back
        assert len(told) == taken
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        opened = Match.open(journal, match, check=True)
    assert (opened.state, opened.line.taken_back) == (state, told)
    assert taken or setup.game == "take-a-train", "after most of its moves a card is turned up"
