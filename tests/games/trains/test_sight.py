"""Test how the camera follows Trains: what it records, what it asks and which faults it reports."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.engine import CellName, Event, Layout, Piece, Player, Seat, Setup, Spot, State, by_cell
from companion.games import files
from companion.games.trains import boards
from companion.games.trains.events import Applied, Bought, Declined, Ended, Played, RailLaid, StationBuilt, TurnPassed
from companion.games.trains.options import OSAKA, REFORM
from companion.games.trains.rules import RULES
from companion.games.trains.sight import ROOM
from companion.games.trains.steps.effects import ApplyText
from companion.games.trains.table import GAINED, PLAY, Table
from companion.i18n import load
from companion.messages import CellSighting, Sighted
from companion.sight.card_readings import CardReadings, read_cells
from companion.sight.reconcile import Reconciliation, reconcile
from companion.table.table import Table as LiveTable
from tests.games.trains.build import A, B, after, on_small_map, turn
from tests.support.perfect_sight import PerfectSight
from vision.bench.followed_game import follow_game

__all__ = ["on_small_map"]
pytestmark = pytest.mark.usefixtures("on_small_map")


def seen(state: State[Table], *, away: str = "", pieces: tuple[Piece, ...] = (), **cards: tuple[str, ...]) -> Layout:
    """Return the expected layout with extra cards and pieces, and without the pieces of the cell `away`."""
    lies = RULES.layout(state)
    spots = {name: Spot((*lies.spot(name).up, *cards.get(name, ()))) for name in ROOM}
    stand = [piece for there in lies.pieces.values() for piece in there if piece.cell != away]
    found = by_cell([*stand, *pieces])
    return Layout(spots, pieces={cell.name: found.get(cell.name, ()) for cell in state.table.board.cells})


def cube(seat: Seat, cell: str) -> Piece:
    """Return a seat's cube on a cell."""
    return Piece("cube", seat, cell)


def explained(state: State[Table], lies: Layout) -> tuple[tuple[Event, ...], ...]:
    """Return the possible explanations of what the camera sees."""
    return reconcile(RULES, state, lies).explanations


def real_turn(*hand: str, **fields: object) -> State[Table]:
    """Return a turn with real cards."""
    return turn(hand, dealt=False, **fields)  # type: ignore[arg-type]


def test_a_rail_a_station_and_a_purchase_are_taken() -> None:
    """The camera records a card with its cube and Waste as one move, and likewise stations and purchases."""
    state = real_turn("lay_rails", "station_expansion", coins=2)
    rail = seen(state, pieces=(cube(A, "F1"),), play=("lay_rails",), gained=("waste",))
    assert explained(state, rail) == ((Played(A, "lay_rails"), RailLaid(A, CellName("F1"))),)
    station = seen(state, pieces=(Piece("station", None, "KJ"),), play=("station_expansion",), gained=("waste",))
    assert explained(state, station) == ((Played(A, "station_expansion"), StationBuilt(A, CellName("KJ"))),)
    assert explained(state, seen(state, gained=("landfill",))) == ((Bought(A, "landfill"),),)


def test_a_rail_that_is_not_laid_is_declined() -> None:
    """If the next card appears without a cube, the rail was declined."""
    played = after(real_turn("lay_rails", "normal_train"), Played(A, "lay_rails"))
    assert explained(played, seen(played, play=("normal_train",))) == ((Declined(A), Played(A, "normal_train")),)


def test_a_decision_without_a_trace_is_asked() -> None:
    """The camera asks whether two cards were drawn. If that needs a shuffle, people must enter it."""
    state = real_turn("signaling_area", "normal_train", deck=["normal_train"] * 3, play=["express_train"])
    played = after(state, Played(A, "signaling_area"))
    both = explained(played, seen(played, play=("normal_train",)))
    assert both == ((Applied(A), Played(A, "normal_train")), (Declined(A), Played(A, "normal_train")))
    short = real_turn("signaling_area", "normal_train", deck=["normal_train"], discard=["normal_train"] * 3)
    played = after(short, Played(A, "signaling_area"))
    assert explained(played, seen(played, play=("normal_train",))) == ()


def test_cards_of_a_hand_are_never_guessed() -> None:
    """The camera waits until people have entered discarded cards, and after a possible purchase onto the deck
    until the turn ends."""
    state = real_turn("garage", "normal_train", deck=["normal_train"] * 4)
    played = after(state, Played(A, "garage"))
    assert explained(played, seen(played, play=("normal_train",))) == ()
    early = real_turn(active=["early_train"], coins=5, deck=["normal_train"] * 9)
    cleared = replace(seen(early), spots={PLAY: Spot(), GAINED: Spot(), "revealed": Spot()})
    assert explained(early, cleared) == ()
    poor = real_turn(active=["early_train"], deck=["normal_train"] * 9)
    assert explained(poor, cleared) == ((Ended(A),),)
    played = after(real_turn("early_train", coins=5, deck=["normal_train"] * 9), Played(A, "early_train"))
    assert explained(played, cleared) == ()


def test_a_pass_is_asked_where_the_next_card_shows_it() -> None:
    """If the other seat plays a card, the camera asks whether the first seat passed with all its Waste or with none."""
    state = real_turn("waste", "waste", "waste", "waste", "waste", deck=["waste"] * 9)
    zones = state.table.zones.shuffle("discard.1", "deck.1").draw("deck.1", "hand.1", 5)
    state = replace(state, table=replace(state.table, zones=zones))
    ways = explained(state, seen(state, play=("normal_train",)))
    assert ways == tuple([(TurnPassed(A, count), Played(B, "normal_train")) for count in (0, 5)])


