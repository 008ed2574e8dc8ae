"""Test Twenty Tons, the example of docs/adding-a-game.md."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.bots.simulation import simulate
from companion.engine import BadSetup, Event, Layout, Seat, Setup, State, apply, legal, rule, seen, state_hash
from companion.games import files, game_words, teller_of
from companion.games.examples.twenty_tons.rules import RULES
from companion.games.examples.twenty_tons.steps import MOST, WAGONS, Ask, Passed, Table, Took, TurnUp, WagonTurned
from companion.journal.journal import Journal
from companion.match.actor import Actor
from companion.match.history import History
from companion.match.notation import export, read_text, sentence
from companion.sight.reconcile import Reconciliation, reconcile
from companion.table.bot_seat import BotSeat
from companion.table.table import Table as LiveTable
from tests.games import adding
from tests.games.playing import Playing
from tests.games.proofs import proves
from tests.support.matches import quick
from tests.tools.sizes import lines_in

__all__ = ["quick"]

FOLDER = Path(str(files(RULES, "")))
LIMIT = 250
PLAYING: Playing[Table] = Playing(RULES)
A, B, C = Seat(0), Seat(1), Seat(2)
after, why, offered = PLAYING.after, PLAYING.why, PLAYING.offered


def begun(players: int = 2, deck: Any = "ours") -> State[Table]:
    """Return a game that has begun."""
    return RULES.begin(Setup(RULES.name, players, deck=deck))


def bad(setup: Setup) -> tuple[str, str, Seat | None]:
    """Return the rule, the key and the audience of the refusal of a set-up."""
    with pytest.raises(BadSetup) as caught:
        RULES.begin(setup)
    said = caught.value.refusal
    return said.rule, said.key, said.audience


def whole(state: State[Table], wants: dict[Seat, tuple[int, ...]]) -> State[Table]:
    """Return the end of a game with wagons from the lightest to the heaviest, in which seats take those they want."""
    while state.agenda:
        (seat,) = state.agenda[0].awaits(state.table) or (None,)
        wagon = state.table.wagon
        events = [WagonTurned(state.table.pile[0])] if seat is None else [(Passed, Took)[wagon in wants[seat]](seat)]
        state = after(state, *events)
    return state


def played(setup: Setup, seed: int) -> Iterator[tuple[State[Table], Event, State[Table]]]:
    """Play a whole game at random and yield each event between the states before and after it."""
    luck = random.Random(seed)
    state = RULES.begin(setup)
    while state.agenda:
        offers = legal(RULES, state)
        event = offers[luck.randrange(len(offers))].pick(luck.random)
        before, state = state, apply(RULES, state, event)
        yield before, event, state


def test_the_whole_game_has_at_most_250_lines() -> None:
    """The code, the words and the rules in two languages together have at most 250 lines."""
    assert 0 < lines_in(FOLDER) <= LIMIT


def test_the_page_shows_the_example_as_it_is() -> None:
    """docs/adding-a-game.md shows every definition of the example and the current number of its lines."""
    text = adding.ADDING.document.read_text(encoding="utf-8")
    assert text == adding.written(adding.ADDING, text)
    assert adding.unshown(adding.ADDING) == []


# --- the rules ------------------------------------------------------------------------------------


@proves("R-00")
def test_a_move_at_the_wrong_moment_is_refused() -> None:
    """A move in the wrong phase, from an unknown seat or after the end is refused."""
    state = begun()
    assert why(state, Took(A)) == ("R-00", "wrong_phase", None)
    assert why(state, Took(C)) == ("R-00", "unknown_seat", None)
    *_, (_, event, over) = played(Setup(RULES.name, 2), 1)
    assert why(over, event) == ("R-00", "game_over", None)


@proves("R-01")
def test_two_to_four_play() -> None:
    """Two to four may play, and the game has no options."""
    for players in (1, 5):
        assert bad(Setup(RULES.name, players)) == ("R-00", "bad_player_count", None)
    assert bad(Setup(RULES.name, 2, {"tons": 30})) == ("R-00", "bad_option", None)
    assert offered(begun(4), None) == [WagonTurned(wagon) for wagon in WAGONS]


@proves("R-02")
def test_a_wagon_turns_up_once() -> None:
    """A wagon appears only once, and only wagons of the game appear."""
    state = after(begun(), WagonTurned(4), Took(A))
    assert why(state, WagonTurned(4)) == ("R-00", "not_offered", None)
    assert why(state, WagonTurned(10)) == ("R-00", "not_offered", None)


@proves("R-03")
def test_everybody_is_asked_in_turn() -> None:
    """The seats are asked clockwise until one takes the wagon, and the next seat begins the next round."""
    state = after(begun(3), WagonTurned(4))
    assert why(state, Took(B)) == ("R-00", "not_your_turn", None)
    assert offered(state, A) == [Took(A), Passed(A)]
    state = after(state, Passed(A), Passed(B))
    taken, gone = after(state, Took(C)), after(state, Passed(C))
    assert (taken.table.trains, gone.table.trains) == (((), (), (4,)), ((), (), ()))
    assert gone.agenda == (TurnUp(),)
    assert after(taken, WagonTurned(5)).agenda == (Ask((B, C, A)),)


@proves("R-04")
def test_a_train_is_not_too_heavy() -> None:
    """A train may weigh twenty tons but not more."""
    state = after(begun(), WagonTurned(9), Took(A), WagonTurned(8), Passed(B), Took(A))
    assert RULES.scores(after(state, WagonTurned(3), Took(A))) == (MOST, 0)
    heavy = after(state, WagonTurned(4))
    assert offered(heavy, A) == [Passed(A)]
    assert why(heavy, Took(A)) == ("R-04", "too_heavy", None)


@proves("R-05")
def test_the_heaviest_train_wins() -> None:
    """The heaviest train wins when the pile is empty, and equal trains share the victory."""
    state = whole(begun(), {A: (7, 8), B: (6, 9)})
    assert (RULES.scores(state), RULES.winners(state)) == ((15, 15), (A, B))
    state = whole(begun(), {A: (7, 8), B: (6, 5)})
    assert (RULES.scores(state), RULES.winners(state)) == ((15, 11), (A,))
    assert RULES.winners(begun()) == ()


# --- at a table -----------------------------------------------------------------------------------


def wander(table: LiveTable, luck: random.Random, until: int) -> None:
    """Play random moves until the journal has `until` records or the game is over."""
    while (shown := table.snapshot()).seq < until and not shown.over:
        assert shown.state is not None
        (offer,) = legal(RULES, shown.state)
        event = offer.pick(luck.random)
        assert table.propose(event, Actor.at_seat(offer.by), shown.seq, shown.match_id).accepted


@pytest.mark.usefixtures("quick")
def test_a_whole_game_is_played_through_a_table_and_a_restart(tmp_path: Path) -> None:
    """After a restart, the game continues from the same state to its end, and its export replays to that end."""
    luck, file = random.Random(3), tmp_path / "journal.db"
    with LiveTable(file) as table:
        match_id = table.start(Setup(RULES.name, 3))
        wander(table, luck, 9)
        before = table.snapshot()
    with LiveTable(file) as table:
        table.resume(match_id)
        shown = table.snapshot()
        assert (shown.seq, shown.state) == (before.seq, before.state)
        wander(table, luck, 100)
        shown = table.snapshot()
        assert shown.over and shown.state is not None
        assert {entry.by for entry in shown.entries} == {Actor.DEALER, *map(Actor.at_seat, range(3))}
    with Journal(file, read_only=True) as journal:
        lines = list(export(journal, match_id))
    again = read_text(lines)
    assert state_hash(again.state) == state_hash(shown.state)
    assert again.state == shown.state


@pytest.mark.usefixtures("quick")
def test_a_move_is_taken_back_and_a_refused_one_changes_nothing(tmp_path: Path) -> None:
    """Undoing a revealed wagon asks everybody, a misread wagon can be corrected, and a refusal changes nothing."""
    with LiveTable(tmp_path / "journal.db") as table:
        table.start(Setup(RULES.name, 2, deck="ours"))
        for event in (WagonTurned(4), Passed(A)):
            assert table.propose(event, Actor.TABLE).accepted
        shown = table.snapshot()
        answer = table.propose(Took(A), Actor.at_seat(0))
        assert not answer.accepted and answer.refusal is not None
        assert sentence(RULES, Setup(RULES.name, ("Jane", "Bill")), answer.refusal) == "It is Bill's turn."
        assert table.snapshot() is shown
        assert table.ask_undo(1, Actor.HOST).accepted
        assert table.snapshot().seq > shown.seq
        assert table.propose(Took(A), Actor.at_seat(0)).accepted
        assert table.amend(1, WagonTurned(5), Actor.HOST).accepted
        now = table.snapshot().state
        assert now is not None and now.table.trains == ((5,), ())
        assert table.ask_undo(0, Actor.HOST).accepted
        assert table.snapshot().undo is not None, "what was turned up cannot be unlearned: everybody is asked"


@pytest.mark.usefixtures("quick")
def test_bots_play_it_at_a_table(tmp_path: Path) -> None:
    """Bots finish a game at a table."""
    with LiveTable(tmp_path / "journal.db") as table:
        table.start(Setup(RULES.name, 4))
        driver = BotSeat(table, lambda seconds: None, random.Random(1).random)
        for seat in range(4):
            driver.sit(Seat(seat))
        while driver.turn() is not None:
            pass
        assert table.snapshot().over


# --- without a table ------------------------------------------------------------------------------


@pytest.mark.parametrize("bots", ["sensible", "random", "sensible,random"])
def test_games_are_simulated(bots: str) -> None:
    """The same seed produces the same results, and every game has a winner."""
    setup = Setup(RULES.name, 3)
    results = list(simulate(RULES, setup, 20, 1, bots))
    assert results == list(simulate(RULES, setup, 20, 1, bots))
    assert all(result.winners and max(result.scores) <= MOST for result in results)


def strays() -> list[Event]:
    """Return many events, most of which are illegal."""
    return [*map(WagonTurned, range(-1, 12)), *[kind(Seat(s)) for s in range(-1, 5) for kind in (Took, Passed)]]


@pytest.mark.parametrize("players", RULES.seats)
def test_what_holds_in_every_game(players: int) -> None:
    """The invariants hold, every offered event is legal, and every other one is refused without effect."""
    for seed in range(20):
        for _, _, state in played(Setup(RULES.name, players), seed):
            table = state.table
            lying = Counter([card for train in table.trains for card in train] + [*table.pile, table.wagon])
            assert max(count for card, count in lying.items() if card) == 1
            assert max(RULES.scores(state)) <= MOST
            known = {event for offer in legal(RULES, state) for event in offer}
            before = state_hash(state)
            for event in strays():
                assert (rule(RULES, state, event) is None) == (event in known)
                if event in known:
                    apply(RULES, state, event)
                else:
                    why(state, event)
            assert state_hash(state) == before


@pytest.mark.parametrize("players", RULES.seats)
def test_a_camera_can_follow_it(players: int) -> None:
    """The camera explains the layout after each event by that event."""
    assert seen(RULES)
    names = {place.name for place in RULES.places(players)}
    for before, event, state in played(Setup(RULES.name, players, deck="ours"), players):
        said = RULES.layout(state)
        assert set(said.spots) == names
        found = reconcile(RULES, before, Layout(said.spots))
        if said == RULES.layout(before):
            assert found == Reconciliation(), "nothing has moved"
        else:
            assert (event,) in found.explanations


def test_everything_is_told() -> None:
    """Every event has a complete sentence that names the players."""
    words = game_words(RULES, "en")
    setup = Setup(RULES.name, ("Jane", "Bill"))
    tell, players = teller_of(RULES).tell, setup.seated()
    said = [line for _, event, state in played(setup, 2) for line in tell(event, state.effects, players, words)]
    assert said[0].startswith("Wagon ") and all(line[-1] == "." and "{" not in line for line in said)
    assert {line.split()[0] for line in said} == {"Wagon", "Jane", "Bill"}


def test_its_journal_can_be_written_by_hand() -> None:
    """A handwritten journal needs a header and one event a line, as in docs/journal-format.md."""
    line: History = read_text(
        [
            '{"game": "twenty-tons", "players": ["Jane", "Bill"]}',
            '{"event": "wagon_turned", "wagon": 7}',
            '{"event": "passed", "seat": 0}',
            '{"event": "took", "seat": 1}',
        ]
    )
    assert line.state.table.trains == ((), (7,))