def faults(state: State[Table], lies: Layout) -> list[tuple[str, str, Seat | None, tuple[str, ...]]]:
    """Return the faults of a layout that no events explain."""
    found: Reconciliation = reconcile(RULES, state, lies)
    assert found.explanations == () and found.barred
    return [(o.fault.place, o.fault.key, o.fault.seat, o.fault.besides) for o in found.mismatches if o.fault]


def test_pieces_where_no_rule_allows_them_are_said() -> None:
    """The faults name cubes that are moved, disconnected, in the sea or doubled, and stations moved or without room."""
    state = real_turn("normal_train", rails=(("SM", "F1"), ("IU",)), stations={"KJ": 1})
    moved = seen(state, away="F1", pieces=(cube(A, "F4"),))
    assert faults(state, moved) == [("board.F4", "cube_moved", A, ("board.F1",))]
    for cell, key in (("F4", "cube_apart"), ("S1", "cube_sea"), ("F1", "cube_twice")):
        assert faults(state, seen(state, pieces=(cube(A, cell),))) == [(f"board.{cell}", key, A, ())]
    for cell in ("KJ", "F2"):
        odd = seen(state, pieces=(Piece("station", None, cell),))
        assert faults(state, odd) == [(f"board.{cell}", "station_no_room", None, ())]
    taken = seen(state, away="KJ", pieces=(Piece("station", None, "TA"),))
    assert faults(state, taken) == [("board.TA", "station_moved", None, ("board.KJ",))]
    say = load("en", (files(RULES, "words"),))
    for key in ("cube_moved", "cube_apart", "cube_sea", "cube_twice", "station_no_room", "station_moved"):
        assert say(f"fault.{key}", name="Ann", where="cell F4", besides="cell F1").endswith(".")


def test_a_place_that_overflows_is_not_compared() -> None:
    """With nine cards in play the mat is full, so that turn continues by touch."""
    assert PLAY in RULES.layout(real_turn(play=["normal_train"] * 8)).spots
    full = real_turn(play=["normal_train"] * 9, deck=["normal_train"] * 9)
    assert PLAY not in RULES.layout(full).spots
    for state, ends in ((full, False), (real_turn(play=["normal_train"], deck=["normal_train"] * 9), True)):
        cleared = Layout({PLAY: Spot(), GAINED: Spot()})
        assert (Ended(A) in RULES.candidate_events(state, RULES.layout(state), cleared)) is ends
    gone = Layout({}, passed={PLAY: ("normal_train",)})
    assert not any(isinstance(event, Played) for event in RULES.candidate_events(full, RULES.layout(full), gone))
    gained = real_turn(gained=["waste"] * 5, play=["tunnel"])
    assert Ended(A) not in RULES.candidate_events(gained, Layout({}), Layout({}))


def test_nobody_is_taken_to_decline_where_a_place_overflows() -> None:
    """With a full row of cards in play, the camera records a laid rail, but does not infer a declined one."""
    eight = ("normal_train",) * 8
    state = after(real_turn("lay_rails", play=list(eight), coins=9), Played(A, "lay_rails"))
    assert isinstance(state.agenda[0], ApplyText) and PLAY not in RULES.layout(state).spots
    before = seen(state, play=eight)
    assert explained(state, before) == ()
    laid = seen(state, pieces=(cube(A, "F1"),), play=eight, gained=("waste",))
    assert explained(state, laid) == ((RailLaid(A, CellName("F1")),),)


def test_black_pieces_of_a_box_are_a_black_seats_cubes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a box match, black pieces are a black seat's cubes, and stations stay where people entered them."""
    standing = RULES.layout(turn(stations={"A6": 1})).pieces
    monkeypatch.undo()  # use the whole map
    black = Setup(RULES.name, (Player("Ann", "grey"), Player("Bob", "black")), deck="box")
    cells = (CellSighting("A5", ("station",)), CellSighting("A6", ()), CellSighting("B3", (), (("station",), ())))
    with LiveTable(tmp_path / "journal.db") as table:
        assert table.start(black)
        readings = CardReadings()
        readings.begin(table.snapshot())
        readings.accept(Sighted(1, 1, game=RULES.name, cells=cells))
        found = readings.layout()
    assert (found.pieces["A5"], found.pieces["A6"]) == ((cube(B, "A5"),), ())
    assert found.unsure["B3"] == ((cube(B, "B3"),), ())
    assert read_cells(Sighted(1, 1, cells=cells), ("grey", "black"), dict(boards.NEUTRAL), standing).pieces == {
        "A5": (cube(B, "A5"),), "A6": (Piece("station", None, "A6"),)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("players", "options", "seed"), [(2, {"kingdom": REFORM}, 20), (4, {"board": "osaka", "kingdom": OSAKA}, 1)]
)
def test_a_whole_game_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: int, options: dict[str, object], seed: int
) -> None:
    """The camera records most of a whole game and nothing wrong."""
    monkeypatch.undo()  # use the whole map
    setup = Setup(RULES.name, players, options, deck="ours")
    with follow_game(tmp_path, RULES, setup, PerfectSight(RULES, players)) as people:
        found = people.play(random.Random(seed).random)
    assert found.right and found.hasty == 0
    assert found.seen > found.events // 2
